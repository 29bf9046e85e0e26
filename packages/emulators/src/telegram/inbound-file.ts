import type { Bot } from "./bot.ts";
import { FILE_KINDS, type InboundFile, type TelegramInbound } from "./options.ts";
import { fileContent, folderOf } from "./send-file.ts";

/** The members of a customer's message beside its envelope. */
export function inboundContent(bot: Bot, { file, message, text = "" }: TelegramInbound): object {
  return file === undefined ? (message ?? { text }) : inboundFile(bot, file);
}

/** Stores a customer's file and gives the member of a message that describes it. */
function inboundFile(bot: Bot, file: InboundFile): object {
  const { kind, bytes, mimeType = "application/octet-stream", name = "file.bin", caption } = file;
  const stored = bot.addFile({ name, type: mimeType, bytes }, folderOf(kind));
  return { ...fileContent(kind, stored), ...(caption !== undefined && { caption }) };
}

/** The same from the control surface: `{ kind, base64, mimeType?, name?, caption? }`. */
export function readInboundFile(given: unknown): InboundFile {
  if (typeof given !== "object" || given === null) throw new Error("file must be an object");
  const facts: Readonly<Record<string, unknown>> = { ...given };
  const kind = FILE_KINDS.find((one) => one === facts["kind"]);
  if (kind === undefined) throw new Error(`file.kind must be one of ${FILE_KINDS.join(", ")}`);
  const text = (name: string): string | undefined => {
    const value = facts[name];
    return typeof value === "string" ? value : undefined;
  };
  const [mimeType, name, caption] = [text("mimeType"), text("name"), text("caption")];
  return {
    kind,
    bytes: Buffer.from(text("base64") ?? "", "base64"),
    ...(mimeType !== undefined && { mimeType }),
    ...(name !== undefined && { name }),
    ...(caption !== undefined && { caption }),
  };
}
