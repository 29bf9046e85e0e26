import { invalid, type AppError } from "../../errors.ts";
import { isStorable } from "../../lib/storable.ts";
import type { ColumnFaultCode } from "./column-fault-codes.ts";

/** For files without a full name: the name is made of these, in this order. */
export const NAME_PARTS = ["firstName", "middleName", "lastName"] as const;
/** What a column of a file can be. `attribute.<key>` comes on top. */
const FIELDS = [
  "id",
  "name",
  ...NAME_PARTS,
  "email",
  "phone",
  "notes",
  "tags",
  "attributes",
  "optedOut",
  "externalId",
  "channelType",
] as const;
/** The field of a column that is skipped. */
export const IGNORE = "ignore";
/** In a mapping: every column whose name is not known. */
const OTHERS = "*";
const ATTRIBUTE = "attribute.";
const MAX_KEY = 200;
/** How many names of columns one message lists. */
const MAX_LISTED = 20;

// What people call the columns, folded by `fold`. Columns that the export writes only for people are skipped, and
// so are those that the file of refused rows adds, so that it can be corrected and imported again.
const NAMES: Readonly<Record<string, readonly string[]>> = {
  name: [
    "fullname",
    "contactname",
    "customername",
    "customer",
    "client",
    "clientname",
    "الاسم",
    "اسم",
    "الاسمالكامل",
    "اسمالعميل",
    "العميل",
  ],
  firstName: ["givenname", "forename", "fname", "الاسمالاول", "الاسمالشخصي"],
  middleName: ["additionalname", "الاسمالاوسط"],
  lastName: ["familyname", "surname", "lname", "اسمالعائله", "العائله", "الاسمالاخير"],
  email: [
    "mail",
    "emailaddress",
    "email1value",
    "البريدالالكتروني",
    "عنوانالبريدالالكتروني",
    "البريد",
    "الايميل",
    "ايميل",
    "بريدالكتروني",
  ],
  phone: [
    "phonenumber",
    "phone1value",
    "mobile",
    "mobilenumber",
    "mobilephone",
    "mobilephonenumber",
    "cell",
    "cellphone",
    "telephone",
    "tel",
    "whatsapp",
    "whatsappnumber",
    "whatsappphonenumber",
    "msisdn",
    "الهاتف",
    "هاتف",
    "رقمالهاتف",
    "الجوال",
    "جوال",
    "رقمالجوال",
    "الموبايل",
    "موبايل",
    "رقمالموبايل",
    "رقمالواتساب",
    "واتساب",
    "المحمول",
    "الهاتفالمحمول",
    "الهاتفالجوال",
    "النقال",
    "الهاتفالنقال",
  ],
  notes: ["note", "comment", "comments", "remarks", "ملاحظات", "ملاحظه", "الملاحظات"],
  tags: [
    "tag",
    "label",
    "labels",
    "groupmembership",
    "categories",
    "الوسوم",
    "وسوم",
    "وسم",
    "التصنيفات",
    "تصنيف",
  ],
  optedOut: ["optout", "unsubscribed", "donotcontact", "الغاءالاشتراك"],
  externalId: ["externalid", "المعرفالخارجي"],
  [IGNORE]: ["createdat", "lastseenat", "optedoutat", "importline", "importreason", "importtext"],
};
const BY_NAME = new Map<string, string>([
  ...Object.entries(NAMES).flatMap(([field, names]) =>
    names.map((name): [string, string] => [name, field]),
  ),
  ...FIELDS.map((field): [string, string] => [field.toLowerCase(), field]),
]);

/**
 * Makes names equal that differ only in case, spaces, marks, vowel signs, tatweel or the spellings of alef, ya and
 * ta marbuta.
 */
function fold(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s_\-.:#\u0640\u064b-\u065f\u200e\u200f\ufeff]/g, "")
    .replaceAll(/[أإآ]/g, "ا")
    .replaceAll("ة", "ه")
    .replaceAll("ى", "ي");
}

/**
 * The field that a name in a file stands for; null for an unknown name. Throws VALIDATION_FAILED for a mapping
 * that makes no sense.
 */
export function columnReader(
  map: Readonly<Record<string, string>> = {},
): (name: string) => string | null {
  const mapped = new Map(
    Object.entries(map).map(([column, field]) => [fold(column), checkedField(column, field)]),
  );
  return (text) => {
    const name = text.trim();
    const wish = mapped.get(fold(name));
    if (wish !== undefined) return wish;
    if (name.startsWith(ATTRIBUTE)) return checkedField(name, name);
    return BY_NAME.get(fold(name)) ?? mapped.get(OTHERS) ?? null;
  };
}

