import {
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type PointerEvent,
  type ReactNode,
} from "react";
import { Link, useNavigate } from "@tanstack/react-router";
import { Button } from "react-aria-components";
import type { CustomContainerComponentProps } from "virtua";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { t } from "../../text/t.ts";
import { composerComes, useCommand } from "../../desk/commands.ts";
import { setTargets } from "../../desk/targets.ts";
import type { Inbox } from "../../desk/inbox.ts";
import { nextToOpen, type ListKey } from "../../desk/store/listing.ts";
import { useBootstrap, useInbox, useList, useViewName } from "../../desk/use-inbox.ts";
import { ListHead, searchOf } from "./list-head.tsx";
import { Row } from "./row.tsx";
import { useSelection } from "./selection.ts";
import { emptyWords } from "../../desk/words.ts";

/** How many rows before the end the next page is read. */
const AHEAD = 15;
/** No placeholder rows are drawn before this time: most lists arrive sooner. */
const SKELETON_MS = 200;
/** How long the pointer rests on a row before its conversation is read. */
const HOVER_MS = 60;
/** How long a conversation is open before its neighbours are read. */
const AHEAD_MS = 150;

const BulkBar = lazy(async () => ({
  default: (await import("../actions/bulk-bar.tsx")).BulkBar,
}));

interface ListPaneProps {
  readonly listKey: ListKey;
  /** The conversation that is open. */
  readonly openId: string | undefined;
}

/** The list of one view. */
export function ListPane({ listKey, openId }: ListPaneProps) {
  const { work } = useInbox();
  const list = useList(listKey);
  const selection = useSelection(list.ids);
  const name = useViewName(listKey) ?? t("inbox.unknown");
  const isSelecting = selection.isAll || selection.ids.size > 0;
  return (
    <section className="list-pane" aria-label={t("inbox.region")}>
      <ListHead listKey={listKey} name={name} />
      {isSelecting && (
        <Suspense>
          <BulkBar listKey={listKey} selection={selection} more={list.more} />
        </Suspense>
      )}
      {list.ids.length > 0 ? (
        <Rows key={listKey.view} {...{ listKey, openId, selection }} />
      ) : (
        <Nothing listKey={listKey} state={list.state} />
      )}
      {list.state === "failed" && list.ids.length > 0 && (
        <p className="list-failed" role="alert">
          {t("inbox.failedList")}{" "}
          <Button onPress={() => void work.ensure(listKey)}>{t("kit.retry")}</Button>
        </p>
      )}
    </section>
  );
}

interface RowsProps extends ListPaneProps {
  readonly selection: ReturnType<typeof useSelection>;
}

