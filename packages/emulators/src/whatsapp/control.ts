import { asFault } from "../core/fault.ts";
import { json, type Call, type Handled } from "../core/server.ts";
import type { WhatsAppEmulator } from "./emulator.ts";
import type { InboundFile } from "./options.ts";

type Body = Readonly<Record<string, unknown>>;

/** The control surface over HTTP: the same methods that a test calls on the object. */
export async function control(emulator: WhatsAppEmulator, call: Call): Promise<Handled> {
  try {
    return { answer: json(200, await act(emulator, call)) };
  } catch (error) {
    return { answer: json(400, { error: error instanceof Error ? error.message : String(error) }) };
  }
}

async function act(emulator: WhatsAppEmulator, call: Call): Promise<unknown> {
  const name = call.path.slice("/_sim/whatsapp/".length);
  if (call.method === "GET") {
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
      case "callbacks":
        return emulator.stats;
      default:
        throw new Error(`nothing to read at ${name}`);
    }
  }
  const parsed: unknown = call.body.length > 0 ? JSON.parse(call.body.toString("utf8")) : {};
  if (typeof parsed !== "object" || parsed === null) throw new Error("a JSON object is needed");
  const body: Body = { ...parsed };
  const text = (key: string): string => {
    const value = body[key];
    if (typeof value !== "string" || value === "") throw new Error(`${key} is needed`);
    return value;
  };
  const optional = <K extends string>(...keys: K[]): { [P in K]?: string } =>
    Object.fromEntries(
      keys.filter((key) => typeof body[key] === "string").map((key) => [key, text(key)]),
    ) as {
      [P in K]?: string;
    };
  const number = (key: string): number | undefined =>
    typeof body[key] === "number" ? body[key] : undefined;
  const numbers = <K extends string>(...keys: K[]): { [P in K]?: number } =>
    Object.fromEntries(
      keys.flatMap((key) => (number(key) === undefined ? [] : [[key, number(key)]])),
    ) as {
      [P in K]?: number;
    };
  switch (name) {
    case "inbound": {
      const { message } = body;
      const file = inboundFile(body["file"]);
      return {
        id: emulator.inbound({
          phoneNumberId: text("phoneNumberId"),
          ...optional("from", "userId", "name", "text", "replyTo", "id"),
          ...numbers("at", "times", "afterMs"),
          ...(typeof message === "object" && message !== null ? { message: { ...message } } : {}),
          ...(file === null ? {} : { file }),
        }),
      };
    }
    case "status":
      emulator.status({
        id: text("id"),
        status: text("status"),
        ...optional("details"),
        ...numbers("code", "at", "times"),
      });
      return { queued: emulator.stats.queued };
    case "fault": {
      if (body["clear"] === true) emulator.faults.clear();
      else emulator.fault(asFault(body));
      return { faults: emulator.faults.count };
    }
    case "clock":
      if (number("set") !== undefined) emulator.clock.set(number("set") ?? 0);
      await emulator.advance(number("advanceMs") ?? 0);
      return { now: emulator.clock.now() };
    case "template": {
      const { components } = body;
      if (typeof body["id"] === "string" && components === undefined) {
        emulator.setTemplateStatus(
          text("wabaId"),
          text("id"),
          text("status"),
          optional("reason").reason,
        );
        return { id: text("id") };
      }
      if (!Array.isArray(components)) throw new Error("components is needed");
      return emulator.addTemplate(text("wabaId"), {
        name: text("name"),
        language: text("language"),
        components,
        ...optional("category", "status", "id"),
        ...(body["parameter_format"] === "NAMED" ? { parameter_format: "NAMED" } : {}),
      });
    }
    case "number": {
      const webhook = optional("webhookUrl", "verifyToken");
      return emulator.addNumber({
        phoneNumberId: text("phoneNumberId"),
        wabaId: text("wabaId"),
        accessToken: text("accessToken"),
        appSecret: text("appSecret"),
        ...optional("displayPhoneNumber"),
        ...(webhook.webhookUrl === undefined
          ? {}
          : {
              webhook: {
                url: webhook.webhookUrl,
                ...(webhook.verifyToken === undefined ? {} : { verifyToken: webhook.verifyToken }),
              },
            }),
      });
    }
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

const FILE_TYPES = ["image", "audio", "video", "document", "sticker"] as const;

/** `{ type, mimeType, data: base64, fileName?, caption?, voice?, animated? }`. */
function inboundFile(value: unknown): InboundFile | null {
  if (typeof value !== "object" || value === null) return null;
  const given: Body = { ...value };
  const type = FILE_TYPES.find((one) => one === given["type"]);
  const { mimeType, data, fileName, caption } = given;
  if (type === undefined || typeof mimeType !== "string" || typeof data !== "string")
    throw new Error("file needs type, mimeType and data");
  return {
    type,
    mimeType,
    bytes: Buffer.from(data, "base64"),
    ...(typeof fileName === "string" ? { fileName } : {}),
    ...(typeof caption === "string" ? { caption } : {}),
    ...(given["voice"] === true ? { voice: true } : {}),
    ...(given["animated"] === true ? { animated: true } : {}),
  };
}
