import { createHash } from "node:crypto";
import { markedEncoding, type Encoding } from "./decode-text.ts";

/** What one look through a file says of it. */
export interface InspectedFile {
  /** SHA-256 of its bytes in hex: the same again is the same file. */
  readonly sha256: string;
  readonly size: number;
  readonly encoding: Encoding;
}

/**
 * Reads a file once from end to end, in bounded memory: its fingerprint, and its encoding. A byte order mark decides;
 * else it is UTF-8 when all of it is; else one of the two code pages that old spreadsheets write: Arabic text is words
 * of bytes above 127 (windows-1256), in Western text such a byte stands alone among plain letters (windows-1252).
 */
export async function inspectImport(source: AsyncIterable<Uint8Array>): Promise<InspectedFile> {
  const hash = createHash("sha256");
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  let isUtf8 = true;
  let size = 0;
  let head = Buffer.alloc(0);
  let previousHigh = false;
  let high = 0;
  let beside = 0;
  for await (const bytes of source) {
    hash.update(bytes);
    size += bytes.length;
    if (head.length < 3) head = Buffer.concat([head, bytes.subarray(0, 3)]);
    isUtf8 &&= decodes(utf8, bytes);
    // As long as all was UTF-8 there is nothing to guess from: what came before is plain letters.
    if (isUtf8) continue;
    for (const byte of bytes) {
      const isHigh = byte >= 0xc0;
      if (isHigh) {
        high += 1;
        if (previousHigh) beside += 1;
      }
      previousHigh = isHigh;
    }
  }
  isUtf8 &&= decodes(utf8);
  const guess = beside * 2 > high ? "windows-1256" : "windows-1252";
  return {
    sha256: hash.digest("hex"),
    size,
    encoding: markedEncoding(head) ?? (isUtf8 ? "utf-8" : guess),
  };
}

function decodes(decoder: TextDecoder, bytes?: Uint8Array): boolean {
  try {
    decoder.decode(bytes, { stream: bytes !== undefined });
    return true;
  } catch {
    return false;
  }
}
