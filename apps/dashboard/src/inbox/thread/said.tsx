import { lazy, memo, Suspense, useState } from "react";
import { Link } from "@tanstack/react-router";
import { Button } from "react-aria-components";
import { faultWord } from "../../kit/fault-words.ts";
import { t, withTexts, type PlainKey } from "../../text/t.ts";
import type { Bootstrap, DeskRow, MessageEntry, QuotedEntry } from "../../api/shapes.ts";
import { fileFaultWords } from "../../kit/file-faults.ts";
import { fileFaultsOf, filesOf, quoteOf, textOf, type OutboxItem } from "../outbox/outbox-item.ts";
import type { Quote as QuoteOf } from "../composer/drafts.ts";
import { kindWord } from "../../desk/words.ts";
import { Attachment } from "./attachment.tsx";
import { Glyph } from "./glyph.tsx";
import { SafeText } from "../../kit/safe-text.tsx";
import { isEmojiOnly } from "../../kit/text-parts.ts";
import { useMay } from "../../kit/use-may.ts";
import { clockTime } from "./times.ts";

const ReplySources = lazy(async () => ({
  default: (await withTexts(import("./reply-sources.tsx"))).ReplySources,
}));

const AddCase = lazy(async () => ({
  default: (await withTexts(import("./add-case.tsx"))).AddCase,
}));

/** What the lines of a log need to name people. */
export interface Names {
  readonly row: DeskRow;
  readonly bootstrap: Bootstrap;
}

/** A member's name. A removed member has no name any more. */
export const memberName = (id: string | null, { bootstrap }: Names): string =>
  bootstrap.members.find((member) => member.id === id)?.name ?? t("thread.former");

/** The author's name in a message's line. */
function speakerName(
  entry: Pick<MessageEntry, "direction" | "authorId" | "authorName" | "source">,
  names: Names,
): string {
  if (entry.direction === "inbound") return names.row.name;
  if (entry.authorId === names.bootstrap.member.id) return t("thread.you");
  if (entry.authorId !== null) return memberName(entry.authorId, names);
  switch (entry.source) {
    case "bot":
      return entry.authorName ?? t("thread.bot");
    case "broadcast":
      return entry.authorName ?? t("thread.campaign");
    case "channel":
      return t("thread.app");
    case "api":
    case "dashboard":
      return t("thread.api");
  }
}

const STATES = {
  queued: ["thread.state.sending", "clock"],
  sent: ["thread.state.sent", "check"],
  delivered: ["thread.state.delivered", "check-check"],
  read: ["thread.state.read", "check-check"],
  failed: ["thread.state.failed", "circle-alert"],
} as const satisfies Record<string, readonly [PlainKey, Parameters<typeof Glyph>[0]["name"]]>;

/** A message that the server has. */
export const Said = memo(function Said({
  entry,
  first,
  last,
  names,
  onAgain,
  onQuote,
}: {
  entry: MessageEntry;
  first: boolean;
  last: boolean;
  names: Names;
  onAgain: (entry: MessageEntry) => void;
  /** Undefined: the channel has no quotes. */
  onQuote: ((quote: QuoteOf) => void) | undefined;
}) {
  const speaker = speakerName(entry, names);
  const time = clockTime(entry.at);
  const out = entry.direction === "outbound";
  const failed = entry.status === "failed";
  const state = entry.status === "received" ? undefined : STATES[entry.status];
  return (
    <article
      className={`said ${out ? "said-out" : "said-in"}${first ? " said-first" : ""}${last ? " said-last" : ""}`}
      aria-label={t("thread.said", { speaker, time })}
    >
      <div className="said-row">
        <Bubble
          failed={failed}
          large={entry.attachments.length === 0 && isEmojiOnly(entry.text ?? "")}
        >
          {entry.attachments.some(({ type }) => type === "quote") && (
            <Quote of={entry.quoted} names={names} />
          )}
          {entry.attachments.map((one, index) =>
            one.type === "choices" ? null : <Attachment key={index} one={one} />,
          )}
          {entry.text !== null && entry.text !== "" && <SafeText text={entry.text} />}
          {entry.attachments.map((one, index) =>
            one.type === "choices" ? <Attachment key={index} one={one} /> : null,
          )}
          {entry.text === null && entry.attachments.length === 0 && (
            <p className="said-aside">{t("thread.unsupported")}</p>
          )}
        </Bubble>
        {onQuote && isQuotable(entry) && (
          <Button
            className="said-action"
            aria-label={t("thread.replyTo")}
            onPress={() => onQuote({ id: entry.id, by: speaker, words: wordsOf(entry) })}
          >
            <Glyph name="reply" turn />
          </Button>
        )}
      </div>
      <p className={last || failed ? "said-meta" : "said-meta visually-hidden"}>
        {out && speaker !== t("thread.you") && <bdi>{speaker}</bdi>}
        <bdi dir="ltr">{time}</bdi>
        {state && (
          <span className={`said-state said-${entry.status}`}>
            <Glyph name={state[1]} />
            {t(state[0])}
          </span>
        )}
      </p>
      {(entry.byAi || entry.turnId !== null) && (
        <ByAi entry={entry} conversationId={names.row.id} />
      )}
      {failed && (
        <div className="said-trouble">
          <p>{entry.errorCode === null ? t("thread.state.failed") : faultWord(entry.errorCode)}</p>
          <Original of={entry} />
          <Button className="thread-link" onPress={() => onAgain(entry)}>
            {t("thread.sendAgain")}
          </Button>
        </div>
      )}
    </article>
  );
});

