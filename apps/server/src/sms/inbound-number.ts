import { withoutPhoneMarks } from "../contacts/record/contact-input.ts";
import { toDigits } from "./mobile.ts";

/**
 * The sender of an inbound SMS as contacts hold numbers: digits, country code first. `+` and `00` are dropped.
 * Gateways document that they send the international form, so digits without either are taken as they are. Only a
 * number that begins with a trunk `0`, or that the gateway itself calls national, gets the account's `countryCode`
 * (docs/identities.md). Null for a name, a short code or nothing: there is nobody to match.
 */
export function inboundNumber(
  from: string,
  options: { readonly countryCode?: string | undefined; readonly national?: boolean } = {},
): string | null {
  const given = from
    .normalize("NFKC")
    .trim()
    .replace(/^whatsapp:/i, "");
  const digits = toDigits(given);
  if (digits === null || digits.length < 5) return null;
  const international = /^(\+|00)/.test(withoutPhoneMarks(given));
  const { countryCode } = options;
  if (international || !countryCode) return digits;
  if (/^0[1-9]/.test(digits)) return countryCode + digits.slice(1);
  return options.national === true ? countryCode + digits : digits;
}
