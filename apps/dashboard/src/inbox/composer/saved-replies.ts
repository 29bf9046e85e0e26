import type { SavedReplyJson } from "../contract.ts";

const SHOWN = 8;

/** What stands after a slash before the caret; null: no slash there. */
export function slashWord(text: string, caret: number): string | null {
  return /(?:^|\s)\/([\p{L}\p{N}_-]{0,40})$/u.exec(text.slice(0, caret))?.[1] ?? null;
}

/** Those whose shortcut or title begin so come first, then those that hold the word. */
export function matching(
  replies: readonly SavedReplyJson[],
  word: string,
): readonly SavedReplyJson[] {
  const wanted = word.toLocaleLowerCase();
  const rank = ({ shortcut, title }: SavedReplyJson): number => {
    if (shortcut.toLocaleLowerCase().startsWith(wanted)) return 0;
    const at = title.toLocaleLowerCase().indexOf(wanted);
    return at === 0 ? 1 : at > 0 ? 2 : 3;
  };
  return replies
    .filter((reply) => rank(reply) < 3)
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, SHOWN);
}

/** The text with its places filled. A name that is not known leaves nothing. */
export const filled = (text: string, contact: string, agent: string): string =>
  text
    .replaceAll("{{contact.name}}", contact)
    .replaceAll("{{contact.firstName}}", contact.trim().split(/\s+/)[0] ?? "")
    .replaceAll("{{agent.name}}", agent);
