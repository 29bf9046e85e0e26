import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { startSession, type Session } from "../black-box/command-session.ts";
import { createTestDatabase } from "../harness.ts";
import { freePort } from "../free-port.ts";
import { launch, privateFolder, type Launched } from "./launch.ts";

/** The sandbox of an installation with one API process and two workers, worked by commands. */
const folder = privateFolder();
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: pg.Client;
let environment: Record<string, string>;
let session: Session;
let api: string;
const processes: Launched[] = [];

before(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const port = await freePort();
  api = `http://127.0.0.1:${port}`;
  environment = {
    DATABASE_URL: database.url,
    PARLEY_MASTER_KEY: randomBytes(32).toString("base64"),
    PARLEY_DATA_DIR: folder.path,
    PARLEY_PUBLIC_URL: api,
  };
  session = startSession(environment);
});
after(async () => {
  for (const { child } of processes) child.kill("SIGTERM");
  await Promise.all(processes.map(({ ended }) => ended));
  await session[Symbol.asyncDispose]();
  await client.end();
  await database.drop();
  folder[Symbol.dispose]();
});

type Json = Record<string, unknown>;
async function cli(...words: string[]): Promise<Json> {
  const done = await session.run(...words, "--json");
  assert.deepEqual([done.code, done.stderr], [0, ""], words.join(" "));
  return JSON.parse(done.stdout) as Json;
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const begun = performance.now();
  while (!(await holds())) {
    assert.ok(performance.now() - begun < 180_000, what);
    await sleep(50);
  }
}

async function runner(): Promise<string | null> {
  const { rows } = await client.query<{ address: string }>(
    "select address from sandbox_runner where lease_until > now()",
  );
  return rows[0]?.address ?? null;
}

let line: Json;
let conversation: unknown;

test("without a server a customer cannot speak, in one line and with 2", async () => {
  const { id } = await cli("workspace", "create", "--name", "Shop", "--plan", "business");
  line = await cli("sandbox", "add", "TELEGRAM", "--workspace", String(id));
  for (const words of [["say", "hello"], ["fault", "token"], ["watch"]]) {
    const done = await session.run("sandbox", ...words, "--channel", String(line["id"]));
    assert.deepEqual([done.code, done.stdout], [2, ""]);
    assert.match(done.stderr, /^parley: no server runs the sandbox[^\n]*\n$/);
  }
});

test("a channel that was added before the start is served by one worker, and by the API process for others", async () => {
  for (const role of ["worker", "worker", "api"]) {
    const port = role === "api" ? new URL(api).port : "0";
    processes.push(launch("main.ts", [], { ...environment, PORT: port, PARLEY_ROLE: role }));
  }
  await Promise.all(processes.map(({ serves }) => serves));
  await until("a process runs the sandbox", async () => (await runner()) !== null);
  assert.notEqual(await runner(), api);
  const said = await cli("sandbox", "say", "Hello?", "--channel", String(line["id"]));
  conversation = said["conversationId"];
  assert.match(String(conversation), /^[0-9a-f-]{36}$/);
  const response = await fetch(`${api}/sandbox/v1/${String(line["id"])}/thread`, {
    headers: { authorization: `Bearer ${String(line["token"])}` },
  });
  assert.equal(response.status, 200);
  const { messages } = (await response.json()) as { messages: Json[] };
  assert.deepEqual(
    messages.map((one) => [one["kind"], one["text"] ?? one["status"]]),
    [
      ["message", "Hello?"],
      ["tick", "delivered"],
    ],
  );
});

test("what was added is ready when the command ends: the SMS account verified, the templates there", async () => {
  const workspace = ["--workspace", String(line["workspaceId"])];
  await cli("sandbox", "add", "SMS", ...workspace);
  const { rows: verified } = await client.query(
    "select 1 from sms_provider where workspace_id = $1 and verified_at is not null",
    [line["workspaceId"]],
  );
  assert.equal(verified.length, 1);
  const { id } = await cli("sandbox", "add", "WHATSAPP", ...workspace);
  const { rows: templates } = await client.query("select 1 from template where channel_id = $1", [
    id,
  ]);
  assert.ok(templates.length > 0);
});

test("a watch shows what the phone shows and ends with 0 at Ctrl-C", async () => {
  const words = ["sandbox", "watch", "--channel", String(line["id"])];
  const watch = launch("cli/main.ts", words, environment);
  let seen = "";
  watch.child.stdout?.on("data", (data: string) => void (seen += data));
  await until("the past is shown", async () => seen.includes("✓✓ delivered"));
  await cli("sandbox", "say", "Are you\nthere?", "--channel", String(line["id"]));
  await until("the new line is shown", async () => seen.includes("→ Are you there?"));
  watch.child.kill("SIGINT");
  const { code, stderr } = await watch.ended;
  assert.deepEqual([code, stderr], [0, ""]);
});

test("when the worker that runs the sandbox is killed, the other takes over and the customer goes on", async () => {
  const address = await runner();
  const { rows } = await client.query<{ address: string }>("select address from sandbox_runner");
  assert.equal(rows.length, 1);
  const port = new URL(address ?? "").port;
  const holder = await holderOf(port);
  assert.ok(holder, `nobody listens at ${address}`);
  holder.child.kill("SIGKILL");
  await until("another process runs it", async () => {
    const now = await runner();
    return now !== null && now !== address;
  });
  let said: Json = {};
  await until("the customer is heard again", async () => {
    const id = String(line["id"]);
    const done = await session.run("sandbox", "say", "Still here", "--channel", id, "--json");
    if (done.code === 0) said = JSON.parse(done.stdout) as Json;
    return done.code === 0;
  });
  assert.equal(said["conversationId"], conversation);
  const { rows: heard } = await client.query("select 1 from message where text = 'Still here'");
  assert.equal(heard.length, 1);
});

/**
 * The worker that listens on a port: the one without which it does not answer. Both log the public address alone. Only
 * an answer proves something: on a crowded machine it may take long, so each wait is longer than the last.
 */
async function holderOf(port: string): Promise<Launched | undefined> {
  const pair = processes.slice(0, 2);
  for (let waitMs = 2_000; waitMs < 120_000; waitMs *= 2)
    for (const [n, one] of pair.entries()) {
      one.child.kill("SIGSTOP");
      const answers = await fetch(`http://127.0.0.1:${port}/healthz`, {
        signal: AbortSignal.timeout(waitMs),
      }).then(
        () => true,
        () => false,
      );
      one.child.kill("SIGCONT");
      if (answers) return pair[1 - n];
    }
  return undefined;
}
