import { invalid } from "../../errors.ts";
import { isCalendarDay } from "../../lib/calendar-day.ts";
import { keepsDigits } from "../../lib/parse-json.ts";
import { latinDigits } from "../../lib/latin-digits.ts";
import type { ATTRIBUTE_TYPES } from "../../wire/words.ts";
import { foldText } from "../record/contact.ts";

export type AttributeType = (typeof ATTRIBUTE_TYPES)[number];

/** The type of a custom attribute, as a workspace defined it. */
export interface AttributeDefinition {
  readonly key: string;
  readonly label: string;
  readonly type: AttributeType;
  /** Only for a choice: the values it can have, as they are shown. */
  readonly choices: readonly string[];
}

// A date means its midnight in UTC; a full time has its zone.
const TIME = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}:\d{2}(\.\d{1,3})?(Z|[+-]\d{2}:\d{2}))?$/;

/** Reads a date (2026-11-21) or a time with its zone. Null for anything else, and for 31 February. */
export function parseInstant(text: unknown): Date | null {
  const parts = typeof text === "string" ? TIME.exec(text) : null;
  if (!parts) return null;
  const time = new Date(String(text));
  return isCalendarDay(parts[1] ?? "") && !Number.isNaN(time.getTime()) ? time : null;
}

const YES = ["true", "yes", "y", "1", "نعم"];
const NO = ["false", "no", "n", "0", "لا"];

const among = (words: readonly string[], value: unknown): boolean =>
  typeof value === "string" && words.includes(westernDigits(value.trim().toLowerCase()));
/** Reads a cell as yes or no: in English, in Arabic or as a digit. */
export const isYes = (value: unknown): boolean => among(YES, value);

/** Whether a cell means no, in English or Arabic. */
export const isNo = (value: unknown): boolean => among(NO, value);

/** As `latinDigits`, and a point for the decimal mark of spreadsheets in Arabic. */
export const westernDigits = (text: string): string => latinDigits(text).replaceAll("\u066b", ".");

/**
 * Reads the value of a defined attribute from a file. Text is read as the type says; a JSON value must have the
 * type. Numbers have up to 15 digits before the point and no thousands separators. Dates are stored as
 * `2026-11-21`, times in UTC, a choice as the definition spells it. Throws VALIDATION_FAILED at `attribute.<key>`.
 */
export function readAttribute(definition: AttributeDefinition, value: unknown): unknown {
  const { type, key, choices } = definition;
  const refuse = (message: string): Error => invalid(`attribute.${key}`, message);
  if (value === null) return null;
  const text = typeof value === "string" ? value.trim() : null;
  switch (type) {
    case "text":
      if (typeof value !== "string") throw refuse("must be text");
      return value;
    case "number": {
      const plain = text === null ? null : westernDigits(text);
      const isNumber = plain !== null && /^-?\d{1,15}(\.\d{1,15})?$/.test(plain);
      if (isNumber && !keepsDigits(plain)) throw refuse("has more digits than a number keeps");
      const number = isNumber ? Number(plain) : value;
      if (typeof number !== "number" || !(Math.abs(number) < 1e15))
        throw refuse("must be a number, like 1250 or -3.5");
      return number;
    }
    case "date": {
      const day = text === null ? null : westernDigits(text);
      const at = parseInstant(day);
      if (!at)
        throw refuse("must be a date (2026-11-21) or a time with its zone (2026-11-21T10:00:00Z)");
      return day?.includes("T") ? at.toISOString() : day;
    }
    case "boolean": {
      if (value === true || isYes(value)) return true;
      if (value === false || isNo(value)) return false;
      throw refuse("must be true or false");
    }
    case "choice": {
      // A number counts as its text: 42 is one of the choices 41 and 42.
      const said =
        typeof value === "number" ? String(value) : text === null ? null : foldText(text);
      const found = choices.find((choice) => foldText(choice) === said);
      if (found === undefined) throw refuse(`must be one of ${choices.join(", ")}`);
      return found;
    }
  }
}
