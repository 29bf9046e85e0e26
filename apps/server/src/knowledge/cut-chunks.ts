import { MAX_CHUNK } from "./source.ts";

/** A piece of a text under its heading. */
export interface ChunkPiece {
  readonly title: string;
  readonly text: string;
}

const HEADING = /^(?:#{1,6}\s+(.{1,150}?)\s*#*|(.{2,80}?):?)$/u;
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
  const [, marked, plain] = HEADING.exec(line) ?? [];
  if (marked !== undefined) return marked;
  const alone = before.trim() === "" && at > 0 && after.trim() === "";
  return plain !== undefined && alone && !SENTENCE_END.test(line) && /\p{L}/u.test(line)
    ? plain
    : null;
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
  const cut = text.slice(0, MAX_CHUNK);
  // Do not cut a character in half.
  const end = /[\ud800-\udbff]$/u.test(cut) ? MAX_CHUNK - 1 : MAX_CHUNK;
  return [text.slice(0, end), ...cutLong(text.slice(end))];
}

const SEPARATORS: readonly (readonly [RegExp, string])[] = [
  [/\n\s*\n/u, "\n\n"],
  [/\n/u, "\n"],
  [/(?<=[.!?؟])\s+/u, " "],
  [/\s+/u, " "],
];
