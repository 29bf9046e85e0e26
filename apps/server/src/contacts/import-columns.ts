import { invalid } from "../errors.ts";

/** What a column of a file can be; `attribute.<key>` besides. */
const FIELDS = [
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
] as const;
/** A column that is passed over. */
export const IGNORE = "ignore";
const ATTRIBUTE = "attribute.";
const MAX_KEY = 200;

// What people call the columns, folded by `fold`. The names of the export that only people read are passed over, and
// so are those that the file of refused rows adds, so that it can be mended and imported again.
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
  email: ["mail", "emailaddress", "البريدالالكتروني", "البريد", "الايميل", "ايميل", "بريدالكتروني"],
  phone: [
    "phonenumber",
    "mobile",
    "mobilenumber",
    "mobilephone",
    "cell",
    "cellphone",
    "telephone",
    "tel",
    "whatsapp",
    "whatsappnumber",
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
    "النقال",
  ],
  notes: ["note", "comment", "comments", "remarks", "ملاحظات", "ملاحظه", "الملاحظات"],
  tags: ["tag", "label", "labels", "الوسوم", "وسوم", "وسم", "التصنيفات", "تصنيف"],
  optedOut: ["optout", "unsubscribed", "donotcontact", "الغاءالاشتراك"],
  externalId: ["externalid", "المعرفالخارجي"],
  [IGNORE]: ["createdat", "lastseenat", "optedoutat", "importline", "importreason"],
};
const BY_NAME = new Map<string, string>([
  ...Object.entries(NAMES).flatMap(([field, names]) =>
    names.map((name): [string, string] => [name, field]),
  ),
  ...FIELDS.map((field): [string, string] => [field.toLowerCase(), field]),
]);

/** Case, spaces, marks, vowel signs, tatweel and the spellings of alef, ya and ta marbuta make no other name. */
function fold(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s_\-.:#\u0640\u064b-\u065f\u200e\u200f\ufeff]/g, "")
    .replaceAll(/[أإآ]/g, "ا")
    .replaceAll("ة", "ه")
    .replaceAll("ى", "ي");
}

/** The field that a name in a file stands for; null for one that nobody knows. Throws VALIDATION_FAILED for a mapping that is none. */
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
    return BY_NAME.get(fold(name)) ?? null;
  };
}

/** What is said of a column or a member that nobody knows. */
export const unknownColumn = (what: "column" | "member", name: string): string =>
  `the ${what} ${JSON.stringify(name)} is not known; map it to a field, to attribute.<key> or to ${IGNORE}`;

/**
 * What each column of a header is: by `map` (the column's name as it stands in the file, or folded alike → field), by
 * its own name, or by a common English or Arabic name of it. Throws VALIDATION_FAILED for a column that nobody knows
 * (map it to `ignore` to pass over it), for two columns of one field, and for a mapping of a column that is not there.
 */
export function readHeader(
  fields: readonly string[],
  map: Readonly<Record<string, string>> = {},
): string[] {
  const columnOf = columnReader(map);
  const header = fields.map((text) => {
    const known = columnOf(text);
    if (known === null) throw invalid("header", unknownColumn("column", text.trim()));
    return known;
  });
  const twice = header.find(
    (column, index) => column !== IGNORE && header.indexOf(column) !== index,
  );
  if (twice !== undefined)
    throw invalid("header", `the column ${JSON.stringify(twice)} is there twice`);
  const present = new Set(fields.map(fold));
  const missing = Object.keys(map).find((column) => !present.has(fold(column)));
  if (missing !== undefined)
    throw invalid("map", `the file has no column ${JSON.stringify(missing)}`);
  return header;
}

function checkedField(column: string, field: string): string {
  if (field === IGNORE || FIELDS.some((one) => one === field)) return field;
  const key = field.startsWith(ATTRIBUTE) ? field.slice(ATTRIBUTE.length) : "";
  if (key !== "" && key.length <= MAX_KEY && key.isWellFormed() && !key.includes("\0"))
    return field;
  throw invalid(
    "map",
    `${JSON.stringify(column)} cannot be ${JSON.stringify(field)}: it takes ${FIELDS.join(", ")}, attribute.<key> or ${IGNORE}`,
  );
}
