import type { MemberJson } from "../../api/shapes.ts";

const SHOWN = 8;
/** Longer than any name that is worth completing. */
const LONGEST = 60;

/**
 * A name in the form in which it is compared: without case and vowel signs, with one form of each Arabic letter,
 * and without the article.
 */
export function foldName(name: string): string {
  return name
    .normalize("NFKD")
    .toLocaleLowerCase()
    .replace(/[\p{M}\u0640\u200b-\u200f\u202a-\u202e\u2066-\u2069]/gu, "")
    .replace(/[أإآٱ]/g, "ا")
    .replace(/[ىی]/g, "ي")
    .replace(/ة/g, "ه")
    .replace(/ک/g, "ك")
    .replace(/(^|\s)ال(?=\p{L}{2})/gu, "$1");
}

/** The text after an @ before the caret, which may contain blanks, as names do; null: no @ there. */
export function atWord(text: string, caret: number): string | null {
  const before = text.slice(Math.max(0, caret - LONGEST), caret);
  const at = before.lastIndexOf("@");
  if (at < 0 || (at > 0 && !/[\s(،,]/.test(before[at - 1] ?? ""))) return null;
  const word = before.slice(at + 1);
  return /[\n\r]/.test(word) ? null : word;
}

/** The members with a name, or a word of it, that begins in this way. A complete name offers nothing more. */
export function matchingMembers(
  members: readonly MemberJson[],
  word: string,
): readonly MemberJson[] {
  const wanted = foldName(word.trimStart());
  if (members.some(({ name }) => word.startsWith(`${name} `) || word === name)) return [];
  const rank = ({ name }: MemberJson): number => {
    const folded = foldName(name);
    if (folded.startsWith(wanted)) return 0;
    return folded.includes(` ${wanted}`) ? 1 : 2;
  };
  return members
    .filter((member) => !member.disabled && rank(member) < 2)
    .toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
    .slice(0, SHOWN);
}

/** Members whose names follow an @ in a note. Among names with one beginning, the longest counts. */
export function mentionsIn(text: string, members: readonly MemberJson[]): { mentions?: string[] } {
  const byLength = members
    .filter(({ disabled }) => !disabled)
    .toSorted((a, b) => b.name.length - a.name.length);
  const mentions = new Set<string>();
  for (const { index } of text.matchAll(/@/g)) {
    const rest = text.slice(index + 1);
    const found = byLength.find(
      ({ name }) => rest.startsWith(name) && !/^[\p{L}\p{M}\p{N}]/u.test(rest.slice(name.length)),
    );
    for (const { id, name } of members) if (name === found?.name) mentions.add(id);
  }
  return mentions.size > 0 ? { mentions: [...mentions].slice(0, 20) } : {};
}