/** The platform must have the message, and its sender must not have withdrawn it. */
const isQuotable = ({ status, type }: MessageEntry): boolean =>
  status !== "queued" && status !== "failed" && type !== "deleted";

/** A message in a line: its words, else the name of its kind. */
function wordsOf({ text, attachments }: MessageEntry): string {
  if (text !== null && text !== "") return text.slice(0, 200);
  const type = attachments.find((one) => one.type !== "quote" && one.type !== "forwarded")?.type;
  return type === undefined ? t("thread.quote") : kindWord(type);
}

/** Under a message of an AI bot's turn: that a model wrote it, where it did, and what it rests on. */
function ByAi({
  entry,
  conversationId,
}: {
  readonly entry: MessageEntry;
  readonly conversationId: string;
}) {
  const { turnId } = entry;
  const [shows, setShows] = useState<"sources" | "case" | null>(null);
  const mayAdd = useMay("addCase");
  const close = () => setShows(null);
  return (
    <p className="said-ai">
      {entry.byAi && (
        <span>
          <Glyph name="sparkles" />
          {t("thread.byBot")}
        </span>
      )}
      {turnId !== null && (
        <Button
          className="thread-link"
          aria-label={t("thread.sources.of")}
          onPress={() => setShows("sources")}
        >
          {t("thread.sources")}
        </Button>
      )}
      {turnId !== null && mayAdd && (
        <Button className="thread-link" onPress={() => setShows("case")}>
          {t("thread.case.add")}
        </Button>
      )}
      {shows !== null && turnId !== null && (
        <Suspense fallback={null}>
          {shows === "sources" ? (
            <ReplySources turnId={turnId} close={close} />
          ) : (
            <AddCase conversationId={conversationId} entry={entry} turnId={turnId} close={close} />
          )}
        </Suspense>
      )}
    </p>
  );
}

/** The words that a message answers; pressing them leads to their message. */
function Quote({ of: quoted, names }: { of: QuotedEntry | null; names: Names }) {
  // An older visit's entry, kept in the browser, has none.
  if (!quoted) return <p className="said-aside">{t("thread.quote")}</p>;
  const { text, type } = quoted;
  const by = speakerName({ ...quoted, authorName: null }, names);
  return (
    <Link className="said-quote" to="." hash={`m-${quoted.id}`} replace>
      <bdi className="said-quote-by">{by}</bdi>
      <span className="said-quote-text" dir="auto">
        {text !== null && text !== "" ? text : type === null ? t("thread.quote") : kindWord(type)}
      </span>
    </Link>
  );
}

/** The platform's own words, beside ours: support and search engines know those. */
function Original({ of: { errorMessage, errorCode } }: { of: MessageEntry }) {
  if (errorMessage === null) return null;
  return (
    <p className="said-original">
      <bdi>
        {errorCode === null
          ? errorMessage
          : t("thread.reason", { reason: errorMessage, code: errorCode })}
      </bdi>
    </p>
  );
}

