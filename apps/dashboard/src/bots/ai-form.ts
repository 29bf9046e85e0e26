import type { BotDocument } from "./bots-query.ts";
import { isRecord } from "./document-file.ts";

/*
 * The document of an AI bot, member by member, as forms show it. A draft may hold anything: what is not of the expected
 * form is shown as empty, and kept until somebody writes there.
 */

type Path = readonly [string, ...string[]];

/** What is at a place of the document; undefined: nothing. */
function at(document: BotDocument, path: Path): unknown {
  let found: unknown = document;
  for (const name of path) found = isRecord(found) ? found[name] : undefined;
  return found;
}

/** The text at a place; empty without one. */
export function textAt(document: BotDocument, ...path: Path): string {
  const found = at(document, path);
  return typeof found === "string" ? found : "";
}

/** The texts at a place: a list, or the lines of one text. */
export function listAt(document: BotDocument, ...path: Path): readonly string[] {
  const found = at(document, path);
  if (typeof found === "string") return found === "" ? [] : [found];
  return Array.isArray(found) ? found.filter((one) => typeof one === "string") : [];
}

/** The number at a place, as a field shows it; empty without one. */
export function numberAt(document: BotDocument, ...path: Path): string {
  const found = at(document, path);
  return typeof found === "number" ? String(found) : "";
}

/** The document with another value at a place. Undefined removes it; what is around it stays. */
export function put(document: BotDocument, path: Path, value: unknown): BotDocument {
  const [name, ...rest] = path;
  const [next, ...further] = rest;
  const { [name]: before, ...others } = document;
  const after =
    next === undefined ? value : put(isRecord(before) ? before : {}, [next, ...further], value);
  const isNothing =
    after === undefined ||
    (next !== undefined && isRecord(after) && Object.keys(after).length === 0);
  if (isNothing) return others;
  return { ...document, [name]: after };
}

/** The number that a field holds; undefined: it is empty. */
export const numberOf = (field: string): number | undefined =>
  field.trim() === "" || Number.isNaN(Number(field)) ? undefined : Number(field);

/** The words of a line, parted by commas of either script. */
export const wordsOf = (line: string): string[] =>
  line
    .split(/[,،]/u)
    .map((word) => word.trim())
    .filter((word) => word !== "");
