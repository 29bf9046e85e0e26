/** A digit that some spellings of a country's mobile numbers have and others lack. */
export interface Spelling {
  /** Matches what stands before the digit. JavaScript and PostgreSQL read this expression and `rest` alike. */
  readonly head: string;
  readonly digit: string;
  /** Matches what stands after the digit. */
  readonly rest: string;
}

/**
 * Countries where one mobile line has two spellings, one as it is dialled and one as WhatsApp knows it
 * (channels.md §2.1). Brazil put a 9 before its mobile numbers, which begin with 6 to 9, and older accounts go on
 * without it. Mexico dropped the 1 after 52, which WhatsApp keeps. Argentina's 9 marks a mobile called from
 * abroad, and people leave it out.
 */
export const SPELLINGS: readonly Spelling[] = [
  { head: "55[1-9][1-9]", digit: "9", rest: "[6-9][0-9]{7}" },
  { head: "52", digit: "1", rest: "[2-9][0-9]{9}" },
  { head: "54", digit: "9", rest: "[1-3][0-9]{9}" },
];

const PATTERNS = SPELLINGS.map(({ head, digit, rest }) => ({
  digit,
  pattern: new RegExp(`^(${head})(${digit})?(${rest})$`),
}));

/** The other spelling of a number (digits with the country code); null when it has only one, as most have. */
export function otherSpelling(phone: string): string | null {
  for (const { digit, pattern } of PATTERNS) {
    const [, head = "", given, rest = ""] = pattern.exec(phone) ?? [];
    if (head !== "") return given === undefined ? head + digit + rest : head + rest;
  }
  return null;
}

/** Whether two numbers are one line, in any spelling. */
export function isSameNumber(one: string, other: string): boolean {
  return one === other || one === otherSpelling(other);
}

/** All spellings of a number, the given one first. */
export function spellingsOf(phone: string): string[] {
  const other = otherSpelling(phone);
  return other === null ? [phone] : [phone, other];
}
