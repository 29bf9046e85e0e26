import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../harness.ts";
import { BARE } from "../process/launch.ts";
import { startSession, type Session } from "./command-session.ts";

// What a command reads is stored as it came or refused: no byte is replaced, no number rounded, and nothing endless is read.

const MAIN = path.resolve(import.meta.dirname, "../../src/cli/main.ts");
const folder = mkdtempSync(path.join(os.tmpdir(), "parley-bytes-"));
let t: TestApp;
let env: Record<string, string>;
let session: Session;
let of: readonly string[];

before(async () => {
  t = await startTestApp();
  env = {
    DATABASE_URL: t.databaseUrl,
    PARLEY_MASTER_KEY: randomBytes(32).toString("base64"),
    PARLEY_DATA_DIR: folder,
  };
  session = startSession(env);
  const { id } = await ok("workspace", "create", "--name", "A");
  of = ["--workspace", String(id), "--json"];
});
after(async () => {
  await session[Symbol.asyncDispose]();
  await t[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function ok(...words: readonly string[]): Promise<Record<string, unknown>> {
  const json = words.includes("--json") ? [] : ["--json"];
  const { code, stdout, stderr } = await session.run(...words, ...json);
  assert.equal(code, 0, `${words.join(" ")}: ${stderr}`);
  return JSON.parse(stdout) as Record<string, unknown>;
}

async function refused(words: readonly string[], said: RegExp): Promise<void> {
  const { code, stdout, stderr } = await session.run(...words);
  assert.deepEqual([code, stdout], [2, ""], words.join(" "));
  assert.match(stderr, said);
  assert.equal(stderr.split("\n").length, 2, stderr);
}

let files = 0;
function file(content: string | Buffer): string {
  const name = path.join(folder, `${++files}.json`);
  writeFileSync(name, content);
  return name;
}
/** "é" as ISO 8859-1 has it, which is no UTF-8. */
const latin1 = (content: string) => file(Buffer.from(content, "latin1"));

test("a file that is no UTF-8 is refused, with the line where it has lines", async () => {
  const snippet = (title: string) => JSON.stringify({ id: title, title, text: `About ${title}` });
  const lines = latin1(`${snippet("one")}\n${snippet("café")}\n`);
  await refused(["knowledge", "import", lines, ...of], /line 2.*not valid UTF-8/);
  await refused(["bot", "import", latin1('{"name":"café","kind":"ai"}'), ...of], /not valid UTF-8/);
  const { items } = (await ok("bot", "list", ...of)) as { items: unknown[] };
  assert.deepEqual(items, []);
  const known = (await ok("knowledge", "list", ...of)) as { items: { title: string }[] };
  assert.ok(known.items.every(({ title }) => title === "one"));
  const model = [
    "model",
    "set",
    "--protocol",
    "openai-chat",
    "--url",
    "https://models.example.com/v1",
  ];
  const key = ["--name", "m", "--key", `@${latin1("clé")}`];
  await refused([...model, ...key, ...of], /--key: .* is not valid UTF-8/);
});

test("half of a surrogate pair, and a fault of the record, are refused with the line", async () => {
  const half = file(String.raw`{"id":"b","title":"x \ud800 y","text":"t"}`);
  await refused(["knowledge", "import", half, ...of], /line 1: title: .*surrogate/);
  const late = file(
    `\n${JSON.stringify({ id: "c", title: "c", text: "t", validUntil: "yesterday" })}`,
  );
  await refused(["knowledge", "import", late, ...of], /line 2: .*validUntil/);
  const option = String.raw`{"en":"x \ud800 y"}`;
  const write = ["knowledge", "add", "--title", "t", "--texts", option];
  await refused([...write, ...of], /texts.*surrogate/);
  const draft = String.raw`[{"name":"A","share":0.5,"body":"\ud800"},{"name":"B","share":0.5,"body":"b"}]`;
  const create = ["broadcast", "create", "--name", "B", "--kind", "SMS", "--variants", draft];
  await refused([...create, ...of], /surrogate|Unicode/);
});

test("a number that would be rounded is refused as at the API, alone or in a batch", async () => {
  const number = "12345678901234567890123";
  const phone = ["--phone", "201005550001"];
  const create = ["contact", "create", ...phone, "--attribute", `meter=${number}`];
  await refused([...create, ...of], /meter: has more digits than a number keeps/);
  const upsert = ["contact", "upsert", "--match", "phone", ...phone, "--set-attributes"];
  await refused([...upsert, `{"meter":${number}}`, ...of], /meter: has more digits/);
  const contacts = String.raw`[{"match":["phone"],"phone":"201005550002","setAttributes":{"meter":${number}}},
    {"match":["phone"],"phone":"201005550003","setAttributes":{"name":"\ud800"}},
    {"match":["phone"],"phone":"201005550004","setAttributes":{"meter":12}}]`;
  const { results } = (await ok("contact", "batch", "--contacts", contacts, ...of)) as {
    results: { outcome: string }[];
  };
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ["refused", "refused", "created"],
  );
});

test("an attribute of type text keeps a value that looks like a number", async () => {
  await ok("contacts", "attribute", "define", "zip", "--type", "text", ...of);
  const made = await ok(
    "contact",
    "create",
    "--phone",
    "201005550005",
    "--attribute",
    "zip=12345",
    ...of,
  );
  assert.deepEqual(made["attributes"], { zip: "12345" });
  const changed = await ok(
    "contact",
    "update",
    String(made["id"]),
    "--attribute",
    "zip=54321",
    "--json",
    "--workspace",
    String(of[1]),
  );
  assert.deepEqual(changed["attributes"], { zip: "54321" });
});

test("an id that is unknown says so beside its code", async () => {
  const words = ["contact", "read-consent", "01a3b0e2-7c00-7000-8000-0123456789ab", ...of];
  await refused(words, /^parley: no record of this workspace has this id \(NOT_FOUND\)$/m);
});

test("an option that takes a whole number refuses an empty value", async () => {
  await refused(["webhook", "deliveries", "x", "--limit", "", "--json"], /limit|whole number/);
  const put = ["contact", "search", "--limit", "", ...of];
  await refused(put, /limit/);
});

/** Runs a command whose standard input has no end. `own`: what it finds in the environment beside the settings. */
async function readingZeros(words: readonly string[], own: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN, ...words], {
    env: { ...BARE, ...env, ...own },
    stdio: ["pipe", "pipe", "pipe"],
  });
  // The command ends before its input does.
  child.stdin.on("error", () => {});
  const endless = createReadStream("/dev/zero");
  endless.on("data", (chunk) => {
    if (!child.stdin.write(chunk)) {
      endless.pause();
      child.stdin.once("drain", () => endless.resume());
    }
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  endless.destroy();
  return { code: Number(code), stdout, stderr };
}

test("a customer's file without an end, or too large for a phone, is refused before it is read to its end", async () => {
  const { id } = await ok("sandbox", "add", "whatsapp", "--workspace", String(of[1]));
  const say = ["sandbox", "say", "--channel", String(id), "--json", "--attach"];
  await refused([...say, "/dev/zero"], /^parley: \/dev\/zero is longer than 16777216 bytes\n$/);
  const large = file(Buffer.alloc(16 * 1024 * 1024 + 1));
  await refused([...say, large], /is longer than 16777216 bytes/);
  await refused([...say, folder], /^parley: attach: cannot be read: /);
});

test("an assistant's line without an end ends its server, whose key is an option or in the environment", async () => {
  const { bearer } = await ok("key", "create", "--workspace", String(of[1]));
  const key = String(bearer).replace(/^Bearer /, "");
  for (const ended of [
    await readingZeros(["mcp", "--key", key]),
    await readingZeros(["mcp"], { PARLEY_KEY: key }),
  ]) {
    assert.deepEqual([ended.code, ended.stdout], [2, ""]);
    assert.match(ended.stderr, /^parley: .*\d+ bytes\n$/);
  }
});

test("what an assistant asked before the end of its input is answered", async () => {
  const { bearer } = await ok("key", "create", "--workspace", String(of[1]));
  const child = spawn(process.execPath, [MAIN, "mcp"], {
    env: { ...BARE, ...env, PARLEY_KEY: String(bearer).replace(/^Bearer /, "") },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = [
    {
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "pipe", version: "1" },
      },
    },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name: "list_conversations", arguments: {} } },
    { id: 3, method: "tools/list" },
  ];
  child.stdin.end(lines.map((one) => `${JSON.stringify({ jsonrpc: "2.0", ...one })}\n`).join(""));
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  const answered = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly id: number; readonly result?: object });
  assert.deepEqual(
    answered.toSorted((a, b) => a.id - b.id).map(({ id, result }) => [id, typeof result]),
    [1, 2, 3].map((id) => [id, "object"]),
  );
  assert.equal(code, 0);
});

test("what has no end is not read to its end", async () => {
  for (const words of [
    ["bot", "import", "-"],
    ["knowledge", "import", "-"],
    [
      "user",
      "create",
      "--email",
      "a@b.example",
      "--name",
      "A",
      "--role",
      "owner",
      "--password-stdin",
    ],
    [
      "model",
      "set",
      "--protocol",
      "openai-chat",
      "--url",
      "https://m.example.com/v1",
      "--name",
      "m",
      "--key-stdin",
    ],
    [
      "model",
      "set",
      "--protocol",
      "openai-chat",
      "--url",
      "https://m.example.com/v1",
      "--name",
      "m",
      "--key",
      "-",
    ],
  ]) {
    const { code, stdout, stderr } = await readingZeros([...words, ...of]);
    assert.deepEqual([code, stdout], [2, ""], `${words.join(" ")}: ${stderr}`);
    assert.match(stderr, /^parley: .*longer than \d+ (bytes|characters)\n$/, words.join(" "));
  }
});
