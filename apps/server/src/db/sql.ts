import { NIL_ID } from "../lib/ids.ts";

/** A statement or a piece of one: text with `$n` places, and their values. A value never stands in the text. */
export class Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  #text: string | undefined;
  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }
  get text(): string {
    if (this.#text === undefined) {
      let text = this.strings[0] ?? "";
      for (let i = 1; i < this.strings.length; i++) text += `$${i}${this.strings[i] ?? ""}`;
      this.#text = text;
    }
    return this.#text;
  }
}

/**
 * Writes SQL: sql`select 1 from contact where workspace_id = ${id}`. A value becomes a bind parameter, and another
 * `Sql` is spliced in. Array parameters need a cast (`${ids}::uuid[]`). Throws for `undefined`: write null.
 */
export function sql(strings: TemplateStringsArray, ...parts: readonly unknown[]): Sql {
  if (!parts.some((part) => part instanceof Sql)) {
    if (parts.includes(undefined)) throw new Error(`undefined in SQL: ${strings.join("?")}`);
    return new Sql(strings, parts);
  }
  const text: string[] = [strings[0] ?? ""];
  const values: unknown[] = [];
  for (const [index, part] of parts.entries()) {
    const after = strings[index + 1] ?? "";
    if (part instanceof Sql) {
      text[text.length - 1] += part.strings[0] ?? "";
      text.push(...part.strings.slice(1));
      values.push(...part.values);
      text[text.length - 1] += after;
    } else {
      if (part === undefined) throw new Error(`undefined in SQL: ${strings.join("?")}`);
      values.push(part);
      text.push(after);
    }
  }
  return new Sql(text, values);
}

/** Joins pieces: conditions with ` and `, lists with `, `. */
export function join(
  pieces: readonly Sql[],
  separator: ", " | " and " | " or " | " union all ",
): Sql {
  const text: string[] = [""];
  const values: unknown[] = [];
  for (const [index, piece] of pieces.entries()) {
    text[text.length - 1] += (index ? separator : "") + (piece.strings[0] ?? "");
    text.push(...piece.strings.slice(1));
    values.push(...piece.values);
  }
  return new Sql(text, values);
}

/**
 * A piece for a value that may be absent: without the value (null, undefined) it is empty. A filter such
 * as `$1 is null or id = $1` has one plan for both, and that reads every row.
 */
export const ifGiven = <V>(value: V | null | undefined, piece: (value: V) => Sql): Sql =>
  value === null || value === undefined ? NOTHING : piece(value);

/**
 * A number that the code itself sets, such as how many rows a sweep deletes at once, as part of the text: for an unknown
 * number PostgreSQL plans a tenth of the table, and reads all of it. Not for what callers choose.
 */
export const literal = (count: number): Sql => new Sql([String(Math.trunc(count))], []);

const NOTHING = new Sql([""], []);

/** The nil UUID as part of a statement's text. Indexes over `coalesce(channel_id, …)` would not match a parameter. */
export const nilId = new Sql([`'${NIL_ID}'::uuid`], []);
