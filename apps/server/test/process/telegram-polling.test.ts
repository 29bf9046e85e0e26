import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createTelegramEmulator } from "@parley/emulators";
import pg from "pg";
import { createTestDatabase } from "../harness.ts";
import { launch, privateFolder } from "./launch.ts";

const TOKEN = "700000001:AAEverySecretPartOfTokens";
const BOT = "700000001";
const SARA = 5_000_000_001;

test("a bot connected by command without a public address: two processes share it, one stops, no message is lost or doubled", async () => {
  const database = await createTestDatabase();
  using folder = privateFolder();
  await using bots = await createTelegramEmulator({
    bots: [{ token: TOKEN }],
    limits: { chatIntervalMs: null },
  });
  const environment = {
    DATABASE_URL: database.url,
    PARLEY_MASTER_KEY: randomBytes(32).toString("base64"),
    PARLEY_DATA_DIR: folder.path,
    LOG_LEVEL: "trace",
  };
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const cli = (...words: string[]) =>
    launch("cli/main.ts", [...words, "--json"], environment).ended;
  const made = await cli("workspace", "create", "--name", "Shop", "--plan", "business");
  const workspace = (JSON.parse(made.stdout) as { id: string }).id;
  const connect = (token: string) =>
    cli(
      "channel",
      "connect",
      "telegram",
      "--workspace",
      workspace,
      "--name",
      "Bot",
      "--bot-token",
      token,
      "--api-url",
      bots.url,
      "--polling",
    );

  const refused = await connect(`${BOT}:AAwrong-token`);
  assert.deepEqual([refused.code, refused.stdout], [2, ""]);
  assert.match(refused.stderr, /^[^\n]*botToken[^\n]*Unauthorized[^\n]*\n$/);
  assert.doesNotMatch(refused.stderr, /AAwrong/);
  const connected = await connect(TOKEN);
  assert.equal(connected.code, 0, connected.stderr);
  const channel = JSON.parse(connected.stdout) as Record<string, unknown>;
  assert.deepEqual([channel["status"], channel["externalId"]], ["connected", BOT]);
  assert.doesNotMatch(connected.stdout + connected.stderr, /AAEvery/);

  const servers = [launch("main.ts", [], environment), launch("main.ts", [], environment)];
  await Promise.all(servers.map(({ serves }) => serves));
  const texts = async () =>
    (
      await client.query<{ text: string }>(
        "select text from message where direction = 'inbound' order by id",
      )
    ).rows.map(({ text }) => text);
  const write = async (from: number, to: number) => {
    for (let n = from; n < to; n++) {
      bots.inbound({ botId: BOT, from: SARA, name: "Sara", text: `m${n}` });
      await sleep(10);
    }
  };
  const expected = (count: number) => Array.from({ length: count }, (_, n) => `m${n}`);
  const arrived = async (count: number) => {
    for (let attempt = 0; attempt < 7_200 && (await texts()).length < count; attempt++)
      await sleep(25);
    assert.deepEqual(await texts(), expected(count));
  };
  await write(0, 20);
  await arrived(20);
  // One of the two asks, and only one: the platform would refuse the other with 409.
  assert.ok(bots.requests().every(({ status }) => status !== 409));
  for (const [turn, server] of servers.entries()) {
    const writing = write(20 * (turn + 1), 20 * (turn + 2));
    await sleep(50);
    const begun = performance.now();
    server.child.kill("SIGTERM");
    const ended = await server.ended;
    assert.ok(performance.now() - begun < 60_000);
    assert.equal(ended.code, 0);
    assert.doesNotMatch(ended.stdout + ended.stderr, /AAEvery/);
    await writing;
    if (turn === 0) await arrived(40);
  }
  // What came while nobody ran is asked for by the next to start.
  const last = launch("main.ts", [], environment);
  await last.serves;
  await arrived(60);
  last.child.kill("SIGTERM");
  await last.ended;
  await client.end();
  await database.drop();
});
