import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createWhatsAppEmulator, type WhatsAppEmulator } from "@parley/emulators";
import pg from "pg";
import { startSession, type Session } from "../black-box/command-session.ts";
import { createTestDatabase } from "../harness.ts";
import { bad, startReceiver, type Receiver } from "../webhook-receiver.ts";
import { launch, privateFolder, type Launched } from "./launch.ts";
import { startSmtpServer, type SmtpServer } from "./smtp-server.ts";

/** Two API processes and a worker on one database, set up by commands: what no process can know alone stays true. */
const NUMBER = {
  phoneNumberId: "106540352242922",
  wabaId: "102290129340398",
  accessToken: "token",
  appSecret: "secret",
};
const folder = privateFolder();
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: pg.Client;
let processes: Launched[] = [];
let apis: [string, string];
let worker: string;
let session: Session;
let meta: WhatsAppEmulator;
let receiver: Receiver;
let mail: SmtpServer;

before(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  [meta, receiver, mail] = await Promise.all([
    createWhatsAppEmulator({ numbers: [NUMBER] }),
    startReceiver(),
    startSmtpServer(),
  ]);
  const environment = {
    DATABASE_URL: database.url,
    PARLEY_MASTER_KEY: randomBytes(32).toString("base64"),
    PARLEY_OUTBOUND_ALLOW: "127.0.0.0/8",
    PARLEY_DATA_DIR: folder.path,
    SMTP_URL: mail.url,
    PARLEY_DEMO: "off",
  };
  processes = ["api", "api", "worker"].map((role) =>
    launch("main.ts", [], { ...environment, PARLEY_ROLE: role }),
  );
  session = startSession(environment);
  const [one = "", two = "", three = ""] = await Promise.all(processes.map(({ serves }) => serves));
  apis = [one, two];
  worker = three;
});
after(async () => {
  for (const { child } of processes) child.kill("SIGTERM");
  await Promise.all(processes.map(({ ended }) => ended));
  await session[Symbol.asyncDispose]();
  await Promise.all([meta.close(), client.end()]);
  receiver.close();
  mail.close();
  await database.drop();
  folder[Symbol.dispose]();
});

type Json = Record<string, unknown>;

async function cli(command: string, ...words: string[]): Promise<Json> {
  const done = await session.run(...command.split(" "), ...words, "--json");
  assert.deepEqual([done.code, done.stderr], [0, ""], command);
  return JSON.parse(done.stdout) as Json;
}

let bearer: string;
async function api(base: string, path: string, body?: object, key = bearer) {
  const response = await fetch(`${base}/api/v1${path}`, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<number> {
  const begun = performance.now();
  while (!(await holds())) {
    assert.ok(performance.now() - begun < 180_000, what);
    await sleep(20);
  }
  return Math.round(performance.now() - begun);
}

let workspace: string;
let channel: string;
let conversationId: string;

test("doctor says that a server runs, and finds each of its processes", async () => {
  const done = await session.run("doctor", "--json");
  const report = JSON.parse(done.stdout) as { server: unknown; processes: { role: string }[] };
  assert.equal(report.server, "running", done.stderr);
  assert.deepEqual(report.processes.map(({ role }) => role).toSorted(), ["api", "api", "worker"]);
});

test("a worker serves its health and nothing else", async () => {
  for (const path of ["/healthz", "/readyz", "/metrics"])
    assert.equal((await fetch(worker + path)).status, 200, path);
  for (const path of ["/", "/api/v1/usage", "/api/openapi.json", "/hooks/whatsapp/x"])
    assert.equal((await fetch(worker + path)).status, 404, path);
});

test("what one API process accepts, the worker sends, and the other knows", async (t) => {
  workspace = String((await cli("workspace create --name Shop --plan business"))["id"]);
  bearer = String((await cli(`key create --workspace ${workspace}`))["bearer"]);
  const made = await cli(
    `channel connect whatsapp --workspace ${workspace} --name Main --phone-number-id ${NUMBER.phoneNumberId} --waba-id ${NUMBER.wabaId} --access-token token --app-secret secret --verify-token verify --api-url ${meta.url}`,
  );
  channel = String(made["id"]);
  const url = `${apis[1]}/hooks/whatsapp/${channel}`;
  meta.addNumber({ ...NUMBER, webhook: { url, verifyToken: "verify" } });
  meta.inbound({ phoneNumberId: NUMBER.phoneNumberId, from: "96550001234", name: "S", text: "hi" });
  await until("the customer's message makes a conversation", async () => {
    const { rows } = await client.query<{ id: string }>("select id from conversation");
    conversationId = rows[0]?.id ?? "";
    return rows.length > 0;
  });
  const reply = await api(apis[0], "/messages", { conversationId, text: "Yes" });
  assert.equal(reply.status, 201);
  const waited = await until("the worker sends it", () => meta.messages().length === 1);
  t.diagnostic(`dispatched by the worker after ${waited} ms`);
  await until("its statuses reach the database", async () => {
    const { rows } = await client.query("select 1 from message where status = 'read'");
    return rows.length === 1;
  });
  const usage = (await api(apis[1], "/usage")).body["usage"] as Json;
  assert.equal(usage["messages"], 1);
});

test("a suspension, its end and a limit hold at once in every process, exactly", async () => {
  const text = { conversationId, text: "More" };
  await cli(`workspace update ${workspace} --suspend`);
  for (const base of apis) {
    const { status, body } = await api(base, "/messages", text);
    assert.deepEqual([status, body["message"]], [402, "SUBSCRIPTION_SUSPENDED"]);
  }
  await cli(`workspace update ${workspace} --activate --limit messages=4`);
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, n) => api(apis[n % 2] ?? "", "/messages", text)),
  );
  const refused = answers.filter(({ status }) => status !== 201);
  assert.equal(answers.length - refused.length, 3);
  for (const { status, body } of refused) {
    const { message, limit, usage } = body;
    assert.deepEqual([status, message, limit, usage], [402, "MESSAGE_LIMIT_REACHED", 4, 4]);
  }
  await cli(`workspace update ${workspace} --limit messages=default`);
});

