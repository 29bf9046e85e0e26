import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createSealer } from "../../src/lib/seal.ts";
import { KEYED_COLUMNS } from "../../src/master-key/sealed-columns.ts";
import { LONG } from "../group.ts";
import { launch } from "../process/launch.ts";
import { mulberry } from "./mulberry.ts";
import { eventsArrived, repliesAndRecipients } from "./promises.ts";
import { ReplyClient } from "./reply-client.ts";
import { Shop } from "./shop.ts";

/** The command beside the server. `line`: it is killed outright once it has said this. */
async function rotateMaster(dataDir: string, line?: string) {
  const { child, ended } = launch("cli/main.ts", ["key", "rotate-master", "--json"], {
    PARLEY_DATA_DIR: dataDir,
  });
  child.stderr?.on("data", (data: Buffer) => {
    if (line !== undefined && data.toString().includes(line)) child.kill("SIGKILL");
  });
  return ended;
}

test("the master key is rotated under replies, killed twice on the way: no send fails, and the old key opens nothing", async (t) => {
  await using shop = await Shop.open({
    seed: 1,
    conversations: 30,
    keys: 40,
    audience: 10,
    ratePerMinute: 3_000,
  });
  const { server } = shop;
  const keyFile = path.join(server.dataDir, "master.key");
  const old = readFileSync(keyFile, "utf8").trim();
  const client = new ReplyClient(shop, mulberry(1));
  const begun = performance.now();
  const asking = client.run(LONG ? 74 : 5, LONG ? 1_000 : 90);
  for (const line of ["learns", "seals with it"]) {
    const killed = await rotateMaster(server.dataDir, line);
    assert.equal(killed.signal, "SIGKILL", killed.stderr);
    assert.equal(readFileSync(keyFile, "utf8").trim(), old);
  }
  const done = await rotateMaster(server.dataDir);
  assert.equal(done.code, 0, done.stderr);
  await sleep(1_500);
  client.stop();
  await asking;
  const seconds = (performance.now() - begun) / 1_000;
  await shop.quiet();
  await shop.passTime();

  const { from, to, rewritten, unreadable, note } = JSON.parse(done.stdout);
  assert.ok(rewritten > 0);
  assert.deepEqual(unreadable, {});
  assert.match(note, /Backups of before need the old key \(mark [0-9a-f]{16}\)/);
  assert.equal(createSealer(Buffer.from(old, "base64")).mark, from);
  const now = readFileSync(keyFile, "utf8").trim();
  assert.equal(createSealer(Buffer.from(now, "base64")).mark, to);
  assert.equal(statSync(keyFile).mode & 0o777, 0o600);
  assert.ok(!existsSync(`${keyFile}.next`));
  assert.ok(!server.logs().includes(now) && !done.stderr.includes(now));

  // Every answer was a 201, every reply was sent, every event arrived with its signature.
  assert.deepEqual([...client.answers.keys()], ["201"]);
  const { replies, unknown } = await repliesAndRecipients(shop, client);
  assert.equal(unknown, 0);
  await eventsArrived(shop);
  t.diagnostic(
    `${replies} replies in ${seconds.toFixed(1)} s: ${(replies / seconds).toFixed(0)} a second; ${rewritten} values rewritten`,
  );

  // A dump and the old key.
  const former = createSealer(Buffer.from(old, "base64"));
  let looked = 0;
  for (const [name, column] of Object.entries(KEYED_COLUMNS)) {
    if (column.holds !== "sealed" || "after" in column || "also" in column) continue;
    const [table, field] = name.split(".");
    const rows = await server.query<Record<string, unknown> & { sealed: Buffer }>(
      `select *, ${field} as sealed from ${table} where ${field} is not null`,
    );
    for (const row of rows) {
      const key = Object.fromEntries(Object.keys(column.key).map((one) => [one, String(row[one])]));
      assert.throws(() => former.open(row.sealed, column.place(key)), name);
      looked++;
    }
  }
  assert.ok(looked > 0);
  for (const { wrapped } of await server.query<{ wrapped: Buffer }>("select wrapped from kept_key"))
    assert.throws(() => former.open(Buffer.concat([Buffer.of(1), wrapped]), ""));

  // The next start reads the file; the old key is refused in one line.
  await server.stop();
  writeFileSync(keyFile, `${old}\n`);
  const refused = await launch("main.ts", [], { PARLEY_DATA_DIR: server.dataDir }).ended;
  assert.equal(refused.code, 1);
  assert.match(
    refused.stderr,
    /^parley: the master key was rotated at \S+, and this is the one of before: put the new one \(mark [0-9a-f]{16}\)[^\n]*\n$/,
  );
  writeFileSync(keyFile, `${now}\n`);
  server.launch();
  await server.ready();
});
