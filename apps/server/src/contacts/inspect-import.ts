import { createHash } from "node:crypto";
import { markedEncoding, type Encoding } from "./decode-text.ts";

/** What one look through a file says of it. */
export interface InspectedFile {
  /** SHA-256 of its bytes in hex: the same again is the same file. */
  readonly sha256: string;
  readonly size: number;
  readonly encoding: Encoding;
}

/** Letters beyond ASCII that are right in UTF-8, for each place that is not: in a code page nearly every one is wrong. */
const MOSTLY = 4;

/**
 * Reads a file once from end to end, in bounded memory: its fingerprint, and its encoding. A byte order mark decides;
 * else it is UTF-8 when all of it is, or all but a few places (a cell that was cut in the middle of a letter: the import
 * stops there, where another encoding would spoil every name); else one of the two code pages that old spreadsheets
 * write: Arabic text is words of bytes above 127 (windows-1256), in Western text such a byte stands alone among plain
 * letters (windows-1252).
 */
export async function inspectImport(source: AsyncIterable<Uint8Array>): Promise<InspectedFile> {
  const hash = createHash("sha256");
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  const lenient = new TextDecoder("utf-8");
  const found = { letters: 0, broken: 0 };
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
    countLetters(lenient.decode(bytes, { stream: true }), found);
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
  countLetters(lenient.decode(), found);
  isUtf8 &&= decodes(utf8);
  const isMostly = found.letters > found.broken * MOSTLY;
  const guess = beside * 2 > high ? "windows-1256" : "windows-1252";
  return {
    sha256: hash.digest("hex"),
    size,
    encoding: markedEncoding(head) ?? (isUtf8 || isMostly ? "utf-8" : guess),
  };
}

/** Counts what is beyond ASCII; U+FFFD stands where it could not be read. */
function countLetters(text: string, found: { letters: number; broken: number }): void {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) found.broken += 1;
    else if (code > 127) found.letters += 1;
  }
}

function decodes(decoder: TextDecoder, bytes?: Uint8Array): boolean {
  try {
    decoder.decode(bytes, { stream: bytes !== undefined });
    return true;
  } catch {
    return false;
  }
}
