import { useMemo } from "react";
import { t } from "../../text/t.ts";
import type { DeskRow } from "../../api/shapes.ts";
import { Glyph } from "../thread/glyph.tsx";
import { useBootstrap } from "../../desk/use-inbox.ts";
import type { Mode } from "./drafts.ts";
import { atWord, matchingMembers } from "./mentions.ts";
import { filled, matching, slashWord } from "./saved-replies.ts";

/** Something that can replace the word before the caret. */
export interface Suggestion {
  readonly key: string;
  readonly title: string;
  readonly code: string;
  readonly text: string;
  /** The text that is inserted. */
  readonly insert: string;
  /** The saved reply whose files go along. */
  readonly filesOf?: { readonly id: string; readonly title: string };
}

/** The suggestions for the word before the caret. */
export interface Suggestions {
  readonly label: string;
  readonly items: readonly Suggestion[];
  /** The word with its sign, which the choice replaces. */
  readonly word: string;
}

/** Saved replies after a slash; in a note also members after an @. Null: no suggestions here. */
export function useSuggestions(
  mode: Mode,
  row: DeskRow,
  text: string,
  caret: number,
): Suggestions | null {
  const { savedReplies, members, member } = useBootstrap();
  return useMemo(() => {
    const at = mode === "note" ? atWord(text, caret) : null;
    if (at !== null) {
      const found = matchingMembers(members, at);
      if (found.length > 0)
        return {
          label: t("composer.members"),
          word: `@${at}`,
          items: found.map(({ id, name, email }) => ({
            key: id,
            title: name,
            code: "",
            text: email,
            insert: `@${name} `,
          })),
        };
    }
    const slash = slashWord(text, caret);
    if (slash === null || (savedReplies.length === 0 && slash !== "")) return null;
    return {
      label: t("composer.saved"),
      word: `/${slash}`,
      items: matching(savedReplies, slash).map((reply) => ({
        key: reply.id,
        title: reply.title,
        code: `/${reply.shortcut}`,
        text: reply.text,
        insert: filled(reply.text, row.named ? row.name : "", member.name),
        ...(mode === "reply" && reply.media.length > 0 && { filesOf: reply }),
      })),
    };
  }, [mode, row.named, row.name, text, caret, savedReplies, members, member.name]);
}

/** What the keys have chosen stays in sight: the list may be longer than its place. */
const keepInSight = (option: HTMLElement | null): void =>
  option?.scrollIntoView({ block: "nearest" });

/** The list at the caret. The focus stays in the text. */
export function SuggestionList({
  id,
  suggestions: { label, items },
  active,
  onPick,
}: {
  id: string;
  suggestions: Suggestions;
  active: number;
  onPick: (picked: Suggestion) => void;
}) {
  return (
    <ul id={id} role="listbox" aria-label={label} className="composer-saved">
      {items.map((item, index) => (
        <li
          key={item.key}
          ref={index === active ? keepInSight : undefined}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className="composer-saved-option"
          // Before the text loses the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            onPick(item);
          }}
        >
          <span className="composer-saved-title">
            <bdi>{item.title}</bdi> {item.code !== "" && <bdi dir="ltr">{item.code}</bdi>}
            {item.filesOf && <Glyph name="paperclip" />}
          </span>
          <span className="composer-saved-text" dir="auto">
            {item.text.replace(/\s+/gu, " ")}
          </span>
        </li>
      ))}
      {items.length === 0 && (
        <li
          role="option"
          aria-selected={false}
          aria-disabled="true"
          className="composer-saved-option"
        >
          {t("composer.noSaved")}
        </li>
      )}
    </ul>
  );
}
