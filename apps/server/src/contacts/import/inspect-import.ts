import { createHash } from "node:crypto";
import { invalid } from "../../errors.ts";
import { markedEncoding } from "./decode-text.ts";
import type { Encoding } from "../../wire/words.ts";

/** What one pass through a file tells about it. */
export interface InspectedFile {
  /** SHA-256 of its bytes in hex: the same hash means the same file. */
  readonly sha256: string;
  readonly size: number;
  readonly encoding: Encoding;
}

/**
 * For each place that is not valid UTF-8, a file in UTF-8 must have this many letters beyond ASCII that are: in a
 * code page nearly every such letter is invalid.
 */
const MOSTLY = 4;
/** How much of a file shows whether it is UTF-16, or no text at all. */
const HEAD = 65_536;
/** In UTF-16 at least one byte of this many is 0: one in every space, digit, delimiter and line end. */
const ONE_ZERO_IN = 50;

/** How files that are not text begin, and what they are. */
const NO_TEXT: readonly (readonly [readonly number[], string])[] = [
  [[0x1f, 0x8b], "is packed by gzip: unpack it first"],
  [
    [0x50, 0x4b, 0x03, 0x04],
    "is a workbook (.xlsx) or a ZIP archive: save it as CSV, or unpack it",
  ],
  [[0xd0, 0xcf, 0x11, 0xe0], "is a workbook (.xls): save it as CSV"],
];

/**
 * Reads a file once from end to end, in bounded memory: its fingerprint and its encoding. A byte order mark
 * decides. Else it is UTF-16 when one half of its byte pairs is often 0 and the other hardly ever. Else it is
 * UTF-8 when all of it is valid, or all but a few places (a cell that was cut within a letter: the import stops
 * there, where another encoding would spoil every name). Else it is one of the code pages of old systems
 * (`CodePage`). Throws VALIDATION_FAILED for an archive or a workbook.
 */
export async function inspectImport(source: AsyncIterable<Uint8Array>): Promise<InspectedFile> {
  const hash = createHash("sha256");
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  const lenient = new TextDecoder("utf-8");
  const found = { letters: 0, broken: 0 };
  const codePage = new CodePage();
  let isUtf8 = true;
  let size = 0;
  let head = Buffer.alloc(0);
  for await (const bytes of source) {
    hash.update(bytes);
    size += bytes.length;
    if (head.length < HEAD) head = Buffer.concat([head, bytes.subarray(0, HEAD - head.length)]);
    countLetters(lenient.decode(bytes, { stream: true }), found);
    isUtf8 &&= decodes(utf8, bytes);
    // As long as everything was UTF-8 there is nothing to guess from: the text before was plain letters.
    if (!isUtf8) codePage.read(bytes);
  }
  const [, other] = NO_TEXT.find(([mark]) => mark.every((byte, at) => head[at] === byte)) ?? [];
  if (other !== undefined) throw invalid("file", other);
  countLetters(lenient.decode(), found);
  isUtf8 &&= decodes(utf8);
  const isMostly = found.letters > found.broken * MOSTLY;
  const guessed = isUtf8 || isMostly ? "utf-8" : codePage.guess();
  return {
    sha256: hash.digest("hex"),
    size,
    encoding: markedEncoding(head) ?? unmarkedUtf16(head) ?? guessed,
  };
}

/** The half of the byte pairs that has the zeros shows the byte order. */
function unmarkedUtf16(head: Uint8Array): Encoding | null {
  let even = 0;
  let odd = 0;
  for (const [at, byte] of head.entries()) {
    if (byte !== 0) continue;
    if (at % 2 === 0) even += 1;
    else odd += 1;
  }
  const isText = Math.max(even, odd) > 10 * Math.min(even, odd);
  if (!isText || (even + odd) * ONE_ZERO_IN < head.length) return null;
  return odd > even ? "utf-16le" : "utf-16be";
}

/** Bytes that are Arabic letters in one code page, and Latin letters or nothing in the other. */
const ONLY_8859_6 = new Set([0xd7, 0xe2, 0xe7, 0xe8, 0xe9, 0xea]);
const ONLY_1256 = new Set([0xdb, 0xdd, 0xde, 0xdf, 0xec, 0xed]);

/**
 * Tells which code page a file is in. Arabic text has whole words of bytes above 127 (windows-1256 of
 * spreadsheets, ISO-8859-6 of databases); in Western text such a byte stands alone among plain letters
 * (windows-1252).
 */
class CodePage {
  #previousHigh = false;
  #high = 0;
  #beside = 0;
  #iso = 0;
  #windows = 0;

  read(bytes: Uint8Array): void {
    for (const byte of bytes) {
      const isHigh = byte >= 0xc0;
      if (isHigh) {
        this.#high += 1;
        if (this.#previousHigh) this.#beside += 1;
        if (ONLY_8859_6.has(byte)) this.#iso += 1;
        else if (ONLY_1256.has(byte)) this.#windows += 1;
      }
      this.#previousHigh = isHigh;
    }
  }

  guess(): Encoding {
    if (this.#beside * 2 <= this.#high) return "windows-1252";
    return this.#iso > this.#windows ? "iso-8859-6" : "windows-1256";
  }
}

/** Counts characters beyond ASCII; U+FFFD stands where a byte could not be read. */
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
