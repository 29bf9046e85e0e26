import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { State } from "../state.ts";
import { lastFromAgent } from "../timeline.ts";
import { dayNumber } from "../texts/texts.ts";
import { useSurface } from "./context.ts";
import { Entry, Words, type Item } from "./entry.tsx";

const TOGETHER_MS = 5 * 60_000;
const NEAR_PX = 80;

/** The conversation, oldest first: what is stored, then what waits. Follows the end unless the reader has scrolled up. */
export function Log({ state }: { state: State }) {
  const { language } = useSurface();
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const following = useRef(true);
  const top = useRef(0);
  const [below, setBelow] = useState(false);
  // What was said before is not read out when it arrives: on each page of the site that would be all of it.
  const [readOut, setReadOut] = useState(false);
  const { messages, pending, settings, open } = state;
  const team = settings.name || language.say("team");
  const items = toItems(state, team);
  const last = items.at(-1);

  const toEnd = () => {
    const element = box.current;
    if (element) element.scrollTop = element.scrollHeight;
    following.current = true;
    setBelow(false);
  };
  const lastKey = last?.key;
  const own = last?.mine ?? false;
  useLayoutEffect(() => {
    if (following.current || own) toEnd();
    else setBelow(true);
  }, [lastKey, own]);
  useLayoutEffect(() => {
    if (following.current) toEnd();
  }, [state.agentTyping, open, state.locale]);
  useEffect(() => {
    if (state.connection === "online" || state.connection === "idle")
      setReadOut(state.connection === "online");
  }, [state.connection]);
  useEffect(() => {
    // Pictures that arrive, a keyboard that opens.
    const observer = new ResizeObserver(() => following.current && toEnd());
    for (const element of [box.current, list.current]) if (element) observer.observe(element);
    return () => observer.disconnect();
  }, []);

  return (
    <div class="middle">
      <div
        ref={box}
        class="log"
        role="log"
        aria-live={readOut ? "polite" : "off"}
        aria-label={language.say("log")}
        tabIndex={0}
        onScroll={(event) => {
          const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
          // What grows at the end is no scrolling: only a move upwards stops the following.
          const near = scrollHeight - scrollTop - clientHeight < NEAR_PX;
          following.current = near || (following.current && scrollTop >= top.current);
          top.current = scrollTop;
          if (near) setBelow(false);
        }}
      >
        {state.earlier ? (
          <p class="day">{language.say("earlier")}</p>
        ) : (
          <div class="greeting">
            <p dir="auto">
              <Words text={settings.greeting || language.say("hello")} />
            </p>
          </div>
        )}
        <ol class="list" ref={list}>
          <Entries
            items={items}
            waiting={["offline", "waiting", "unavailable"].includes(state.connection)}
          />
        </ol>
        {state.agentTyping && <Typing name={lastFromAgent(messages)?.agentName || team} />}
      </div>
      {below && (messages.length > 0 || pending.length > 0) && (
        <button
          class="below"
          type="button"
          onClick={() => {
            toEnd();
            box.current?.focus();
          }}
        >
          {language.say("newMessages")}
        </button>
      )}
    </div>
  );
}

/** The messages as rows: with a day before the first of each, and closer together where one person wrote several. */
function Entries({ items, waiting }: { items: readonly Item[]; waiting: boolean }) {
  const { language, now } = useSurface();
  const lastMine = items.findLast((item) => item.mine && item.status !== "failed");
  return items.map((item, index) => {
    const before = items[index - 1];
    const after = items[index + 1];
    const newDay = !before || dayNumber(before.at) !== dayNumber(item.at);
    return (
      <Entry
        key={item.key}
        item={item}
        day={newDay ? language.day(item.at, now) : null}
        first={newDay || !before || !together(before, item)}
        last={!after || !together(item, after)}
        mark={item === lastMine}
        waiting={waiting}
        newest={!after}
      />
    );
  });
}

function Typing({ name }: { name: string }) {
  const { language } = useSurface();
  return (
    <div class="typing">
      <span class="dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span class="hidden">{language.say("typing", { name })}</span>
    </div>
  );
}

function toItems(state: State, channel: string): Item[] {
  const stored = state.messages.map((message): Item => ({
    ...message,
    // The same row before and after the server has it.
    key: message.clientId ?? message.id,
    mine: message.from === "visitor",
    name: message.agentName || channel,
    at: new Date(message.createdAt),
    refused: null,
  }));
  const waiting = state.pending.map((pending): Item => ({
    ...pending,
    key: pending.clientId,
    mine: true,
    name: channel,
    attachments: pending.uploads.map((upload) => ({ ...upload, type: "document" })),
    at: new Date(pending.createdAt),
    status: pending.refused === null ? "queued" : "failed",
  }));
  return [...stored, ...waiting];
}

function together(a: Item, b: Item): boolean {
  return (
    a.mine === b.mine &&
    a.name === b.name &&
    dayNumber(a.at) === dayNumber(b.at) &&
    b.at.getTime() - a.at.getTime() < TOGETHER_MS
  );
}
