import { createHash } from "node:crypto";
import { BoundedMap } from "../core/ring.ts";
import type { Random } from "../core/random.ts";

export interface StoredMedia {
  readonly id: string;
  readonly bytes: Buffer;
  readonly mimeType: string;
  readonly sha256: string;
}

/** Uploaded and inbound files, the last hundred. */
export class MediaStore {
  readonly #random: Random;
  readonly #byId = new BoundedMap<string, StoredMedia>(100);
  constructor(random: Random) {
    this.#random = random;
  }
  add(bytes: Buffer, mimeType: string): StoredMedia {
    const media: StoredMedia = {
      id: String(this.#random.between(1, 9)) + String(this.#random.between(10 ** 14, 10 ** 15 - 1)),
      bytes,
      mimeType,
      sha256: createHash("sha256").update(bytes).digest("hex"),
    };
    this.#byId.set(media.id, media);
    return media;
  }
  find(id: string): StoredMedia | undefined {
    return this.#byId.get(id);
  }
  remove(id: string): boolean {
    return this.#byId.delete(id);
  }
}

/** The file of a multipart upload, or what is missing from it. */
export async function readUpload(
  contentType: string,
  body: Buffer,
): Promise<{ bytes: Buffer; mimeType: string; product: string | null } | null> {
  let form: FormData;
  try {
    // The standard's own multipart reader.
    form = await new Response(new Uint8Array(body), {
      headers: { "content-type": contentType },
    }).formData();
  } catch {
    return null;
  }
  const file = form.get("file");
  if (file === null || typeof file === "string") return null;
  const type = form.get("type");
  const product = form.get("messaging_product");
  return {
    bytes: Buffer.from(await file.arrayBuffer()),
    mimeType: (typeof type === "string" && type) || file.type || "application/octet-stream",
    product: typeof product === "string" ? product : null,
  };
}
