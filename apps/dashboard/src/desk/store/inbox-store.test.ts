import assert from "node:assert/strict";
import { test } from "node:test";
import type { DeskPage, DeskRow } from "../../api/shapes.ts";
import { InboxStore } from "./inbox-store.ts";
import { InboxWork, type InboxServer } from "./inbox-work.ts";
import { nextToOpen, type ListKey } from "./listing.ts";
import { ToldList } from "./told.ts";

const ME = "m1";
const MINE: ListKey = { view: "mine", order: "newest", unread: false };
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 10, minute)).toISOString();

function row(id: string, minute: number, more: Partial<DeskRow> = {}): DeskRow {
  return {
    id,
    contactId: `contact-${id}`,
    name: id,
    named: true,
    address: "",
    channelId: "c1",
    channelType: "WHATSAPP",
    status: "open",
    assigneeId: ME,
    labels: [],
    preview: "hello",
    previewKind: "text",
    previewSide: "customer",
    previewBy: null,
    lastInboundId: null,
    lastOutboundId: null,
    inboundCount: 1,
    answeredCount: 0,
    deskAt: at(minute),
    waitingSince: at(minute),
    snoozedUntil: null,
    windowExpiresAt: null,
    hasWindow: true,
    failed: false,
    handler: "nobody",
    botId: null,
    handedReason: null,
    change: minute,
    ...more,
  };
}
const page = (rows: DeskRow[], nextCursor: string | null = null): DeskPage => ({
  rows,
  mine: [],
  nextCursor,
  change: 100,
});
const frame = (rows: DeskRow[], gone: string[] = []) => ({ rows, gone, counts: {} });

function opened(rows: DeskRow[], nextCursor: string | null = null) {
  const store = new InboxStore({ memberId: ME, now: () => Date.parse(at(30)) });
  store.takePage(MINE, page(rows, nextCursor), true);
  return { store, ids: () => store.list(MINE).ids.join(" ") };
}

test("rows of a frame enter, move and leave a list", () => {
  const { store, ids } = opened([row("b", 20), row("a", 10)]);
  store.takeFrame(frame([row("c", 30)]));
  assert.equal(ids(), "c b a");
  store.takeFrame(frame([row("a", 40, { change: 40 }), row("b", 41, { change: 41 })]));
  assert.equal(ids(), "b a c");
  store.takeFrame(frame([row("a", 40, { change: 42, assigneeId: null })]));
  assert.equal(ids(), "b c");
  store.takeFrame(frame([], ["b"]));
  assert.equal(ids(), "c");
});

test("counts come in a frame of their own, and the page is told of it; so is it of what is gone", () => {
  const { store } = opened([row("a", 10)]);
  let told = 0;
  store.subscribe(() => told++);
  store.takeFrame({ rows: [], gone: [], counts: { all: 7 } });
  assert.deepEqual([told, store.counts()["all"]], [1, 7]);
  store.takeFrame(frame([], ["a"]));
  assert.equal(told, 2);
});

test("an older answer of the server never replaces a newer one", () => {
  const { store, ids } = opened([row("a", 10)]);
  store.takeFrame(frame([row("a", 12, { change: 50, status: "resolved" })]));
  store.takePage(MINE, page([row("a", 10, { change: 49 })]), true);
  assert.equal(ids(), "");
  store.takeRows([row("a", 12, { change: 49 })]);
  assert.equal(store.row("a")?.status, "resolved");
});

test("rows beyond the last page are left to the next page, and the last row stays when it changes", () => {
  const { store, ids } = opened([row("c", 30), row("b", 20)], "next");
  store.takeFrame(frame([row("a", 10, { change: 60 })]));
  assert.equal(ids(), "c b");
  store.takeFrame(frame([row("b", 20, { change: 61, labels: ["vip"] })]));
  assert.equal(ids(), "c b");
  // The last row leaves and comes back: the next page begins after it and would not bring it again.
  store.takeFrame(frame([row("b", 20, { change: 62, assigneeId: null })]));
  store.takeFrame(frame([row("b", 20, { change: 63 })]));
  assert.equal(ids(), "c b");
  store.takePage(MINE, page([row("a", 10)]), false);
  assert.equal(ids(), "c b a");
});

