import assert from "node:assert/strict";
import { test } from "node:test";
import { drainOutbox, Outbox, type Attempt } from "../src/outbox.ts";
import { keyValue } from "../src/storage.ts";
import { FakeStorage } from "./fake-storage.ts";

const draft = (clientId: string) => ({
  clientId,
  text: `text of ${clientId}`,
  uploads: [],
  createdAt: "2026-03-01T10:00:00.000Z",
});
const ids = (outbox: Outbox) => outbox.all().map((pending) => pending.clientId);

test("messages of one moment, of two tabs and of after a reload keep the order they were written in", () => {
  const disk = new FakeStorage();
  const first = new Outbox(
    keyValue(() => disk),
    "p:",
  );
  first.add(draft("b"), 1_000);
  first.add(draft("a"), 1_000);
  const otherTab = new Outbox(
    keyValue(() => disk),
    "p:",
  );
  otherTab.add(draft("0"), 2_000);
  first.add(draft("Z"), 3_000);
  assert.deepEqual(
    ids(
      new Outbox(
        keyValue(() => disk),
        "p:",
      ),
    ),
    ["b", "a", "0", "Z"],
  );
});

test("what one tab adds while another removes is not lost", () => {
  const disk = new FakeStorage();
  const [one, two] = [0, 1].map(
    () =>
      new Outbox(
        keyValue(() => disk),
        "p:",
      ),
  );
  one?.add(draft("a"), 1);
  const seenByTwo = two?.all() ?? [];
  one?.add(draft("b"), 2);
  for (const { clientId } of seenByTwo) two?.remove(clientId);
  assert.deepEqual(one && ids(one), ["b"]);
});

test("a drain sends oldest first, one at a time, and leaves what must wait and all behind it", async () => {
  const outbox = new Outbox(
    keyValue(() => new FakeStorage()),
    "p:",
  );
  for (const [index, id] of ["a", "b", "c", "d"].entries()) outbox.add(draft(id), index + 1);
  const answers: Record<string, Attempt> = {
    a: { kind: "sent" },
    b: { kind: "refused", code: "VALIDATION_FAILED" },
    c: { kind: "later", waitMs: 7_000 },
  };
  const tried: string[] = [];
  let under = 0;
  const send = async ({ clientId }: { clientId: string }): Promise<Attempt> => {
    assert.equal(under++, 0, "two at once");
    await Promise.resolve();
    under--;
    tried.push(clientId);
    return answers[clientId] ?? { kind: "sent" };
  };
  assert.deepEqual(await drainOutbox(outbox, send), { waitMs: 7_000 });
  assert.deepEqual(tried, ["a", "b", "c"]);
  assert.deepEqual(
    outbox.all().map(({ clientId, refused }) => [clientId, refused]),
    [
      ["b", "VALIDATION_FAILED"],
      ["c", null],
      ["d", null],
    ],
  );
  answers["c"] = { kind: "sent" };
  assert.equal(await drainOutbox(outbox, send), null);
  assert.deepEqual(tried, ["a", "b", "c", "c", "d"], "the refused one is not sent by itself");
});

test("a refused message tried again goes to the end under the same client id", () => {
  const outbox = new Outbox(
    keyValue(() => new FakeStorage()),
    "p:",
  );
  outbox.add(draft("a"), 1);
  outbox.add(draft("b"), 2);
  outbox.refuse("a", "NO");
  outbox.retry("a", 3);
  assert.deepEqual(
    outbox.all().map(({ clientId, refused }) => [clientId, refused]),
    [
      ["b", null],
      ["a", null],
    ],
  );
  outbox.clear();
  assert.deepEqual(outbox.all(), []);
});

test("rubbish under the prefix and keys of others are left out", () => {
  const disk = new FakeStorage();
  disk.setItem("p:1", "{");
  disk.setItem("p:2", "null");
  disk.setItem("p:3", '{"clientId":4}');
  disk.setItem("other", JSON.stringify(draft("x")));
  assert.deepEqual(
    new Outbox(
      keyValue(() => disk),
      "p:",
    ).all(),
    [],
  );
});

test("where the browser keeps nothing, memory does", () => {
  const full = new FakeStorage();
  full.full = true;
  const places = [
    () => full,
    () => {
      throw new Error("SecurityError");
    },
  ];
  for (const place of places) {
    const storage = keyValue(place);
    const outbox = new Outbox(storage, "p:");
    outbox.add(draft("a"), 1);
    assert.deepEqual(ids(outbox), ["a"]);
    outbox.remove("a");
    assert.deepEqual(storage.keys(""), []);
  }
});

test("a value that no longer fits on the disk is read from memory, not from the old disk", () => {
  const disk = new FakeStorage();
  const storage = keyValue(() => disk);
  storage.set("k", "old");
  disk.full = true;
  storage.set("k", "new");
  assert.equal(storage.get("k"), "new");
});
