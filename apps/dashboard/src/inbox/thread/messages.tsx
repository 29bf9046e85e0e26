import {
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Button } from "react-aria-components";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { t } from "../../text/t.ts";
import type { MessageEntry } from "../contract.ts";
import type { OutboxItem } from "../outbox/outbox-item.ts";
import { useInbox } from "../use-inbox.ts";
import { EventLine } from "./event-line.tsx";
import { Glyph } from "./glyph.tsx";
import { NoteLine } from "./note-line.tsx";
import { Outgoing, Said, type Names } from "./said.tsx";
import { threadLines, type ThreadLine } from "./thread-lines.ts";
import { useOutbox, useThread, useThreads } from "./threads.ts";
import { dayName, dayOf } from "./times.ts";
import { isOf, useTarget } from "./use-target.ts";
import { useSeen } from "./use-seen.ts";

/** When the end is nearer than this, in px, the log follows new messages. */
const NEAR_END = 60;
/** When the start is nearer than this, in px, older messages are read. */
const NEAR_START = 600;

/** The log of a conversation: only the visible part is in the page, and older messages come as one scrolls up. */
export function Messages({
  id,
  names,
  onEdit,
}: {
  id: string;
  names: Names;
  onEdit: (item: OutboxItem) => void;
}) {
  const thread = useThread(id);
  const outgoing = useOutbox(id);
  const { work, outbox } = useThreads();
  const { now } = useInbox();
  const { entries, firstNew } = thread;
  const lines = useMemo(
    () => threadLines(entries, outgoing, firstNew, dayOf),
    [entries, outgoing, firstNew],
  );
  const again = useCallback(
    (entry: MessageEntry) => void outbox.add(id, repeatOf(entry)),
    [outbox, id],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const [atEnd, setAtEnd] = useState(true);
  const [prepends, setPrepends] = useState(thread.prepends);
  const shift = prepends !== thread.prepends;
  useLayoutEffect(() => setPrepends(thread.prepends), [thread.prepends]);
  useSeen(id, atEnd);

  const follow = useEffectEvent(() => {
    if (atEnd && lines.length > 0) list.current?.scrollToIndex(lines.length - 1, { align: "end" });
  });
  const lastKey = lines.at(-1)?.key;
  useLayoutEffect(() => follow(), [lastKey, lines.length]);
  // The log grows when the composer shrinks, and the reverse.
  useEffect(() => {
    const watch = new ResizeObserver(() => follow());
    if (scroller.current !== null) watch.observe(scroller.current);
    return () => watch.disconnect();
  }, []);

  const target = useTarget(id, lines, (index) => {
    setAtEnd(false);
    list.current?.scrollToIndex(index, { align: "center" });
  });
  const looked = useRef({ offset: 0, size: 0 });
  const look = (offset: number): void => {
    const view = list.current;
    if (view === null) return;
    const { scrollSize: size, viewportSize } = view;
    const before = looked.current;
    looked.current = { offset, size };
    if (size - viewportSize - offset < NEAR_END) setAtEnd(true);
    // A line that turns out to be longer than was thought moves the end away: only a person leaves it.
    else if (offset < before.offset && size === before.size) setAtEnd(false);
    if (offset < NEAR_START && !shift) void work.older(id);
  };
  return (
    <div className="thread-log-frame">
      <div
        ref={scroller}
        className="thread-log"
        role="log"
        aria-label={t("thread.messages")}
        tabIndex={0}
      >
        <div className="thread-log-space" />
        <Virtualizer
          ref={list}
          scrollRef={scroller}
          data={lines}
          shift={shift}
          itemSize={72}
          onScroll={look}
          onResize={() => follow()}
        >
          {(line) => (
            <div
              key={line.key}
              className={isOf(line, target) ? "thread-line thread-target" : "thread-line"}
            >
              <Line line={line} names={names} now={now()} onAgain={again} onEdit={onEdit} />
            </div>
          )}
        </Virtualizer>
        {lines.length === 0 && thread.state === "ready" && (
          <p className="thread-event">{t("thread.empty")}</p>
        )}
      </div>
      {!atEnd && (
        <ToLatest go={() => list.current?.scrollToIndex(lines.length - 1, { align: "end" })} />
      )}
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
}: {
  line: ThreadLine;
  names: Names;
  now: number;
  onAgain: (entry: MessageEntry) => void;
  onEdit: (item: OutboxItem) => void;
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
        />
      );
    case "outgoing":
      return (
        <Outgoing
          item={line.item}
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
