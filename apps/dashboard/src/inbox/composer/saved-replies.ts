import type { SavedReplyJson } from "../../api/shapes.ts";
import { foldName } from "./mentions.ts";

const SHOWN = 8;

/** The text after a slash before the caret; null: no slash there. */
export function slashWord(text: string, caret: number): string | null {
  return /(?:^|\s)\/([\p{L}\p{N}_-]{0,40})$/u.exec(text.slice(0, caret))?.[1] ?? null;
}

/** First those with a shortcut or title that begins in this way, then those that contain the word. */
export function matching(
  replies: readonly SavedReplyJson[],
  word: string,
): readonly SavedReplyJson[] {
  const wanted = foldName(word);
  const rank = ({ shortcut, title }: SavedReplyJson): number => {
    if (foldName(shortcut).startsWith(wanted)) return 0;
    const at = foldName(title).indexOf(wanted);
    return at === 0 ? 1 : at > 0 ? 2 : 3;
  };
  return replies
    .filter((reply) => rank(reply) < 3)
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, SHOWN);
}

/** The text with its placeholders filled. An unknown name leaves nothing. */
export const filled = (text: string, contact: string, agent: string): string =>
  text
    .replaceAll("{{contact.name}}", contact)
    .replaceAll("{{contact.firstName}}", contact.trim().split(/\s+/)[0] ?? "")
    .replaceAll("{{agent.name}}", agent);
