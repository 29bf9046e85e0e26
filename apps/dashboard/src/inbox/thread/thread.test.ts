import assert from "node:assert/strict";
import { test } from "node:test";
import type { MessageEntry, ThreadEntry } from "../contract.ts";
import { textParts } from "./text-parts.ts";
import { threadLines } from "./thread-lines.ts";
import { merged, unsettled } from "./thread-store.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 10, minute)).toISOString();

function message(id: string, minute: number, more: Partial<MessageEntry> = {}): MessageEntry {
  return {
    kind: "message",
    id,
    at: at(minute),
    direction: "inbound",
    type: "text",
    text: id,
    attachments: [],
    status: "received",
    errorCode: null,
    errorMessage: null,
    source: "channel",
    authorId: null,
    authorName: null,
    clientId: null,
    resendOf: null,
    broadcastId: null,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    ...more,
  };
}
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
