import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export const GUIDES = path.join(import.meta.dirname, "../../../../docs/guides");

/** A fenced block that says what it is: "```js receiver express" is code `js` with the words after it. */
export interface Block {
  readonly guide: string;
  readonly language: string;
  readonly words: readonly string[];
  readonly code: string;
}

export const blocksOf = (guide: string): Block[] => blocksIn(path.join(GUIDES, guide));

/** The blocks of a document, by its path. */
export function blocksIn(file: string): Block[] {
  const guide = path.basename(file);
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/^```(\S+)(?: ([^\n]*))?\n([^]*?)^```$/gm)].map(
    ([, language = "", words = "", code = ""]) => ({
      guide,
      language,
      words: words.split(" ").filter(Boolean),
      code,
    }),
  );
}

export function guides(): string[] {
  return readdirSync(GUIDES).filter((name) => name.endsWith(".md"));
}
