import { COLUMN_FAULTS } from "../../../server/src/contacts/import/column-fault-codes.ts";
import type { AnswerOf } from "../api/call.ts";
import { t } from "../text/t.ts";

export type Look = AnswerOf<"lookAtImport">;
export type FileColumn = Look["columns"][number];
/** Column of the file → field. */
export type Mapping = Readonly<Record<string, string>>;

const FIELDS = [
  "name",
  "firstName",
  "middleName",
  "lastName",
  "phone",
  "email",
  "tags",
  "notes",
  "optedOut",
  "externalId",
  "channelType",
  "attributes",
  "id",
] as const;
const ATTRIBUTE = "attribute.";
const ADDRESSES = ["phone", "email", "externalId", "id"];

export const columnName = (column: FileColumn, index: number): string =>
  column.name === "" ? t("imports.column", { number: index + 1 }) : column.name;

/** What a column can be: a field, an existing attribute, an attribute with the column's name, or nothing. */
export function fieldOptions(
  column: FileColumn,
  attributes: readonly { readonly key: string; readonly label: string }[],
): { readonly value: string; readonly name: string }[] {
  const known = new Set(attributes.map(({ key }) => key));
  const own = column.name.trim();
  const isNew = own !== "" && own.length <= 200 && !known.has(own);
  return [
    { value: "ignore", name: t("imports.field.ignore") },
    ...FIELDS.map((field) => ({ value: field, name: t(`imports.field.${field}`) })),
    ...attributes.map(({ key, label }) => ({
      value: ATTRIBUTE + key,
      name: t("imports.field.attribute", { name: label }),
    })),
    ...(isNew
      ? [{ value: ATTRIBUTE + own, name: t("imports.field.newAttribute", { name: own }) }]
      : []),
  ];
}

export const NEW_TYPES = ["text", "number", "date", "boolean"] as const;
/** The types that new attributes get, by the columns of the file. */
export type NewTypes = Readonly<Record<string, (typeof NEW_TYPES)[number]>>;

/** The attribute that a column becomes, when the workspace has none of that name; null: no new one. */
export function newAttribute(
  field: string,
  attributes: readonly { readonly key: string }[],
): string | null {
  if (!field.startsWith(ATTRIBUTE)) return null;
  const key = field.slice(ATTRIBUTE.length);
  return attributes.some((one) => one.key === key) ? null : key;
}

/** The proposed mapping. Columns without a name cannot be told apart, so they are mapped together. */
export const proposedMapping = (columns: readonly FileColumn[]): Mapping =>
  Object.fromEntries(columns.map(({ name, field }) => [name, field]));

/** The fault of a mapping, in words; null when it is valid. */
export function mappingFault(columns: readonly FileColumn[], map: Mapping): string | null {
  const fields = columns.map(({ name }) => map[name] ?? "ignore");
  const used = fields.filter((field) => field !== "ignore");
  const twice = used.find((field, index) => used.indexOf(field) !== index);
  if (twice !== undefined) return t("imports.fault.twice", { field: fieldName(twice) });
  const [first, last] = [used.includes("firstName"), used.includes("lastName")];
  if (used.includes("name") && first !== last) return t("imports.fault.nameParts");
  return used.some((field) => ADDRESSES.includes(field)) ? null : t("imports.fault.noAddress");
}

function fieldName(field: string): string {
  const known = FIELDS.find((one) => one === field);
  return known
    ? t(`imports.field.${known}`)
    : t("imports.field.attribute", { name: field.slice(ATTRIBUTE.length) });
}

/** Why the server refuses the columns, in the reader's language; what it has no reason for, in its own words. */
export function columnFaultText({
  message,
  code,
  params,
}: NonNullable<AnswerOf<"lookAtImport">["fault"]>): string {
  const columns = String(params["columns"] ?? "");
  const column = String(params["column"] ?? "");
  switch (COLUMN_FAULTS.find((one) => code === `columns.${one}`)) {
    case "unknown":
      return t("imports.fault.unknown", { columns });
    case "twice":
      return t("imports.fault.same", { columns });
    case "name_parts":
      return t("imports.fault.nameParts");
    case "missing":
      return t("imports.fault.missing", { column });
    case "field":
      return t("imports.fault.field", { column, field: String(params["field"] ?? "") });
    case "quote":
      return t("imports.fault.quote");
    // Only a program that writes its mapping itself comes here.
    case "others":
    case undefined:
      return t("imports.fault.other", { reason: message });
  }
}
