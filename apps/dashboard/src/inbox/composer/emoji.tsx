import listUrl from "emojibase-data/en/compact.json?url";
import { EmojiPicker, type EmojiData, type EmojiPickerListComponents } from "frimousse";
import { t, type PlainKey } from "../../text/t.ts";

/** All emoji, with a search. Their names are English: nobody publishes Arabic ones. */
export function EmojiChoice({ onPick }: { onPick: (emoji: string) => void }) {
  return (
    <EmojiPicker.Root
      className="composer-emoji"
      locale="en"
      columns={8}
      resolveEmojiData={(_, { signal }) => loadList(signal)}
      onEmojiSelect={({ emoji }) => onPick(emoji)}
    >
      <EmojiPicker.Search
        className="composer-emoji-search"
        aria-label={t("composer.emojiSearch")}
        placeholder={t("composer.emojiSearch")}
        autoFocus
      />
      <EmojiPicker.Viewport className="composer-emoji-view" dir="ltr">
        <EmojiPicker.Loading>{t("kit.loading")}</EmojiPicker.Loading>
        <EmojiPicker.Empty>{t("composer.emojiNone")}</EmojiPicker.Empty>
        <EmojiPicker.List components={PARTS} />
      </EmojiPicker.Viewport>
    </EmojiPicker.Root>
  );
}

/** The picker counts rows and columns from 0, which ARIA counts from 1. */
const PARTS: EmojiPickerListComponents = {
  CategoryHeader: ({ category, ...rest }) => <div {...rest}>{category.label}</div>,
  Row: ({ children, ...rest }) => (
    <div {...rest} aria-rowindex={(rest["aria-rowindex"] ?? 0) + 1}>
      {children}
    </div>
  ),
  Emoji: ({ emoji, ...rest }) => (
    <button type="button" {...rest} aria-colindex={(rest["aria-colindex"] ?? 0) + 1}>
      {emoji.emoji}
    </button>
  ),
};

/** One line of emojibase's compact list. Those without a group are parts of others. */
interface ListedEmoji {
  readonly unicode: string;
  readonly label: string;
  readonly group?: number;
  readonly tags?: readonly string[];
}

/** The groups of emojibase, by their number. The third holds skin tones alone. */
const GROUPS: readonly (readonly [number, PlainKey])[] = [
  [0, "composer.emoji.smileys"],
  [1, "composer.emoji.people"],
  [3, "composer.emoji.nature"],
  [4, "composer.emoji.food"],
  [5, "composer.emoji.travel"],
  [6, "composer.emoji.activities"],
  [7, "composer.emoji.objects"],
  [8, "composer.emoji.symbols"],
  [9, "composer.emoji.flags"],
];

/** Reads the list from our own pages: the picker's own code would ask another host. */
async function loadList(signal: AbortSignal | undefined): Promise<EmojiData> {
  const response = await fetch(listUrl, signal ? { signal } : {});
  const listed: readonly ListedEmoji[] = await response.json();
  const groups = new Map(GROUPS);
  return {
    locale: "en",
    categories: GROUPS.map(([index, key]) => ({ index, label: t(key) })),
    emojis: listed.flatMap(({ unicode, label, group, tags }) =>
      group !== undefined && groups.has(group)
        ? [{ emoji: unicode, category: group, label, version: 1, tags: [...(tags ?? [])] }]
        : [],
    ),
    skinTones: { dark: "", "medium-dark": "", medium: "", "medium-light": "", light: "" },
  };
}
