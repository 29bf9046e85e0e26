import { randomBytes } from "node:crypto";
import { BoundedMap } from "../core/ring.ts";
import type { Answer, Call } from "../core/server.ts";
import { TikTokRefusal } from "./answer.ts";

const DAY_MS = 86_400_000;
/** How long an uploaded picture may be sent. */
const UPLOAD_MS = 30 * DAY_MS;
const MAX_UPLOAD = 3 * 1024 * 1024;

export interface TikTokFile {
  readonly bytes: Buffer;
  readonly mimeType: string;
}

interface Link {
  readonly file: TikTokFile;
  readonly until: number;
  /** The account whose token must come with the call; null: anybody may have it. */
  readonly businessId: string | null;
}

interface Place {
  readonly businessId: string;
  readonly conversationId: string;
  readonly messageId: string;
  readonly mediaId: string;
}
const keyOf = ({ businessId, conversationId, messageId, mediaId }: Place): string =>
  [businessId, conversationId, messageId, mediaId].join(" ");

/** Uploaded pictures, the files of messages, and the addresses that were given out for them. */
export class Files {
  readonly #uploads = new BoundedMap<string, TikTokFile & { businessId: string; until: number }>(
    100,
    ({ bytes }) => bytes.length,
  );
  readonly #inMessages = new BoundedMap<string, TikTokFile & { type: string }>(
    200,
    ({ bytes }) => bytes.length,
  );
  readonly #links = new BoundedMap<string, Link>(400, ({ file }) => file.bytes.length);

  upload(businessId: string, mediaId: string, file: TikTokFile, now: number): void {
    this.#uploads.set(mediaId, { ...file, businessId, until: now + UPLOAD_MS });
  }
  /** The picture of a send. Refuses an id that is unknown, somebody else's, or a month old. */
  uploaded(businessId: string, mediaId: string, now: number): TikTokFile {
    const found = this.#uploads.get(mediaId);
    if (found?.businessId !== businessId || now >= found.until)
      throw new TikTokRefusal(40002, "image.media_id: does not exist or has expired.");
    return found;
  }
  /** Marks that a message contains this file. `type`: IMAGE or VIDEO. */
  keep(place: Place, type: string, file: TikTokFile): void {
    this.#inMessages.set(keyOf(place), { ...file, type });
  }
  /** A path for a day. */
  linkTo(place: Place, type: string, now: number): string {
    const file = this.#inMessages.get(keyOf(place));
    if (file === undefined) throw new TikTokRefusal(40007);
    if (file.type !== type)
      throw new TikTokRefusal(40002, "media_type: is not the type of the media.");
    return this.#give({ file, until: now + DAY_MS, businessId: place.businessId });
  }
  /** A path without a token, valid for a month: a sticker's. */
  publicLink(file: TikTokFile, now: number): string {
    return this.#give({ file, until: now + UPLOAD_MS, businessId: null });
  }
  #give(link: Link): string {
    const id = randomBytes(12).toString("hex");
    this.#links.set(id, link);
    return `/files/${id}`;
  }

  /** Serves a path. The file host's refusals are not documented: 403 and 404 are our choice. */
  serve(call: Call, ownerOf: (token: unknown) => string, now: number): Answer {
    const link = this.#links.get(call.path.slice("/files/".length));
    const none = (status: number): Answer => ({ status, body: "" });
    if (link === undefined || now >= link.until) return none(404);
    if (link.businessId !== null) {
      try {
        if (ownerOf(call.headers["x-user"]) !== link.businessId) return none(403);
      } catch {
        return none(403);
      }
    }
    return {
      status: 200,
      headers: { "content-type": link.file.mimeType },
      body: link.file.bytes,
    };
  }
}

/** The picture of an upload form, checked as the document says: JPG or PNG by its bytes, at most 3 MB. */
export async function readPicture(call: Call): Promise<{ businessId: unknown; file: TikTokFile }> {
  const type = String(call.headers["content-type"] ?? "");
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw new TikTokRefusal(40002, "Content-Type: must be multipart/form-data.");
  let form: FormData;
  try {
    // The platform's own multipart reader, not the sender's.
    form = await new Response(new Uint8Array(call.body), {
      headers: { "content-type": type },
    }).formData();
  } catch {
    throw new TikTokRefusal(40002, "The request body must be a form.");
  }
  if (form.get("media_type") !== "IMAGE")
    throw new TikTokRefusal(40002, "media_type: must be IMAGE.");
  const given = form.get("file");
  if (given === null || typeof given === "string")
    throw new TikTokRefusal(40002, "file: required.");
  const bytes = Buffer.from(await given.arrayBuffer());
  if (bytes.length > MAX_UPLOAD) throw new TikTokRefusal(40002, "file: must be at most 3 MB.");
  const jpeg = bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]));
  const png = bytes.subarray(0, 4).equals(Buffer.from("\x89PNG", "latin1"));
  if (!jpeg && !png) throw new TikTokRefusal(40002, "file: must be JPG or PNG.");
  const mimeType = jpeg ? "image/jpeg" : "image/png";
  return { businessId: form.get("business_id"), file: { bytes, mimeType } };
}
