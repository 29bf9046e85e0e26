import { withoutPhoneMarks } from "../contacts/record/contact-input.ts";

/** The digits of a phone number as people write it, country code first; null when it is not one. */
export function toDigits(text: string): string | null {
  const bare = withoutPhoneMarks(text.normalize("NFKC")).replaceAll("/", "");
  // Arabic-Indic and Persian digits, which the keyboards of many users write.
  const latin = bare.replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/gu, (digit) =>
    String(digit.charCodeAt(0) & 0xf),
  );
  const digits = latin.replace(/^(\+|00)/, "");
  return /^\d{1,20}$/.test(digits) ? digits : null;
}
