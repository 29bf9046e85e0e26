import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { createTestDatabase } from "../harness.ts";
import { startSession, type Session } from "./command-session.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let session: Session;
before(async () => {
  database = await createTestDatabase();
  session = startSession({
    DATABASE_URL: database.url,
    PARLEY_MASTER_KEY: randomBytes(32).toString("base64"),
    PARLEY_DEMO: "off",
  });
});
after(async () => {
  await session[Symbol.asyncDispose]();
  await database.drop();
});

async function json(...words: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await session.run(...words, "--json");
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
}

test("a number is opted out and in by command, and its ledger read", async () => {
  const { id } = await json("workspace", "create", "--name", "A");
  const of = ["--workspace", String(id), "--phone", "+965 5000 0001"];
  const changed = { phone: "96550000001", contacts: 0 };
  assert.deepEqual(await json("contacts", "opt-out", ...of), { ...changed, optedOut: true });
  assert.deepEqual(await json("contacts", "opt-out", ...of), { ...changed, optedOut: true });
  assert.deepEqual(await json("contacts", "opt-in", ...of), { ...changed, optedOut: false });
  const { entries } = await json("contacts", "consent", ...of);
  assert.ok(Array.isArray(entries));
  assert.deepEqual(
    entries.map((entry: Record<string, unknown>) => [entry["optedOut"], entry["source"]]),
    [
      [true, "cli"],
      [false, "cli"],
    ],
  );
});

test("what is no number, or no workspace, is one line and status 2", async () => {
  const { id } = await json("workspace", "create", "--name", "B");
  for (const words of [
    ["contacts", "opt-out", "--workspace", String(id), "--phone", "nobody"],
    ["contacts", "consent", "--workspace", String(id), "--phone", "nobody"],
    ["contacts", "opt-in", "--workspace", "nowhere", "--phone", "1"],
    ["contacts", "opt-out", "--workspace", String(id)],
  ]) {
    const { code, stdout, stderr } = await session.run(...words);
    assert.deepEqual([code, stdout, stderr.trim().split("\n").length], [2, "", 1], stderr);
  }
});
