import { asFault } from "../core/fault.ts";
import { json, type Call, type Handled } from "../core/server.ts";
import type { TwilioEmulator } from "./emulator.ts";

/** The control surface over HTTP: the same methods that a test calls on the object. */
export async function twilioControl(emulator: TwilioEmulator, call: Call): Promise<Handled> {
  try {
    return { answer: json(200, await act(emulator, call)) };
  } catch (error) {
    return { answer: json(400, { error: error instanceof Error ? error.message : String(error) }) };
  }
}

async function act(emulator: TwilioEmulator, call: Call): Promise<unknown> {
  const name = call.path.slice("/_sim/twilio/".length);
  if (call.method === "GET") {
    switch (name) {
      case "requests":
        return emulator.requests();
      case "messages":
        return emulator.messages();
      case "callbacks":
        return emulator.callbacks();
      case "ledger": {
        const { total, complete } = emulator.ledger;
        return { total, complete, repeated: emulator.ledger.repeated() };
      }
      default:
        throw new Error(`nothing to read at ${name}`);
    }
  }
  const parsed: unknown = call.body.length > 0 ? JSON.parse(call.body.toString("utf8")) : {};
  if (typeof parsed !== "object" || parsed === null) throw new Error("a JSON object is needed");
  const body: Readonly<Record<string, unknown>> = { ...parsed };
  const text = (key: string): string => {
    const value = body[key];
    if (typeof value !== "string" || value === "") throw new Error(`${key} is needed`);
    return value;
  };
  const number = (key: string): number | undefined =>
    typeof body[key] === "number" ? body[key] : undefined;
  switch (name) {
    case "inbound":
      return { sid: emulator.inbound({ from: text("from"), to: text("to"), body: text("body") }) };
    case "status": {
      const errorCode = number("errorCode");
      const times = number("times");
      emulator.status({
        sid: text("sid"),
        status: text("status"),
        ...(errorCode === undefined ? {} : { errorCode }),
        ...(times === undefined ? {} : { times }),
      });
      return { queued: emulator.stats.queued };
    }
    case "fault":
      if (body["clear"] === true) emulator.faults.clear();
      else emulator.fault(asFault(body));
      return { faults: emulator.faults.count };
    case "clock":
      if (number("set") !== undefined) emulator.clock.set(number("set") ?? 0);
      await emulator.advance(number("advanceMs") ?? 0);
      return { now: emulator.clock.now() };
    case "flush":
      return { delivered: await emulator.flush(number("concurrency")) };
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