test("the order waits while the pointer is over the list, for two seconds at most", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { store, ids } = opened([row("b", 20), row("a", 10)]);
  store.setHeld(true);
  store.takeFrame(frame([row("c", 30), row("a", 31, { change: 40, preview: "again" })]));
  assert.equal(ids(), "b a");
  assert.equal(store.list(MINE).waiting, 1);
  assert.equal(store.row("a")?.preview, "again");
  t.mock.timers.tick(1999);
  assert.equal(ids(), "b a");
  t.mock.timers.tick(1);
  assert.equal(ids(), "a c b");
  store.takeFrame(frame([row("b", 32, { change: 41 })]));
  assert.equal(ids(), "a c b");
  store.setHeld(false);
  assert.equal(ids(), "b a c");
});

test("the unread list keeps the open conversation when it is read there", () => {
  const { store } = opened([]);
  const unread: ListKey = { ...MINE, unread: true };
  store.takePage(unread, page([row("a", 10), row("b", 9)]), true);
  store.setOpen("a");
  store.takeMine([
    { conversationId: "a", seen: 1, keptUnread: false, mentioned: false, draft: null },
  ]);
  assert.deepEqual(store.list(unread).ids, ["a", "b"]);
  store.setOpen(null);
  assert.deepEqual(store.list(unread).ids, ["b"]);
});

test("the view of closing windows drops a conversation when its time has passed", () => {
  let now = Date.parse(at(0));
  const store = new InboxStore({ memberId: ME, now: () => now });
  const key: ListKey = { view: "window", order: "newest", unread: false };
  store.takePage(key, page([row("a", 10, { windowExpiresAt: at(30) })]), true);
  assert.equal(store.list(key).ids.length, 1);
  now = Date.parse(at(31));
  store.tick();
  assert.equal(store.list(key).ids.length, 0);
});

test("the screen is not told when nothing changed", () => {
  const { store } = opened([row("a", 10)]);
  const before = store.list(MINE);
  store.takeRows([row("a", 10)]);
  store.tick();
  assert.equal(store.list(MINE), before);
});

/** A server that answers when the test says so. */
function manual() {
  const changes: {
    readonly body: unknown;
    readonly answer: (rows: DeskRow[]) => void;
    readonly fail: () => void;
  }[] = [];
  const pages: ((page: DeskPage) => void)[] = [];
  const server: InboxServer = {
    listConversations: () => new Promise((answer) => pages.push(answer)),
    changeConversations: ({ body }) =>
      new Promise((answer, refuse) => {
        changes.push({
          body,
          answer: (rows) => answer({ changed: rows.length, rows }),
          fail: () => refuse(new Error("CONVERSATION_NOT_FOUND")),
        });
      }),
    countViews: async () => ({}),
    markSeen: async ({ params: { id }, body: { seen } }) => ({
      conversationId: id,
      seen,
      keptUnread: false,
      mentioned: false,
      draft: null,
    }),
  };
  return { changes, pages, server };
}

test("a change is drawn at once, its count follows, and undo restores it", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { store, ids } = opened([row("b", 20), row("a", 10, { labels: ["vip"] })]);
  store.setCounts({ mine: 12, resolved: 3 });
  const { changes, server } = manual();
  const told = new ToldList();
  const work = new InboxWork(store, server, told);

  const resolving = work.change(["a"], { status: "resolved" });
  assert.equal(ids(), "b");
  assert.deepEqual(store.counts(), { mine: 11, resolved: 4 });
  changes[0]?.answer([row("a", 10, { change: 70, status: "resolved" })]);
  await resolving;
  assert.equal(ids(), "b");
  assert.deepEqual(store.counts(), { mine: 11, resolved: 4 });

  work.undoLast();
  assert.equal(ids(), "a b", "a reopened conversation is the newest");
  assert.equal(store.row("a")?.deskAt, at(30), "by the server's clock");
  assert.deepEqual(store.counts(), { mine: 12, resolved: 3 });
  assert.deepEqual(changes[1]?.body, { which: { ids: ["a"] }, status: "open" });
  changes[1]?.answer([row("a", 40, { change: 71 })]);
});

