import assert from "node:assert/strict";
import { test } from "node:test";
import type { MessageEntry, ThreadEntry } from "../../api/shapes.ts";
import { lineAt, reaches, topsOf, viewTop, windowOf, type Held } from "./log-window.ts";
import { textParts } from "../../kit/text-parts.ts";
import { messageEntry } from "./message-entry.fixture.ts";
import { talkCase } from "./talk-case.ts";
import { threadLines } from "./thread-lines.ts";
import { merged, unsettled } from "./thread-store.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 10, minute)).toISOString();

const message = (id: string, minute: number, more: Partial<MessageEntry> = {}) =>
  messageEntry(id, at(minute), more);
const ours = { direction: "outbound", source: "dashboard", authorId: "m1" } as const;
const ids = (entries: readonly ThreadEntry[]) => entries.map(({ id }) => id).join(" ");

test("entries come in any order and twice, and each is in its place once", () => {
  const first = merged([], [message("b", 2), message("a", 1)]);
  assert.equal(ids(merged(first, [message("c", 3), message("a", 1)])), "a b c");
});

test("an older answer does not remove a tick", () => {
  const read = [message("a", 1, { ...ours, status: "read" })];
  const [after] = merged(read, [message("a", 1, { ...ours, status: "sent" })]);
  assert.equal(after?.kind === "message" && after.status, "read");
  assert.deepEqual(unsettled(read), []);
});

test("where a bot has the conversation and spoke last, the log ends with its waiting", () => {
  const said = [message("a", 1), message("b", 2, { direction: "outbound", source: "bot" })];
  const last = (entries: readonly ThreadEntry[], botAnswers: boolean) =>
    threadLines(entries, [], null, () => "today", botAnswers).at(-1)?.kind;
  assert.equal(last(said, true), "waits");
  assert.equal(last(said, false), "message");
  assert.equal(last([...said, message("c", 3)], true), "message");
  assert.equal(last([...said, message("c", 3, ours)], true), "message");
});

test("the server's entry replaces the bubble and keeps its key", () => {
  const item = {
    id: "client-1",
    memberId: "m1",
    conversationId: "c1",
    at: Date.parse(at(5)),
    what: { kind: "reply", body: { text: "x" } },
    state: "waiting",
    code: null,
  } as const;
  const lines = (entries: readonly ThreadEntry[]) =>
    threadLines(entries, [item], null, () => "today").map(({ kind, key }) => `${kind} ${key}`);
  assert.deepEqual(lines([message("a", 1)]), ["day day today", "message a", "outgoing client-1"]);
  assert.deepEqual(lines([message("a", 1), message("z", 5, { ...ours, clientId: "client-1" })]), [
    "day day today",
    "message a",
    "message client-1",
  ]);
});

test("messages of one speaker within five minutes are drawn together", () => {
  const entries = [message("a", 1), message("b", 4), message("c", 10), message("d", 11, ours)];
  const edges = threadLines(entries, [], "c", () => "today").flatMap((line) =>
    line.kind === "message" ? `${line.key}${line.first ? "<" : ""}${line.last ? ">" : ""}` : [],
  );
  assert.deepEqual(edges, ["a<", "b>", "c<>", "d<>"]);
});

test("links lead where they say, and characters that reverse a text are named", () => {
  assert.deepEqual(textParts("See https://a.example/x. \u202Egpj"), [
    { kind: "text", text: "See " },
    { kind: "link", text: "https://a.example/x", href: "https://a.example/x" },
    { kind: "text", text: "." },
    { kind: "text", text: " " },
    { kind: "hidden", code: "U+202E" },
    { kind: "text", text: "gpj" },
  ]);
  // It leads elsewhere than it reads.
  const named = "https://bank.com@evil.example/";
  assert.deepEqual(textParts(named), [{ kind: "text", text: named }]);
  assert.deepEqual(textParts("javascript:alert(1)"), [
    { kind: "text", text: "javascript:alert(1)" },
  ]);
});

test("only the members that a note is stored to mention are marked, the reader's own mention apart", () => {
  const mentioned = [
    { name: "Sara", mine: false },
    { name: "Sara Ali", mine: true },
    { name: "أحمد", mine: false },
  ];
  assert.deepEqual(textParts("@Sara Ali, ask @Sara or @Omar: @Sarab, a@b @أحمد", mentioned), [
    { kind: "mention", text: "@Sara Ali", mine: true },
    { kind: "text", text: ", ask " },
    { kind: "mention", text: "@Sara", mine: false },
    { kind: "text", text: " or @Omar: @Sarab, a@b " },
    { kind: "mention", text: "@أحمد", mine: false },
  ]);
  assert.deepEqual(textParts("@Sara"), [{ kind: "text", text: "@Sara" }]);
  const twins = [
    { name: "Sara", mine: false },
    { name: "Sara", mine: true },
  ];
  assert.deepEqual(textParts("@Sara", twins), [{ kind: "mention", text: "@Sara", mine: true }]);
});

