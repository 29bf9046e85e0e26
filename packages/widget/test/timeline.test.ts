import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatMessage } from "../src/protocol.ts";
import {
  afterSession,
  lastFromAgent,
  lastUnread,
  merge,
  unreadAfter,
  withStatus,
} from "../src/timeline.ts";

const message = (
  id: string,
  from: "agent" | "visitor" = "agent",
  status = "sent",
): ChatMessage => ({
  id,
  clientId: null,
  from,
  text: id,
  attachments: [],
  status,
  createdAt: "2026-03-01T10:00:00.000Z",
});
const ids = (list: readonly ChatMessage[]) => list.map(({ id }) => id);

test("a message told twice is there once, and late ones stand where they belong", () => {
  const list = merge([message("2"), message("4")], [message("3"), message("4"), message("1")]);
  assert.deepEqual(ids(list), ["1", "2", "3", "4"]);
});

test("a session that goes on keeps what was shown; one that shares nothing replaces it", () => {
  const shown = [message("1"), message("2")];
  assert.deepEqual(ids(afterSession(shown, [message("2"), message("3")])), ["1", "2", "3"]);
  assert.deepEqual(ids(afterSession(shown, [message("8")])), ["8"]);
  assert.deepEqual(ids(afterSession(shown, [])), []);
});

test("a status only moves forward", () => {
  let list: readonly ChatMessage[] = [message("1", "visitor")];
  for (const [told, kept] of [
    ["read", "read"],
    ["delivered", "read"],
    ["sent", "read"],
    ["failed", "failed"],
  ] as const) {
    list = withStatus(list, "1", told);
    assert.equal(list[0]?.status, kept);
  }
});

test("unread are the agents' messages after the one read last", () => {
  const list = [message("1"), message("2", "visitor"), message("3"), message("4")];
  assert.equal(unreadAfter(list, "1"), 2);
  assert.equal(unreadAfter(list, "4"), 0);
  assert.equal(lastFromAgent([...list, message("5", "visitor")])?.id, "4");
  const settled = [message("3"), { ...message("4"), status: "failed" }];
  assert.equal(lastUnread([...settled, { ...message("5"), status: "read" }])?.id, "3");
});
