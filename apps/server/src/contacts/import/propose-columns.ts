import { unguarded } from "../record/csv-cell.ts";
import { looksLikeEmail, normalisePhone } from "../record/contact-input.ts";
import { parseJson } from "../../lib/parse-json.ts";
import {
  readAttribute,
  westernDigits,
  type AttributeDefinition,
} from "../attributes/attribute-definition.ts";
import { readCsv } from "./csv-reader.ts";
import { decodeText } from "./decode-text.ts";
import { checkNameParts, columnReader, IGNORE } from "./import-columns.ts";
import type { ReadOptions } from "./import-rows.ts";

/** A column of a file, or a member of its lines of JSON. */
export interface FileColumn {
  /** Its name in the file; "" for a column without a name. */
  readonly name: string;
  /** The proposed field: a field, `attribute.<key>` or `ignore`. */
  readonly field: string;
  /** How the field was found: by the column's name (known), by its values (guessed), or not at all (unknown). */
  readonly by: "name" | "content" | "nothing";
  /** The type for a new attribute of these values: number or date when all are such. */
  readonly valueType: "text" | "number" | "date";
  /** The first few different values. */
  readonly samples: readonly string[];
  /** How many of the rows read have a value there. */
  readonly filled: number;
}

/** What the first rows of a file show. */
export interface FileHead {
  readonly columns: readonly FileColumn[];
  /** Rows that were read. */
  readonly rows: number;
}

const HEAD_ROWS = 200;
const MOST_COLUMNS = 200;
const SAMPLES = 3;
const SAMPLE_LENGTH = 80;
/** The share of filled cells that must look like a phone or an e-mail address before the column is taken for one. */
const MOST_OF = 0.7;

/**
 * The columns of a file with the values of its first 200 rows, and a field for each: by its name as an import
 * knows it, by a defined attribute of that name, or by its values. Of two columns for one field the one with more
 * values keeps it.
 */
export async function readFileHead(
  source: AsyncIterable<Uint8Array>,
  reading: Pick<ReadOptions, "format" | "encoding" | "delimiter">,
  attributes: ReadonlyMap<string, AttributeDefinition>,
): Promise<FileHead> {
  const { names, rows } = await (reading.format === "csv"
    ? readCsvHead(source, reading)
    : readJsonHead(source, reading));
  const found = names.slice(0, MOST_COLUMNS).map((name, index) => {
    const cells = rows.map((row) => row[index]?.trim() ?? "").filter((cell) => cell !== "");
    return { name, cells };
  });
  const columns = withoutTwins(found.map((one) => proposed(one, attributes)));
  return { columns: withNameParts(columns), rows: rows.length };
}

interface Head {
  readonly names: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

async function readCsvHead(
  source: AsyncIterable<Uint8Array>,
  reading: Parameters<typeof readCsv>[1],
): Promise<Head> {
  let names: string[] | undefined;
  const rows: string[][] = [];
  for await (const { fields } of readCsv(source, reading)) {
    if (names) rows.push(fields.map(unguarded));
    // Excel's line that names the delimiter.
    else if (!/^sep=.?$/i.test(fields.join("")))
      names = fields.map((text) => unguarded(text).trim());
    if (rows.length === HEAD_ROWS) break;
  }
  while (names && names.length > 1 && names.at(-1) === "") names.pop();
  return { names: names ?? [], rows };
}

async function readJsonHead(
  source: AsyncIterable<Uint8Array>,
  { encoding }: Pick<ReadOptions, "encoding">,
): Promise<Head> {
  const objects: Record<string, unknown>[] = [];
  let rest = "";
  for await (const { text } of decodeText(source, encoding)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) objects.push(membersOf(line));
    if (objects.length >= HEAD_ROWS) break;
  }
  if (objects.length < HEAD_ROWS && rest.trim() !== "") objects.push(membersOf(rest));
  const names = [...new Set(objects.flatMap((one) => Object.keys(one)))];
  const shown = (value: unknown): string =>
    value === undefined || value === null
      ? ""
      : typeof value === "string"
        ? value
        : JSON.stringify(value);
  return { names, rows: objects.map((one) => names.map((name) => shown(one[name]))) };
}