function Rows({ listKey, openId, selection }: RowsProps) {
  const inbox = useInbox();
  const { store, work } = inbox;
  const list = useList(listKey);
  const navigate = useNavigate();
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useRef<VirtualizerHandle>(null);
  const hovering = useHovering(inbox, openId);
  const [cursor, setCursor] = useState<string | null>(null);
  const { view, unread, order } = listKey;
  const search = useMemo(() => searchOf({ unread, order }), [unread, order]);
  const select = useSteadySelect(selection);
  const current = openId ?? cursor;
  const [at, leftAt] = usePlace(list.ids, current);
  const open = (id: string | undefined) => {
    if (id !== undefined) composerComes();
    void navigate({ to: "/inbox/$view/{-$talk}", params: { view, talk: id }, search });
  };
  const move = (by: number) => {
    const to = at < 0 ? leftAt() + Math.min(by, 0) : at + by;
    const index = Math.min(list.ids.length - 1, Math.max(0, to));
    const id = list.ids[index];
    if (id === undefined) return;
    bringIntoView(scroller.current, virtual.current, index);
    setCursor(id);
    if (openId === undefined) return;
    open(id);
    // Whoever hears the page hears which one it is, and Tab goes on from there.
    linkOf(scroller.current, id)?.focus({ preventScroll: true });
  };
  useNextAfterResolve(list.ids, openId, leftAt, open);
  useCommand("next", () => move(1));
  useCommand("previous", () => move(-1));
  useCommand("open", () => open(list.ids[at]));
  useCommand("up", () => {
    if (openId !== undefined) setCursor(openId);
    open(undefined);
  });
  useCommand("select", () => {
    const id = list.ids[at];
    if (id !== undefined) selection.toggle(id);
  });
  useNeighbours(inbox, list.ids, at, openId);
  // The keys act on the selected conversations, else on the open one, else on the focused row. Before the page is
  // painted: a key that is pressed at a conversation on the screen is for that one, not for the one before.
  useLayoutEffect(() => {
    setTargets(selection.ids.size > 0 ? [...selection.ids] : current === null ? [] : [current]);
    return () => setTargets([]);
  }, [selection.ids, current]);
  const onScroll = () => {
    const handle = virtual.current;
    if (handle === null || !list.more) return;
    const last = handle.findItemIndex(handle.scrollOffset + handle.viewportSize);
    if (last > list.ids.length - AHEAD) void work.loadMore(listKey);
  };
  return (
    <div
      className="list-rows"
      ref={scroller}
      onPointerEnter={() => store.setHeld(true)}
      onPointerLeave={() => store.setHeld(false)}
      {...hovering}
      onFocus={({ target }) => {
        // The keys act on the row that Tab leads to, as on one that they led to themselves.
        const id = target.dataset["id"];
        if (id !== undefined) setCursor(id);
      }}
      data-selecting={selection.ids.size > 0 || undefined}
    >
      {list.waiting > 0 && (
        <Button className="list-new" onPress={() => store.release()}>
          {t("inbox.waiting", { count: list.waiting })}
        </Button>
      )}
      <Virtualizer
        ref={virtual}
        scrollRef={scroller}
        as={ListElement}
        item="li"
        itemSize={84}
        onScroll={onScroll}
      >
        {list.ids.map((id) => (
          <Row
            key={id}
            {...{ id, search, select }}
            isSelected={selection.has(id)}
            view={listKey.view}
            isOpen={id === openId}
            isCursor={id === cursor && openId === undefined}
          />
        ))}
      </Virtualizer>
      {list.more && list.state === "loading" && <Skeleton rows={3} />}
    </div>
  );
}

/**
 * Where the current conversation is in the list; -1: it is not there. Then the second says where it was when it left the
 * list, as by its first reply; -1: it never was there.
 */
function usePlace(
  ids: readonly string[],
  current: string | null,
): readonly [at: number, leftAt: () => number] {
  const at = ids.indexOf(current ?? "");
  const last = useRef<readonly [id: string | null, at: number]>([null, -1]);
  useLayoutEffect(() => {
    if (at >= 0) last.current = [current, at];
  });
  return [at, () => (last.current[0] === current ? last.current[1] : -1)];
}

/** The selection's functions, the same ones for as long as the list is shown: a row is not drawn again for them. */
function useSteadySelect(selection: RowsProps["selection"]) {
  const latest = useRef(selection);
  useLayoutEffect(() => {
    latest.current = selection;
  }, [selection]);
  return useMemo(
    () => ({
      toggle: (id: string) => latest.current.toggle(id),
      reach: (id: string, withShift: boolean) => latest.current.reach(id, withShift),
    }),
    [],
  );
}

/** After Resolve the next conversation opens, if the member wants it; the one that was not resolved after all opens again. */
function useNextAfterResolve(
  ids: readonly string[],
  openId: string | undefined,
  leftAt: () => number,
  open: (id: string) => void,
): void {
  const { work, store } = useInbox();
  const { nextAfterResolve } = useBootstrap().settings;
  const openLatest = useEffectEvent(open);
  const resolving = useEffectEvent((resolved: readonly string[]) => {
    if (!nextAfterResolve || openId === undefined) return undefined;
    const next = nextToOpen(ids, openId, resolved, leftAt());
    if (next === undefined) return undefined;
    open(next);
    return next;
  });
  useLayoutEffect(
    () =>
      work.onResolve((resolved) => {
        const next = resolving(resolved);
        if (next === undefined || openId === undefined) return undefined;
        // Who has opened another one meanwhile stays where they are.
        return () => {
          if (store.openId === next) openLatest(openId);
        };
      }),
    [work, store, openId],
  );
}

/** Reads the conversation that the pointer rests on: most are opened then. */
function useHovering(inbox: Inbox, openId: string | undefined) {
  const hover = useRef<ReturnType<typeof setTimeout>>(undefined);
  return {
    onPointerOver: ({ target }: PointerEvent) => {
      clearTimeout(hover.current);
      const id = idUnder(target);
      if (id !== undefined && id !== openId)
        hover.current = setTimeout(() => void aheadOf(inbox, [id]), HOVER_MS);
    },
    onPointerOut: () => clearTimeout(hover.current),
  };
}

