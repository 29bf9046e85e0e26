import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { createWhatsAppEmulator, type WhatsAppEmulator } from "@parley/emulators";
import { openDatabase } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { PNG } from "../../src/media/media.fixture.ts";
import { createTestDatabase } from "../harness.ts";
import { launch, type Launched } from "../process/launch.ts";
import { startSession, type Session } from "./command-session.ts";

/** A reply with files by command, beside a running server; then all of it in a backup and out of it again. */
const folder = mkdtempSync(path.join(os.tmpdir(), "parley-message-"));
const dataDir = path.join(folder, "data");
const masterKey = randomBytes(32).toString("base64");
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let server: Launched;
let session: Session;
let meta: WhatsAppEmulator;
let url: string;

const environmentOf = (databaseUrl: string, dataFolder: string) => ({
  DATABASE_URL: databaseUrl,
  PARLEY_MASTER_KEY: masterKey,
  PARLEY_OUTBOUND_ALLOW: "127.0.0.0/8",
  PARLEY_DATA_DIR: dataFolder,
  PARLEY_DEMO: "off",
});
before(async () => {
  database = await createTestDatabase();
  const environment = environmentOf(database.url, dataDir);
  server = launch("main.ts", [], environment);
  url = await server.serves;
  session = startSession(environment);
  meta = await createWhatsAppEmulator({ delivery: "manual" });
});
after(async () => {
  await session[Symbol.asyncDispose]();
  server.child.kill("SIGTERM");
  await server.ended;
  await meta.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function ok(one: Session, ...words: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await one.run(...words, "--json");
  assert.deepEqual([code, stderr], [0, ""], words.join(" "));
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** A conversation with a customer who wrote over the emulated WhatsApp. */
async function converse(): Promise<string> {
  const { id } = await ok(session, "workspace", "create", "--name", "Shop", "--plan", "business");
  const account = {
    phoneNumberId: "106540352242922",
    wabaId: "1",
    accessToken: "EAAB",
    appSecret: "s",
  };
  // Known to Meta before it is connected; where Meta calls is known only afterwards.
  meta.addNumber(account);
  const channel = await ok(
    session,
    ..."channel connect whatsapp --phone-number-id 106540352242922 --waba-id 1".split(" "),
    ..."--access-token EAAB --app-secret s --verify-token v --name Shop".split(" "),
    "--workspace",
    String(id),
    "--api-url",
    meta.url,
  );
  meta.addNumber({
    ...account,
    webhook: { url: `${url}/hooks/whatsapp/${String(channel["id"])}`, verifyToken: "v" },
  });
  meta.inbound({ phoneNumberId: "106540352242922", from: "96550001234", text: "hello" });
  await meta.flush();
  const db = openDatabase({ connectionString: database.url, poolSize: 1 });
  const [row] = await db.query<{ id: string }>(sql`select id from conversation`);
  await db.close();
  return row?.id ?? assert.fail("no conversation");
}

test("a reply with files is sent by the server, and lives through backup and restore", async () => {
  const conversation = await converse();
  const picture = path.join(folder, "صورة.png");
  const prices = path.join(folder, "prices.txt");
  writeFileSync(picture, PNG);
  writeFileSync(prices, "tea 1\n");
  const { promise: both, resolve } = Promise.withResolvers<void>();
  meta.onAccepted = () => {
    if (meta.messages().length === 2) resolve();
  };
  const words = ["message", "send", "--conversation", conversation];
  const sent = await ok(session, ...words, "--text", "hi", "--attach", picture, "--attach", prices);
  assert.deepEqual([sent["type"], sent["source"]], ["image", "dashboard"]);
  await both;
  const [first, second] = meta.messages();
  assert.deepEqual([first?.type, first?.media?.["caption"]], ["image", "hi"]);
  assert.deepEqual([second?.type, second?.media?.["filename"]], ["document", "prices.txt"]);

  const attachments = sent["attachments"] as { url: string }[];
  const paths = attachments.map((one) => new URL(one.url).pathname);
  const [, served = ""] = await Promise.all(
    paths.map(async (at) => (await fetch(url + at)).text()),
  );
  assert.equal(served, "tea 1\n");

  const file = path.join(folder, "b.gz");
  assert.equal((await ok(session, "backup", file))["files"], 2);
  const restored = await createTestDatabase();
  const elsewhere = path.join(folder, "restored");
  const other = startSession(environmentOf(restored.url, elsewhere));
  try {
    assert.equal((await ok(other, "restore", file))["files"], 2);
    assert.deepEqual(contents(elsewhere), contents(dataDir));
    assert.equal(contents(elsewhere).length, 2);
  } finally {
    await other[Symbol.asyncDispose]();
    await restored.drop();
  }
});

test("a backup whose file was changed is refused, and so is what is none; nothing is restored", async () => {
  const uploaded = filesOf(dataDir).at(-1) ?? "";
  writeFileSync(uploaded, Buffer.alloc(readFileSync(uploaded).length, "x"));
  const file = path.join(folder, "changed.gz");
  await ok(session, "backup", file);
  const restored = await createTestDatabase();
  const other = startSession(environmentOf(restored.url, path.join(folder, "refused")));
  try {
    const { code, stderr } = await other.run("restore", file);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^parley: the backup is damaged: file [0-9a-f-]{36} is not what it was\n$/,
    );
    const bytes = readFileSync(file);
    const others: [content: Buffer, says: RegExp][] = [
      [Buffer.from("hello"), /odd.gz is no backup of Parley/],
      [Buffer.alloc(0), /odd.gz is no backup of Parley/],
      [bytes.subarray(0, bytes.length - 20), /odd.gz is damaged: its end is missing/],
      [gzipSync("hello\n"), /odd.gz is no backup of Parley\n/],
      [gzipSync(""), /odd.gz is no backup of Parley: it is empty\n/],
      [
        gzipSync('{"parley":"backup","format":1}\n'),
        /odd.gz is a backup of another version: restore/,
      ],
    ];
    for (const [content, says] of others) {
      const odd = path.join(folder, "odd.gz");
      writeFileSync(odd, content);
      const told = await other.run("restore", odd);
      assert.equal(told.code, 2);
      assert.match(told.stderr, says);
    }
    assert.match((await other.run("workspace", "list", "--json")).stdout, /^\[\]\n$/);
    assert.deepEqual(filesOf(path.join(folder, "refused")), [], "nor a file");
  } finally {
    await other[Symbol.asyncDispose]();
    await restored.drop();
  }
});

const mistakes: [words: string[], says: RegExp][] = [
  [["--text", "hi"], /required option '--conversation <id>' not specified/],
  [["--conversation", "x", "--text", "hi"], /there is no conversation x \(NOT_FOUND\)/],
];
test("a mistake is one line and sends nothing", async () => {
  for (const [words, says] of mistakes) {
    const { code, stderr } = await session.run("message", "send", ...words);
    assert.equal(code, 2);
    assert.match(stderr, says);
  }
  const conversation = await (async () => {
    const db = openDatabase({ connectionString: database.url, poolSize: 1 });
    const [row] = await db.query<{ id: string }>(sql`select id from conversation`);
    await db.close();
    return row?.id ?? "";
  })();
  const before = filesOf(dataDir).length;
  const good = path.join(folder, "prices.txt");
  const words = ["message", "send", "--conversation", conversation];
  const missing = await session.run(...words, "--attach", good, "--attach", "/nowhere/a.png");
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /^parley: \/nowhere\/a\.png cannot be opened: [^\n]*\(ENOENT\)\n$/);
  const empty = await session.run(...words);
  assert.match(
    empty.stderr,
    /^parley: text: must be 1 to 4096 characters \(VALIDATION_FAILED\)\n$/,
  );
  assert.equal(filesOf(dataDir).length, before);
});

/** Files in uploads, without the spool. */
const filesOf = (data: string): string[] =>
  readdirSync(path.join(data, "uploads"), { recursive: true, encoding: "utf8" })
    .map((name) => path.join(data, "uploads", name))
    .filter((name) => !name.includes("spool") && statSync(name).isFile())
    .toSorted();

const contents = (data: string): string[] =>
  filesOf(data).map((name) => `${path.basename(name)} ${readFileSync(name).toString("hex")}`);
