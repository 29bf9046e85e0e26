import { westernDigits } from "../attributes/attribute-definition.ts";
import { foldText } from "../record/contact.ts";

/** Addresses of a person: digits, and e-mail addresses folded. */
export interface NamedAddresses {
  readonly phones: readonly string[];
  readonly emails: readonly string[];
}

/** Digits of numbers shorter than this stand in too many texts that mean something else. */
const SHORTEST = 7;

/** Whether a text that people wrote names one of the addresses: e-mail in any case, digits with marks between them, Arabic ones too. */
export function namesAddress(text: string, { phones, emails }: NamedAddresses): boolean {
  const folded = foldText(text);
  if (emails.some((email) => folded.includes(email))) return true;
  const tight = westernDigits(text).replaceAll(/(?<=\d)[\s().\-\u2010-\u2015]+(?=\d)/gu, "");
  return phones.some((phone) =>
    phone.length < SHORTEST ? tight.trim() === phone : tight.includes(phone),
  );
}
