import { asFault } from "../core/fault.ts";
import { json, type Call, type Handled } from "../core/server.ts";
import type { TelegramEmulator } from "./emulator.ts";
import { readInboundFile } from "./inbound-file.ts";

type Body = Readonly<Record<string, unknown>>;

/** The control surface over HTTP: the same methods that a test calls on the object. */
export async function control(emulator: TelegramEmulator, call: Call): Promise<Handled> {
  try {
    return { answer: json(200, await act(emulator, call)) };
  } catch (error) {
    return { answer: json(400, { error: error instanceof Error ? error.message : String(error) }) };
  }
}

async function act(emulator: TelegramEmulator, call: Call): Promise<unknown> {
  const name = call.path.slice("/_sim/telegram/".length);
  if (call.method === "GET") return read(emulator, name);
  const parsed: unknown = call.body.length > 0 ? JSON.parse(call.body.toString("utf8")) : {};
  if (typeof parsed !== "object" || parsed === null) throw new Error("a JSON object is needed");
  const body: Body = { ...parsed };
  const text = (key: string): string => {
    const value = body[key];
    if (typeof value !== "string" || value === "") throw new Error(`${key} is needed`);
    return value;
  };
  const number = (key: string): number => {
    const value = body[key];
    if (typeof value !== "number") throw new Error(`${key} must be a number`);
    return value;
  };
  const { message } = body;
  switch (name) {
    case "inbound":
      return {
        messageId: emulator.inbound({
          botId: text("botId"),
          from: number("from"),
          ...(body["name"] !== undefined && { name: text("name") }),
          ...(body["text"] !== undefined && { text: text("text") }),
          ...(body["replyTo"] !== undefined && { replyTo: number("replyTo") }),
          ...(body["at"] !== undefined && { at: number("at") }),
          ...(body["times"] !== undefined && { times: number("times") }),
          ...(body["afterMs"] !== undefined && { afterMs: number("afterMs") }),
          ...(typeof message === "object" && message !== null && { message: { ...message } }),
          ...(body["file"] !== undefined && { file: readInboundFile(body["file"]) }),
        }),
      };
    case "edit":
      emulator.edit(text("botId"), number("from"), number("messageId"), text("text"));
      return {};
    case "press":
      return {
        id: emulator.press(text("botId"), number("from"), number("messageId"), text("data")),
      };
    case "block":
      emulator.block(text("botId"), number("from"));
      return {};
    case "unblock":
      emulator.unblock(text("botId"), number("from"));
      return {};
    case "bot":
      return { id: emulator.addBot({ token: text("token") }).id };
    case "fault":
      if (body["clear"] === true) emulator.faults.clear();
      else emulator.fault(asFault(body));
      return { faults: emulator.faults.count };
    case "clock":
      if (body["set"] !== undefined) emulator.clock.set(number("set"));
      await emulator.advance(body["advanceMs"] === undefined ? 0 : number("advanceMs"));
      return { now: emulator.clock.now() };
    case "flush":
      return { delivered: await emulator.flush() };
    case "release":
      emulator.release();
      return {};
    case "clear":
      emulator.clear();
      return {};
    default:
      throw new Error(`nothing to do at ${name}`);
  }
}

function read(emulator: TelegramEmulator, name: string): unknown {
  switch (name) {
    case "requests":
      return emulator.requests();
    case "messages":
      return emulator.messages();
    case "webhooks":
      return emulator.webhooks();
    case "ledger":
      return {
        total: emulator.ledger.total,
        complete: emulator.ledger.complete,
        repeated: emulator.ledger.repeated(),
      };
    default:
      throw new Error(`nothing to read at ${name}`);
  }
}
