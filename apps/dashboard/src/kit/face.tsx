const ZWNJ = "\u200C";
/** Standing alone, ه is written as at the beginning of a word; its other form looks like a digit. */
const HEH = "ه\u200D";

/**
 * The first letters of the first and the last word of a name; `#` for one that has none. Arabic letters stand apart:
 * joined, two initials would read as another word.
 */
export function lettersOf(name: string | null): string {
  const words = (name ?? "")
    .split(/\s+/u)
    .filter((word) => /^\p{L}/u.test(word))
    // The Arabic article is no letter of the name.
    .map((word) => word.replace(/^ال(?=\p{L})/u, ""));
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  const letters = [first, last].map((word) => /^\p{L}\p{M}*/u.exec(word ?? "")?.[0] ?? "");
  return letters.filter(Boolean).join(ZWNJ).replaceAll("ه", HEH).toUpperCase() || "#";
}

/** One of eight tints, always the same for an id. */
export function hueOf(id: string): number {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 8192;
  return sum % 8;
}

/** Somebody's letters in a tint of their own, beside the name. */
export function Face({ id, name }: { readonly id: string; readonly name: string | null }) {
  return (
    <span className="face" data-hue={hueOf(id)} aria-hidden="true">
      {lettersOf(name)}
    </span>
  );
}
