import { asFault } from "../core/fault.ts";
import { json, type Call, type Handled } from "../core/server.ts";
import type { TikTokEmulator } from "./emulator.ts";
import type { TikTokInbound } from "./options.ts";
import { SIGNINGS } from "./signature.ts";

/** The control surface over HTTP: the same methods that a test calls on the object. */
export async function tiktokControl(emulator: TikTokEmulator, call: Call): Promise<Handled> {
  try {
    return { answer: json(200, await act(emulator, call)) };
  } catch (error) {
    return { answer: json(400, { error: error instanceof Error ? error.message : String(error) }) };
  }
}

async function act(emulator: TikTokEmulator, call: Call): Promise<unknown> {
  const name = call.path.slice("/_sim/tiktok/".length);
  if (call.method === "GET") return look(emulator, name);
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
    case "inbound": {
      const message = body["message"];
      const given =
        typeof message === "object" && message !== null ? { message: { ...message } } : {};
      const id = emulator.inbound({
        businessId: text("businessId"),
        from: text("from"),
        ...(body["name"] === undefined ? {} : { name: text("name") }),
        ...(body["text"] === undefined ? {} : { text: text("text") }),
        ...(body["id"] === undefined ? {} : { id: text("id") }),
        ...given,
        ...(body["file"] === undefined ? {} : { file: readFile(body["file"]) }),
        times: number("times") ?? 1,
      });
      return { id };
    }
    case "reply":
      return { id: emulator.reply(text("businessId"), text("to"), text("text")) };
    case "read":
      emulator.read(text("businessId"), text("customer"), number("at"));
      return { queued: emulator.stats.queued };
    case "fault":
      if (body["clear"] === true) emulator.faults.clear();
      else emulator.fault(asFault(body));
      return { faults: emulator.faults.count };
    case "sign": {
      const mode = SIGNINGS.find((one) => one === body["mode"]);
      if (mode === undefined) throw new Error(`mode must be one of ${SIGNINGS.join(", ")}`);
      emulator.sign(mode, number("calls") ?? 1);
      return {};
    }
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

/** `{ kind, base64, mimeType? }` */
function readFile(given: unknown): NonNullable<TikTokInbound["file"]> {
  if (typeof given !== "object" || given === null) throw new Error("file must be an object");
  const { kind, base64, mimeType }: Readonly<Record<string, unknown>> = { ...given };
  if (kind !== "image" && kind !== "video" && kind !== "sticker")
    throw new Error("file.kind must be image, video or sticker");
  return {
    kind,
    bytes: Buffer.from(String(base64), "base64"),
    mimeType: typeof mimeType === "string" ? mimeType : "application/octet-stream",
  };
}

function look(emulator: TikTokEmulator, name: string): unknown {
  switch (name) {
    case "requests":
      return emulator.requests();
    case "messages":
      // Without the bytes of pictures.
      return emulator
        .messages()
        .map(({ file, ...rest }) => ({ ...rest, mimeType: file?.mimeType }));
    case "webhooks":
      return emulator.webhooks();
    case "ledger": {
      const { total, complete } = emulator.ledger;
      return { total, complete, repeated: emulator.ledger.repeated() };
    }
    default:
      throw new Error(`nothing to read at ${name}`);
  }
}