/** A message that is being sent, or was not sent. */
export function Outgoing({
  item,
  channelType,
  last,
  first,
  onAgain,
  onEdit,
  onDiscard,
}: {
  item: OutboxItem;
  channelType: DeskRow["channelType"];
  last: boolean;
  first: boolean;
  onAgain: (item: OutboxItem) => void;
  onEdit: (item: OutboxItem) => void;
  onDiscard: (item: OutboxItem) => void;
}) {
  const time = clockTime(new Date(item.at).toISOString());
  const stuck = item.state !== "waiting";
  const note = item.what.kind === "note";
  const quote = quoteOf(item);
  return (
    <article
      className={`said said-out${first ? " said-first" : ""}${last ? " said-last" : ""}`}
      aria-label={
        note
          ? t("thread.noteBy", { name: t("thread.you"), time })
          : t("thread.said", { speaker: t("thread.you"), time })
      }
    >
      <Bubble failed={stuck} note={note}>
        {quote && (
          <p className="said-quote">
            <bdi className="said-quote-by">{quote.by}</bdi>
            <span className="said-quote-text" dir="auto">
              {quote.words}
            </span>
          </p>
        )}
        {filesOf(item).map(({ id, name }) => (
          <p key={id} className="said-aside">
            <Glyph name="paperclip" /> <bdi>{name || t("thread.file")}</bdi>
          </p>
        ))}
        <SafeText text={textOf(item)} />
      </Bubble>
      <p className="said-meta">
        <bdi dir="ltr">{time}</bdi>
        <span className={`said-state${stuck ? " said-failed" : ""}`}>
          <Glyph name={stuck ? "circle-alert" : "clock"} />
          {t(stuck ? "thread.state.refused" : "thread.state.sending")}
        </span>
      </p>
      {stuck && (
        <div className="said-trouble">
          {(item.state === "asks" ? [t("thread.asks")] : refusalsOf(item, channelType)).map(
            (reason) => (
              <p key={reason}>{reason}</p>
            ),
          )}
          <Button className="thread-link" onPress={() => onAgain(item)}>
            {t("thread.sendAgain")}
          </Button>
          {(item.what.kind !== "suggested" || item.what.body.text !== undefined) &&
            item.what.kind !== "template" && (
              <Button className="thread-link" onPress={() => onEdit(item)}>
                {t("thread.edit")}
              </Button>
            )}
          <Button className="thread-link" onPress={() => onDiscard(item)}>
            {t("thread.discard")}
          </Button>
        </div>
      )}
    </article>
  );
}

/** Why the server refused a message: each file with its reason, else its own words, else its code. */
function refusalsOf(item: OutboxItem, channelType: DeskRow["channelType"]): readonly string[] {
  const { code, faults = [] } = item;
  if (
    code === "WINDOW_CLOSED" ||
    code === "CONTACT_OPTED_OUT" ||
    (code === "NOT_ALLOWED_IN_STATE" && item.what.kind === "suggested")
  )
    return [t(`thread.refused.${code}`)];
  const files = fileFaultsOf(item);
  const ofFile = new Map(files.map(({ file, detail }) => [detail, file.name || t("thread.file")]));
  const reasons = faults.map((detail) => {
    const name = ofFile.get(detail);
    if (name === undefined) return t("thread.refused.reason", { reason: detail.message });
    const reason = fileFaultWords(detail, name, { channelType });
    return t("thread.refused.file", { name: `\u2068${name}\u2069`, reason });
  });
  return reasons.length > 0 ? reasons : [t("thread.refused.other", { code: code ?? "" })];
}

function Bubble({
  failed,
  note = false,
  large = false,
  children,
}: {
  failed: boolean;
  note?: boolean;
  large?: boolean;
  children: React.ReactNode;
}) {
  const kinds = [
    failed && "said-bubble-failed",
    note && "said-bubble-note",
    large && "said-bubble-large",
  ];
  return <div className={["said-bubble", ...kinds.filter(Boolean)].join(" ")}>{children}</div>;
}
