import { Button } from "react-aria-components";
import { useQuery } from "@tanstack/react-query";
import { call, type AnswerOf } from "../../api/call.ts";
import type { DeskRow } from "../../api/shapes.ts";
import { queryClient } from "../../api/query-client.ts";
import { SafeText } from "../../kit/safe-text.tsx";
import { t } from "../../text/t.ts";
import { Glyph } from "../thread/glyph.tsx";
import { useOutbox } from "../thread/threads.ts";

export type Suggestion = AnswerOf<"listSuggestions">["items"][number];

const keyOf = (id: string) => ["suggestions", id] as const;

/**
 * The newest suggested reply of a conversation that no member has decided on; undefined: none. Read again whenever the
 * conversation's row changes, which every new, used and discarded suggestion does.
 */
export function useSuggestion({
  id,
  change,
}: Pick<DeskRow, "id" | "change">): Suggestion | undefined {
  const sending = useOutbox(id);
  const { data } = useQuery({
    queryKey: [...keyOf(id), change],
    queryFn: ({ signal }) => call("listSuggestions", { params: { id }, signal }),
    // What was shown stays until the next answer.
    placeholderData: (before, query) => (query?.queryKey[1] === id ? before : undefined),
    gcTime: 60_000,
  });
  // One that this browser is sending is used already, whatever the server still says.
  return data?.items.find(
    (one) =>
      !sending.some(
        ({ what, state }) =>
          what.kind === "suggested" && what.suggestionId === one.id && state === "waiting",
      ),
  );
}

/** The suggestion is used or discarded in this tab: the answer of the server need not be waited for. */
export function forgetSuggestion(conversationId: string, id: string): void {
  queryClient.setQueriesData<AnswerOf<"listSuggestions">>(
    { queryKey: keyOf(conversationId) },
    (known) => known && { items: known.items.filter((one) => one.id !== id) },
  );
}

/** Over the composer: what a program proposes to answer. Nothing of it is sent before a person sends it. */
export function SuggestedReply({
  suggestion,
  onUse,
  onEdit,
  onSend,
  onDiscard,
}: {
  readonly suggestion: Suggestion;
  /** Puts it into the text. */
  readonly onUse: (() => void) | undefined;
  readonly onEdit: (() => void) | undefined;
  /** Sends a suggested template, which has no text to change. */
  readonly onSend: (() => void) | undefined;
  readonly onDiscard: () => void;
}) {
  const { authorName, text, reason, sources } = suggestion;
  return (
    <section className="suggested" aria-label={t("composer.suggested")}>
      <p className="suggested-by">
        <Glyph name="message-square" />
        <span>
          {t("composer.suggested")}
          {authorName !== null && (
            <>
              {" · "}
              <bdi>{authorName}</bdi>
            </>
          )}
        </span>
      </p>
      <div className="suggested-text">
        <SafeText text={text} />
      </div>
      {reason !== null && (
        <p className="suggested-reason" dir="auto">
          {reason}
        </p>
      )}
      {sources.length > 0 && (
        <ul className="suggested-sources" aria-label={t("composer.suggested.sources")}>
          {sources.map(({ title, url }, index) => (
            <li key={index}>
              <Glyph name="file-text" />
              {url === null ? (
                <bdi>{title}</bdi>
              ) : (
                <a href={url} target="_blank" rel="noopener noreferrer nofollow">
                  <bdi>{title}</bdi>
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
      <div className="suggested-actions">
        {onUse && (
          <Button className="suggested-use" aria-keyshortcuts="Tab" onPress={onUse}>
            <span>{t("composer.suggested.use")}</span>
            <kbd dir="ltr" aria-hidden="true">
              Tab
            </kbd>
          </Button>
        )}
        {onSend && (
          <Button className="suggested-use" onPress={onSend}>
            {t("composer.sendTemplate")}
          </Button>
        )}
        {onEdit && (
          <Button className="thread-link" onPress={onEdit}>
            {t("composer.suggested.edit")}
          </Button>
        )}
        <Button className="thread-link" onPress={onDiscard}>
          {t("composer.suggested.discard")}
        </Button>
      </div>
    </section>
  );
}

/** Whether a key uses the suggestion: Tab alone, in an empty text. */
export const isTabIntoEmpty = (
  event: {
    readonly key: string;
    readonly shiftKey: boolean;
    readonly ctrlKey: boolean;
    readonly metaKey: boolean;
    readonly altKey: boolean;
  },
  text: string,
): boolean =>
  event.key === "Tab" &&
  text === "" &&
  !event.shiftKey &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey;
