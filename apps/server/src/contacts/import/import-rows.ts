import { AppError, invalid } from "../../errors.ts";
import { isNo, isYes, westernDigits } from "../attributes/attribute-definition.ts";
import { INEXACT, InexactNumber, parseJson } from "../../lib/parse-json.ts";
import {
  normaliseFields,
  normalisePhone,
  withoutInvisible,
  type ContactFields,
} from "../record/contact-input.ts";
import type { ContactInput } from "../record/contact.ts";
import {
  CHANNEL_TYPES,
  type ChannelType,
  type Delimiter,
  type Encoding,
} from "../../wire/words.ts";
import { unguarded } from "../record/csv-cell.ts";
import type { PhoneReader } from "../identity/local-phone.ts";
import { readCsv } from "./csv-reader.ts";
import { decodeText, UnreadableFile } from "./decode-text.ts";
import {
  checkNameParts,
  columnFault,
  columnReader,
  IGNORE,
  isThereTwice,
  NAME_PARTS,
  readColumnNames,
  unknownColumns,
} from "./import-columns.ts";

/** A person as a file names them. Null and empty mean that the file says nothing and the stored value stays. */
export interface ImportedContact extends ContactFields {
  readonly id: string | null;
  readonly channelType: ChannelType | null;
  readonly externalId: string | null;
  readonly optedOut: boolean | null;
  /** How the row was corrected so that it could be imported. */
  readonly done: readonly ImportDeed[];
}

/** A phone number got its country code; an invalid e-mail address beside a good phone number was left out. */
export type ImportDeed = "phone_completed" | "email_left_out";

/** A row as the file has it: the cells of CSV, or the one line of JSON. */
export type FileRecord = readonly string[];

/** A row of a file: read, or refused with a reason. */
export type ImportRow =
  | { readonly line: number; readonly record: FileRecord; readonly contact: ImportedContact }
  | { readonly line: number; readonly record: FileRecord; readonly reason: string };

export type ImportFormat = "csv" | "jsonl";

const MAX_LINE = 1_048_576;
const ATTRIBUTE = "attribute.";

/** How a file is to be read. */
export interface ReadOptions {
  readonly format: ImportFormat;
  /** Undefined: by the byte order mark, else UTF-8. */
  readonly encoding?: Encoding | undefined;
  /** Of CSV; undefined: detected in the header. */
  readonly delimiter?: Delimiter | undefined;
  /** Column of the file → field, for names that are not known by themselves. */
  readonly map?: Readonly<Record<string, string>> | undefined;
  /** Rows at the front that were imported before: skipped. */
  readonly skip?: number | undefined;
  /** Reads numbers that are written without their country code. Undefined: digits stay as they are. */
  readonly localPhone?: PhoneReader | undefined;
  /** Gives the value that an attribute's text means, if the attribute is defined. Throws VALIDATION_FAILED. */
  readonly typed?: ((key: string, value: unknown) => unknown) | undefined;
  /** Called with the header of CSV as the file has it, before the first row. */
  readonly onHeader?: ((columns: readonly string[]) => void) | undefined;
}

/**
 * Reads the rows of a file. CSV needs a header (`import-columns.ts`): `name`, `email`, `phone`, `notes`, `tags`
 * (separated by commas, semicolons or bars, Arabic ones too), `attribute.<key>`, `attributes` (a JSON object),
 * `optedOut`, `externalId`, `channelType`, `id`, or the usual other names of these. JSON Lines has one object per
 * line, whose members are named as columns are; a line with an unknown member is refused, because its value would
 * be lost. Throws VALIDATION_FAILED when the header is not understood, `UnreadableFile` when the file cannot be
 * read on.
 */
