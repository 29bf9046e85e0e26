import type { CountryCode } from "libphonenumber-js/min";
import { invalid } from "../../errors.ts";
import { normalisePhone, withoutPhoneMarks } from "../record/contact-input.ts";

/** The result of reading a number as people write it in their own country. */
interface CompletedPhone {
  /** Digits with the country code. */
  readonly phone: string;
  /** True when the country code was added; false when the number had one. */
  readonly completed: boolean;
}

/**
 * Reads a typed number. Throws VALIDATION_FAILED for one that does not belong to the country and has no country
 * code.
 */
export type PhoneReader = (typed: string) => CompletedPhone;

/**
 * Gives a reader of numbers without country code, for a country by its ISO 3166 code of two letters ("KW"). A
 * number with `+` or `00` stays as it is. One that is complete within the country gets its code ("5000 0001"
 * becomes 96550000001, Egypt's "0100 123 4567" 201001234567). Any other that begins with some country's code
 * stays. The rules of each country are Google's (libphonenumber), loaded only when this is called. Throws
 * VALIDATION_FAILED for a country that has no numbers of its own.
 */
export async function localPhoneReader(country: string): Promise<PhoneReader> {
  const { isSupportedCountry, getCountryCallingCode, parsePhoneNumberFromString } =
    await import("libphonenumber-js/min");
  const isCountry = (text: string): text is CountryCode => isSupportedCountry(text);
  if (!isCountry(country)) throw invalid("country", `${country} has no phone numbers of its own`);
  const code = getCountryCallingCode(country);
  return (typed) => {
    const digits = normalisePhone(typed);
    // The rules of contacts refuse what is not a number at all, in their own words.
    if (digits === null || /^(\+|00)/.test(withoutPhoneMarks(typed)))
      return { phone: typed, completed: false };
    const local = parsePhoneNumberFromString(digits, { defaultCountry: country, extract: false });
    if (local?.isValid() === true && local.countryCallingCode === code) {
      const phone = local.number.slice(1);
      return { phone, completed: phone !== digits };
    }
    if (parsePhoneNumberFromString(`+${digits}`, { extract: false })?.isPossible() === true)
      return { phone: digits, completed: false };
    throw invalid(
      "phone",
      `is no number of ${country} and begins with no country code; write it with one, like +${code}…`,
    );
  };
}

/** The country of a number in digits, as two letters; null where its digits do not say. */
export async function countryOfNumber(digits: string): Promise<string | null> {
  const { parsePhoneNumberFromString } = await import("libphonenumber-js/min");
  return parsePhoneNumberFromString(`+${digits}`, { extract: false })?.country ?? null;
}