test("an undo that is pressed while a change is being made is for that change, not for the one before", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { store } = opened([row("a", 10)]);
  const { changes, server } = manual();
  const told = new ToldList();
  const work = new InboxWork(store, server, told);
  const assigning = work.change(["a"], { assigneeId: "m2" });
  changes[0]?.answer([row("a", 10, { change: 70, assigneeId: "m2" })]);
  await assigning;
  assert.deepEqual(
    told.lines().map(({ what }) => what),
    ["assigned"],
  );
  const resolving = work.change(["a"], { status: "resolved" });
  assert.deepEqual(told.lines(), []);
  work.undoLast();
  assert.equal(changes.length, 2);
  changes[1]?.answer([row("a", 10, { change: 71, assigneeId: "m2", status: "resolved" })]);
  await resolving;
  assert.deepEqual(changes[2]?.body, { which: { ids: ["a"] }, status: "open" });
  assert.deepEqual(
    told.lines().map(({ what }) => what),
    ["assigned"],
  );
});

test("a refused change is undone and the reason shown", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { store, ids } = opened([row("b", 20), row("a", 10)]);
  store.setCounts({ mine: 2 });
  const { changes, server } = manual();
  const told = new ToldList();
  const resolving = new InboxWork(store, server, told).change(["a", "b"], { status: "resolved" });
  assert.equal(ids(), "");
  changes[0]?.fail();
  await resolving;
  assert.equal(ids(), "b a");
  assert.deepEqual(store.counts(), { mine: 2 });
  const [line] = told.lines();
  assert.equal(line?.what, "resolved");
  assert.match(String(line?.error), /CONVERSATION_NOT_FOUND/);
  assert.equal(line?.undo, undefined);
});

test("after Resolve the next conversation opens, at the list's end its first; alone the open one stays", () => {
  const shown = ["a", "b", "c"];
  assert.equal(nextToOpen(shown, "b", ["b"]), "c");
  assert.equal(nextToOpen(shown, "c", ["c"]), "a");
  assert.equal(nextToOpen(shown, "b", ["b", "c"]), "a");
  assert.equal(nextToOpen(["b"], "b", ["b"]), undefined);
  assert.equal(nextToOpen(shown, "b", ["a"]), undefined, "another one is resolved");
  assert.equal(nextToOpen(shown, "d", ["d"]), undefined, "the list does not show the open one");
  assert.equal(
    nextToOpen(shown, "d", ["d"], 1),
    "b",
    "the open one has left the list at its reply",
  );
  assert.equal(nextToOpen(shown, "d", ["d"], 3), "a", "it was the last one");
});

test("the page hears of a Resolve before the list changes, and of its undo and its refusal", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { store, ids } = opened([row("b", 20), row("a", 10)]);
  const { changes, server } = manual();
  const work = new InboxWork(store, server, new ToldList());
  const heard: string[] = [];
  work.onResolve((resolved) => {
    heard.push(`${resolved.join()} of ${ids()}`);
    return () => void heard.push("back");
  });
  const resolving = work.change(["a"], { status: "resolved" });
  changes[0]?.answer([row("a", 10, { change: 70, status: "resolved" })]);
  await resolving;
  assert.deepEqual(heard.splice(0), ["a of b a"]);
  work.undoLast();
  assert.deepEqual(heard.splice(0), ["back"]);
  changes[1]?.answer([row("a", 40, { change: 71 })]);
  const refused = work.change(["b"], { status: "resolved" });
  changes[2]?.fail();
  await refused;
  assert.deepEqual(heard.splice(0), ["b of a b", "back"]);
  const snoozing = work.change(["b"], { status: "snoozed", until: at(50) });
  changes[3]?.answer([]);
  await snoozing;
  assert.deepEqual(heard, []);
});

test("a frame that overtakes the answer changes nothing twice", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { store } = opened([row("a", 10)]);
  const { changes, server } = manual();
  const adding = new InboxWork(store, server, new ToldList()).change(["a"], { addLabels: ["vip"] });
  assert.deepEqual(store.row("a")?.labels, ["vip"]);
  store.takeFrame(frame([row("a", 10, { change: 71, labels: ["vip", "late"] })]));
  assert.deepEqual(store.row("a")?.labels, ["vip", "late"]);
  changes[0]?.answer([row("a", 10, { change: 70, labels: ["vip"] })]);
  await adding;
  assert.deepEqual(store.row("a")?.labels, ["vip", "late"]);
});

test("an answer to an earlier request for the same list is ignored", async () => {
  const { store, ids } = opened([row("a", 10)]);
  const { pages, server } = manual();
  const work = new InboxWork(store, server, new ToldList());
  const first = work.reload(MINE);
  const second = work.reload(MINE);
  pages[1]?.(page([row("b", 20)]));
  pages[0]?.(page([row("c", 30)]));
  await Promise.all([first, second]);
  assert.equal(ids(), "b");
});
