/** Longer words are not compared: a name that somebody mistyped is short. */
const LONGEST = 60;

/**
 * The word of a list that somebody most likely meant by one that is not in it: the same but for case, or at most two letters
 * more, fewer or others, and never more than a third of the word. Undefined when none is that near.
 */
export function nearestWord(given: string, words: readonly string[]): string | undefined {
  if (given.length > LONGEST) return undefined;
  const wanted = given.toLowerCase();
  const most = Math.min(2, Math.floor(wanted.length / 3));
  const near = words
    .map((word) => ({ word, edits: editsBetween(wanted, word.toLowerCase()) }))
    .filter(({ edits }) => edits <= most)
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.word;
}

/** How many letters are to be put in, taken out or changed to make one word of another, two that stand in each other's place counting as one. */
function editsBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Number.POSITIVE_INFINITY;
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? Number.POSITIVE_INFINITY;
}
