import { createHash } from "node:crypto";
import { tooLarge } from "../../errors.ts";

/** A body that is passed on as it arrives and hashed on the way: a file is never whole in memory. */
export class HashedBody {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #hash = createHash("sha256");
  readonly #maxBytes: number;
  #size = 0;
  #digest: Buffer | undefined;

  /** `maxBytes`: how much of it `digest` reads at most. */
  constructor(body: AsyncIterable<Uint8Array>, maxBytes: number) {
    this.#chunks = body[Symbol.asyncIterator]();
    this.#maxBytes = maxBytes;
  }

  /** The bytes. Read them once. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    for (let next = await this.#chunks.next(); !next.done; next = await this.#chunks.next()) {
      this.#hash.update(next.value);
      this.#size += next.value.length;
      yield next.value;
    }
  }

  /** The SHA-256 of the whole body. Reads what is not read yet. Throws BODY_TOO_LARGE. */
  async digest(): Promise<Buffer> {
    if (this.#digest !== undefined) return this.#digest;
    for await (const _chunk of this.bytes())
      if (this.#size > this.#maxBytes) throw tooLarge(this.#maxBytes, "the file");
    return (this.#digest ??= this.#hash.digest());
  }
}
