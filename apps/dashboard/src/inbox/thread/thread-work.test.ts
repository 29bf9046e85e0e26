import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../api/api-error.ts";
import { suggestionExample } from "../../../../server/src/wire/suggestion.ts";
import type { DeskRow, EventEntry, OpenedConversation, ThreadPage } from "../../api/shapes.ts";
import { ThreadStore } from "./thread-store.ts";
import { ThreadWork } from "./thread-work.ts";

const at = "2026-01-01T10:00:00.000Z";
const event = (id: string, by = "cli"): EventEntry => ({
  kind: "event",
  id,
  at,
  what: "assigned",
  by,
  assigneeId: null,
  added: [],
  removed: [],
  until: null,
  byName: null,
  reason: null,
});

const row = (change: number): DeskRow => ({
  id: "c",
  contactId: "p",
  name: "Mona",
  named: true,
  address: "",
  channelId: "w",
  channelType: "WHATSAPP",
  status: "open",
  assigneeId: null,
  labels: [],
  preview: "hello",
  previewKind: "text",
  previewSide: "customer",
  previewBy: null,
  lastInboundId: null,
  lastOutboundId: null,
  inboundCount: 1,
  answeredCount: 0,
  deskAt: at,
  waitingSince: null,
  snoozedUntil: null,
  windowExpiresAt: null,
  hasWindow: true,
  failed: false,
  handler: "nobody",
  botId: null,
  handedReason: null,
  change,
});

const opened = (change: number): OpenedConversation => ({
  row: row(change),
  mine: { conversationId: "c", seen: 0, keptUnread: false, mentioned: false, draft: null },
  thread: { entries: [event("1")], more: false },
  contact: {
    id: "p",
    name: "Mona",
    phone: null,
    email: null,
    language: null,
    country: null,
    tags: [],
    attributes: {},
    optedOut: false,
    optedOutAt: null,
    lastSeenAt: null,
    createdAt: at,
  },
  draft: null,
  rules: { maxText: 4096, files: [], templates: true, sandbox: false, quotes: "all" },
});

/** A tab whose calls wait until the test answers them, in their order. */
function tab() {
  const opens: ((answer: OpenedConversation) => void)[] = [];
  const reads: ((answer: ThreadPage) => void)[] = [];
  /** Makes the newest call fail. */
  let fail: (error: Error) => void = () => undefined;
  const waiting = <A>(queue: ((answer: A) => void)[], signal: AbortSignal | undefined) =>
    new Promise<A>((done, failed) => {
      queue.push(done);
      fail = failed;
      signal?.addEventListener("abort", () => failed(signal.reason));
    });
  const known = { change: 1 };
  const store = new ThreadStore();
  const work = new ThreadWork(
    store,
    {
      openConversation: ({ signal }) => waiting(opens, signal),
      readThread: ({ signal }) => waiting(reads, signal),
    },
    { changeOf: () => known.change, learn: () => undefined },
  );
  return {
    known,
    store,
    work,
    opens,
    reads,
    fail: (error: Error) => fail(error),
    ids: () => store.thread("c").entries.map(({ id }) => id),
  };
}

test("a conversation that is read ahead and then opened is asked for once", async () => {
  const { store, work, opens, reads } = tab();
  const ahead = work.open("c");
  const shown = work.open("c", 1);
  opens[0]?.(opened(1));
  await Promise.all([ahead, shown]);
  await work.open("c", 1);
  assert.deepEqual([store.thread("c").state, opens.length, reads.length], ["ready", 1, 0]);
});

test("a thread is read again when its row changed since, and no more after that", async () => {
  const { known, store, work, opens, reads, ids } = tab();
  const first = work.open("c");
  opens[0]?.(opened(1));
  await first;
  known.change = 5;
  const behind = work.open("c", 5);
  reads[0]?.({ entries: [event("2")], more: false });
  await behind;
  assert.deepEqual([ids(), store.thread("c").change], [["1", "2"], 5]);
  await work.open("c", 5);
  assert.equal(reads.length, 1);
});

