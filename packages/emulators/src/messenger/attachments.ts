import { json, type Answer } from "../core/server.ts";
import type { PageEmulator } from "./emulator.ts";
import { PageRefusal } from "./errors.ts";
import { checkFile, fetchForSend, isFileType, type PlatformFile } from "./files.ts";
import type { PageInboundFile } from "./options.ts";
import type { PageBody } from "./read-body.ts";

/** Keeps a file that a customer sends. */
export const keepFile = (emulator: PageEmulator, file: PageInboundFile): PlatformFile =>
  emulator.files.add({ fileName: "file", ...file, reusable: false });

/** A file as webhooks describe it: a sticker is a picture with a number. */
export function describeFile(emulator: PageEmulator, file: PlatformFile): object {
  const url = `${emulator.url}${emulator.files.addressOf(file)}`;
  return file.type === "sticker"
    ? { type: "image", payload: { url, sticker_id: 369239263222822 } }
    : { type: file.type, payload: { url } };
}

type Loose = Readonly<Record<string, unknown>>;

const bad = (text: string): never => {
  throw new PageRefusal(100, undefined, text);
};
const recordOf = (value: unknown): Loose =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};

/** `POST /{page}/message_attachments`: keeps a file for later sends. */
export async function uploadAttachment(emulator: PageEmulator, body: PageBody): Promise<Answer> {
  const { fields } = body;
  if (fields === null) bad("The body must be a JSON object or a form.");
  if (emulator.dialect.name === "instagram" && fields?.["platform"] !== "instagram")
    bad("The parameter platform is required.");
  const attachment = recordOf(recordOf(fields?.["message"])["attachment"]);
  const file = await readFile(emulator, attachment, body.file);
  if (file === null) throw new PageRefusal(100, undefined, "Only files can be uploaded.");
  return json(200, { attachment_id: file.id });
}

/**
 * The file of an attachment: sent along, fetched now from an address, or uploaded before. Null when it is not a
 * file (templates).
 */
export async function readFile(
  emulator: PageEmulator,
  attachment: Loose,
  sent: PageBody["file"],
): Promise<PlatformFile | null> {
  const { type } = attachment;
  if (type === "template") return null;
  if (!isFileType(type))
    throw new PageRefusal(
      100,
      undefined,
      "Param message[attachment][type] must be one of {IMAGE, AUDIO, VIDEO, FILE, TEMPLATE}.",
    );
  const payload = recordOf(attachment["payload"]);
  const { url, attachment_id: uploaded } = payload;
  const ways = [sent !== null, url !== undefined, uploaded !== undefined].filter(Boolean);
  if (ways.length !== 1)
    bad("An attachment has exactly one of filedata, payload.url and payload.attachment_id.");
  const reusable = payload["is_reusable"] === true || payload["is_reusable"] === "true";
  if (sent !== null) {
    checkFile(emulator.dialect, type, sent);
    return emulator.files.add({ ...sent, type, reusable });
  }
  if (typeof url === "string")
    return emulator.files.add({
      ...(await fetchForSend(emulator.dialect, type, url)),
      type,
      reusable,
    });
  const known = emulator.files.find(String(uploaded));
  if (known === undefined || known.type !== type)
    throw new PageRefusal(100, undefined, "Invalid attachment id.");
  return known;
}
