import type { AnswerKind } from "../../wire/flow.ts";
import { latinDigits } from "../../lib/latin-digits.ts";
import { isPhrase, plainWords } from "./plain-words.ts";

/** One of the answers that a step offers. */
export interface Offered {
  readonly payload: string;
  readonly label: string;
}

/**
 * Which of the offered answers a customer gave, by what a button returned, by the label or by the number (also ١); -1:
 * none.
 */
export function chosen(
  offered: readonly Offered[],
  said: { readonly text: string | null; readonly press: string | null },
): number {
  const pressed = offered.findIndex(({ payload }) => payload === said.press);
  if (pressed >= 0) return pressed;
  const text = said.text ?? "";
  const labelled = offered.findIndex(({ label }) => isPhrase(text, label));
  if (labelled >= 0) return labelled;
  const words = plainWords(text);
  const number = /^\d{1,2}$/.test(words) ? Number(words) : 0;
  return number >= 1 && number <= offered.length ? number - 1 : -1;
}

const PHONE = /^\+?\d{7,15}$/;
const EMAIL = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]{2,}$/;
/** The longest answer that is kept. */
const LONGEST = 500;

/** Thousands may be parted by commas, Arabic or Latin, or spaces. `1,5` is none: it could be one and a half or fifteen. */
const NUMBER = /^-?(\d{1,15}|\d{1,3}([,،٬\s]\d{3}){1,4})([.٫]\d{1,6})?$/;

/** The number that a text is, in any digits; null: it is none. */
export function numberIn(text: string): number | null {
  const given = latinDigits(text).trim();
  if (!NUMBER.test(given)) return null;
  return Number(given.replaceAll(/[,،٬\s]/g, "").replace("٫", "."));
}

/** An answer in the form that was asked for; null: it is none. */
export function answerAs(kind: AnswerKind, text: string): string | number | null {
  // A number that is copied from a list of contacts has marks of direction around it.
  const given = latinDigits(text)
    .replaceAll(/\p{Cf}/gu, "")
    .trim();
  if (given === "") return null;
  switch (kind) {
    case "text":
      return Array.from(text.trim()).slice(0, LONGEST).join("");
    case "number":
      // The number of an order is often written as #1042.
      return numberIn(given.replace(/^[#№]\s*/u, ""));
    case "email":
      return EMAIL.test(given) && given.length <= 254 ? given.toLowerCase() : null;
    case "phone": {
      const digits = given.replaceAll(/[\s()-]/g, "");
      return PHONE.test(digits) ? digits : null;
    }
    case "date":
      return dateOf(given);
  }
}

/** A day as 2027-02-08, 8/2/2027 or 8.2.2027. */
function dateOf(given: string): string | null {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(given);
  const local = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(given);
  const [year, month, day] = iso
    ? [iso[1], iso[2], iso[3]]
    : local
      ? [local[3], local[2], local[1]]
      : [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const text = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : null;
}