/** Reads the conversations beside the open one while somebody reads that, so that the next one is there at once. */
function useNeighbours(
  inbox: Inbox,
  ids: readonly string[],
  at: number,
  openId: string | undefined,
): void {
  const [before, after] = openId === undefined || at < 0 ? [] : [ids[at - 1], ids[at + 1]];
  useEffect(() => {
    if (openId === undefined) return undefined;
    const timer = setTimeout(() => void aheadOf(inbox, [after, before]), AHEAD_MS);
    return () => clearTimeout(timer);
  }, [inbox, openId, before, after]);
}

/** Threads come with the first one that is opened, not with the list. */
async function aheadOf(inbox: Inbox, ids: readonly (string | undefined)[]): Promise<void> {
  try {
    const { readAhead } = await import("../thread/read-ahead.ts");
    readAhead(inbox, ids);
  } catch {
    // It is read when it is opened.
  }
}

/** The link of a conversation's row; undefined: it is not drawn. */
const linkOf = (pane: HTMLElement | null, id: string): HTMLElement | undefined =>
  [...(pane?.querySelectorAll<HTMLElement>(".row-link") ?? [])].find(
    ({ dataset }) => dataset["id"] === id,
  );

/** The conversation of the row that the pointer is on. */
function idUnder(target: EventTarget): string | undefined {
  const row = target instanceof Element ? target.closest(".row") : null;
  return row?.querySelector<HTMLElement>("[data-id]")?.dataset["id"];
}

/**
 * Scrolls as little as shows the row. The list's own `scrollToIndex` with `nearest` leaves out rows that are not drawn
 * yet, so that the keys would walk out of sight.
 */
function bringIntoView(
  pane: HTMLElement | null,
  list: VirtualizerHandle | null,
  index: number,
): void {
  if (pane === null || list === null) return;
  const top = list.getItemOffset(index);
  const bottom = top + list.getItemSize(index);
  if (top < pane.scrollTop) pane.scrollTop = top;
  else if (bottom > pane.scrollTop + pane.clientHeight) pane.scrollTop = bottom - pane.clientHeight;
}

function ListElement({ style, children, ref }: CustomContainerComponentProps) {
  return (
    <ul aria-label={t("inbox.list")} className="list-items" {...{ style, ref }}>
      {children}
    </ul>
  );
}

function Nothing({ listKey, state }: { listKey: ListKey; state: string }) {
  const { work } = useInbox();
  const known = useViewName(listKey) !== undefined;
  if (!known)
    return (
      <Empty title={t("inbox.unknown")} text={t("inbox.unknown.text")}>
        <Link className="button" to="/inbox/$view/{-$talk}" params={{ view: "mine" }}>
          {t("inbox.unknown.go")}
        </Link>
      </Empty>
    );
  if (state === "failed")
    return (
      <div role="alert">
        <Empty title={t("inbox.failedList")} text={t("inbox.failedList.text")}>
          <Button className="button" onPress={() => void work.ensure(listKey)}>
            {t("kit.retry")}
          </Button>
        </Empty>
      </div>
    );
  if (state !== "ready") return <Skeleton rows={8} />;
  if (listKey.unread)
    return (
      <Empty title={t("inbox.empty.unread")} text={t("inbox.empty.unread.text")}>
        <Link
          className="button"
          to="/inbox/$view/{-$talk}"
          params={{ view: listKey.view }}
          search={searchOf({ ...listKey, unread: false })}
        >
          {t("inbox.empty.unread.go")}
        </Link>
      </Empty>
    );
  const { title, text, go, to } = emptyWords(listKey.view);
  return (
    <Empty {...{ title, text }}>
      <Link className="button" to="/inbox/$view/{-$talk}" params={{ view: to }}>
        {go}
      </Link>
    </Empty>
  );
}

function Empty(props: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="list-empty">
      <h2>{props.title}</h2>
      <p>{props.text}</p>
      {props.children}
    </div>
  );
}

function Skeleton({ rows }: { rows: number }) {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), SKELETON_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isDue) return null;
  return (
    <div role="status" aria-label={t("inbox.loading")} className="list-skeleton">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="skeleton-row" aria-hidden>
          <span />
          <i />
          <i />
        </div>
      ))}
    </div>
  );
}
