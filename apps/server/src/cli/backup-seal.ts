import { createCipheriv, createDecipheriv, createHash, createHmac } from "node:crypto";
import { Transform } from "node:stream";
import type { Sealer } from "../lib/seal.ts";
import { Damaged } from "./backup-format.ts";

/*
 * A backup is a line of JSON and then frames: 4 bytes with the length, a tag of 16 bytes, and as many bytes of
 * AES-256-GCM. The key is the master key's own for this backup (`salt`). The nonce is the frame's number and whether it is
 * the last; every tag covers the first line too. So nothing can be changed, left out, moved or appended.
 */

/** Bytes of a frame. */
const FRAME = 64 * 1024;
const LAST = 0x80_00_00_00;
const TAG = 16;

/** What the frames of one backup are sealed with. */
interface Seal {
  readonly key: Buffer;
  /** The hash of the backup's first line. */
  readonly about: Buffer;
}

/** The seal of a backup with this first line. `salt`: random bytes that the line names. */
export const sealOf = (sealer: Pick<Sealer, "derive">, line: string, salt: string): Seal => ({
  key: createHmac("sha256", sealer.derive("backup")).update(salt, "base64").digest(),
  about: createHash("sha256").update(line).digest(),
});

function nonceOf(index: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(last ? 1 : 0, 0);
  nonce.writeBigUInt64BE(BigInt(index), 4);
  return nonce;
}

/** Seals what is written to it, as frames. */
export function sealing({ key, about }: Seal): Transform {
  let rest = Buffer.alloc(0);
  let index = 0;
  const frame = (plain: Buffer, last: boolean): Buffer => {
    const cipher = createCipheriv("aes-256-gcm", key, nonceOf(index++, last));
    cipher.setAAD(about);
    const body = Buffer.concat([cipher.update(plain), cipher.final()]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length + (last ? LAST : 0));
    return Buffer.concat([length, cipher.getAuthTag(), body]);
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      rest = Buffer.concat([rest, chunk]);
      for (; rest.length > FRAME; rest = rest.subarray(FRAME))
        this.push(frame(rest.subarray(0, FRAME), false));
      done();
    },
    flush(done) {
      this.push(frame(rest, true));
      done();
    },
  });
}

/** What was sealed, frame by frame. Throws `Damaged` where anything is not as it was written. */
export async function* opened(
  file: string,
  { key, about }: Seal,
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  let index = 0;
  let ended = false;
  for await (const chunk of bytes) {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 4) {
      if (ended) break;
      const named = rest.readUInt32BE();
      const last = named >= LAST;
      const length = last ? named - LAST : named;
      if (length > FRAME) throw changed(file);
      const whole = 4 + TAG + length;
      if (rest.length < whole) break;
      const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(index++, last));
      decipher.setAAD(about);
      decipher.setAuthTag(rest.subarray(4, 4 + TAG));
      yield plainOf(file, decipher, rest.subarray(4 + TAG, whole));
      rest = rest.subarray(whole);
      ended = last;
    }
    if (ended && rest.length > 0) throw new Damaged(file, "something follows its end");
  }
  if (!ended) throw new Damaged(file, "its end is missing");
}

function plainOf(
  file: string,
  decipher: ReturnType<typeof createDecipheriv>,
  body: Buffer,
): Buffer {
  try {
    return Buffer.concat([decipher.update(body), decipher.final()]);
  } catch {
    throw changed(file);
  }
}

const changed = (file: string) => new Damaged(file, "it is not what was written");
