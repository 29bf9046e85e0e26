import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { createModelEmulator } from "@parley/emulators";
import { aiDocumentExample } from "../../src/wire/bot.ts";
import { blocksIn } from "../guides/blocks.ts";
import { createTestDatabase } from "../harness.ts";
import { startSession, type Session } from "./command-session.ts";

/** A public address, which no test calls. */
const PUBLIC = "93.184.215.14";
const folder = mkdtempSync(path.join(os.tmpdir(), "parley-bots-"));
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let session: Session;
before(async () => {
  database = await createTestDatabase();
  session = startSession({
    DATABASE_URL: database.url,
    PARLEY_MASTER_KEY: randomBytes(32).toString("base64"),
    PARLEY_DATA_DIR: folder,
    PARLEY_DEMO: "off",
  });
});
after(async () => {
  await session[Symbol.asyncDispose]();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function ok(...words: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await session.run(...words, "--json");
  assert.deepEqual([code, stderr], [0, ""], words.join(" "));
  const value: Record<string, unknown> = JSON.parse(stdout);
  return value;
}
/** A command that found something not in order: it prints that and ends with status 1. */
async function found(...words: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await session.run(...words, "--json");
  assert.deepEqual([code, stderr], [1, ""], words.join(" "));
  const value: Record<string, unknown> = JSON.parse(stdout);
  return value;
}
async function refused(words: string[], wanted: RegExp): Promise<void> {
  const { code, stdout, stderr } = await session.run(...words, "--json");
  assert.deepEqual([code, stdout], [2, ""], words.join(" "));
  assert.match(stderr, wanted);
  assert.equal(stderr.trimEnd().split("\n").length, 1);
}
function file(content: unknown): string {
  const name = path.join(folder, `${randomBytes(4).toString("hex")}.json`);
  writeFileSync(name, typeof content === "string" ? content : JSON.stringify(content));
  return name;
}

test("a bot is imported, checked, published, paused, resumed, exported and archived by commands", async () => {
  const workspace = String(
    (await ok("workspace", "create", "--name", "Shop", "--plan", "free"))["id"],
  );
  const of = ["--workspace", workspace];
  const short = { ...aiDocumentExample, scope: "Too short." };
  // A draft may have faults: the import takes it and names them.
  const imported = await ok("bot", "import", file(short), ...of);
  const id = String(imported["id"]);
  const { faults } = await found("bot", "check", id);
  assert.deepEqual(imported["faults"], faults);
  assert.deepEqual(Array.isArray(faults) && faults.map(({ path: place, code }) => [place, code]), [
    ["scope", "SCOPE_SHORT"],
  ]);
  await refused(["bot", "publish", id], /scope must be at least 40 characters/);
  assert.deepEqual(await ok("bot", "import", file(aiDocumentExample), ...of, "--bot", id), {
    id,
    faults: [],
  });
  assert.deepEqual(await ok("bot", "check", id), { faults: [] });
  assert.deepEqual(await ok("bot", "export", id), aiDocumentExample);
  // What it prints for people is the file that import reads, also after an editor of Windows saved it.
  const exported = await session.run("bot", "export", id);
  assert.deepEqual(JSON.parse(exported.stdout), aiDocumentExample);
  await ok("bot", "import", file(`\uFEFF${exported.stdout}`), ...of, "--bot", id);
  assert.deepEqual(await ok("bot", "publish", id, "--note", "First"), {
    id,
    version: 1,
    status: "live",
  });
  // The plan has one bot.
  const second = String((await ok("bot", "import", file(aiDocumentExample), ...of))["id"]);
  await refused(["bot", "publish", second], /BOT_LIMIT_REACHED|bots? of the plan/);
  assert.equal((await ok("bot", "pause", id))["status"], "paused");
  assert.equal((await ok("bot", "resume", id))["status"], "live");
  assert.equal((await ok("bot", "archive", id))["status"], "archived");
  assert.equal((await ok("bot", "publish", second))["status"], "live");
  const { items } = await ok("bot", "list", ...of);
  assert.deepEqual(Array.isArray(items) && items.map((bot) => [bot.id, bot.status]), [
    [second, "live"],
    [id, "archived"],
  ]);
});

test("an external bot is published when it has an address and a secret, which is shown once", async () => {
  const made = await ok("workspace", "create", "--name", "Outside", "--plan", "free");
  const workspace = String(made["id"]);
  const external = { format: 1, kind: "external", name: "Ours", url: `https://${PUBLIC}/turn` };
  const id = String((await ok("bot", "import", file(external), "--workspace", workspace))["id"]);
  await refused(["bot", "publish", id], /secret must be made first/);
  const { secret } = await ok("bot", "secret", id);
  assert.match(String(secret), /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.equal((await ok("bot", "publish", id))["status"], "live");
  assert.ok(!JSON.stringify(await ok("bot", "show", id)).includes("whsec_"));
});

test("an address that may not be called is named at import, at check and at publish, in the words of a webhook endpoint", async () => {
  const made = await ok("workspace", "create", "--name", "Inside", "--plan", "free");
  const of = ["--workspace", String(made["id"])];
  for (const [url, why] of [
    ["http://127.0.0.1:8080/turn", "the host is not public"],
    [`http://${PUBLIC}/turn`, "the address must start with https://"],
    ["https://nowhere.invalid/turn", "the host is not public"],
  ] as const) {
    const bot = file({ format: 1, kind: "external", name: "Ours", url });
    const imported = await ok("bot", "import", bot, ...of);
    const [fault, ...more] = imported["faults"] as { path: string; message: string }[];
    assert.deepEqual(more, []);
    assert.equal(fault?.path, "url");
    assert.ok(fault.message.startsWith(why), fault.message);
    const id = String(imported["id"]);
    assert.deepEqual((await ok("bot", "import", bot, ...of, "--bot", id))["faults"], [fault]);
    assert.deepEqual(await found("bot", "check", id), { faults: [fault] });
    await ok("bot", "secret", id);
    await refused(["bot", "publish", id], new RegExp(`url ${why}`));
    await refused(["webhook", "create", "--url", url, ...of], new RegExp(`url: ${why}`));
  }
});

test("so are the addresses of look-ups and of a flow's calls, with their places", async () => {
  const made = await ok("workspace", "create", "--name", "Asks", "--plan", "free");
  const of = ["--workspace", String(made["id"])];
  const url = "http://127.0.0.1:8080/order";
  const asked = { name: "shop", description: "Our shop.", url: `https://${PUBLIC}/` };
  const lookups = [asked, { name: "order", description: "Where an order is.", url }];
  const call = { type: "call", url, changes: false, next: "done" };
  const steps = { call, done: { type: "end" } };
  for (const [document, place, step] of [
    [{ ...aiDocumentExample, lookups }, "lookups.1.url", null],
    [{ format: 1, kind: "flow", name: "Calls", entry: "call", steps }, "steps.call.url", "call"],
  ] as const) {
    const imported = await ok("bot", "import", file(document), ...of);
    const [fault, ...more] = imported["faults"] as { path: string; step: string; code: string }[];
    assert.deepEqual(more, []);
    assert.deepEqual([fault?.path, fault?.step, fault?.code], [place, step, "ADDRESS_REFUSED"]);
    await refused(["bot", "publish", String(imported["id"])], /the host is not public/);
  }
});

test("the documents of external bots on the pages are imported, checked and published", async () => {
  for (const page of ["external-bots.md", "programs/bot.md"]) {
    const blocks = blocksIn(path.join(import.meta.dirname, "../../../../docs", page));
    const [document = "", ...more] = blocks
      .filter((one) => one.words[0] === "bot.json")
      .map((one) => one.code);
    assert.deepEqual(more, [], page);
    const made = await ok("workspace", "create", "--name", page, "--kind", "test");
    const of = ["--workspace", String(made["id"])];
    // The pages name a host that no name server knows.
    const ours = document.replace("bot.example.com", PUBLIC);
    assert.notEqual(ours, document, page);
    const id = String((await ok("bot", "import", file(ours), ...of))["id"]);
    await ok("bot", "secret", id);
    assert.deepEqual(await ok("bot", "check", id), { faults: [] }, page);
    assert.equal((await ok("bot", "publish", id))["status"], "live");
  }
});

test("cases of a file are asked, a failing one ends with status 1, and publishing asks for all of them", async () => {
  await using model = await createModelEmulator();
  const made = await ok("workspace", "create", "--name", "Tested", "--plan", "free");
  const of = ["--workspace", String(made["id"])];
  const { url, key } = model;
  const set = ["--protocol", "openai-chat", "--url", url, "--name", "extract", "--key", key];
  await ok("model", "set", ...of, ...set);
  const knowledge = {
    id: "delivery",
    title: "Delivery",
    text: "We deliver within 2 working days.",
  };
  await ok("knowledge", "import", file(JSON.stringify(knowledge)), ...of);
  const id = String((await ok("bot", "import", file(aiDocumentExample), ...of))["id"]);
  const asks = { question: "How fast do you deliver?", sources: ["delivery"], decision: "answer" };
  const wrong = { talk: ["Hi", "Hello!", "Do you deliver?"], mustHold: ["same day"] };
  const lines = (...cases: readonly object[]) =>
    file(cases.map((one) => JSON.stringify(one)).join("\n"));
  const failed = await session.run(
    "bot",
    "test",
    id,
    "--file",
    lines(asks, wrong),
    "--repeat",
    "2",
  );
  assert.deepEqual([failed.code, failed.stderr], [1, ""]);
  assert.match(failed.stdout, /failed {2}Do you deliver\? \(0 of 2 right\)/);
  assert.match(failed.stdout, /must_hold: wanted "same day", got "We deliver within/);
  assert.match(failed.stdout, /1 of 2 passed/);
  await refused(["bot", "publish", id], /1 case fails; .*CASES_FAIL/);
  assert.equal((await ok("bot", "publish", id, "--untested"))["version"], 1);
  const right = { ...wrong, mustHold: ["2 working days"] };
  const { passed, failed: fails, items } = await ok("bot", "test", id, "--file", lines(right));
  assert.deepEqual([passed, fails, Array.isArray(items) && items.length], [1, 0, 1]);
  assert.equal((await ok("bot", "test", id))["passed"], 2);
  assert.equal((await ok("bot", "publish", id))["version"], 2);
  const test = ["bot", "test", id];
  await refused([...test, "--repeat", "11"], /a number from 1 to 10/);
  await refused([...test, "--file", lines({ question: "Hi" })], /line 1: mustHold: /);
  await refused([...test, "--file", lines({ ask: "Hi" })], /line 1: .*ask/);
  await refused([...test, "--file", path.join(folder, "none.jsonl")], /cannot be read/);
  await refused([...test, "--file", file("{")], /line 1 is not JSON/);
  await refused([...test, "--file", file("")], /holds no case/);
});

test("a model that does not answer is printed with its reason, and ends its test with status 1", async () => {
  await using model = await createModelEmulator();
  const made = await ok("workspace", "create", "--name", "Asked", "--plan", "free");
  const of = ["--workspace", String(made["id"])];
  const { url, key } = model;
  const set = ["model", "set", ...of, "--protocol", "openai-chat", "--url", url, "--key", key];
  await ok(...set, "--name", "fault:401");
  const failed = await found("model", "test", ...of);
  assert.deepEqual([failed["ok"], failed["outcome"]], [false, "misconfigured"]);
  await ok(...set, "--name", "extract");
  assert.equal((await ok("model", "test", ...of))["ok"], true);
});

test("a mistake is one line that names it", async () => {
  const workspace = String((await ok("workspace", "create", "--name", "Other"))["id"]);
  const of = ["--workspace", workspace];
  await refused(["bot", "import", path.join(folder, "none.json"), ...of], /cannot be read/);
  await refused(["bot", "import", file("hello"), ...of], /is not JSON/);
  await refused(["bot", "import", file([1]), ...of], /holds no JSON object/);
  await refused(
    ["bot", "import", file({ kind: "robot" }), ...of],
    /document\.kind: must be one of/,
  );
  await refused(["bot", "import", file("x".repeat(70_000)), ...of], /longer than 65536 bytes/);
  await refused(["bot", "show", workspace], /there is no bot/);
  await refused(["bot", "hand-over", workspace, ...of], /NOT_FOUND|no such conversation/i);
  const id = String((await ok("bot", "import", file(aiDocumentExample), ...of))["id"]);
  await refused(["bot", "ask", id, ""], /text: must not be empty/);
  await refused(["bot", "ask", id, "x".repeat(4_001)], /text: must not have more than 4000/);
  await refused(["bot", "publish", id, "--note", "n".repeat(501)], /note: must not have more/);
  const test = ["bot", "test", id];
  await refused([...test, "--repeat", "0"], /It takes a number from 1 to 10/);
  await refused([...test, "--file", file({ question: "Hi", decision: "sing" })], /, silent, null/);
  const model = ["model", "set", ...of, "--protocol", "openai-chat", "--url", "https://x.example"];
  await refused([...model, "--key", "k", "--name", ""], /name: must not be empty/);
  await refused([...model, "--key", "k".repeat(501), "--name", "m"], /key: must not have more/);
});

test("lines of knowledge are stored up to the one that is refused, and the error says so", async () => {
  const workspace = String((await ok("workspace", "create", "--name", "Lines"))["id"]);
  const read = ["knowledge", "import", "--workspace", workspace];
  const good = { id: "a", lang: "en", title: "A", text: "One." };
  const lines = (...all: unknown[]) => file(all.map((one) => JSON.stringify(one)).join("\r\n"));
  assert.deepEqual(await ok(...read, file(`\uFEFF${JSON.stringify(good)}\n`)), { imported: 1 });
  await refused([...read, lines([1])], /line 1 holds no JSON object/);
  const textless = { id: "c", lang: "en", title: "C" };
  await refused(
    [...read, lines(good, { ...good, id: "b" }, textless)],
    /line 3: text: is required.*; the 2 before it are stored/,
  );
  await refused(
    [...read, lines(good, { id: "c" })],
    /line 2: title: .*; the one before it is stored/,
  );
  const day = { ...good, validUntil: "2027-02-30" };
  await refused([...read, lines(day)], /line 1: validUntil: must be a moment like/);
});
