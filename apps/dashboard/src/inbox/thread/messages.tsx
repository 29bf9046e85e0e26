import { useCallback, useEffect, useEffectEvent, useMemo, useRef } from "react";
import { Button } from "react-aria-components";
import { t } from "../../text/t.ts";
import type { MessageEntry } from "../../api/shapes.ts";
import type { Quote } from "../composer/drafts.ts";
import type { OutboxItem } from "../outbox/outbox-item.ts";
import { useInbox } from "../../desk/use-inbox.ts";
import { EventLine } from "./event-line.tsx";
import { Glyph } from "./glyph.tsx";
import { NoteLine } from "./note-line.tsx";
import { Outgoing, Said, type Names } from "./said.tsx";
import { threadLines, type ThreadLine } from "./thread-lines.ts";
import { useOutbox, useThread, useThreads } from "./threads.ts";
import { dayName, dayOf } from "./times.ts";
import { useLogWindow } from "./use-log-window.ts";
import { isOf, useTarget } from "./use-target.ts";
import { useSeen } from "./use-seen.ts";

/** The log of a conversation: only the visible part is in the page, and older messages come as one scrolls up. */
export function Messages({
  id,
  names,
  onEdit,
  onQuote,
}: {
  id: string;
  names: Names;
  onEdit: (item: OutboxItem) => void;
  /** Undefined: the channel has no quotes. */
  onQuote: ((quote: Quote) => void) | undefined;
}) {
  const thread = useThread(id);
  const outgoing = useOutbox(id);
  const { work, outbox } = useThreads();
  const { now } = useInbox();
  const { entries, firstNew } = thread;
  const botAnswers = names.row.handler === "bot";
  const lines = useMemo(
    () => threadLines(entries, outgoing, firstNew, dayOf, botAnswers),
    [entries, outgoing, firstNew, botAnswers],
  );
  const again = useCallback(
    (entry: MessageEntry) => void outbox.add(id, repeatOf(entry)),
    [outbox, id],
  );
  const log = useLogWindow(lines, () => void work.older(id));
  const { drawn, hold } = log;
  useSeen(id, log.atEnd);
  const target = useTarget(id, lines, ({ key }) => hold({ key, offset: innerHeight / 3 }));
  // Whoever writes sees what they wrote. What already waited when the thread was opened moves nothing.
  const shownUpTo = useRef(Date.now());
  const writtenAt = outgoing.at(-1)?.at ?? 0;
  const showWritten = useEffectEvent(() => {
    if (writtenAt <= shownUpTo.current) return;
    shownUpTo.current = writtenAt;
    hold("end");
  });
  useEffect(() => showWritten(), [writtenAt]);
  return (
    <div className="thread-log-frame">
      <div
        ref={log.pane}
        className="thread-log"
        role="log"
        aria-label={t("thread.messages")}
        tabIndex={0}
        onScroll={log.onScroll}
      >
        <div className="thread-log-space" />
        <div ref={log.content}>
          <div style={{ blockSize: drawn.before }} />
          {lines.slice(drawn.from, drawn.to).map((line) => (
            <div
              key={line.key}
              className={isOf(line, target) ? "thread-line thread-target" : "thread-line"}
            >
              <Line
                line={line}
                names={names}
                now={now()}
                onAgain={again}
                onEdit={onEdit}
                onQuote={onQuote}
              />
            </div>
          ))}
          <div style={{ blockSize: drawn.after }} />
        </div>
        {lines.length === 0 && thread.state === "ready" && (
          <p className="thread-event">
            {names.row.previewKind === "expired" ? t("inbox.kind.expired") : t("thread.empty")}
          </p>
        )}
      </div>
      {!log.atEnd && <ToLatest go={() => hold("end")} />}
    </div>
  );
}

function ToLatest({ go }: { readonly go: () => void }) {
  return (
    <Button className="thread-latest" aria-label={t("thread.latest")} onPress={go}>
      <Glyph name="chevron-down" />
    </Button>
  );
}

function Line({
  line,
  names,
  now,
  onAgain,
  onEdit,
  onQuote,
}: {
  line: ThreadLine;
  names: Names;
  now: number;
  onAgain: (entry: MessageEntry) => void;
  onEdit: (item: OutboxItem) => void;
  onQuote: ((quote: Quote) => void) | undefined;
}) {
  const { outbox } = useThreads();
  switch (line.kind) {
    case "day":
      return (
        <p className="thread-day">
          <span>{dayName(line.at, now)}</span>
        </p>
      );
    case "new":
      return (
        <p className="thread-new">
          <span>{t("thread.new")}</span>
        </p>
      );
    case "waits":
      return <p className="thread-event">{t("thread.bot.waits", { bot: botName(names) })}</p>;
    case "event":
      return <EventLine entry={line.entry} names={names} />;
    case "note":
      return <NoteLine entry={line.entry} names={names} />;
    case "message":
      return (
        <Said
          entry={line.entry}
          first={line.first}
          last={line.last}
          names={names}
          onAgain={onAgain}
          onQuote={onQuote}
        />
      );
    case "outgoing":
      return (
        <Outgoing
          item={line.item}
          channelType={names.row.channelType}
          first={line.first}
          last={line.last}
          onAgain={({ id }) => void outbox.again(id)}
          onDiscard={({ id }) => void outbox.discard(id)}
          onEdit={(item) => {
            void outbox.discard(item.id);
            onEdit(item);
          }}
        />
      );
  }
}

const botName = ({ row, bootstrap }: Names): string =>
  bootstrap.bots.find(({ id }) => id === row.botId)?.name ?? t("thread.bot");

/** Sends the message again, as a message of its own that names the one it repeats. */
function repeatOf(entry: MessageEntry): OutboxItem["what"] {
  const media = entry.attachments.flatMap(({ mediaId }) => mediaId ?? []);
  return {
    kind: "reply",
    body: {
      resendOf: entry.id,
      ...(entry.text !== null && entry.text !== "" && { text: entry.text }),
      ...(media.length > 0 && { media }),
    },
  };
}
