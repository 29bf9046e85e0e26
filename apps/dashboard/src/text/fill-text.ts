import type { TextValue } from "./message-type.ts";

/**
 * A text cut at its braces, as far as the interface's texts go: `{name}`, `{count, number}`, and `{count, plural, =0 {…}
 * one {…} other {…}}` with `#` for the number. The library for all of ICU weighs more than a page of the inbox.
 */
type Piece =
  | string
  | { readonly name: string }
  | { readonly plural: string; readonly branches: ReadonlyMap<string, readonly Piece[]> };

/** The forms of a language. */
export interface Forms {
  readonly number: Intl.NumberFormat;
  readonly plural: Intl.PluralRules;
}

export const formsOf = (language: string): Forms => ({
  number: new Intl.NumberFormat(language),
  plural: new Intl.PluralRules(language),
});

const NAMED = "#";

/** Cuts a text once. Throws when its braces do not fit. */
export function cutText(text: string): readonly Piece[] {
  const reader = { text, at: 0 };
  const pieces = read(reader, null);
  if (reader.at < text.length) throw new Error(`a brace too many: ${text}`);
  return pieces;
}

interface Reader {
  readonly text: string;
  at: number;
}

/** Up to the brace that closes this branch. `counted`: what `#` stands for inside it. */
function read(reader: Reader, counted: string | null): readonly Piece[] {
  const pieces: Piece[] = [];
  for (;;) {
    const rest = reader.text.slice(reader.at);
    const plain = /^[^{}#]*/.exec(rest)?.[0] ?? "";
    if (plain !== "") pieces.push(plain);
    reader.at += plain.length;
    const sign = reader.text[reader.at];
    if (sign === undefined || sign === "}") return pieces;
    reader.at += 1;
    if (sign === NAMED) pieces.push(counted === null ? NAMED : { name: counted });
    else pieces.push(readValue(reader));
  }
}

function readValue(reader: Reader): Piece {
  const [head, name, kind] =
    /^\s*(\w+)\s*(?:,\s*(plural|number)\s*)?(?=[,}])/.exec(reader.text.slice(reader.at)) ?? [];
  if (head === undefined || name === undefined)
    throw new Error(`not understood: ${reader.text.slice(reader.at - 1)}`);
  reader.at += head.length + 1;
  if (kind !== "plural") return { name };
  const branches = new Map<string, readonly Piece[]>();
  for (;;) {
    const [start, form] = /^\s*(=\d+|\w+)\s*\{/.exec(reader.text.slice(reader.at)) ?? [];
    if (start === undefined || form === undefined) break;
    reader.at += start.length;
    branches.set(form, read(reader, name));
    reader.at += 1;
  }
  reader.at += /^\s*\}/.exec(reader.text.slice(reader.at))?.[0].length ?? 0;
  if (!branches.has("other")) throw new Error(`a plural without "other": ${reader.text}`);
  return { plural: name, branches };
}

/** The parts of a filled text, in order. Numbers are written as the language writes them; any other value stays itself. */
export function fillText<Value>(
  pieces: readonly Piece[],
  values: Readonly<Record<string, TextValue | Value>>,
  forms: Forms,
): (string | Value)[] {
  return pieces.flatMap((piece): (string | Value)[] => {
    if (typeof piece === "string") return [piece];
    if ("name" in piece) {
      const value = values[piece.name];
      if (value === undefined) throw new Error(`no value for ${piece.name}`);
      if (typeof value === "number") return [forms.number.format(value)];
      return [value instanceof Date ? String(value) : value];
    }
    const count = Number(values[piece.plural]);
    const branch =
      piece.branches.get(`=${count}`) ??
      piece.branches.get(forms.plural.select(count)) ??
      piece.branches.get("other") ??
      [];
    return fillText(branch, values, forms);
  });
}
