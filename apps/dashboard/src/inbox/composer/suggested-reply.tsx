import { Button } from "react-aria-components";
import { SafeText } from "../../kit/safe-text.tsx";
import { t } from "../../text/t.ts";
import { useBootstrap } from "../../desk/use-inbox.ts";
import { Glyph } from "../thread/glyph.tsx";
import type { Suggestion } from "../thread/thread-store.ts";
import { useOutbox, useThread } from "../thread/threads.ts";

/** The newest suggested reply of a conversation that no member has decided on; undefined: none. */
export function useSuggestion(conversationId: string): Suggestion | undefined {
  const sending = useOutbox(conversationId);
  const { suggestions } = useThread(conversationId);
  // One that this browser is sending is used already, whatever the server still says.
  return suggestions.find(
    (one) =>
      !sending.some(
        ({ what, state }) =>
          what.kind === "suggested" && what.suggestionId === one.id && state === "waiting",
      ),
  );
}

/** Over the composer: what a program proposes to answer. Nothing of it is sent before a person sends it. */
export function SuggestedReply({
  suggestion,
  onUse,
  onEdit,
  onSend,
  onDiscard,
  onAnother,
}: {
  readonly suggestion: Suggestion;
  /** Puts it into the text. */
  readonly onUse: (() => void) | undefined;
  readonly onEdit: (() => void) | undefined;
  /** Sends a suggested template, which has no text to change. */
  readonly onSend: (() => void) | undefined;
  readonly onDiscard: () => void;
  /** Has another one written; undefined: no bot can. */
  readonly onAnother?: (() => void) | undefined;
}) {
  const { settings } = useBootstrap();
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
          <Button
            className="suggested-use"
            {...(settings.tabTakesSuggestion && { "aria-keyshortcuts": "Tab" })}
            onPress={onUse}
          >
            <span>{t("composer.suggested.use")}</span>
            {settings.tabTakesSuggestion && (
              <kbd dir="ltr" aria-hidden="true">
                Tab
              </kbd>
            )}
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
        {onAnother && (
          <Button className="thread-link" onPress={onAnother}>
            {t("composer.suggested.another")}
          </Button>
        )}
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