const linesOf = (...ids: readonly string[]) =>
  threadLines(
    ids.map((id) => message(id, 1)),
    [],
    null,
    () => "today",
  );
const numbered = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `m${1000 + first + index}`);
const VIEW = 700;

test("a window holds what is in view and little more, and stands in for the rest by its height", () => {
  const lines = linesOf(...numbered(1, 500));
  const heights = new Map(lines.map(({ key }, index) => [key, 40 + (index % 7) * 20]));
  const tops = topsOf(lines, heights);
  const size = tops.at(-1) ?? 0;
  for (const held of ["end", { key: "m1001", offset: 0 }, { key: "m1250", offset: -30 }] as const) {
    const drawn = windowOf(lines, tops, held, VIEW);
    const top = viewTop(lines, tops, held, VIEW);
    assert.ok(drawn.before <= top && size - drawn.after >= top + VIEW, JSON.stringify(held));
    assert.ok(reaches(drawn, tops, top, VIEW));
    assert.ok(drawn.to - drawn.from < 40, `${drawn.to - drawn.from} lines are drawn`);
    const shown = lines.slice(drawn.from, drawn.to);
    const high = shown.reduce((sum, { key }) => sum + (heights.get(key) ?? 0), 0);
    assert.equal(drawn.before + high + drawn.after, size);
  }
  assert.equal(windowOf(lines, tops, "end", VIEW).after, 0);
  assert.equal(windowOf(lines, tops, { key: "m1001", offset: 0 }, VIEW).before, 0);
});

test("the line at the top of the view stays there when lines come before, after and above it", () => {
  const before = linesOf(...numbered(100, 200));
  const heights = new Map<string, number>();
  const tops = topsOf(before, heights);
  const held = lineAt(before, tops, tops[50]! + 10);
  assert.deepEqual(held, { key: "m1149", offset: -10 });
  const more = linesOf(...numbered(1, 300));
  heights.set("m1120", 500);
  const after = topsOf(more, heights);
  const place = more.findIndex(({ key }) => key === "m1149");
  assert.equal(viewTop(more, after, held, VIEW), after[place]! + 10);
});

test("a log that is shorter than the view, or empty, begins at its start; a line that is gone is the end", () => {
  const short = linesOf("a", "b");
  for (const held of ["end", { key: "b", offset: 0 }] as const satisfies Held[])
    assert.equal(viewTop(short, topsOf(short, new Map()), held, VIEW), 0);
  assert.deepEqual(windowOf([], topsOf([], new Map()), "end", VIEW), {
    from: 0,
    to: 0,
    before: 0,
    after: 0,
  });
  const long = linesOf(...numbered(1, 100));
  const tops = topsOf(long, new Map());
  const end = viewTop(long, tops, "end", VIEW);
  assert.equal(viewTop(long, tops, { key: "gone", offset: 0 }, VIEW), end);
  assert.equal(viewTop(long, tops, { key: "m1100", offset: 0 }, VIEW), end);
});

const resolved: ThreadEntry = {
  kind: "event",
  id: "resolved",
  at: at(1),
  what: "resolved",
  by: "member:m1",
  assigneeId: null,
  added: [],
  removed: [],
  until: null,
  byName: null,
  reason: null,
};
const asked = (id: string) => message(id, 1);
const spoken = (id: string, source: "bot" | "dashboard" = "bot") =>
  message(id, 1, { direction: "outbound", source });

test("a bot's answer makes a case of the question and up to five lines before it", () => {
  const talk = (...entries: ThreadEntry[]) => talkCase(entries, spoken("answer"), "answer");
  assert.deepEqual(talk(spoken("answer")), null, "no customer asked");
  const one = talk(
    asked("How long?"),
    spoken("I am an assistant."),
    spoken("answer"),
    asked("Thanks"),
  );
  assert.deepEqual(
    [one?.before, one?.question, one?.mustHold, one?.decision, one?.lang],
    [[], "How long?", "answer", "answer", "en"],
  );
  const many = talk(...["1", "2", "3", "4", "5", "6", "كم السعر؟"].map(asked), spoken("answer"));
  assert.deepEqual(
    many?.before.map(({ text }) => text),
    ["2", "3", "4", "5", "6"],
  );
  assert.equal(many?.lang, "ar");
  for (const end of [spoken("A person", "dashboard"), resolved]) {
    const after = talk(
      asked("Before"),
      end,
      asked("Now"),
      spoken("Hi"),
      asked("And?"),
      spoken("answer"),
    );
    assert.deepEqual(after?.before, [
      { from: "customer", text: "Now" },
      { from: "bot", text: "Hi" },
    ]);
  }
});
