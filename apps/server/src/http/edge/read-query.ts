import type { FaultDetail } from "../../errors.ts";
import { textFault } from "../../read-json.ts";

/** A query string by name, and its faults. */
export interface Query {
  readonly values: ReadonlyMap<string, string>;
  /** The further values of a parameter that was given more than once. */
  readonly repeated: ReadonlyMap<string, readonly string[]>;
  readonly faults: readonly FaultDetail[];
}

/**
 * Reads a query string. URLSearchParams would silently turn bytes that are not UTF-8 into U+FFFD. Here they are a
 * fault, and so is NUL. A parameter given twice is another way to write a list, and a fault for anything else.
 */
function readQuery(search: string): Query {
  const values = new Map<string, string>();
  const repeated = new Map<string, string[]>();
  const faults: FaultDetail[] = [];
  for (const part of search.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    const value = decode(equals < 0 ? "" : part.slice(equals + 1));
    if (name === null || textFault(name) !== null) {
      faults.push({ path: "", message: "a parameter's name is not valid text" });
    } else if (value === null) {
      faults.push({ path: name, message: "is not valid UTF-8" });
    } else {
      const message = textFault(value);
      if (message !== null) faults.push({ path: name, message });
      if (!values.has(name)) values.set(name, value);
      else repeated.set(name, [...(repeated.get(name) ?? []), value]);
    }
  }
  return { values, repeated, faults };
}

/** The query string of a request: the part of its address after the first question mark. */
export function queryOf({ url }: { readonly url: string }): Query {
  const at = url.indexOf("?");
  return readQuery(at < 0 ? "" : url.slice(at + 1));
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}
