import { createHash, randomBytes } from "node:crypto";
import type { SimClock } from "../core/clock.ts";
import { fetchFile } from "../core/fetch-file.ts";
import { MOST_FILE_BYTES } from "../core/ring.ts";
import type { Answer, Call } from "../core/server.ts";
import { PageRefusal } from "./errors.ts";
import type { Dialect } from "./options.ts";

export const FILES_PATH = "/v/";

const MB = 1024 * 1024;
const DAY_S = 86_400;

export type FileType = "image" | "audio" | "video" | "file";
const FILE_TYPES: readonly string[] = ["image", "audio", "video", "file"] satisfies FileType[];
export const isFileType = (type: unknown): type is FileType =>
  typeof type === "string" && FILE_TYPES.includes(type);

export interface PlatformFile {
  readonly id: string;
  readonly type: FileType | "sticker";
  readonly bytes: Buffer;
  readonly mimeType: string;
  readonly fileName: string;
  /** It may be sent again. */
  readonly reusable: boolean;
}

const FORMATS: Readonly<Record<FileType, RegExp>> = {
  image: /^image\/(png|jpeg|gif)$/,
  audio: /^(audio\/(aac|mp4|x-m4a|mpeg|ogg|wav|x-wav)|video\/mp4)$/,
  video: /^video\/(mp4|ogg|x-msvideo|vnd\.avi|quicktime|webm)$/,
  file: /./,
};
/**
 * What Instagram accepts ("Upload media for Instagram messaging"); Messenger accepts any file and more kinds of
 * sound.
 */
const INSTAGRAM_FORMATS: Readonly<Record<FileType, RegExp>> = {
  ...FORMATS,
  audio: /^(audio\/(aac|mp4|x-m4a|wav|x-wav)|video\/mp4)$/,
  file: /^application\/pdf$/,
};

/** 8 MB for a picture, 25 MB for the rest. */
const mostOf = (type: FileType): number => (type === "image" ? 8 : 25) * MB;

/** Checks the size and the format of a file that was sent or fetched. */
export function checkFile(
  dialect: Dialect,
  type: FileType,
  file: { readonly bytes: Buffer; readonly mimeType: string },
): void {
  if (file.bytes.length > mostOf(type)) throw new PageRefusal(100, 2018109);
  const formats = dialect.name === "instagram" ? INSTAGRAM_FORMATS : FORMATS;
  const isEmpty = file.bytes.length === 0;
  if (isEmpty || !formats[type].test(file.mimeType)) throw new PageRefusal(100, 2018047);
}

/** The platform fetches the file at a given address while the sender waits. */
export async function fetchForSend(
  dialect: Dialect,
  type: FileType,
  url: string,
): Promise<{ bytes: Buffer; mimeType: string; fileName: string }> {
  const fetched = await fetchFile(url, mostOf(type), type === "video" ? 75_000 : 10_000);
  if (!fetched.ok) throw new PageRefusal(100, fetched.tooLarge ? 2018109 : 2018008);
  checkFile(dialect, type, fetched);
  const fileName = new URL(url).pathname.split("/").at(-1) ?? "";
  return { bytes: fetched.bytes, mimeType: fetched.mimeType, fileName: fileName || "file" };
}

/** Files that passed through the platform, at signed addresses valid for a day; the latest that fit in 64 MiB. */
export class FileStore {
  readonly #clock: SimClock;
  readonly #secret = randomBytes(16);
  readonly #byId = new Map<string, PlatformFile>();
  #bytes = 0;
  #next = 0;
  constructor(clock: SimClock) {
    this.#clock = clock;
  }
  add(file: Omit<PlatformFile, "id">): PlatformFile {
    this.#next += 1;
    const stamp = String(this.#clock.now()).slice(-9);
    const whole = { ...file, id: `1${stamp}${String(this.#next).padStart(6, "0")}` };
    this.#byId.set(whole.id, whole);
    this.#bytes += file.bytes.length;
    for (const [id, old] of this.#byId) {
      if (this.#bytes <= MOST_FILE_BYTES || id === whole.id) break;
      this.#bytes -= old.bytes.length;
      this.#byId.delete(id);
    }
    return whole;
  }
  find(id: string): PlatformFile | undefined {
    return this.#byId.get(id);
  }
  /** Path and query of a file, valid for a day and without any token. */
  addressOf({ id, fileName }: PlatformFile): string {
    const oe = Math.floor(this.#clock.now() / 1000 + DAY_S).toString(16);
    const query = new URLSearchParams({ _nc_cat: "1", oh: this.#sign(id, oe), oe });
    return `${FILES_PATH}${id}/${encodeURIComponent(fileName)}?${query.toString()}`;
  }
  /** The file server's answer: 403 for an expired or changed address. */
  download(call: Call): Answer {
    const id = call.path.split("/")[2] ?? "";
    const oe = call.query.get("oe") ?? "";
    const plain = { "content-type": "text/plain" };
    if (call.query.get("oh") !== this.#sign(id, oe))
      return { status: 403, headers: plain, body: "URL signature mismatch" };
    if (Number.parseInt(oe, 16) * 1000 <= this.#clock.now())
      return { status: 403, headers: plain, body: "URL signature expired" };
    const file = this.find(id);
    if (file === undefined) return { status: 404, headers: plain, body: "Content not found" };
    return { status: 200, headers: { "content-type": file.mimeType }, body: file.bytes };
  }
  #sign(id: string, oe: string): string {
    return createHash("sha256")
      .update(this.#secret)
      .update(`${id} ${oe}`)
      .digest("hex")
      .slice(0, 32);
  }
}
