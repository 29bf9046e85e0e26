import { fetchFile } from "../core/fetch-file.ts";
import { json, type Answer, type Call } from "../core/server.ts";
import type { BusinessNumber } from "./changes.ts";
import type { WhatsAppEmulator } from "./emulator.ts";
import { GraphRefusal } from "./errors.ts";
import { readUpload, type StoredMedia } from "./media.ts";
import { checkUpload, faultOfFile, isMediaType, MEDIA_TYPES } from "./media-types.ts";
import type { InboundFile } from "./options.ts";
import type { Send } from "./validate.ts";

/** The path of files, as on the platform's own file server. */
export const FILES_PATH = "/whatsapp_business/attachments/";

/** `POST /{phone number}/media`. */
export async function upload(
  emulator: WhatsAppEmulator,
  number: BusinessNumber,
  call: Call,
): Promise<Answer> {
  const file = await readUpload(call.headers["content-type"] ?? "", call.body);
  if (!file) throw new GraphRefusal(100, "The parameter file is required.");
  if ((file.product ?? call.query.get("messaging_product")) !== "whatsapp")
    throw new GraphRefusal(100, "The parameter messaging_product is required.");
  checkUpload(file.mimeType, file.bytes.length);
  const { id } = emulator.media.add(file.bytes, file.mimeType, number.phoneNumberId, "uploaded");
  return json(200, { id });
}

/** `GET` and `DELETE /{media}`; null when the token's numbers have no such file. */
export function mediaNode(
  emulator: WhatsAppEmulator,
  id: string,
  token: string,
  call: Call,
): Answer | null {
  const media = emulator.media.find(id);
  if (media === undefined || !isOf(emulator, media, token)) return null;
  const asked = call.query.get("phone_number_id");
  if (asked !== null && asked !== media.phoneNumberId) return null;
  if (call.method === "DELETE") return json(200, { success: emulator.media.remove(id) });
  if (call.method !== "GET") return null;
  return json(200, {
    messaging_product: "whatsapp",
    url: `${emulator.url}${FILES_PATH}?${emulator.media.addressOf(id)}`,
    mime_type: media.mimeType,
    sha256: media.sha256,
    file_size: media.bytes.length,
    id,
  });
}

/** The bytes, for a token that may read them, as long as the address is valid. No envelope: it is a file server. */
export function download(emulator: WhatsAppEmulator, call: Call): Answer {
  const token = /^Bearer (.+)$/i.exec(call.headers.authorization ?? "")?.[1];
  const refused = (status: number) => ({
    status,
    headers: { "content-type": "text/html; charset=utf-8" },
    body: "",
  });
  const isKnown = [...emulator.numbers.values()].some((one) => one.accessToken === token);
  if (token === undefined || !isKnown) return refused(401);
  const media = emulator.media.openAddress(call.query);
  if (media === undefined || !isOf(emulator, media, token)) return refused(404);
  return { status: 200, headers: { "content-type": media.mimeType }, body: media.bytes };
}

const isOf = (emulator: WhatsAppEmulator, media: StoredMedia, token: string): boolean =>
  media.phoneNumberId === null || emulator.numbers.get(media.phoneNumberId)?.accessToken === token;

/**
 * Checks the file of a send. An unknown id is refused at once. Other faults show when the platform handles the
 * file, in a failed status. Gives that status's words, or null.
 */
export async function faultOfMedia(
  emulator: WhatsAppEmulator,
  number: BusinessNumber,
  send: Send,
): Promise<string | null> {
  const { type, content } = send;
  if (!isMediaType(type)) return null;
  if (typeof content["id"] === "string") {
    const media = emulator.media.find(content["id"]);
    if (
      media === undefined ||
      (media.phoneNumberId ?? number.phoneNumberId) !== number.phoneNumberId
    )
      throw new GraphRefusal(
        100,
        `Param ${type}['id'] is not a valid whatsapp business account media attachment ID`,
      );
    return faultOfFile(type, media.mimeType, media.bytes);
  }
  const fetched = await fetchFile(String(content["link"]), MEDIA_TYPES[type].most);
  if (fetched.ok) return faultOfFile(type, fetched.mimeType, fetched.bytes);
  if (fetched.tooLarge) return `Media download error: the file is larger than allowed.`;
  return fetched.status === null
    ? "Media download error: Downloading media from weblink failed."
    : `Media download error: Downloading media from weblink failed with http code ${fetched.status}.`;
}

/** A webhook's description of a file that the customer sends; the file can be fetched. */
export function fileContent(
  emulator: WhatsAppEmulator,
  phoneNumberId: string,
  file: InboundFile,
): Readonly<Record<string, unknown>> {
  const { type, bytes, mimeType, fileName, caption, voice, animated } = file;
  const media = emulator.addMedia(bytes, mimeType, phoneNumberId);
  const body = {
    ...(caption === undefined ? {} : { caption }),
    ...(fileName === undefined ? {} : { filename: fileName }),
    ...media,
    ...(voice === undefined ? {} : { voice }),
    ...(animated === undefined ? {} : { animated }),
    url: `${emulator.url}${FILES_PATH}?${emulator.media.addressOf(media.id)}`,
  };
  return { type, [type]: body };
}
