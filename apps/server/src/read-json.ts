import { AppError, invalid, type FaultDetail } from "./errors.ts";
import { InexactNumber, parseJson } from "./lib/parse-json.ts";
import { markUnfit } from "./unfit-item.ts";

/** The deepest nesting that is read (contract §5, Contacts). */
const MAX_DEPTH = 32;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a JSON body from its bytes. Throws MALFORMED_JSON, or VALIDATION_FAILED for JSON that cannot be stored:
 * invalid UTF-8, nesting beyond 32, NUL or half a surrogate pair in any text or key, numbers beyond the range of a
 * double. A number that a double would round is an `InexactNumber`, which the code that stores it refuses. Of
 * members with one name the last wins. `__proto__` and `constructor` are ordinary members here: the parser makes
 * them own properties, and nothing below copies by assignment. `apart` names the lists of a batch: an item of one that
 * cannot be stored is noted as unfit, and refuses nothing but itself.
 */
export function readJson(bytes: Uint8Array, apart: readonly string[] = []): unknown {
  const text = decode(bytes);
  // Checked before the parser: it recurses, and a million brackets take it a quarter of a second (measured 252
  // ms).
  if (isDeeperThan(text, MAX_DEPTH)) throw invalid("", `is nested deeper than ${MAX_DEPTH} levels`);
  const value = parse(text);
  // Nearly every body can be stored, and a path for each of 80,000 values takes longer than the parser.
  if (!isKeepable(value)) refuseUnkeepable(value, apart);
  return value;
}

/** Notes the items of `apart` that cannot be stored. Throws VALIDATION_FAILED when anything else cannot be. */
function refuseUnkeepable(root: unknown, apart: readonly string[]): void {
  const items = new Set<unknown>();
  for (const [name, list] of Object.entries(typeof root === "object" ? (root ?? {}) : {}))
    if (apart.includes(name) && Array.isArray(list))
      for (const item of list) if (isObject(item) && !isKeepable(item)) items.add(item);
  const details = unkeepable(root, items);
  if (details.length > 0) throw new AppError("VALIDATION_FAILED", { details });
  for (const item of items) if (isObject(item)) markUnfit(item, unkeepable(item));
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid("", "is not valid UTF-8");
  }
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new AppError("MALFORMED_JSON", { explanation: whereBroken(error) });
  }
}

/** What the parser expected and where, as far as it says so. Nothing of the body is repeated but one letter. */
function whereBroken(error: unknown): string {
  const said = error instanceof Error ? error.message : "";
  const [, expected = "", line, column] =
    /^([^"]{1,80}) in JSON at position \d+ \(line (\d+) column (\d+)\)$/.exec(said) ?? [];
  if (line) return `line ${line}, column ${column}: ${expected.toLowerCase()}`;
  const [, token] = /^Unexpected token ('.{1,2}')/u.exec(said) ?? [];
  if (token) return `unexpected ${token}: names and texts are in double quotes`;
  return said === "Unexpected end of JSON input" ? "ends before it is complete" : "is no JSON";
}

function isDeeperThan(text: string, levels: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (quoted) {
      if (char === 0x5c) i++;
      else if (char === 0x22) quoted = false;
    } else if (char === 0x22) quoted = true;
    else if (char === 0x5b || char === 0x7b) {
      if (++depth > levels) return true;
    } else if (char === 0x5d || char === 0x7d) depth--;
  }
  return false;
}

/** Why a text cannot be stored, or null (contract §5: NUL and lone surrogates are 400). */
export function textFault(text: string): string | null {
  if (text.includes("\0")) return "must not contain the character U+0000";
  return text.isWellFormed() ? null : "must not contain half of a surrogate pair";
}

/** Whether a value can be stored. Depth is bounded by now, so recursion is safe. */
function isKeepable(value: unknown): boolean {
  if (typeof value === "string") return textFault(value) === null;
  if (typeof value !== "object" || value === null) return true;
  if (value instanceof InexactNumber) return Number.isFinite(Number(value.source));
  if (Array.isArray(value)) return value.every(isKeepable);
  return (
    Object.keys(value).every((key) => textFault(key) === null) &&
    Object.values(value).every(isKeepable)
  );
}

/** What cannot be stored, at most a hundred faults. Values in `except` are passed over. */
function unkeepable(root: unknown, except: ReadonlySet<unknown> = new Set()): FaultDetail[] {
  const faults: FaultDetail[] = [];
  const visit = (value: unknown, path: string): void => {
    if (faults.length >= 100 || except.has(value)) return;
    if (typeof value === "string") {
      const message = textFault(value);
      if (message !== null) faults.push({ path, message });
    } else if (value instanceof InexactNumber) {
      if (!Number.isFinite(Number(value.source)))
        faults.push({ path, message: "must be a finite number" });
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, under(path, String(index)));
    } else if (value !== null && typeof value === "object") {
      for (const [key, item] of Object.entries(value)) {
        const message = textFault(key);
        // The key itself cannot be shown, because the key is what is wrong.
        if (message !== null) faults.push({ path, message: `has a member whose name ${message}` });
        else visit(item, under(path, key));
      }
    }
  };
  visit(root, "");
  return faults;
}

function under(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
