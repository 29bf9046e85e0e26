import { parseInstant } from "../contacts/attributes/attribute-definition.ts";
import { CHANNEL_TYPES } from "../wire/words.ts";
import { normalisePhone } from "../contacts/record/contact-input.ts";
import { INEXACT, InexactNumber } from "../lib/parse-json.ts";
import { ruleFault } from "./rule-fault.ts";
import type { Field } from "./segment-field.ts";
import type { Op } from "./segment.ts";

export type Scalar = string | number | boolean | Date;
/** One value, a list for `in` and `not_in`, null for `exists` and `not_exists`. */
export type Value = Scalar | readonly Scalar[] | null;

const MAX_LIST = 1_000;
const MAX_TEXT = 1_000;
const MAX_DAYS = 36_500;

/** The value of a rule in the type that its field and op need. Throws VALIDATION_FAILED at `path`. */
export function parseValue(field: Field, op: Op, value: unknown, path: string): Value {
  switch (op) {
    case "exists":
    case "not_exists":
      // {"op": "exists", "value": false} would mean the opposite of what it says.
      if (value !== undefined && value !== null && value !== true)
        throw ruleFault(path, "must be left out: exists and not_exists take none", "no_value");
      return null;
    case "in":
    case "not_in": {
      if (!Array.isArray(value) || value.length === 0 || value.length > MAX_LIST) {
        throw ruleFault(path, `must be an array of 1 to ${MAX_LIST} values`, "list", {
          most: MAX_LIST,
        });
      }
      return value.map((item: unknown, index) => parseScalar(field, op, item, `${path}[${index}]`));
    }
    case "within_days":
    case "not_within_days":
      if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > MAX_DAYS) {
        throw ruleFault(
          path,
          `must be a whole number of days back from now, from 1 to ${MAX_DAYS}; days to come are told with after and before`,
          "days",
          { most: MAX_DAYS },
        );
      }
      return value;
    case "before":
    case "after":
      return parseTime(value, path);
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      // An attribute is compared in the type of the literal.
      if (field.kind === "date" || parseInstant(value)) return parseTime(value, path);
      if (value instanceof InexactNumber)
        throw ruleFault(path, "has more digits than a number keeps", "digits");
      if (typeof value !== "number" || !Number.isFinite(value))
        throw ruleFault(
          path,
          "must be a number (5, not in quotes), a date (2026-11-21) or a time with its zone (2026-11-21T10:00:00Z)",
          "size",
        );
      return value;
    case "eq":
    case "neq":
    case "contains":
    case "not_contains":
    case "starts_with":
      return parseScalar(field, op, value, path);
  }
}

function parseScalar(field: Field, op: Op, value: unknown, path: string): Scalar {
  if (value instanceof InexactNumber) throw ruleFault(path, INEXACT, "digits");
  if (field.kind === "flag") {
    if (typeof value !== "boolean") throw ruleFault(path, "must be true or false", "flag");
    return value;
  }
  const whole = op === "eq" || op === "neq" || op === "in" || op === "not_in";
  if (field.kind === "attribute" && whole) {
    if (typeof value === "boolean") return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
  }
  if (Array.isArray(value))
    throw ruleFault(path, "must be one value; in and not_in take several", "one_value");
  if (value === null || value === undefined)
    throw ruleFault(
      path,
      "must not be missing; that there is none is told with not_exists",
      "missing",
    );
  if (typeof value !== "string" || value === "" || value.length > MAX_TEXT) {
    throw ruleFault(path, `must be text of 1 to ${MAX_TEXT} characters`, "text", {
      most: MAX_TEXT,
    });
  }
  if (!value.isWellFormed() || value.includes("\0")) {
    throw ruleFault(path, "must be well-formed Unicode without NUL", "characters");
  }
  switch (field.kind) {
    case "channelType": {
      if (!CHANNEL_TYPES.some((type) => type === value)) {
        throw ruleFault(path, `must be one of ${CHANNEL_TYPES.join(", ")}`, "channel");
      }
      return value;
    }
    case "tag": {
      const tag = value.trim().toLowerCase();
      if (tag === "") throw ruleFault(path, "must be more than spaces", "spaces");
      return tag;
    }
    case "phone": {
      // Part of a number may begin anywhere: its zeros are not an international prefix.
      const digits =
        op === "contains" || op === "not_contains"
          ? value.replaceAll(/[^\d]/g, "")
          : normalisePhone(value);
      if (!digits) throw ruleFault(path, "must be the digits of a phone number", "phone");
      return digits;
    }
    case "text":
    case "attribute":
    case "date":
      return value;
  }
}

function parseTime(value: unknown, path: string): Date {
  const time = parseInstant(value);
  if (!time)
    throw ruleFault(
      path,
      "must be a date (2026-11-21) or a time with its zone (2026-11-21T10:00:00Z)",
      "time",
    );
  return time;
}