test("120 requests of a key pass in a minute, whichever process they reach", async () => {
  const key = String((await cli(`key create --workspace ${workspace}`))["bearer"]);
  let unanswered = 0;
  const ask = async (n: number): ReturnType<typeof api> => {
    const answer = await api(apis[n % 2] ?? "", "/segments", undefined, key);
    if (answer.status !== 503) return answer;
    unanswered++;
    return ask(n);
  };
  const answers = await Promise.all(Array.from({ length: 140 }, (_, n) => ask(n)));
  const passed = answers.filter(({ status }) => status === 200).length;
  assert.equal(answers.filter(({ status }) => status === 429).length, 140 - passed);
  // A crowded process refuses some calls before it counts them, and gives up others, which have counted, for the database.
  assert.ok(passed <= 120 && passed + unanswered >= 120, `${passed} passed, ${unanswered} 503`);
});

test("a campaign made and started by commands runs to its end in the worker", async () => {
  const components = [{ type: "BODY", text: "Hi {{1}}, {{2}} off" }];
  meta.addTemplate(NUMBER.wabaId, { name: "sale", language: "en", components });
  await cli(`channel sync-templates ${channel}`);
  const templates = (await api(apis[0], "/templates")).body as unknown as Json[];
  for (const n of [1, 2, 3])
    await api(apis[0], "/contacts", { name: `P${n}`, phone: `9655000200${n}` });
  const campaign = await cli(
    `broadcast create --workspace ${workspace} --name Sale --kind WHATSAPP_TEMPLATE --channel ${channel} --template ${String(templates[0]?.["id"])} --variable 1={{name}} --variable`,
    "2=10 %",
  );
  const id = String(campaign["id"]);
  assert.equal((await cli(`broadcast start ${id}`))["status"], "QUEUED");
  await until("it is completed", async () => {
    const list = (await api(apis[1], "/broadcasts")).body as unknown as Json[];
    return list[0]?.["status"] === "COMPLETED";
  });
  const { totalCount, sentCount, failedCount } = await cli(`broadcast show ${id}`);
  assert.deepEqual([totalCount, sentCount, failedCount], [4, 4, 0]);
  const sent = meta.messages().filter(({ template }) => template === "sale");
  const everybody = ["96550001234", "96550002001", "96550002002", "96550002003"];
  assert.deepEqual(sent.map(({ to }) => to).toSorted(), everybody);
  assert.deepEqual(meta.ledger.repeated(), []);
});

test("an endpoint that is disabled is mailed to the admins, once, and to nobody else", async () => {
  for (const [name, role] of [
    ["owner", "owner"],
    ["admin", "admin"],
    ["agent", "agent"],
  ])
    await cli(
      `user create --workspace ${workspace} --email ${name}@shop.example --name N --role ${role}`,
    );
  receiver.answers.set("/down", bad);
  const made = await cli(`webhook create --workspace ${workspace} --url ${receiver.base}/down`);
  // As after nineteen failures, which the retry schedule spreads over an hour.
  await client.query("update endpoint set consecutive_failures = 19");
  await cli(`webhook test ${String(made["id"])}`);
  await until("the mail comes", () => mail.mails.length > 0);
  const [one] = mail.mails;
  assert.deepEqual(one?.to.toSorted(), ["admin@shop.example", "owner@shop.example"]);
  assert.match(one?.data ?? "", /^Subject: .*(endpoint|disabled)/im);
  await sleep(300);
  assert.equal(mail.mails.length, 1);
});
