import { invalid } from "../errors.ts";

let regions: Intl.DisplayNames | undefined;
/** Made by the first who asks: it takes a twentieth of a second. */
const nameOf = (code: string): string | undefined =>
  (regions ??= new Intl.DisplayNames(["en"], { type: "region", fallback: "none" })).of(code);

/** A country by its ISO 3166 code of two letters, in capitals, like "KW". Throws VALIDATION_FAILED. */
export function checkedCountry(text: string): string {
  const code = text.trim().toUpperCase();
  if (!/^[A-Z]{2}$/.test(code) || code === "ZZ" || nameOf(code) === undefined)
    throw invalid("country", "must be the two letters of a country, like KW or EG");
  return code;
}
