import { createHash, randomBytes } from "node:crypto";
import type { SimClock } from "../core/clock.ts";
import { fieldOf, readForm } from "../core/multipart-form.ts";
import type { Random } from "../core/random.ts";
import { MOST_FILE_BYTES } from "../core/ring.ts";

export interface StoredMedia {
  readonly id: string;
  /** The business number that uploaded or received it. */
  readonly phoneNumberId: string | null;
  readonly bytes: Buffer;
  readonly mimeType: string;
  /** Hex. */
  readonly sha256: string;
  /** Milliseconds; from then on the id is unknown. */
  readonly expiresAt: number;
}

const DAY = 86_400_000;
/** Uploads live 30 days, customers' files 7 (reference of the media endpoints). */
const LIFE = { uploaded: 30 * DAY, received: 7 * DAY } as const;
const URL_LIFE_S = 300;

/** Uploaded and received files, the latest that fit in 64 MiB, and the addresses given out for them. */
export class MediaStore {
  readonly #random: Random;
  readonly #clock: SimClock;
  readonly #secret = randomBytes(16);
  readonly #byId = new Map<string, StoredMedia>();
  #bytes = 0;
  constructor(random: Random, clock: SimClock) {
    this.#random = random;
    this.#clock = clock;
  }
  add(
    bytes: Buffer,
    mimeType: string,
    phoneNumberId: string | null,
    by: keyof typeof LIFE,
  ): StoredMedia {
    const media: StoredMedia = {
      id: String(this.#random.between(1, 9)) + String(this.#random.between(10 ** 14, 10 ** 15 - 1)),
      phoneNumberId,
      bytes,
      mimeType,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      expiresAt: this.#clock.now() + LIFE[by],
    };
    this.#byId.set(media.id, media);
    this.#bytes += bytes.length;
    for (const old of this.#byId.keys()) {
      if (this.#bytes <= MOST_FILE_BYTES || old === media.id) break;
      this.remove(old);
    }
    return media;
  }
  find(id: string): StoredMedia | undefined {
    const media = this.#byId.get(id);
    return media !== undefined && media.expiresAt > this.#clock.now() ? media : undefined;
  }
  remove(id: string): boolean {
    this.#bytes -= this.#byId.get(id)?.bytes.length ?? 0;
    return this.#byId.delete(id);
  }

  /** The query of an address that leads to a file for five minutes. */
  addressOf(id: string): string {
    const ext = String(Math.floor(this.#clock.now() / 1000) + URL_LIFE_S);
    return new URLSearchParams({ mid: id, ext, hash: this.#hash(id, ext) }).toString();
  }
  /** The file of a valid address. */
  openAddress(query: URLSearchParams): StoredMedia | undefined {
    const id = query.get("mid") ?? "";
    const ext = query.get("ext") ?? "";
    if (query.get("hash") !== this.#hash(id, ext)) return undefined;
    return Number(ext) * 1000 > this.#clock.now() ? this.find(id) : undefined;
  }
  #hash(id: string, ext: string): string {
    const hash = createHash("sha256").update(this.#secret).update(`${id} ${ext}`);
    return hash.digest("base64url").slice(0, 24);
  }
}

/** The file of a multipart upload, or what is missing from it. */
export async function readUpload(
  contentType: string,
  body: Buffer,
): Promise<{ bytes: Buffer; mimeType: string; product: string | null } | null> {
  const form = await readForm(contentType, body);
  const file = form?.get("file") ?? null;
  if (form === null || file === null || typeof file === "string") return null;
  return {
    bytes: Buffer.from(await file.arrayBuffer()),
    // As it was written: parameters are not accepted.
    mimeType: fieldOf(form, "type") ?? file.type,
    product: fieldOf(form, "messaging_product"),
  };
}