export function readImportRows(
  source: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<ImportRow> {
  return options.format === "csv" ? readCsvRows(source, options) : readJsonRows(source, options);
}

async function* readCsvRows(
  source: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<ImportRow> {
  let header: string[] | undefined;
  let skip = options.skip ?? 0;
  for await (const csv of readCsv(source, options)) {
    const { line } = csv;
    if (!header) {
      if ("fault" in csv) throw columnFault("header", csv.fault, "quote");
      // Excel's line that names the delimiter.
      if (/^sep=.?$/i.test(csv.fields.join(""))) continue;
      const columns = csv.fields.map(unguarded);
      header = readColumnNames(columns, options.map);
      options.onHeader?.(columns.slice(0, header.length));
      continue;
    }
    if (skip-- > 0) continue;
    const record = csv.fields.map(unguarded);
    // A spreadsheet that was once wider writes empty cells after the last column.
    while (record.length > header.length && record.at(-1) === "") record.pop();
    if ("fault" in csv) yield { line, record, reason: csv.fault };
    else if (record.length !== header.length) {
      yield {
        line,
        record,
        reason: `${record.length} fields where the header has ${header.length}`,
      };
    } else {
      // A cell that an export disarmed with an apostrophe is read without it, also a lone hyphen.
      const cells = header.map((column, index) => {
        const text = csv.fields[index] ?? "";
        return [column, isNothing(text) ? "" : unguarded(text)] as const;
      });
      yield attempt(line, record, () => toContact(fromCells(cells), options));
    }
  }
}

/** An empty cell, or what people and programs write for one: N/A, -, null. */
const isNothing = (text: string): boolean =>
  /^\s*(#?n\/a|n\.a\.|-+|–|—|\(?null\)?|\\n)?\s*$/i.test(text);

/** A number that got a decimal from a spreadsheet. Without its dot it would be somebody else's number. */
const DECIMAL_PHONE = /^(\s*\+?\d{6,})\.0+\s*$/;
/** A number that a spreadsheet wrote as 9.65E+11, or 9,65E+11. */
const SHORTENED_PHONE = /^\s*\+?\d+(?:[.,]\d+)?e\+?\d+\s*$/i;
/** What separates several numbers in one cell; `:::` is Google's. */
const BETWEEN_PHONES = /:::|[;,/|\r\n،؛]/;
const SHORTEST_OF_SEVERAL = 5;

function fromCells(cells: readonly (readonly [string, string])[]): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  const attributes: [string, unknown][] = [];
  for (const [column, cell] of cells) {
    if (column === IGNORE || cell.trim() === "") continue;
    // Spaces beside a delimiter are not part of the value: a rule over the attribute would not match with them.
    if (column.startsWith(ATTRIBUTE))
      attributes.push([column.slice(ATTRIBUTE.length), cell.trim()]);
    else if (column === "tags") given["tags"] = readTags(cell);
    else if (column === "attributes") {
      const object = readJson(cell);
      if (!isObject(object)) throw invalid("attributes", "must be a JSON object");
      attributes.push(...Object.entries(object));
    } else given[column] = cell;
  }
  // Object.fromEntries defines own members, whatever they are called.
  return { ...given, attributes: Object.fromEntries(attributes) };
}

/**
 * Reads a list as the export writes it when a tag has a comma, a list with each tag in quotes (Mailchimp), or
 * texts with separators. A tag may begin with a bracket.
 */
function readTags(cell: string): unknown {
  const quoted = /^\s*"/.test(cell) ? readJson(`[${cell}]`) : undefined;
  const list = cell.startsWith("[") ? readJson(cell) : quoted;
  if (list === undefined && /^\[\s*"/.test(cell))
    throw invalid("tags", "must be a whole JSON list");
  return list ?? cell.split(/:::|[,;|،؛]/).map((tag) => tag.replace(GOOGLE_GROUP, ""));
}

/** Google marks its own groups with a star; the first of them contains everybody. */
const GOOGLE_GROUP = /^\s*\*\s+(?:myContacts\s*$)?/;

async function* readJsonRows(
  source: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<ImportRow> {
  let line = 1;
  let skip = options.skip ?? 0;
  let rest = "";
  const columnOf = columnReader(options.map);
  for await (const { text, broken } of decodeText(source, options.encoding)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const one of lines) {
      if (one.trim() !== "" && skip-- <= 0) yield readJsonRow(line, one, columnOf, options);
      line += 1;
    }
    if (broken) throw new UnreadableFile(line, `the file is not ${broken.toUpperCase()}`);
    if (rest.length > MAX_LINE) throw new UnreadableFile(line, "a line is longer than 1 MiB");
  }
  if (rest.trim() !== "" && skip <= 0) yield readJsonRow(line, rest, columnOf, options);
}

function readJsonRow(
  line: number,
  text: string,
  columnOf: (name: string) => string | null,
  options: ReadOptions,
): ImportRow {
  return attempt(line, [text.trim()], () => {
    const given = readJson(text);
    if (!isObject(given)) throw invalid("line", "must be a JSON object");
    return toContact(fromMembers(given, columnOf), options);
  });
}

function fromMembers(
  object: Record<string, unknown>,
  columnOf: (name: string) => string | null,
): Record<string, unknown> {
  const given = new Map<string, unknown>();
  const attributes: [string, unknown][] = [];
  const names = Object.keys(object);
  const unknown = names.filter((name) => columnOf(name) === null);
  if (unknown.length > 0) throw invalid("line", unknownColumns("member", unknown));
  for (const [name, value] of Object.entries(object)) {
    const column = columnOf(name) ?? IGNORE;
    if (column === IGNORE || (typeof value === "string" && isNothing(value))) continue;
    if (given.has(column)) {
      const same = names.filter((one) => columnOf(one) === column);
      throw invalid("line", isThereTwice("member", same, column));
    }
    given.set(column, value);
    if (column.startsWith(ATTRIBUTE)) attributes.push([column.slice(ATTRIBUTE.length), value]);
  }
  checkNameParts([...given.keys()], "line");
  if (attributes.length === 0) return Object.fromEntries(given);
  const whole = given.get("attributes") ?? {};
  if (!isObject(whole)) throw invalid("attributes", "must be an object");
  given.set("attributes", Object.fromEntries([...Object.entries(whole), ...attributes]));
  return Object.fromEntries(given);
}

function toContact(given: Record<string, unknown>, options: ReadOptions): ImportedContact {
  const text = (member: string): string | null => {
    const value = given[member] ?? null;
    if (value !== null && typeof value !== "string") throw invalid(member, "must be text");
    if (value !== null && (!value.isWellFormed() || value.includes("\0"))) {
      throw invalid(member, "must be well-formed Unicode without NUL");
    }
    return value?.trim() || null;
  };
  const parts = NAME_PARTS.flatMap((part) => text(part) ?? []);
  const { name: whole } = given;
  const isNamed = typeof whole === "string" ? whole.trim() !== "" : (whole ?? null) !== null;
  const name = isNamed ? whole : parts.join(" ");
  const written = readPhone(given["phone"]);
  const read =
    typeof written === "string" && written.trim() !== ""
      ? options.localPhone?.(written)
      : undefined;
  const phone = read?.phone ?? written;
  const { fields, emailLeftOut } = fieldsOf({ ...given, name, phone } as ContactInput);
  const externalId = text("externalId");
  if (externalId !== null && externalId.length > 200) {
    throw invalid("externalId", "must not have more than 200 characters");
  }
  const typed = text("channelType")?.toUpperCase() ?? null;
  const channelType = CHANNEL_TYPES.find((type) => type === typed) ?? null;
  if (typed !== null && channelType === null) {
    throw invalid("channelType", `must be one of ${CHANNEL_TYPES.join(", ")}`);
  }
  const { typed: meant } = options;
  const attributes = meant
    ? Object.fromEntries(
        Object.entries(fields.attributes).map(([key, value]) => [key, meant(key, value)]),
      )
    : fields.attributes;
  return {
    ...fields,
    attributes,
    id: text("id"),
    externalId,
    channelType,
    optedOut: readFlag(given["optedOut"]),
    done: [
      ...(read?.completed ? (["phone_completed"] as const) : []),
      ...(emailLeftOut ? (["email_left_out"] as const) : []),
    ],
  };
}

/** The fields by the rules of contacts. An invalid e-mail address is left out when there is a good number. */
function fieldsOf(given: ContactInput): {
  readonly fields: ContactFields;
  readonly emailLeftOut: boolean;
} {
  try {
    return { fields: normaliseFields(given), emailLeftOut: false };
  } catch (error) {
    const faults = error instanceof AppError ? (error.facts.details ?? []) : [];
    const isAddressOnly = faults.length > 0 && faults.every(({ path }) => path === "email");
    if (!isAddressOnly || typeof given.phone !== "string" || given.phone.trim() === "") throw error;
    return { fields: normaliseFields({ ...given, email: null }), emailLeftOut: true };
  }
}

/** Digits as the file's author meant them; the rules of contacts judge everything else. */
function readPhone(value: unknown): unknown {
  if (value instanceof InexactNumber) throw invalid("phone", INEXACT);
  if (typeof value === "number") {
    if (!Number.isInteger(value) || value < 0)
      throw invalid("phone", "must be text or a whole number");
    if (!Number.isSafeInteger(value)) throw invalid("phone", INEXACT);
    return String(value);
  }
  if (typeof value !== "string") return value;
  // Spreadsheets of the region have Arabic-Indic digits and their own decimal mark. An apostrophe marks text.
  const text = westernDigits(withoutInvisible(value))
    .replace(DECIMAL_PHONE, "$1")
    .replace(/^\s*'/, "");
  if (SHORTENED_PHONE.test(text))
    throw invalid(
      "phone",
      "is a number that a spreadsheet shortened, its last digits are lost: make the column text there and export it again",
    );
  const several = text.split(BETWEEN_PHONES).filter((part) => part.trim() !== "");
  const isNumber = (part: string): boolean =>
    (normalisePhone(part)?.length ?? 0) >= SHORTEST_OF_SEVERAL;
  // Only the file's author knows which number is meant. Without their line break two numbers would be one long
  // one.
  if (several.length > 1 && several.every(isNumber))
    throw invalid("phone", `holds ${several.length} numbers: leave the one to write to`);
  return text;
}

function readFlag(value: unknown): boolean | null {
  if (value === undefined || value === null || typeof value === "boolean") return value ?? null;
  if (isYes(value)) return true;
  if (isNo(value)) return false;
  throw invalid("optedOut", "must be true or false");
}

function attempt(line: number, record: readonly string[], read: () => ImportedContact): ImportRow {
  try {
    return { line, record, contact: read() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { line, record, reason: error.message };
  }
}

function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
