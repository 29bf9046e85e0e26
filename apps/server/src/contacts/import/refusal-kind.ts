import type { REFUSAL_KINDS } from "../../wire/words.ts";

export type RefusalKind = (typeof REFUSAL_KINDS)[number];
/** The first pattern that matches. A row may have several faults; only the first of them is counted. */
const PATTERNS: readonly (readonly [RegExp, RefusalKind])[] = [
  [/the rest was not read$/, "unreadable"],
  [/^phone: is a number that a spreadsheet shortened/, "phone_shortened"],
  [/^phone: is no number of [A-Z]{2} /, "phone_without_country"],
  [/^phone: holds \d+ numbers/, "several_phones"],
  [/must be well-formed (?:Unicode|text)/, "bad_characters"],
  [/^phone: /, "phone_invalid"],
  [/^email: must be an e-mail/, "email_invalid"],
  [/^CONTACT_NEEDS_IDENTITY/, "no_address"],
  [/: contacts are matched by it, and the row has none$/, "no_match_address"],
  [/^\d+ fields where the header has \d+$/, "wrong_width"],
  [/^there is (?:text after a closing quote|a quote inside)/, "broken_quote"],
  [/^line: /, "broken_line"],
  [/must not (?:have more than|exceed) /, "too_long"],
  [/^attribute\..*: (?:must be a number|has more digits)/s, "bad_number"],
  [/^attribute\..*: must be a date/s, "bad_date"],
  [/^attribute\..*: must be one of/s, "bad_choice"],
  [/^(?:attribute\..*|optedOut): must be true or false/s, "bad_yes_no"],
  [/^tags/, "bad_tags"],
  [/^attributes: /, "bad_attributes"],
  [/^[^:]*: must be text$/, "bad_text"],
  [/^channelType: /, "bad_channel"],
];

export function refusalKind(reason: string): RefusalKind {
  return PATTERNS.find(([pattern]) => pattern.test(reason))?.[1] ?? "other";
}

/** The attribute that the reason is about; null when there is none. */
export function attributeIn(reason: string): string | null {
  return /^attribute\.(.{1,200}?): /s.exec(reason)?.[1] ?? null;
}

/** Rows refused for one reason, or for several reasons with the same words. */
export interface RefusalSum {
  readonly kind: RefusalKind;
  /** The attribute whose type the value does not fit. */
  readonly attribute: string | null;
  /** The words of the first of them, as in the file of refused rows. */
  readonly reason: string;
  readonly rows: number;
  /** The first of them, by their lines in the file. */
  readonly lines: readonly number[];
}

const MOST_LINES = 5;
const MOST_SUMS = 30;

/** Groups refusals by kind as they come. Memory does not grow with the file. */
export class RefusalSums {
  readonly #sums = new Map<string, RefusalSum>();

  add({ reason, lines, rows }: Pick<RefusalSum, "reason" | "lines" | "rows">): void {
    const kind = refusalKind(reason);
    const attribute = attributeIn(reason);
    const own = kind === "other" ? reason : `${kind}:${attribute ?? ""}`;
    // Kinds without a place of their own are counted together: a file with more kinds is broken in a way that the
    // first rows show.
    const key = this.#sums.has(own) || this.#sums.size < MOST_SUMS ? own : "…";
    const before = this.#sums.get(key) ?? { kind, attribute, reason, rows: 0, lines: [] };
    this.#sums.set(key, {
      ...before,
      rows: before.rows + rows,
      lines: [...before.lines, ...lines].toSorted((a, b) => a - b).slice(0, MOST_LINES),
    });
  }

  /** The most frequent first. */
  list(): RefusalSum[] {
    return [...this.#sums.values()].toSorted((a, b) => b.rows - a.rows);
  }
}
