import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../api/api-error.ts";
import { fileFaultsOf, type OutboxItem, type Sending } from "./outbox-item.ts";
import { ASK_AFTER_MS, Outbox } from "./outbox.ts";
import { uuid7 } from "../../api/uuid7.ts";

const reply = (text: string): Sending => ({ kind: "reply", body: { text } });

/** A browser whose pauses end when the test says so, and whose storage outlives its pages. */
function world(kept = new Map<string, OutboxItem>(), start = 1_000) {
  const calls: OutboxItem[] = [];
  const done: string[] = [];
  const pauses: { ms: number; run: () => void }[] = [];
  let answers: (() => Promise<string>)[] = [];
  let now = start;
  const outbox = new Outbox<string>({
    memberId: "m1",
    storage: {
      all: () => Promise.resolve([...kept.values()]),
      put: (item) => Promise.resolve(void kept.set(item.id, item)),
      remove: (id) => Promise.resolve(void kept.delete(id)),
    },
    send: (item) => {
      calls.push(item);
      return (answers.shift() ?? (() => Promise.resolve("ok")))();
    },
    sent: (item) => void done.push(item.id),
    tellTabs: () => undefined,
    now: () => now,
    after: (ms, run) => void pauses.push({ ms, run }),
  });
  return {
    outbox,
    kept,
    calls,
    done,
    pauses,
    answer: (...next: (() => Promise<string>)[]) => void (answers = next),
    later: (ms: number) => void (now += ms),
  };
}
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const lost = () => Promise.reject(new ApiError({ code: "NO_CONNECTION" }));
const refused = () => Promise.reject(new ApiError({ code: "WINDOW_CLOSED", status: 409 }));

test("after a lost answer it asks again with the same id, after 0.5, 1, 2, 5, 10 and 10 s", async () => {
  const { outbox, calls, pauses, answer, done, kept } = world();
  answer(lost, lost, lost, lost, lost, lost);
  outbox.lead();
  const { id } = await outbox.add("c1", reply("hello"));
  for (let at = 0; at < 6; at++) {
    await settled();
    pauses[at]?.run();
  }
  await settled();
  assert.deepEqual(
    pauses.map(({ ms }) => ms),
    [500, 1_000, 2_000, 5_000, 10_000, 10_000],
  );
  assert.deepEqual(new Set(calls.map((call) => call.id)), new Set([id]));
  assert.equal(calls.length, 7);
  assert.deepEqual(done, [id]);
  assert.equal(kept.size, 0);
});

test("messages of a conversation are sent in order, those of another do not wait for them", async () => {
  const { outbox, calls, pauses, answer } = world();
  answer(lost);
  outbox.lead();
  const one = await outbox.add("c1", reply("1"));
  const two = await outbox.add("c1", reply("2"));
  const other = await outbox.add("c2", reply("3"));
  await settled();
  assert.deepEqual(
    calls.map(({ id }) => id),
    [one.id, other.id],
  );
  pauses[0]?.run();
  await settled();
  assert.deepEqual(
    calls.slice(2).map(({ id }) => id),
    [one.id, two.id],
  );
});

test("a refused message names its refused file, and keeps the others", async () => {
  const { outbox, answer } = world();
  const files = [
    { id: "f1", name: "invoice.pdf" },
    { id: "f2", name: "tool.exe" },
  ];
  const reason = { code: "file.type", params: { type: "application/x-msdownload" } };
  const fault = { path: "attachments[1]", message: "cannot go", ...reason };
  answer(() =>
    Promise.reject(new ApiError({ code: "VALIDATION_FAILED", status: 400, details: [fault] })),
  );
  outbox.lead();
  await outbox.add("c1", { kind: "reply", body: { media: ["f1", "f2"] }, files });
  await settled();
  const [item] = outbox.items("c1");
  assert.ok(item);
  assert.deepEqual(fileFaultsOf(item), [{ file: files[1], detail: fault }]);
});

test("a refused message stays with its reason, and the next one is sent", async () => {
  const { outbox, calls, answer, kept } = world();
  answer(refused);
  outbox.lead();
  const one = await outbox.add("c1", reply("1"));
  await outbox.add("c1", reply("2"));
  await settled();
  assert.deepEqual(
    outbox.items("c1").map(({ id, state, code }) => ({ id, state, code })),
    [{ id: one.id, state: "refused", code: "WINDOW_CLOSED" }],
  );
  assert.equal(kept.get(one.id)?.state, "refused");
  await outbox.again(one.id);
  await settled();
  assert.equal(calls.length, 3);
  assert.notEqual(calls[2]?.id, one.id);
  assert.deepEqual(outbox.items("c1"), []);
});

test("a page that is opened later sends what the closed one left, with the same id", async () => {
  const first = world();
  first.answer(lost);
  first.outbox.lead();
  const { id } = await first.outbox.add("c1", reply("hello"));
  await settled();
  const second = world(first.kept);
  second.outbox.lead();
  await second.outbox.load();
  await settled();
  assert.deepEqual(second.done, [id]);
  assert.equal(first.kept.size, 0);
});

test("after 23 hours a person is asked before another try", async () => {
  const first = world();
  const { id } = await first.outbox.add("c1", reply("hello"));
  const second = world(first.kept, 1_000 + ASK_AFTER_MS + 1);
  second.outbox.lead();
  await second.outbox.load();
  await settled();
  assert.equal(second.calls.length, 0);
  assert.equal(second.outbox.items("c1")[0]?.state, "asks");
  await second.outbox.discard(id);
  assert.equal(first.kept.size, 0);
});

test("a tab that does not lead keeps its message and sends nothing", async () => {
  const { outbox, calls, kept } = world();
  await outbox.add("c1", reply("hello"));
  await settled();
  assert.equal(calls.length, 0);
  assert.equal(kept.size, 1);
  outbox.lead();
  await settled();
  assert.equal(calls.length, 1);
});

test("ids of later messages sort later", () => {
  const ids = [1, 2, 1_700_000_000_000, 1_700_000_000_001].map(uuid7);
  assert.deepEqual(ids.toSorted(), ids);
  assert.match(ids[2] ?? "", /^018bcfe5-6800-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
