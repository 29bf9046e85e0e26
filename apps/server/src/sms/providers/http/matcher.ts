import { wordsOf } from "../exchange.ts";
import { linearPattern } from "./linear-pattern.ts";

/** Searches an answer: gives true or the text it found, or false. */
export interface Matcher {
  /** The text found: the pattern's group, or the value at the path; null when it does not match. */
  find(body: Buffer): string | null;
}

const FORM = /^(json|regex):(.+)$/s;
const PATH = /^[\w-]+(\.[\w-]+){0,9}$/;

/**
 * Reads `json:data.id` (the value there), `json:success=true` (that value there) or `regex:^OK (\d{1,20})` (the
 * first group, else the whole match). Gives the fault in words for any other rule.
 */
export function readMatcher(text: string): Matcher | string {
  const [, kind, rest = ""] = FORM.exec(text) ?? [];
  if (kind === "regex") {
    const find = linearPattern(rest);
    return typeof find === "string" ? find : { find: (body) => find(wordsOf(body)) };
  }
  if (kind !== "json") return "must be json:path, json:path=value or regex:pattern";
  const equals = rest.indexOf("=");
  const path = equals < 0 ? rest : rest.slice(0, equals);
  if (!PATH.test(path)) return "the path must be names and indexes with dots between";
  const wanted = equals < 0 ? null : rest.slice(equals + 1);
  return {
    find(body) {
      const value = valueAt(body, path);
      if (value === null) return null;
      return wanted === null || value === wanted ? value : null;
    },
  };
}

/** The value at a path as text; null when there is none, or when it is an object or a list. */
export function valueAt(body: Buffer, path: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(wordsOf(body));
  } catch {
    return null;
  }
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return null;
    value = new Map<string, unknown>(Object.entries(value)).get(name);
  }
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : null;
}
