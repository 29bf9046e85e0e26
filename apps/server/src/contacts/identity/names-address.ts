import { westernDigits } from "../attributes/attribute-definition.ts";
import { foldText } from "../record/contact.ts";

/** A person's addresses: digits, and folded e-mail addresses. */
export interface NamedAddresses {
  readonly phones: readonly string[];
  readonly emails: readonly string[];
}

/** Shorter numbers occur in too many texts that mean something else. */
const SHORTEST = 7;

/**
 * Whether a text that people wrote contains one of the addresses: e-mail in any case, digits with marks between
 * them, Arabic digits too.
 */
export function namesAddress(text: string, { phones, emails }: NamedAddresses): boolean {
  const folded = foldText(text);
  if (emails.some((email) => folded.includes(email))) return true;
  const tight = westernDigits(text).replaceAll(/(?<=\d)[\s().\-\u2010-\u2015]+(?=\d)/gu, "");
  return phones.some((phone) =>
    phone.length < SHORTEST ? tight.trim() === phone : tight.includes(phone),
  );
}
