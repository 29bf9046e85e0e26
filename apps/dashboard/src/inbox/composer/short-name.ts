/** Longer names fill more than a line of the composer's hint on a laptop. */
const LONGEST = 24;

/** A name for a hint in one line: of a long one as many of its first words as fit. */
export function shortName(name: string): string {
  if (name.length <= LONGEST) return name;
  const end = name.lastIndexOf(" ", LONGEST);
  return name.slice(0, end > 0 ? end : LONGEST);
}