/** Refuses the columns of a file: in English for programs, by its code for the dashboard. */
export const columnFault = (
  path: string,
  message: string,
  code: ColumnFaultCode,
  params: Readonly<Record<string, string | number>> = {},
): AppError => invalid(path, message, { code: `columns.${code}`, params });

/** The refusal of unknown columns or members. */
export function unknownColumns(what: "column" | "member", names: readonly string[]): string {
  const listed = names.slice(0, MAX_LISTED).map((name) => JSON.stringify(name));
  const rest = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : "";
  const [subject, object] =
    names.length === 1
      ? [`the ${what} ${listed.join("")} is`, "it"]
      : [`the ${what}s ${listed.join(", ")}${rest} are`, "each"];
  const others = names.length === 1 ? "" : `; '${OTHERS}=${IGNORE}' passes over all of them`;
  return `${subject} not known; map ${object} to a field, to attribute.<key> or to ${IGNORE}${others}`;
}

/**
 * The field of each column of a header: by `map` (the column's name as the file has it, or folded alike → field;
 * `*` → `ignore` for all unknown columns), by its own name, or by a common English or Arabic name for it. Columns
 * without a name after the last named one are left out. Throws VALIDATION_FAILED for unknown columns (map them to
 * `ignore` to skip them), for two columns of one field, for a full name beside one part of a name, and for a
 * mapping of a column that is not there.
 */
export function readColumnNames(
  fields: readonly string[],
  map: Readonly<Record<string, string>> = {},
): string[] {
  const columnOf = columnReader(map);
  const names = fields.map((text) => text.trim());
  // A spreadsheet that was once wider writes such columns. A row with a value there is refused for its width.
  while (names.length > 1 && names.at(-1) === "" && columnOf("") === null) names.pop();
  const unknown = names.filter((name) => columnOf(name) === null);
  if (unknown.length > 0)
    throw columnFault("header", unknownColumns("column", unknown), "unknown", {
      columns: unknown.slice(0, MAX_LISTED).join(", "),
    });
  const header = names.map((name) => columnOf(name) ?? IGNORE);
  const twice = header.find(
    (column, index) => column !== IGNORE && header.indexOf(column) !== index,
  );
  if (twice !== undefined) {
    const same = names.filter((_, index) => header[index] === twice);
    throw columnFault("header", isThereTwice("column", same, twice), "twice", {
      columns: [...new Set(same)].join(", "),
    });
  }
  checkNameParts(header, "header");
  const present = new Set([OTHERS, ...fields.map(fold)]);
  const missing = Object.keys(map).find((column) => !present.has(fold(column)));
  if (missing !== undefined)
    throw columnFault("map", `the file has no column ${JSON.stringify(missing)}`, "missing", {
      column: missing,
    });
  return header;
}

/** The refusal of columns or members that mean one field. */
export function isThereTwice(
  what: "column" | "member",
  names: readonly string[],
  field: string,
): string {
  const [first = "", ...more] = [...new Set(names)].map((name) => JSON.stringify(name));
  if (more.length === 0)
    return `the ${what} ${first} is there twice: leave one, or name them differently`;
  return `the ${what}s ${[first, ...more].join(" and ")} mean one field, ${field}: map all but one to ${IGNORE} or to attribute.<key>`;
}

/**
 * Refuses a full name beside only a first or only a last name: the column called "name" may be the other part
 * (Name and Vorname), and one of the two would be lost.
 */
export function checkNameParts(columns: readonly string[], path: string): void {
  const [first, last] = [columns.includes("firstName"), columns.includes("lastName")];
  if (!columns.includes("name") || first === last) return;
  const [there, other] = first ? ["firstName", "lastName"] : ["lastName", "firstName"];
  throw columnFault(
    path,
    `there are name and ${there}, and no ${other}: map what is name to ${other}, or what is ${there} to ${IGNORE}`,
    "name_parts",
  );
}

function checkedField(column: string, field: string): string {
  if (column === OTHERS && field !== IGNORE)
    throw columnFault(
      "map",
      `"${OTHERS}" is every column that is not known: it takes ${IGNORE} only`,
      "others",
    );
  if (field === IGNORE || FIELDS.some((one) => one === field)) return field;
  const key = field.startsWith(ATTRIBUTE) ? field.slice(ATTRIBUTE.length) : "";
  if (key !== "" && key.length <= MAX_KEY && isStorable(key)) return field;
  throw columnFault(
    "map",
    `${JSON.stringify(column)} cannot be ${JSON.stringify(field)}: it takes ${FIELDS.join(", ")}, attribute.<key> or ${IGNORE}`,
    "field",
    { column, field },
  );
}