test("suggested replies come with what is read of the thread, and one that this tab discarded is hidden", async () => {
  const { known, store, work, opens, reads } = tab();
  const first = work.open("c");
  opens[0]?.(opened(1));
  await first;
  const shown = () => store.thread("c").suggestions.map(({ id }) => id);
  assert.deepEqual(shown(), []);
  known.change = 5;
  const behind = work.open("c", 5);
  const both = [
    { ...suggestionExample, id: "s2" },
    { ...suggestionExample, id: "s1" },
  ];
  reads[0]?.({ entries: [], more: false, suggestions: both });
  await behind;
  assert.deepEqual(shown(), ["s2", "s1"]);
  store.forgetSuggestion("c", "s2");
  assert.deepEqual(shown(), ["s1"]);
  store.addOlder("c", { entries: [], more: false });
  assert.deepEqual(shown(), ["s1"]);
});

test("a hint that comes while the thread is read has it read once more", async () => {
  const { work, opens, reads, ids } = tab();
  const first = work.open("c");
  void work.refresh("c");
  void work.refresh("c");
  opens[0]?.(opened(1));
  while (reads.length === 0) await Promise.resolve();
  reads[0]?.({ entries: [event("2")], more: false });
  await first;
  assert.deepEqual([opens.length, reads.length, ids()], [1, 1, ["1", "2"]]);
});

test("a conversation that is left while it is read makes room, and is read when it is opened again", async () => {
  const { store, work, opens } = tab();
  const first = work.open("c");
  work.leave("c");
  assert.equal(store.thread("c").state, "empty");
  const second = work.open("c");
  await first;
  assert.equal(store.thread("c").state, "loading");
  opens[1]?.(opened(1));
  await second;
  assert.equal(store.thread("c").state, "ready");
});

test("an answer without news draws nothing again", async () => {
  const { store, work, opens, reads } = tab();
  const first = work.open("c");
  opens[0]?.(opened(1));
  await first;
  const before = store.thread("c");
  let drawn = 0;
  store.subscribe(() => drawn++);
  const second = work.refresh("c");
  reads[0]?.({ entries: [event("1")], more: false });
  await second;
  assert.deepEqual([drawn, store.thread("c") === before], [0, true]);
  const third = work.refresh("c");
  reads[1]?.({ entries: [event("1", "system")], more: false });
  await third;
  assert.equal(drawn, 1);
});

test("a failed read of the thread on the screen is repeated until it succeeds; one that is not shown is not", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const { known, store, work, opens, reads, fail, ids } = tab();
  work.show("c");
  const first = work.open("c");
  opens[0]?.(opened(1));
  await first;
  known.change = 5;
  const behind = work.open("c", 5);
  fail(new ApiError({ code: "NO_CONNECTION" }));
  await behind;
  assert.deepEqual([ids(), store.thread("c").change], [["1"], 1]);
  t.mock.timers.tick(1_000);
  fail(new ApiError({ code: "INTERNAL", status: 502 }));
  await work.open("c", 5);
  t.mock.timers.tick(2_000);
  reads[2]?.({ entries: [event("2")], more: false });
  await work.open("c", 5);
  assert.deepEqual([ids(), store.thread("c").change], [["1", "2"], 5]);

  work.leave("c");
  const ahead = work.refresh("c");
  fail(new ApiError({ code: "NO_CONNECTION" }));
  await ahead;
  t.mock.timers.tick(60_000);
  assert.equal(reads.length, 4);
});

test("a thread that was deleted meanwhile says so", async () => {
  const { store, work, opens, fail } = tab();
  work.show("c");
  const first = work.open("c");
  opens[0]?.(opened(1));
  await first;
  const again = work.refresh("c");
  fail(new ApiError({ code: "CONVERSATION_NOT_FOUND", status: 404 }));
  await again;
  assert.equal(store.thread("c").state, "failed");
});
