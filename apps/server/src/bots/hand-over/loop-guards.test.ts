import assert from "node:assert/strict";
import { test } from "node:test";
import type { BotMessage } from "../thread/talk-store.ts";
import { guardTurn, LATE_MS, type Talk } from "./loop-guards.ts";

const NOW = new Date("2026-11-29T10:00:00Z");
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const said = (
  from: BotMessage["from"],
  text: string,
  ms: number,
  more: Partial<BotMessage> = {},
): BotMessage => ({
  id: `${from}-${text}-${ms}`,
  at: ago(ms),
  writtenAt: ago(ms),
  from,
  type: "text",
  text,
  attachments: [],
  ...more,
});
const talk = (messages: readonly BotMessage[], more: Partial<Talk> = {}): Talk => ({
  now: NOW,
  channelType: "WHATSAPP",
  own: false,
  consentWord: false,
  messages,
  today: 0,
  ...more,
});
const verdict = (messages: readonly BotMessage[], more: Partial<Talk> = {}) => {
  const found = guardTurn(talk(messages, more));
  return found && [found.kind, found.kind === "silent" ? found.why : found.reason];
};
const question = said("customer", "where is my order?", 1_000);

test("a plain question may be answered", () => {
  assert.equal(verdict([question]), null);
});

test("a reaction, a stop word and a late message get no answer", () => {
  assert.deepEqual(verdict([]), ["silent", "nothing"]);
  assert.deepEqual(verdict([{ ...question, type: "reaction" }]), ["silent", "reaction"]);
  assert.deepEqual(verdict([question], { consentWord: true }), ["silent", "stop_word"]);
  assert.deepEqual(verdict([{ ...question, writtenAt: ago(LATE_MS + 1) }]), ["silent", "late"]);
});

test("what looks like a machine is handed over: an own account, haste, the same again, too many", () => {
  assert.deepEqual(verdict([question], { own: true }), ["hand_over", "loop"]);
  const hasty = Array.from({ length: 7 }, (_, n) => [
    said("bot", `answer ${n}`, 200_000 - n * 10_000),
    said("customer", `again ${n}`, 199_000 - n * 10_000),
  ]).flat();
  assert.deepEqual(verdict(hasty), ["hand_over", "loop"]);
  assert.equal(verdict(hasty.slice(2)), null, "six hasty answers are still a person's");
  const twice = [
    said("bot", "same", 100_000),
    said("customer", "a", 90_000),
    said("bot", "same", 50_000),
  ];
  assert.deepEqual(verdict([...twice, question]), ["hand_over", "loop"]);
  const thrice = [300_000, 200_000, 1_000].map((ms) => said("customer", "hello", ms));
  assert.deepEqual(verdict(thrice), ["hand_over", "loop"]);
  assert.equal(verdict(thrice.slice(1)), null);
  const many = Array.from({ length: 10 }, (_, n) => said("bot", `part ${n}`, 50_000 - n * 1_000));
  assert.deepEqual(verdict([...many, question]), ["hand_over", "loop"]);
  assert.equal(verdict([...many.slice(1), question]), null);
  assert.deepEqual(verdict([question], { today: 50 }), ["hand_over", "loop"]);
});

test("where the platform takes ten replies, four are left to people", () => {
  const replies = Array.from({ length: 6 }, (_, n) => said("bot", `part ${n}`, 600 - n * 100));
  const messages = [question, ...replies];
  const spread = { now: new Date(NOW.getTime() + 120_000) };
  assert.deepEqual(verdict(messages, { channelType: "TIKTOK", ...spread }), [
    "hand_over",
    "limit_reached",
  ]);
  assert.equal(verdict(messages.slice(0, -1), { channelType: "TIKTOK", ...spread }), null);
  assert.equal(verdict(messages, spread), null);
});
