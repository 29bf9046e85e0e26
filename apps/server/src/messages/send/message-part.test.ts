import assert from "node:assert/strict";
import { test } from "node:test";
import { PART_NOT_SENT, readCorrelation, rollUp, type MessagePart } from "./message-part.ts";

const ID = "019a0000-0000-7000-8000-000000000001";
const at = (second: number) => new Date(second * 1000);
const part = (
  number: number,
  status: MessagePart["status"],
  times: readonly number[] = [],
): MessagePart => ({
  workspaceId: ID,
  messageId: ID,
  number,
  channelId: ID,
  text: "",
  mediaId: null,
  status,
  errorCode: status === "failed" ? "100" : null,
  errorMessage: status === "failed" ? "no" : null,
  providerMessageId: null,
  sentAt: times[0] === undefined ? null : at(times[0]),
  deliveredAt: times[1] === undefined ? null : at(times[1]),
  readAt: times[2] === undefined ? null : at(times[2]),
});

const CASES: readonly (readonly [string, readonly MessagePart[], readonly string[]])[] = [
  ["one waits", [part(1, "read", [1, 2, 3]), part(2, "waiting")], []],
  ["one is in the air", [part(1, "sent", [1]), part(2, "sent")], []],
  ["all accepted", [part(1, "sent", [1]), part(2, "sent", [4])], ["sent 4"]],
  ["one delivered", [part(1, "delivered", [1, 5]), part(2, "sent", [4])], ["sent 4"]],
  [
    "one read, one delivered",
    [part(1, "read", [1, 5, 6]), part(2, "delivered", [4, 7])],
    ["sent 4", "delivered 7"],
  ],
  ["all read", [part(1, "read", [1, 5, 9]), part(2, "read", [4, 7, 8])], ["sent 4", "read 9"]],
  ["one failed", [part(1, "read", [1, 5, 9]), part(2, "failed")], ["failed 99"]],
];
for (const [name, parts, wanted] of CASES) {
  test(`parts: ${name}; the message: ${wanted.join(", ") || "nothing"}`, () => {
    const said = rollUp(parts, at(99)).map((one) => `${one.status} ${one.at.getTime() / 1000}`);
    assert.deepEqual(said, wanted);
  });
}

test("the message's failure is that of the part that failed, with the part's number", () => {
  const unsent = { ...part(3, "failed"), errorCode: PART_NOT_SENT };
  const [report] = rollUp([part(1, "sent", [1]), part(2, "failed"), unsent], at(9));
  assert.deepEqual([report?.errorCode, report?.errorMessage], ["100", "Part 2 of 3: no"]);
});

test("a correlation is our message id, with or without a part's number; anything else names no message", () => {
  assert.deepEqual(readCorrelation(ID), { messageId: ID, part: null });
  assert.deepEqual(readCorrelation(`${ID}.12`), { messageId: ID, part: 12 });
  for (const other of [
    null,
    "",
    "x",
    `${ID}.`,
    `${ID}.0`,
    `${ID}.01`,
    `${ID}.1.1`,
    `${ID}.99999`,
    "42.1",
  ])
    assert.equal(readCorrelation(other), null, String(other));
});
