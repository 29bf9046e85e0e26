import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { openBackup } from "../../src/cli/backup-reader.ts";
import { createSealer } from "../../src/lib/seal.ts";
import { createTwilioEmulator, type TwilioEmulator } from "@parley/emulators";
import { createKey } from "../../src/api-keys/create-key.ts";
import type { App } from "../../src/app.ts";
import { setProvider } from "../../src/sms/set-provider.ts";
import { testProvider } from "../../src/sms/test-provider.ts";
import { createEndpoint } from "../../src/webhooks/create-endpoint.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { updateWorkspace } from "../../src/workspaces/update-workspace.ts";
import { launch } from "../process/launch.ts";
import { RealServer } from "./real-server.ts";
import { eventually } from "./shop.ts";
import { VerifyingReceiver, type Inbox } from "./verifying-receiver.ts";

const ACCOUNT = `AC${"0".repeat(31)}1`;
const TOKEN = "twilio_test_auth_token";
const FROM = "+15551234567";
const GOOD = "99950001234";

/**
 * Texts that must be nowhere, 24 characters each. All begin with the same random mark, so that one look at a gigabyte
 * finds any of them, also one that was cut short.
 */
class Canaries {
  readonly mark = randomBytes(6).toString("hex");
  readonly #what = new Map<string, string>();
  make(what: string): string {
    const text = this.mark + randomBytes(6).toString("hex");
    this.#what.set(text, what);
    return text;
  }
  get texts(): string[] {
    return [...this.#what.keys()];
  }
  /** The state of the text that stands at a hit. */
  nameAt(words: string, at: number): string {
    return this.#what.get(words.slice(at, at + 24)) ?? "a part of one";
  }
}

interface Scene extends AsyncDisposable {
  readonly server: RealServer;
  readonly twilio: TwilioEmulator;
  readonly inbox: Inbox;
  readonly receiver: VerifyingReceiver;
  readonly bearer: string;
  readonly others: { readonly bearer: string; readonly what: string }[];
}

async function open(): Promise<Scene> {
  // First: when it fails, nothing else keeps the process alive.
  const server = await RealServer.start({ LOG_LEVEL: "trace" });
  const twilio = await createTwilioEmulator({ journalSize: 1_000 });
  twilio.addAccount({ accountSid: ACCOUNT, authToken: TOKEN, numbers: [{ number: FROM }] });
  const receiver = await VerifyingReceiver.start();
  await using app = await server.open();
  const { id, bearer } = await workspace(app, twilio);
  const { secret } = await createEndpoint(OPERATOR, app, id, { url: `${receiver.base}/hook` });
  const inbox = receiver.expect("/hook", secret);
  const poor = await workspace(app, twilio, { credits: 0 });
  const suspended = await workspace(app, twilio);
  await updateWorkspace(OPERATOR, app, suspended.id, { suspended: true });
  const unverified = await workspace(app, twilio, { verified: false });
  const scoped = await createKey(OPERATOR, app, id, { scopes: ["usage:read"] });
  return {
    server,
    twilio,
    inbox,
    receiver,
    bearer,
    others: [
      { bearer: poor.bearer, what: "402, no credits" },
      { bearer: suspended.bearer, what: "402, suspended" },
      { bearer: unverified.bearer, what: "400, provider not verified" },
      { bearer: scoped.bearer, what: "403" },
      { bearer: "no:body", what: "401" },
    ],
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await twilio.close();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

async function workspace(
  app: App,
  twilio: TwilioEmulator,
  options: { credits?: number; verified?: boolean } = {},
): Promise<{ id: string; bearer: string }> {
  const { id } = await createWorkspace(OPERATOR, app, {
    name: "Shop",
    smsCredits: options.credits ?? null,
  });
  await setProvider(OPERATOR, app, id, {
    provider: "twilio",
    accountSid: ACCOUNT,
    authToken: TOKEN,
    from: FROM,
    apiUrl: twilio.url,
  });
  if (options.verified !== false) assert.ok((await testProvider(OPERATOR, app, id, GOOD)).sent);
  return { id, bearer: (await createKey(OPERATOR, app, id)).bearer };
}

test("a passcode's text is nowhere on the machine, whatever the outcome of the send", async (t) => {
  const canaries = new Canaries();
  await using scene = await open();
  const { server, twilio } = scene;
  const post = async (
    body: unknown,
    options: { bearer?: string; headers?: Record<string, string>; waitMs?: number } = {},
  ) => {
    const answer = await fetch(`${server.base}/api/v1/otp/send`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${options.bearer ?? scene.bearer}`,
        "content-type": "application/json",
        ...options.headers,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(options.waitMs ?? 40_000),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const answers: string[] = [];
  const statuses: Record<string, number> = {};
  const send = async (
    what: string,
    more: { body?: object; bearer?: string; headers?: Record<string, string> } = {},
  ) => {
    const message = `Your code is ${canaries.make(what)}`;
    const { status, text } = await post({ mobile: GOOD, message, ...more.body }, more);
    answers.push(text);
    statuses[status] = (statuses[status] ?? 0) + 1;
    return { status, text, message };
  };
  const keyed = (key: string) => ({ headers: { "idempotency-key": key } });

  // Each outcome with a key and without.
  const outcomes: [what: string, before: () => void, mobile?: string][] = [
    ["sent", () => {}],
    ["sent in Arabic", () => {}],
    ["no number", () => {}, "nonsense"],
    ["rejected", () => {}, "15005550001"],
    ["credentials refused", () => {}, "99950000003"],
    ["throttled", () => {}, "99950000429"],
    ["503", () => {}, "99950000503"],
    ["accepted and cut", () => {}, "99950000911"],
    ["cut", () => {}, "99950000912"],
    ["delivered not", () => {}, "99950000005"],
    ["no JSON", () => twilio.fault({ kind: "html" })],
    ["truncated", () => twilio.fault({ kind: "truncated" })],
    ["redirected", () => twilio.fault({ kind: "redirect", location: "http://127.0.0.1:1/" })],
  ];
  for (const key of [false, true]) {
    for (const [index, [what, before, mobile]] of outcomes.entries()) {
      before();
      const body = { ...(mobile && { mobile }), ...(what.includes("Arabic") && { lang: "A" }) };
      await send(`${what}${key ? ", keyed" : ""}`, { body, ...(key && keyed(`o${index}`)) });
      twilio.faults.clear();
    }
    // A gateway that quotes the text, whole or in a sentence, in every kind of refusal.
    for (const [status, code] of [
      [400, 21602],
      [401, 20003],
      [429, 20429],
      [500, 20500],
    ] as const) {
      const text = canaries.make(`quoted by a ${status}${key ? ", keyed" : ""}`);
      const message = `Code ${text}, keep it`;
      const quoted = JSON.stringify({ code, message: `Body '${message}' refused`, body: message });
      twilio.fault({ kind: "code", status, code, details: quoted });
      answers.push((await post({ mobile: GOOD, message }, key ? keyed(`q${status}`) : {})).text);
    }
  }
  // The same key again: replayed, with another text refused.
  const first = await send("replayed", keyed("again"));
  const again = await post({ mobile: GOOD, message: first.message }, keyed("again"));
  assert.deepEqual([again.status, again.text], [first.status, first.text]);
  assert.equal((await send("422", keyed("again"))).status, 422);

  // Refused before sending.
  for (const { bearer, what } of scene.others)
    for (const key of [false, true])
      await send(`${what}${key ? ", keyed" : ""}`, { bearer, ...(key && keyed(what)) });
  const raw = async (what: string, body: (text: string) => string, type = "application/json") => {
    const { status, text } = await post(body(canaries.make(what)), {
      headers: { "content-type": type, "idempotency-key": what },
    });
    assert.ok(status >= 400 && status < 500, `${what}: ${status}`);
    answers.push(text);
  };
  await raw("400, no mobile", (text) => JSON.stringify({ message: text }));
  await raw("400, message no text", (text) => JSON.stringify({ mobile: GOOD, message: [text] }));
  await raw("400, lang", (text) => JSON.stringify({ mobile: GOOD, message: text, lang: text }));
  await raw("400, mobile", (text) => JSON.stringify({ mobile: text, message: 1 }));
  await raw("400, long", (text) => JSON.stringify({ mobile: GOOD, message: text.repeat(100) }));
  await raw("400, NUL", (text) => JSON.stringify({ mobile: GOOD, message: `${text}\0` }));
  await raw("400, broken", (text) => `{"mobile":"${GOOD}","message":"${text}`);
  await raw("400, a key", (text) => JSON.stringify({ mobile: GOOD, [text]: text }));
  await raw("413", (text) => JSON.stringify({ message: text.padEnd(300_000, "x") }));
  await raw("415", (text) => `mobile=${GOOD}&message=${text}`, "text/plain");

  // The gateway hangs: time-outs, and `kill -9` of server and database while calls are in flight.
  twilio.fault({ kind: "hang", next: 100, accepted: false });
  const hang = (what: string) =>
    ["", `${what} 1`, `${what} 2`].map((key) => send(what, key ? keyed(key) : {}));
  for (const { text } of await Promise.all(hang("time-out"))) assert.match(text, /GATEWAY_TIMEOUT/);
  const killed = Promise.allSettled(hang("killed in flight"));
  await eventually("calls in flight", 180_000, async () => {
    const [row] = await server.query<{ n: number }>(
      "select count(*)::int as n from otp_record where status = 'calling'",
    );
    return row?.n === 3 ? true : null;
  });
  await server.kill("both");
  await killed;
  twilio.faults.clear();
  twilio.release();
  server.launch();
  await server.ready();
  // A crash in mid-call leaves the record unknown; the sweep looks at what is a minute old.
  await server.query("update otp_record set created_at = created_at - interval '2 minutes'");
  await eventually("records that are over", 180_000, async () => {
    const [row] = await server.query<{ n: number }>(
      "select count(*)::int as n from otp_record where status = 'calling'",
    );
    return row?.n === 0 ? true : null;
  });
  // Past the limit of a minute, whatever the passcodes before counted for.
  let limited = 0;
  for (let turn = 0; turn < 70 && limited === 0; turn++)
    if ((await send("402, too many")).text.includes("OTP_RATE_LIMITED")) limited++;
  assert.equal(limited, 1);
  await eventually("webhooks", 180_000, async () => {
    const [row] = await server.query<{ n: number }>(
      "select count(*)::int as n from delivery where state <> 'delivered'",
    );
    return row?.n === 0 ? true : null;
  });
  assert.ok(scene.inbox.received.size > 20);
  assert.deepEqual(scene.inbox.faults, []);
  const metrics = await (await fetch(`${server.base}/metrics`)).text();

  // Planted where a careless hand would leave it: the search must find it in every place it claims to look at.
  const control = new Canaries();
  // In a table of ours: a backup leaves out those of others.
  await server.query(`update workspace set name = 'code ${control.make("control")}'`);
  await server.query("checkpoint");
  const found = [...(await searchDatabase(server, control)), ...searchFiles(server, control)];
  for (const place of ["rows of", "backup", "WAL", "file"])
    assert.ok(
      found.some((one) => one.startsWith(`control in ${place}`)),
      `not seen in ${place}: ${found.join("; ")}`,
    );
  // What PostgreSQL itself refuses: its log names the constraint, neither the row nor the statement.
  const refused = `insert into scratch values ('code ${control.make("refused")}')`;
  await server.query("create table scratch (words text)");
  await server.query(
    "alter table scratch add constraint unlucky check (words not like 'code%') not valid",
  );
  await assert.rejects(server.query(refused), /unlucky/);
  const log = readFileSync(path.join(server.dataDir, "postgres.log"), "utf8");
  assert.match(log, /"unlucky"/);
  assert.deepEqual(look(control, "PostgreSQL's log", log), []);
  await server.query("drop table scratch");

  await server.query("checkpoint");
  const leaks = await searchDatabase(server, canaries);
  leaks.push(...searchFiles(server, canaries));
  assert.equal((await server.stop()).code, 0);
  leaks.push(...searchFiles(server, canaries));
  const bodies = [...scene.inbox.received.values()].map(({ body }) => body).join("\n");
  leaks.push(...look(canaries, "answers", answers.join("\n")));
  leaks.push(...look(canaries, "metrics", metrics), ...look(canaries, "webhooks", bodies));
  assert.deepEqual(leaks, []);
  // They did go out: the gateway has them.
  const sent = twilio.requests().filter(({ body }) => body.includes(canaries.mark));
  assert.ok(sent.length > 30);
  const texts = canaries.texts;
  t.diagnostic(
    `${texts.length} texts, ${sent.length} of them at the gateway, answers ${JSON.stringify(statuses)}, ` +
      `${server.logs().length} bytes of log, ${scene.inbox.received.size} webhooks`,
  );
});

/** Where a text stands in words, as "what in place". */
function look(canaries: Canaries, place: string, words: string): string[] {
  const at = words.indexOf(canaries.mark);
  return at < 0 ? [] : [`${canaries.nameAt(words, at)} in ${place}`];
}

/** What a backup says, as whoever has the master key reads it. */
async function linesOfBackup(dataDir: string, file: string): Promise<string> {
  const key = readFileSync(path.join(dataDir, "master.key"), "utf8").trim();
  const sealer = createSealer(Buffer.from(key, "base64"));
  const said: string[] = [];
  for await (const line of (await openBackup({ sealer }, file)).lines) said.push(line);
  assert.ok(said.length > 25);
  return said.join("\n");
}

/** Every row of every table as text, what the connections run, and a whole backup. */
async function searchDatabase(server: RealServer, canaries: Canaries): Promise<string[]> {
  const hits: string[] = [];
  const tables = await server.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  assert.ok(tables.length > 25);
  for (const { name } of [...tables, { name: "pg_stat_activity" }]) {
    const rows = await server.query<{ words: string }>(`select x::text as words from ${name} x`);
    const words = rows.map((row) => row.words).join("\n");
    hits.push(...look(canaries, `rows of ${name}`, words));
  }
  const file = path.join(server.dataDir, "../backup.gz");
  const done = await launch("cli/main.ts", ["backup", file], { PARLEY_DATA_DIR: server.dataDir })
    .ended;
  assert.equal(done.code, 0, done.stderr);
  hits.push(...look(canaries, "backup", await linesOfBackup(server.dataDir, file)));
  return hits;
}

/**
 * The raw bytes of everything the server wrote: base files, WAL, PostgreSQL's log and its own. As they stand, in
 * UTF-16, and in base64 at any alignment.
 */
function searchFiles(server: RealServer, canaries: Canaries): string[] {
  const { mark } = canaries;
  const forms = [
    Buffer.from(mark),
    Buffer.from(mark, "utf16le"),
    // The first and the last group of base64 depend on the neighbours.
    ...[0, 1, 2].map((shift) =>
      Buffer.from(
        Buffer.from("x".repeat(shift) + mark)
          .toString("base64")
          .slice(shift === 0 ? 0 : 4, -4),
      ),
    ),
  ];
  const files = readdirSync(server.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  assert.ok(files.some((file) => file.includes("pg_wal")));
  return [...files, server.logFile].flatMap((file) => {
    const bytes = read(file);
    const form = forms.find((one) => bytes.includes(one));
    if (!form) return [];
    const at = bytes.indexOf(form);
    const name = canaries.nameAt(bytes.toString("latin1", at, at + 24), 0);
    return [`${name} in ${file.includes("pg_wal") ? "WAL" : "file"} ${path.basename(file)}`];
  });
}

/** Files come and go while PostgreSQL runs. */
function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}
