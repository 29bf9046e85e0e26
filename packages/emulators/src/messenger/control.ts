import { asFault } from "../core/fault.ts";
import { json, type Call, type Handled } from "../core/server.ts";
import type { PageEmulator } from "./emulator.ts";
import type { PageInboundFile } from "./options.ts";

type Body = Readonly<Record<string, unknown>>;

/** The control surface over HTTP: the same methods that a test calls on the object. */
export async function control(emulator: PageEmulator, call: Call, name: string): Promise<Handled> {
  try {
    const answer = call.method === "GET" ? read(emulator, name) : await act(emulator, name, call);
    return { answer: json(200, answer) };
  } catch (error) {
    return { answer: json(400, { error: error instanceof Error ? error.message : String(error) }) };
  }
}

function read(emulator: PageEmulator, name: string): unknown {
  const { ledger } = emulator;
  switch (name) {
    case "requests":
      return emulator.requests();
    case "messages":
      return emulator.messages();
    case "webhooks":
      return emulator.webhooks();
    case "ledger":
      return { total: ledger.total, complete: ledger.complete, repeated: ledger.repeated() };
    case "callbacks":
      return emulator.stats;
    default:
      throw new Error(`nothing to read at ${name}`);
  }
}

async function act(emulator: PageEmulator, name: string, call: Call): Promise<unknown> {
  const parsed: unknown = call.body.length > 0 ? JSON.parse(call.body.toString("utf8")) : {};
  if (typeof parsed !== "object" || parsed === null) throw new Error("a JSON object is needed");
  const body: Body = { ...parsed };
  const text = (key: string): string => {
    const value = body[key];
    if (typeof value !== "string" || value === "") throw new Error(`${key} is needed`);
    return value;
  };
  const number = (key: string): number | undefined =>
    typeof body[key] === "number" ? body[key] : undefined;
  const member = (key: string): Body | undefined => {
    const value = body[key];
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  };
  switch (name) {
    case "inbound": {
      const who = { pageId: text("pageId"), from: text("from"), times: number("times") ?? 1 };
      const what = member("act");
      if (what) return emulator.act(who, what) ?? {};
      const id = typeof body["id"] === "string" ? { id: body["id"] } : {};
      if (Array.isArray(body["files"])) {
        const words = typeof body["text"] === "string" ? { text: body["text"] } : {};
        const files = body["files"].map(inboundFile);
        return { id: emulator.inbound({ ...who, ...id, ...words, files }) };
      }
      const message = member("message") ?? { text: text("text") };
      return { id: emulator.inbound({ ...who, ...id, message }) };
    }
    case "agent-reply":
      return { id: emulator.agentReply(text("pageId"), text("to"), text("text")) };
    case "mark": {
      const status = text("status") === "read" ? "read" : "delivered";
      const mid = typeof body["mid"] === "string" ? body["mid"] : undefined;
      emulator.mark(text("pageId"), text("from"), status, mid);
      return { queued: emulator.stats.queued };
    }
    case "customer": {
      const names = ["firstName", "lastName", "name", "username", "profilePic"] as const;
      const given = names.flatMap((name) => {
        const value = body[name];
        return typeof value === "string" || value === null ? [[name, value] as const] : [];
      });
      emulator.setCustomer(text("id"), Object.fromEntries(given));
      return {};
    }
    case "page":
      emulator.addPage({
        id: text("id"),
        accessToken: text("accessToken"),
        appSecret: text("appSecret"),
        ...(typeof body["tokenIssuedAt"] === "number" && { tokenIssuedAt: body["tokenIssuedAt"] }),
        ...(typeof body["webhookUrl"] === "string" && { webhook: { url: body["webhookUrl"] } }),
      });
      return {};
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

const FILE_TYPES = ["image", "audio", "video", "file", "sticker"] as const;

/** `{ type, mimeType, data: base64, fileName? }`. */
function inboundFile(value: unknown): PageInboundFile {
  const given: Body = typeof value === "object" && value !== null ? { ...value } : {};
  const type = FILE_TYPES.find((one) => one === given["type"]);
  const { mimeType, data, fileName } = given;
  if (type === undefined || typeof mimeType !== "string" || typeof data !== "string")
    throw new Error("a file needs type, mimeType and data");
  return {
    type,
    mimeType,
    bytes: Buffer.from(data, "base64"),
    ...(typeof fileName === "string" ? { fileName } : {}),
  };
}
