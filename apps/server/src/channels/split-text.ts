import type { TextLimit } from "./adapter.ts";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Where a text may be cut, best first: after a paragraph, a line, a sentence (Arabic and CJK marks too), a word. A
 * row of marks is matched only from its beginning: tried from each mark, 4,096 dots would take a tenth of a
 * second.
 */
const CUTS = [
  /\n\s*\n\s*/gu,
  /\n\s*/gu,
  /(?<![.!?…؟۔。！？])[.!?…؟۔。！？]+["'”’»)\]]*\s+|[。！？]+/gu,
  /\s+/gu,
] as const;

/** A better cut that uses less than this share of the room is not worth the short part. */
const LEAST_USE = 0.5;

/** How long a text is in the limit's own unit: bytes of UTF-8, or UTF-16 units. */
export function measure(text: string, { unit }: TextLimit): number {
  return unit === "bytes" ? Buffer.byteLength(text, "utf8") : text.length;
}

/** Whether one send takes the whole text. */
export function fits(text: string, limit: TextLimit): boolean {
  // A unit has at most three bytes: most texts are known to fit without counting.
  if (text.length * 3 <= limit.most) return true;
  return measure(text, limit) <= limit.most;
}

/**
 * Cuts a text into parts that each fit, in order: at the end of a paragraph, else a line, a sentence, a word, and
 * where no word ends, between graphemes. A grapheme is cut only when it alone is longer than a part, between
 * characters. Only white space at a cut is dropped. A text that fits is one part, unchanged; one of only white
 * space is one part.
 */
export function splitText(text: string, limit: TextLimit): string[] {
  if (fits(text, limit)) return [text];
  const parts: string[] = [];
  let rest = text.trimEnd();
  for (;;) {
    rest = rest.trimStart();
    if (fits(rest, limit)) break;
    const end = cutOf(rest, limit);
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end);
  }
  if (rest !== "") parts.push(rest);
  // Only white space, and more than fits: its beginning is enough.
  return parts.length > 0 ? parts : [text.slice(0, roomIn(text, limit))];
}

/** Where the first part of a text that does not fit ends. */
function cutOf(text: string, limit: TextLimit): number {
  const room = roomIn(text, limit);
  const whole = wholeGraphemes(text, room);
  for (const pattern of CUTS) {
    const cut = lastCut(text, whole, pattern);
    if (cut > 0 && cut >= whole * LEAST_USE) return cut;
  }
  // A word that ends early is still better than a torn word, as long as something stands before it.
  const word = lastCut(text, whole, /\s+/gu);
  if (word > 0) return word;
  return whole > 0 ? whole : room;
}

/** The end of the last match that begins inside the room (white space at the cut is dropped), or 0. */
function lastCut(text: string, room: number, pattern: RegExp): number {
  // One unit more, so that white space just behind a full part is a cut too.
  let last = 0;
  for (const match of text.slice(0, room + 1).matchAll(pattern)) {
    const end = match.index + match[0].trimEnd().length;
    if (end > 0 && end <= room) last = end;
  }
  return last;
}

/** How many UTF-16 units fit, without cutting a character in two. */
function roomIn(text: string, { unit, most }: TextLimit): number {
  let end = 0;
  if (unit === "characters") end = Math.min(most, text.length);
  else
    for (let bytes = 0; end < text.length;) {
      const character = String.fromCodePoint(text.codePointAt(end) ?? 0);
      bytes += Buffer.byteLength(character, "utf8");
      if (bytes > most) break;
      end += character.length;
    }
  const splitsPair = /[\uD800-\uDBFF]/.test(text[end - 1] ?? "") && end < text.length;
  return splitsPair ? end - 1 : end;
}

/** The end of the last grapheme that is whole within the room. */
function wholeGraphemes(text: string, room: number): number {
  // A little more than the room, so that the grapheme at the edge is seen whole.
  let end = 0;
  for (const { index, segment } of graphemes.segment(text.slice(0, room + 512))) {
    if (index + segment.length > room) break;
    end = index + segment.length;
  }
  return end;
}
