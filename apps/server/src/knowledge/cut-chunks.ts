import { MAX_CHUNK } from "./source.ts";

/** A piece of a text under its heading. */
export interface ChunkPiece {
  readonly title: string;
  readonly text: string;
}

const MARK = /^#{1,6}\s+/u;
/** The longest headings, in characters: marked ones, and those by their form. */
const LONGEST_MARKED = 150;
const LONGEST_PLAIN = 80;
/** A line that is a heading only by its form: short, and no sentence. */
const SENTENCE_END = /[.!?؟،,;؛]$/u;

/**
 * Cuts a text at its headings into pieces of at most 1,200 characters. A longer part is cut at paragraphs, then sentences,
 * then words. Marked headings (`# …`) begin a piece; so do short lines between empty ones.
 */
export function cutChunks(title: string, text: string): ChunkPiece[] {
  const pieces: ChunkPiece[] = [];
  let heading = title;
  let body: string[] = [];
  const flush = () => {
    for (const part of cutLong(body.join("\n").trim())) pieces.push({ title: heading, text: part });
    body = [];
  };
  const lines = text.replaceAll(/\r\n?/gu, "\n").split("\n");
  for (const [at, line] of lines.entries()) {
    const found = headingOf(
      line.trim(),
      lines[at - 1] ?? "",
      lines[at + 1] ?? "",
      pieces.length + at,
    );
    if (found === null) body.push(line.trimEnd());
    else {
      flush();
      heading = found === title ? title : `${title} › ${found}`.slice(0, 300).toWellFormed();
    }
  }
  flush();
  return pieces;
}

function headingOf(line: string, before: string, after: string, at: number): string | null {
  const marked = markedHeading(line);
  if (marked !== null) return marked;
  if (line.length < 2 || line.length > LONGEST_PLAIN + 1) return null;
  const plain = line.length > 2 && line.endsWith(":") ? line.slice(0, -1) : line;
  const alone = before.trim() === "" && at > 0 && after.trim() === "";
  return plain.length <= LONGEST_PLAIN && alone && !SENTENCE_END.test(line) && /\p{L}/u.test(line)
    ? plain
    : null;
}

/** The words of "## Words ##"; null: it is no marked heading. Each sign is looked at once: strangers write these lines. */
function markedHeading(line: string): string | null {
  const mark = MARK.exec(line)?.[0];
  if (mark === undefined) return null;
  let end = line.length;
  while (line[end - 1] === "#") end--;
  const words = line.slice(mark.length, end).trimEnd();
  return words === "" || words.length > LONGEST_MARKED ? null : words;
}

function cutLong(text: string): string[] {
  if (text === "") return [];
  if (text.length <= MAX_CHUNK) return [text];
  for (const [separator, join] of SEPARATORS) {
    const parts = text.split(separator);
    if (parts.length === 1) continue;
    const found: string[] = [];
    let open = "";
    for (const part of parts) {
      const longer = open === "" ? part : open + join + part;
      if (longer.length <= MAX_CHUNK) {
        open = longer;
        continue;
      }
      if (open !== "") found.push(open);
      open = part;
      if (open.length > MAX_CHUNK) {
        found.push(...cutLong(open));
        open = "";
      }
    }
    if (open !== "") found.push(open);
    return found.map((one) => one.trim()).filter((one) => one !== "");
  }
  return cutAnywhere(text);
}

/** One word that is too long. */
function cutAnywhere(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = at + MAX_CHUNK;
    // Do not cut a character in half.
    const half = end < text.length && /[\ud800-\udbff]/.test(text[end - 1] ?? "");
    const next = half ? end - 1 : end;
    found.push(text.slice(at, next));
    at = next;
  }
  return found;
}

const SEPARATORS: readonly (readonly [RegExp, string])[] = [
  [/\n\s*\n/u, "\n\n"],
  [/\n/u, "\n"],
  [/(?<=[.!?؟])\s+/u, " "],
  [/\s+/u, " "],
];
