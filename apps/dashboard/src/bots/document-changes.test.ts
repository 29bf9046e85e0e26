import assert from "node:assert/strict";
import { test } from "node:test";
import { changesOf } from "./document-changes.ts";

const shown = (before: object, after: object) =>
  changesOf({ ...before }, { ...after }).map(
    ({ kind, step, path }) => `${kind} ${step ? `${step.id}:` : ""}${path}`,
  );

test("documents differ by member, whatever order their members have and however nothing is written", () => {
  const before = {
    format: 1,
    kind: "ai",
    scope: "Orders",
    trigger: { channels: ["WEB"], words: [] },
    limits: { costPerDay: 5, turnsPerConversation: 3 },
    topics: [{ name: "Delivery", never: true }],
  };
  assert.deepEqual(
    shown(before, {
      topics: [{ never: true, name: "Delivery" }],
      limits: { turnsPerConversation: 3, costPerDay: 5 },
      trigger: { channels: ["WEB"], when: "always" },
      tone: "friendly",
      scope: "Orders",
      handOver: { text: { en: "" }, words: [] },
    }),
    [],
  );
  assert.deepEqual(
    shown(before, {
      ...before,
      scope: "Orders and returns",
      trigger: { when: "outside_hours" },
      topics: [{ name: "Delivery" }],
    }),
    ["changed scope", "changed trigger.when", "changed topics", "removed trigger.channels"],
  );
});

test("steps are added, removed, and changed member by member", () => {
  const hello = { type: "send", name: "Hello", text: { en: "Hi", ar: "أهلاً" }, next: "end" };
  const before = { entry: "hello", steps: { hello, end: { type: "end" } } };
  assert.deepEqual(shown(before, { steps: { end: { type: "end" }, hello }, entry: "hello" }), []);
  assert.deepEqual(
    shown(before, {
      ...before,
      steps: {
        hello: { ...hello, text: { en: "Hello", ar: "أهلاً" }, next: "bye" },
        bye: { type: "end" },
      },
    }),
    ["changed hello:text.en", "changed hello:next", "added bye:", "removed end:"],
  );
});
