import { AppError, invalid } from "../errors.ts";
import { normaliseFields, type ContactFields } from "./contact-input.ts";
import { CONTACT_CHANNEL_TYPES, type ContactChannelType, type NewContact } from "./contact.ts";
import { readCsv } from "./csv-reader.ts";
import { decodeUtf8, UnreadableFile } from "./decode-utf8.ts";

/** A person as a file names them. Null and empty: the file says nothing, what is stored stays. */
export interface ImportedContact extends ContactFields {
  readonly id: string | null;
  readonly channelType: ContactChannelType | null;
  readonly externalId: string | null;
  readonly optedOut: boolean | null;
}

/** One row of a file: read, or refused with the reason. */
export type ImportRow =
  | { readonly line: number; readonly contact: ImportedContact }
  | { readonly line: number; readonly reason: string };

export type ImportFormat = "csv" | "jsonl";

const MAX_LINE = 1_048_576;
const COLUMNS = [
  "id",
  "name",
  "email",
  "phone",
  "notes",
  "tags",
  "attributes",
  "optedOut",
  "externalId",
  "channelType",
];
// Made by the export for people to read; an import has nothing to do with them.
const IGNORED = ["createdAt", "lastSeenAt", "optedOutAt"];
const ATTRIBUTE = "attribute.";

/**
 * Reads the rows of a file. CSV needs a header of `name`, `email`, `phone`, `notes`, `tags` (separated by commas,
 * semicolons or bars), `attribute.<key>`, `attributes` (a JSON object), `optedOut`, `externalId`, `channelType`, `id`,
 * in any order and case. JSON Lines has one object per line with the same members. Throws VALIDATION_FAILED when
 * the header is not understood, `UnreadableFile` when the file cannot be read on.
 */
export function readImportRows(
  source: AsyncIterable<Uint8Array>,
  format: ImportFormat,
): AsyncGenerator<ImportRow> {
  return format === "csv" ? readCsvRows(source) : readJsonRows(source);
}

async function* readCsvRows(source: AsyncIterable<Uint8Array>): AsyncGenerator<ImportRow> {
  let header: string[] | undefined;
  for await (const record of readCsv(source)) {
    const { line } = record;
    if ("fault" in record) {
      if (!header) throw invalid("header", record.fault);
      yield { line, reason: record.fault };
    } else if (!header) header = readHeader(record.fields);
    else if (record.fields.length !== header.length) {
      yield {
        line,
        reason: `${record.fields.length} fields where the header has ${header.length}`,
      };
    } else {
      const cells = header.map(
        (column, index) => [column, unguard(record.fields[index] ?? "")] as const,
      );
      yield attempt(line, () => toContact(fromCells(cells)));
    }
  }
}

function readHeader(fields: readonly string[]): string[] {
  const header = fields.map((field) => {
    const name = field.trim();
    if (name.startsWith(ATTRIBUTE) && name.length > ATTRIBUTE.length) return name;
    const known = [...COLUMNS, ...IGNORED].find(
      (one) => one.toLowerCase() === name.toLowerCase().replaceAll(/[ _-]/g, ""),
    );
    if (known === undefined)
      throw invalid("header", `the column ${JSON.stringify(name)} is not known`);
    return known;
  });
  const twice = header.find((column, index) => header.indexOf(column) !== index);
  if (twice !== undefined)
    throw invalid("header", `the column ${JSON.stringify(twice)} is there twice`);
  return header;
}

/** Takes back the apostrophe that the export puts before what a spreadsheet would compute. */
const unguard = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);

function fromCells(cells: readonly (readonly [string, string])[]): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  const attributes: [string, unknown][] = [];
  for (const [column, cell] of cells) {
    if (cell.trim() === "") continue;
    if (column.startsWith(ATTRIBUTE)) attributes.push([column.slice(ATTRIBUTE.length), cell]);
    else if (column === "tags")
      given["tags"] = cell.startsWith("[") ? parseJson(cell) : cell.split(/[,;|]/);
    else if (column === "attributes") {
      const object = parseJson(cell);
      if (!isObject(object)) throw invalid("attributes", "must be a JSON object");
      attributes.push(...Object.entries(object));
    } else given[column] = cell;
  }
  // fromEntries defines own members, whatever their name.
  return { ...given, attributes: Object.fromEntries(attributes) };
}

async function* readJsonRows(source: AsyncIterable<Uint8Array>): AsyncGenerator<ImportRow> {
  let line = 1;
  let rest = "";
  for await (const { text, broken } of decodeUtf8(source)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const one of lines) {
      if (one.trim() !== "") yield readJsonRow(line, one);
      line += 1;
    }
    if (broken) throw new UnreadableFile(line, "the file is not UTF-8");
    if (rest.length > MAX_LINE) throw new UnreadableFile(line, "a line is longer than 1 MiB");
  }
  if (rest.trim() !== "") yield readJsonRow(line, rest);
}

function readJsonRow(line: number, text: string): ImportRow {
  return attempt(line, () => {
    const given = parseJson(text);
    if (!isObject(given)) throw invalid("line", "must be a JSON object");
    return toContact(given);
  });
}

function toContact(given: Record<string, unknown>): ImportedContact {
  const text = (member: string): string | null => {
    const value = given[member] ?? null;
    if (value !== null && typeof value !== "string") throw invalid(member, "must be text");
    if (value !== null && (!value.isWellFormed() || value.includes("\0"))) {
      throw invalid(member, "must be well-formed Unicode without NUL");
    }
    return value?.trim() || null;
  };
  const fields = normaliseFields(given as NewContact);
  const externalId = text("externalId");
  if (externalId !== null && externalId.length > 200) {
    throw invalid("externalId", "must not have more than 200 characters");
  }
  const typed = text("channelType")?.toUpperCase() ?? null;
  const channelType = CONTACT_CHANNEL_TYPES.find((type) => type === typed) ?? null;
  if (typed !== null && channelType === null) {
    throw invalid("channelType", `must be one of ${CONTACT_CHANNEL_TYPES.join(", ")}`);
  }
  return {
    ...fields,
    id: text("id"),
    externalId,
    channelType,
    optedOut: readFlag(given["optedOut"]),
  };
}

function readFlag(value: unknown): boolean | null {
  if (value === undefined || value === null || typeof value === "boolean") return value ?? null;
  const word = typeof value === "string" ? value.trim().toLowerCase() : "?";
  if (["true", "yes", "y", "1"].includes(word)) return true;
  if (["false", "no", "n", "0"].includes(word)) return false;
  throw invalid("optedOut", "must be true or false");
}

function attempt(line: number, read: () => ImportedContact): ImportRow {
  try {
    return { line, contact: read() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { line, reason: error.message };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