function membersOf(line: string): Record<string, unknown> {
  try {
    const value = parseJson(line);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function proposed(
  { name, cells }: { readonly name: string; readonly cells: readonly string[] },
  attributes: ReadonlyMap<string, AttributeDefinition>,
): FileColumn {
  const samples = [...new Set(cells)]
    .slice(0, SAMPLES)
    .map((text) => Array.from(text.toWellFormed()).slice(0, SAMPLE_LENGTH).join(""));
  const column = { name, samples, filled: cells.length, valueType: valueTypeOf(cells) };
  const known = name === "" ? null : fieldByName(name, attributes);
  if (known !== null) return { ...column, field: known, by: "name" };
  const guessed = fieldByContent(cells);
  return guessed === null
    ? { ...column, field: IGNORE, by: "nothing" }
    : { ...column, field: guessed, by: "content" };
}

function fieldByName(
  name: string,
  attributes: ReadonlyMap<string, AttributeDefinition>,
): string | null {
  const known = readName(name);
  if (known !== null) return known;
  const folded = name.toLowerCase();
  const attribute = [...attributes.values()].find(
    ({ key, label }) => key.toLowerCase() === folded || label.toLowerCase() === folded,
  );
  return attribute ? `attribute.${attribute.key}` : null;
}

const readKnown = columnReader();
function readName(name: string): string | null {
  try {
    return readKnown(name);
  } catch {
    // A name that begins with `attribute.` but has an invalid key.
    return null;
  }
}

function fieldByContent(cells: readonly string[]): string | null {
  const mostly = (fits: (cell: string) => boolean): boolean =>
    cells.length > 0 && cells.filter(fits).length >= cells.length * MOST_OF;
  if (mostly(looksLikeEmail)) return "email";
  return mostly(looksLikePhone) ? "phone" : null;
}

/** Numbers with a leading zero or as long as a phone stay text: those are codes, and a number would lose the zero. */
function valueTypeOf(cells: readonly string[]): FileColumn["valueType"] {
  const all = (type: "number" | "date"): boolean =>
    cells.length > 0 && cells.every((cell) => isOfType(type, cell));
  const isCode = (cell: string): boolean =>
    /^[+-]?0\d/.test(westernDigits(cell)) || looksLikePhone(cell);
  if (all("number") && !cells.some(isCode)) return "number";
  return all("date") ? "date" : "text";
}

function isOfType(type: "number" | "date", cell: string): boolean {
  try {
    readAttribute({ key: "-", label: "-", type, choices: [] }, cell);
    return true;
  } catch {
    return false;
  }
}

/** Enough digits that it is hardly a price, a year or a date. */
function looksLikePhone(cell: string): boolean {
  const digits = normalisePhone(westernDigits(cell));
  const isDate = /^\d{4}-\d{2}-\d{2}/.test(cell);
  return digits !== null && !isDate && digits.length >= 8 && digits.length <= 15;
}

/** Of several columns for one field the fullest keeps it, and a column with the field's name wins against a guess. */
function withoutTwins(columns: readonly FileColumn[]): FileColumn[] {
  const weight = (one: FileColumn): number => one.filled + (one.by === "name" ? 1e6 : 0);
  return columns.map((one, index) => {
    if (one.field === IGNORE) return one;
    const better = columns.some(
      (other, at) =>
        at !== index &&
        other.field === one.field &&
        (weight(other) > weight(one) || (weight(other) === weight(one) && at < index)),
    );
    return better ? { ...one, field: IGNORE, by: "nothing" } : one;
  });
}

/**
 * A full name beside only one part of it would be refused, so the column called name is then read as the other
 * part.
 */
function withNameParts(columns: readonly FileColumn[]): FileColumn[] {
  const fields = columns.map(({ field }) => field);
  try {
    checkNameParts(fields, "header");
    return [...columns];
  } catch {
    const other = fields.includes("firstName") ? "lastName" : "firstName";
    return columns.map((one) => (one.field === "name" ? { ...one, field: other } : one));
  }
}
