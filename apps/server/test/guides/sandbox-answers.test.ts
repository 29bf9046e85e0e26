import assert from "node:assert/strict";
import path from "node:path";
import { after, before, test } from "node:test";
import { startSandboxStand, type SandboxStand } from "../sandbox-stand.ts";
import { blocksIn } from "./blocks.ts";
import { ROOT } from "./reader.ts";

let stand: SandboxStand;
before(async () => {
  stand = await startSandboxStand();
});
after(() => stand[Symbol.asyncDispose]());

type Json = Readonly<Record<string, unknown>>;
const membersOf = (value: Json) => Object.keys(value).toSorted();

test("docs/sandbox.md: the calls of a phone answer in the shapes that the page shows", async () => {
  const [thread, said] = blocksIn(path.join(ROOT, "docs/sandbox.md"))
    .filter((one) => one.language === "json")
    .map((one) => JSON.parse(one.code) as Json);
  const shop = await stand.open("WHATSAPP");
  const say = await shop.phone("POST", "/say", { from: "96550001234", text: "Is it in stock?" });
  assert.equal(say.status, 201);
  assert.deepEqual(membersOf(say.body), membersOf(said ?? {}));
  const conversation = `/conversations/${String(say.body["conversationId"])}`;
  await shop.api("PATCH", conversation, { markRead: true });
  await stand.settle();
  const shown = (await shop.phone("GET", "/thread?limit=20")).body["messages"] as readonly Json[];
  const written = thread?.["messages"] as readonly Json[];
  assert.ok(shown.length > 0);
  for (const entry of shown) {
    const same = written.find((one) => one["kind"] === entry["kind"]);
    assert.deepEqual(membersOf(entry), membersOf(same ?? {}), JSON.stringify(entry));
  }
  const block = { customer: "96550001234", action: "block" };
  assert.deepEqual((await shop.phone("POST", "/act", block)).body, { done: true });
  const fault = { kind: "throttled", next: 3 };
  const waiting = { type: "WHATSAPP", waiting: 1 };
  assert.deepEqual((await shop.phone("POST", "/faults", fault)).body, waiting);
  assert.deepEqual((await shop.phone("GET", "/faults")).body, waiting);
  assert.deepEqual((await shop.phone("POST", "/magic", { on: true })).body, {
    type: "WHATSAPP",
    magic: true,
  });
});
