import { AppError, invalid, type FaultDetail } from "../../errors.ts";
import { INEXACT, InexactNumber } from "../../lib/parse-json.ts";
import { latinDigits } from "../../lib/latin-digits.ts";
import { isStorable } from "../../lib/storable.ts";
import { LEAST_DIGITS, MOST_DIGITS, type PartChanges } from "../../wire/contact.ts";
import type { ContactRow, ContactInput } from "./contact.ts";

/** The members a person or a client sets, rules applied. */
export type ContactFields = Pick<
  ContactRow,
  "name" | "email" | "phone" | "notes" | "tags" | "attributes"
>;

const MAX_NAME = 200;
const MAX_EMAIL = 200;
const MAX_NOTES = 5_000;
const MAX_PHONE_DIGITS = 40;
/** As long as a name may be: the index over tags takes none of more than 2,700 bytes. */
const MAX_TAG = 200;
/** Each tag is an entry of the index: 40,000 in one contact took PostgreSQL two seconds. */
const MAX_TAGS_BYTES = 16 * 1_024;
const MAX_ATTRIBUTES_BYTES = 16 * 1_024;
/**
 * One level less than a body may have (contract §5), because attributes are a member of a body. Many clients
 * cannot read deeper ones.
 */
const MAX_ATTRIBUTES_DEPTH = 31;
const MAX_FAULTS = 100;

/** The marks that people write between digits: spaces, dots, brackets and every kind of hyphen. */
const PHONE_MARKS = /[^\S\ufeff]|[.()[\]\-\u2010-\u2015]/gu;
/** Invisible characters that come with copying from a page or a sheet: marks of direction, joiners, soft hyphens. */
const INVISIBLE_MARKS = /[\ufe00-\ufe0f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** A text without its invisible marks. */
export const withoutInvisible = (text: string): string => text.replaceAll(INVISIBLE_MARKS, "");

/** A number without the marks that people and programs put between its digits. */
export const withoutPhoneMarks = (text: string): string =>
  withoutInvisible(text).replaceAll(PHONE_MARKS, "");

/**
 * Digits of a phone number that a person typed or a file holds: as `phoneDigits`, but invisible marks are dropped
 * too.
 */
export const normalisePhone = (text: string): string | null => phoneDigits(withoutInvisible(text));

/**
 * Digits of a phone number to the letter of contract §5, Contacts: a leading `+` or `00`, spaces, dots, hyphens
 * and brackets are dropped. Null unless 1 to 40 digits remain; an invisible mark is not a digit.
 */
export function phoneDigits(text: string): string | null {
  const digits = text.replaceAll(PHONE_MARKS, "").replace(/^(\+|00)/, "");
  return /^\d+$/.test(digits) && digits.length <= MAX_PHONE_DIGITS ? digits : null;
}

/**
 * As `normalisePhone`, of a number that a message goes to, in Latin, Arabic or Persian digits. Null also unless it has 7
 * to 15 digits, and for a number without its country code, which begins with 0: nothing reaches it. Contacts may have
 * such numbers (contract §5, Contacts).
 */
export function recipientDigits(text: string): string | null {
  const digits = normalisePhone(latinDigits(text));
  if (digits === null || digits.startsWith("0")) return null;
  return digits.length < LEAST_DIGITS || digits.length > MOST_DIGITS ? null : digits;
}

/**
 * Something before one @, and a host with a dot after it: what a browser accepts in a field for e-mail (HTML), in
 * letters of every script. Brackets, commas, semicolons, colons, quotes and invisible marks come from a list or a
 * header around an address. Only a message can tell whether the address exists.
 */
export function looksLikeEmail(text: string): boolean {
  const [local = "", host = "", ...more] = text.split("@");
  const labels = host.split(".");
  return (
    more.length === 0 &&
    LOCAL_PART.test(local) &&
    labels.length > 1 &&
    labels.every((label) => HOST_LABEL.test(label)) &&
    // An IP address needs brackets to be a host of mail, and a name does not end in a number.
    !/^\d+$/.test(labels.at(-1) ?? "")
  );
}

const LOCAL_PART = /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]+$/u;
// The characters beside letters and digits that names of other scripts may contain: the joiners and the Catalan
// dot.
const HOST_LABEL = /^(?!-)[\u200d\u200c\u00b7\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u;
/** Invisible marks that are copied with an address from a text that runs from right to left. */
const OUTER_MARKS =
  /^[\u200b-\u200f\u202a-\u202e\u2060-\u2069]+|[\u200b-\u200f\u202a-\u202e\u2060-\u2069]+$/g;

/** Trimmed, lower-cased, without empty ones and repeats, in the order given (spec: `VIP` and `vip` are one tag). */
export function normaliseTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim().toLowerCase()).filter((tag) => tag !== ""))];
}

/**
 * Applies the rules of contract §5, Contacts, and the limits of the spec's ContactInput. Lengths are counted in
 * code points, after trimming. Throws VALIDATION_FAILED with every fault, else CONTACT_NEEDS_IDENTITY when there
 * is neither e-mail nor phone.
 */
export function normaliseContact(input: ContactInput): ContactFields {
  const fields = normaliseFields(input);
  if (fields.email === null && fields.phone === null) throw new AppError("CONTACT_NEEDS_IDENTITY");
  return fields;
}

/** As `normaliseContact`, without the identity rule: for contacts that a channel or an external id identifies. */
export function normaliseFields(input: ContactInput): ContactFields {
  const { fields, faults } = readFields(input);
  if (faults.length > 0) throw new AppError("VALIDATION_FAILED", { details: faults });
  return fields;
}

