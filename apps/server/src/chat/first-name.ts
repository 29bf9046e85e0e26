/** Words that are half of a first name: what follows belongs to it. */
const HALVES = new Set([
  "عبد",
  "أبو",
  "ابو",
  "أم",
  "ام",
  "abd",
  "abdul",
  "abdel",
  "abu",
  "umm",
  "el",
  "al",
]);

/**
 * What visitors read of a member's name: the first name, without a title before it. A name that is an e-mail address is
 * cut before its `@`, because a visitor must not learn the address.
 */
export function firstNameOf(name: string): string | null {
  const words = name
    .replace(/@.*$/su, "")
    .split(/\s+/u)
    .filter((word) => word !== "" && !/^.{1,5}\.$/u.test(word));
  const [first, second] = words;
  if (first === undefined) return null;
  return second !== undefined && HALVES.has(first.toLowerCase()) ? `${first} ${second}` : first;
}