/** The faults that `normaliseFields` would find in any given value. */
export function contactFaults(input: Readonly<Record<string, unknown>>): readonly FaultDetail[] {
  return readFields(input).faults;
}

/** The faults in a change of a contact, those of members that change tags and attributes one by one among them. */
export function changeFaults(change: Readonly<Record<string, unknown>>): readonly FaultDetail[] {
  const under = (name: string, faults: readonly FaultDetail[]) =>
    faults.map(({ path, message }) => ({ path: path.replace(/^[a-z]+/, name), message }));
  return [
    ...contactFaults(change),
    ...under("setAttributes", contactFaults({ attributes: change["setAttributes"] })),
    ...under("addTags", contactFaults({ tags: change["addTags"] })),
  ];
}

/**
 * A contact after its tags and attributes changed one by one; what is removed wins over what is added. Throws VALIDATION_FAILED
 * when it would be too large.
 */
export function withParts(
  row: ContactRow,
  { addTags = [], removeTags = [], setAttributes = {}, removeAttributes = [] }: PartChanges,
): ContactRow {
  const [added, removed] = [normaliseTags(addTags), new Set(normaliseTags(removeTags))];
  const tags = [...new Set([...row.tags, ...added])].filter((tag) => !removed.has(tag));
  const gone = new Set(removeAttributes);
  const entries = [...Object.entries(row.attributes), ...Object.entries(setAttributes)];
  const attributes = Object.fromEntries(entries.filter(([key]) => !gone.has(key)));
  const large = contactFaults({ tags })[0];
  if (large) throw invalid("addTags", `${large.message} together with those the contact has`);
  if (!attributesFit(attributes))
    throw invalid("setAttributes", "must not exceed 16 KiB together with those the contact has");
  return { ...row, tags, attributes };
}

type Given = Readonly<Partial<Record<keyof ContactInput, unknown>>>;

function readFields(input: Given): { fields: ContactFields; faults: readonly FaultDetail[] } {
  const faults: FaultDetail[] = [];
  const fault = (path: string, message: string): null => {
    faults.push({ path, message });
    return null;
  };
  const text = (path: string, value: unknown, max: number): string | null => {
    if (value === undefined || value === null) return null;
    if (typeof value !== "string") return fault(path, "must be text");
    if (!isStorable(value)) return fault(path, "must be well-formed Unicode without NUL");
    const trimmed = value.trim();
    if (isLongerThan(trimmed, max)) return fault(path, `must not have more than ${max} characters`);
    return trimmed === "" ? null : trimmed;
  };

  const name = text("name", input.name, MAX_NAME);
  const notes = text("notes", input.notes, MAX_NOTES);
  let email = text("email", input.email, MAX_EMAIL)?.replaceAll(OUTER_MARKS, "").trim() || null;
  if (email !== null && !looksLikeEmail(email)) email = fault("email", "must be an e-mail address");
  const typed = text("phone", input.phone, Infinity);
  let phone: string | null = null;
  if (typed !== null) {
    phone = phoneDigits(typed) ?? fault("phone", `must be 1 to ${MAX_PHONE_DIGITS} digits`);
  }

  const given: unknown = input.tags ?? [];
  const tags: string[] = [];
  if (!Array.isArray(given)) fault("tags", "must be an array of texts");
  else {
    for (const [index, tag] of given.entries()) {
      if (typeof tag !== "string" || !isStorable(tag))
        fault(`tags.${index}`, "must be well-formed text");
      else if (isLongerThan(tag.trim().toLowerCase(), MAX_TAG))
        fault(`tags.${index}`, `must not have more than ${MAX_TAG} characters`);
      else tags.push(tag);
    }
  }
  const normal = normaliseTags(tags);
  if (Buffer.byteLength(normal.join("")) > MAX_TAGS_BYTES) fault("tags", "must not exceed 16 KiB");

  const attributes: unknown = input.attributes ?? {};
  if (!isRecord(attributes)) fault("attributes", "must be an object");
  else if (isDeeperThan(attributes, MAX_ATTRIBUTES_DEPTH)) {
    fault("attributes", `must not be nested deeper than ${MAX_ATTRIBUTES_DEPTH} levels`);
  } else {
    const json = JSON.stringify(attributes);
    // JSON.stringify writes NUL and lone surrogates as escapes, which PostgreSQL's json would refuse to read.
    if (/(?<!\\)(\\\\)*\\u(0000|d[89a-f][0-9a-f]{2})/.test(json)) {
      fault("attributes", "must be well-formed Unicode without NUL");
    }
    for (const path of inexactNumbers(attributes, "attributes").take(MAX_FAULTS))
      fault(path, INEXACT);
    if (!attributesFit(attributes)) fault("attributes", "must not exceed 16 KiB");
  }
  const kept = isRecord(attributes) ? attributes : {};
  return {
    fields: { name, email, phone, notes, tags: normal, attributes: kept },
    faults,
  };
}

/** Whether all attributes together are at most 16 KiB of JSON. */
export function attributesFit(attributes: object): boolean {
  return Buffer.byteLength(JSON.stringify(attributes)) <= MAX_ATTRIBUTES_BYTES;
}

/** The paths of numbers that would lose digits. */
function* inexactNumbers(value: unknown, path: string): Generator<string, undefined> {
  if (value instanceof InexactNumber) yield path;
  else if (typeof value === "object" && value !== null)
    for (const [key, one] of Object.entries(value)) yield* inexactNumbers(one, `${path}.${key}`);
}

/** Whether the value is nested deeper than this many objects and arrays. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeperThan(one, levels - 1));
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isLongerThan = (text: string, max: number): boolean =>
  text.length > max && Array.from(text).length > max;
