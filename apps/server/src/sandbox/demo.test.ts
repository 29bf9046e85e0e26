import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { labelsOf } from "../desk/labels.ts";
import { countViews } from "../inbox/count-views.ts";
import { savedRepliesOf } from "../inbox/write-saved-reply.ts";
import { viewsOf } from "../inbox/write-view.ts";
import { systemClock } from "../lib/clock.ts";
import { buildApp } from "../app.ts";
import { CALM, startTestApp } from "../../test/harness.ts";
import { serve } from "../../test/web-shop.ts";
import { freePort } from "../../test/free-port.ts";
import { sql } from "../db/sql.ts";
import { findProvider } from "../sms/find-provider.ts";
import { listTemplates } from "../templates/list-templates.ts";
import { syncTemplates } from "../templates/sync-templates.ts";
import { buildHttp } from "../http/server.ts";
import { deskHere } from "./demo-desk.ts";
import { createDemoWorkspace, describeDemo, ensureDemo, resetDemo } from "./demo.ts";
import { demoPhone, SAMPLE_TEMPLATES } from "./demo-data.ts";
import { startSandboxKeeper, type SandboxKeeper } from "./sandbox-keeper.ts";
import { makeDemo } from "./make-demo.ts";
import { startDemoReceiver } from "./receiver-endpoint.ts";
import { DESK_VIEWS } from "../wire/words.ts";
import { listMembers } from "../workspaces/list-members.ts";
import { runTurns } from "../bots/turn/run-turns.ts";
import { startBots } from "../bots/thread/start-bots.ts";
import { selectAnswered } from "../conversations/handler.ts";
import { sayAsVisitor } from "./say-as-visitor.ts";
import { streaming } from "../../test/streaming.ts";

/** Starts a whole demo, with its emulators and its receiver over real HTTP. The platforms call back at `settle()`. */
async function startDemo() {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const t = await startTestApp({ config: { demo: true, outboundAllow: [], publicUrl } });
  const fastify = await buildHttp(t.app);
  await fastify.listen({ host: "127.0.0.1", port });
  const receiver = await startDemoReceiver(t.app);
  const keep = () =>
    startSandboxKeeper(t.app, {
      publicUrl,
      address: publicUrl,
      delivery: "manual",
      timed: false,
      always: true,
    });
  const keeper = await keep();
  const workspace = await createDemoWorkspace(t.app);
  const facts = await makeDemo(t.app, workspace, deskHere(keeper), publicUrl);
  await receiver.attach();
  const settle = async () => {
    for (let round = 0; round < 3; round++) {
      await t.app.drain();
      await keeper.sandbox?.flush();
    }
    await t.app.drain();
  };
  return {
    ...t,
    publicUrl,
    keep,
    keeper,
    facts,
    receiver: receiver.receiver,
    settle,
    async [Symbol.asyncDispose]() {
      await keeper.close();
      await receiver.receiver.close();
      await fastify.close();
      await t[Symbol.asyncDispose]();
    },
  };
}

const lineOf = (keeper: SandboxKeeper, type: string) => {
  const line = keeper.sandbox?.lines.find((one) => one.type === type);
  assert.ok(line, type);
  return line;
};

/**
 * One demo for all tests, because making it takes time. Tests that look at all of it come first, tests that stop it
 * last.
 */
let t: Awaited<ReturnType<typeof startDemo>>;
before(async () => void (t = await startDemo()));
after(() => t[Symbol.asyncDispose]());

test("the demo has contacts, templates, conversations, segments and a draft campaign", async () => {
  await t.settle();
  const get = async (path: string) => {
    const response = await fetch(`${t.publicUrl}/api/v1/${path}`, {
      headers: { authorization: `Bearer ${t.facts.bearer}` },
    });
    assert.equal(response.status, 200, path);
    return JSON.parse(await response.text());
  };
  assert.equal((await get("contacts")).total, 210);
  assert.equal((await get("templates")).length, SAMPLE_TEMPLATES.length);
  assert.equal((await get("segments")).length, 2);
  const [campaign] = await get("broadcasts");
  assert.equal(campaign.status, "DRAFT");
  const [counts] = await t.app.db.query<{ threads: number; failed: number; waiting: number }>(
    sql`select (select count(*) from conversation) as threads,
      (select count(*) from message where status = 'failed') as failed,
      (select count(*) from message_outbox) as waiting`,
  );
  assert.deepEqual({ ...counts }, { threads: 23, failed: 1, waiting: 0 });
});

test("the demo's inbox shows what a team does: every view but Mentions and those of bots has somebody, with notes, labels, saved replies and a view", async () => {
  await t.settle();
  const { workspaceId } = t.facts;
  const [owner] = await listMembers(t.app.db, workspaceId);
  assert.ok(owner);
  const own = await viewsOf(t.app.db, workspaceId, owner.id);
  assert.equal(own.length, 1);
  const views = DESK_VIEWS.filter((view) => !["mentions", "bot", "handed"].includes(view));
  const labels = await labelsOf(t.app.db, workspaceId);
  const counts = (await countViews(t.app, workspaceId, [owner.id])).get(owner.id);
  assert.deepEqual(
    [
      ...views,
      ...own.map(({ id }) => `view-${id}`),
      ...labels.map(({ name }) => `label-${name}`),
    ].filter((view) => !(Number(counts?.[view]) > 0)),
    [],
    JSON.stringify(counts),
  );
  assert.ok(labels.length >= 4);
  assert.ok((await savedRepliesOf(t.app.db, workspaceId, owner.id)).length >= 4);
  const [rows] = await t.app.db.query<{ notes: number; code: string }>(
    sql`select (select count(*) from note) as notes,
      (select error_code from message where status = 'failed') as code`,
  );
  assert.deepEqual(rows && { ...rows }, { notes: 3, code: "131026" });
});

test("the demo has a channel of each type with conversations, an SMS account and a page of its web chat", async () => {
  const rows = await t.app.db.query<{ type: string; names: string[]; status: string }>(
    sql`select h.type, h.status, array_agg(c.name order by c.name) as names from channel h
      join conversation v on v.channel_id = h.id join contact c on c.id = v.contact_id group by 1, 2 order by 1`,
  );
  assert.deepEqual(
    rows.map(({ type, status, names }) => [type, status, names.length]),
    [
      ["INSTAGRAM", "connected", 2],
      ["MESSENGER", "connected", 2],
      ["TELEGRAM", "connected", 2],
      ["TIKTOK", "connected", 2],
      ["WEB", "connected", 1],
      ["WHATSAPP", "connected", 14],
    ],
  );
  const provider = await findProvider(t.app, t.facts.workspaceId);
  assert.ok(provider?.sandbox && provider.verifiedAt !== null);
  const [printed = ""] = /http\S+\/chat\/try\/\S+/.exec(describeDemo(t.facts)) ?? [];
  const page = await fetch(printed);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /data-channel="[0-9a-f-]{36}"/);
});

test("the newest conversation is the one to answer, on a channel that reports a reply's status", async () => {
  const response = await fetch(`${t.publicUrl}/api/v1/conversations?limit=1`, {
    headers: { authorization: `Bearer ${t.facts.bearer}` },
  });
  const [newest] = JSON.parse(await response.text()).items;
  assert.deepEqual([newest.channelType, newest.id], ["WHATSAPP", t.facts.conversationId]);
});

test("a reply travels from the printed curl to a signed message.status webhook", async () => {
  await t.settle();
  const curl = describeDemo(t.facts);
  const body = /-d '(.*)'/.exec(curl)?.[1] ?? "";
  const response = await fetch(`${t.publicUrl}/api/v1/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${t.facts.bearer}`, "content-type": "application/json" },
    body,
  });
  assert.equal(response.status, 201);
  const accepted: { id: string; status: string } = JSON.parse(await response.text());
  assert.equal(accepted.status, "sent");
  await t.settle();
  const events = t.receiver.received().map(({ event }) => Object(event));
  const statuses = events
    .filter((e) => e.type === "message.status" && e.data.messageId === accepted.id)
    .map((e) => e.data.status);
  assert.deepEqual(statuses, ["delivered", "read"]);
  const answer = events.find(
    (e) => e.type === "message.received" && e.data.conversationId === t.facts.conversationId,
  );
  assert.match(answer?.data.message.text, /شكرًا|تمام|ممتاز/);
  assert.deepEqual(lineOf(t.keeper, "WHATSAPP").platform.repeated(), []);
});

test("only the receiver's own address is allowed, and only while the sandbox runs", async () => {
  const { receiver, app } = t;
  const request = (url: string) =>
    app.guardedHttp.request({ method: "POST", url, body: "{}" }).then(
      (response) => response.status,
      (error: unknown) => Object(error).kind,
    );
  assert.equal(await request(receiver.url), 401);
  assert.equal(await request(`${receiver.url}/`), "blocked");
  assert.equal(await request(`${t.publicUrl}/healthz`), "blocked");
  await assert.rejects(
    import("../webhooks/create-endpoint.ts").then(({ createEndpoint }) =>
      createEndpoint(OPERATOR, app, t.facts.workspaceId, { url: receiver.url }),
    ),
    /not public/,
  );
});

test("the draft campaign runs to its end over the sandbox number", async () => {
  await t.settle();
  const call = async (method: string, path: string) => {
    const response = await fetch(`${t.publicUrl}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${t.facts.bearer}` },
    });
    return JSON.parse(await response.text());
  };
  const [draft] = await call("GET", "broadcasts");
  assert.equal((await call("POST", `broadcasts/${draft.id}/start`)).status, "QUEUED");
  let campaign = draft;
  // The pace sends a few each tick. Sixty ticks are more than enough for eighty recipients.
  for (let tick = 0; tick < 60 && campaign.status !== "COMPLETED"; tick++) {
    await t.settle();
    t.clock.advance(5000);
    [campaign] = await call("GET", "broadcasts");
  }
  assert.equal(campaign.status, "COMPLETED");
  assert.equal(campaign.totalCount, 80);
  assert.equal(campaign.sentCount, 80);
  assert.equal(campaign.readCount, 80);
  assert.deepEqual(lineOf(t.keeper, "WHATSAPP").platform.repeated(), []);
});

test("on the web chat the demo's bot answers from its knowledge, and hands over to a person who is asked for", async () => {
  await t.settle();
  const [channel] = await t.app.db.query<{ id: string }>(sql`
    select id from channel where workspace_id = ${t.facts.workspaceId} and type = 'WEB'`);
  const ask = async (text: string) => {
    const said = { from: "reader-1", name: "Reader", text };
    const { conversationId } = await sayAsVisitor(t.app, channel?.id ?? "", said);
    await startBots(t.app, 10);
    // The customer has written no more for two seconds.
    t.clock.advance(3_000);
    await runTurns(t.app, 10);
    await t.settle();
    const key = { workspaceId: t.facts.workspaceId, conversationId: conversationId ?? "" };
    const [thread] = await selectAnswered(t.app.db, [key]);
    const messages = await t.app.db.query<{ text: string }>(sql`
      select text from message where workspace_id = ${key.workspaceId} and direction = 'outbound'
        and conversation_id = ${key.conversationId} order by id`);
    return { handler: thread?.handler, texts: messages.map((one) => one.text) };
  };
  const answered = await ask("When do you open?");
  assert.equal(answered.handler, "bot");
  assert.match(answered.texts.join("\n"), /automatic assistant/);
  assert.match(answered.texts.join("\n"), /9:00 to 21:00/);
  const handed = await ask("I want to speak to a person please");
  assert.equal(handed.handler, "person");
});

test("after a restart the platforms know their templates, customers and windows, and the phones show their messages", async () => {
  await t.settle();
  const shown = lineOf(t.keeper, "WHATSAPP").thread({ limit: 500 });
  await t.keeper.close();
  const again = await t.keep();
  try {
    const line = lineOf(again, "WHATSAPP");
    const talk = line.thread({ limit: 500 }).filter((one) => one.customer === demoPhone(1));
    assert.deepEqual(talk.map((one) => one.kind === "message" && [one.by, one.text]).slice(0, 2), [
      ["customer", "السلام عليكم، متى يصل طلبي؟"],
      ["business", "وعليكم السلام، يصلك غدًا صباحًا بإذن الله."],
    ]);
    assert.ok(shown.length > 0);
    await t.app.drain();
    await fetch(`${t.publicUrl}/api/v1/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${t.facts.bearer}`, "content-type": "application/json" },
      body: JSON.stringify({ conversationId: t.facts.conversationId, text: "again" }),
    });
    for (let round = 0; round < 2; round++) {
      await t.app.drain();
      await again.sandbox?.flush();
    }
    await t.app.drain();
    const rows = await t.app.db.query<{ status: string }>(
      sql`select status from message where text = 'again'`,
    );
    // The platform enforces the reply window, so it knows that the customer wrote.
    assert.deepEqual(rows, [{ status: "read" }]);
    const templates = await syncTemplates(OPERATOR, t.app, t.facts.workspaceId, line.id);
    assert.ok(templates.ok);
    assert.equal((await listTemplates(t.app, t.facts.workspaceId)).length, SAMPLE_TEMPLATES.length);
  } finally {
    await again.close();
  }
});

test("of two processes that start at once on an empty database one makes the demo; a reset makes it again, and off makes none", async () => {
  await using off = await startTestApp({ config: { demo: false } });
  const nowhere = { publicUrl: "http://127.0.0.1:9", address: "http://127.0.0.1:9" };
  assert.equal(await ensureDemo(off.app, nowhere), null);

  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const config = { demo: "auto", outboundAllow: [], publicUrl } as const;
  const masterKey = Buffer.alloc(32, 1);
  await using t = await startTestApp({ config, masterKey, overrides: { clock: systemClock } });
  const fastify = await buildHttp(t.app);
  await fastify.listen({ host: "127.0.0.1", port });
  await using _listening = { [Symbol.asyncDispose]: () => fastify.close() };
  const here = { publicUrl, address: publicUrl };
  // Whichever runs the sandbox, the other one asks it at its own address.
  await using other = await buildApp(
    t.app.config,
    { masterKey },
    { clock: systemClock, pressure: CALM },
  );
  const beside = await serve(other);
  await using _beside = { [Symbol.asyncDispose]: () => beside.server.close() };
  const made = await Promise.all([
    ensureDemo(t.app, here),
    ensureDemo(other, { publicUrl, address: beside.base }),
  ]);
  const [facts, ...more] = made.filter((one) => one !== null);
  assert.ok(facts);
  assert.deepEqual(more, []);
  const workspaces = await t.app.db.query(sql`select id from workspace`);
  assert.deepEqual(workspaces, [{ id: facts.workspaceId }]);
  await t.app.sandbox.close();
  await other.sandbox.close();
  assert.equal(t.app.sandbox.receiverUrl, null);
  assert.equal(await ensureDemo(t.app, here), null);
  // As in the command, which runs beside the server with the sandbox.
  const fresh = await resetDemo(t.app, { publicUrl });
  assert.notEqual(fresh.workspaceId, facts.workspaceId);
  const rows = await t.app.db.query<{ id: string }>(sql`select id from workspace`);
  assert.deepEqual(
    rows.map((row) => row.id),
    [fresh.workspaceId],
  );
  const left = await t.app.db.query(
    sql`select 1 from contact where workspace_id = ${facts.workspaceId}`,
  );
  assert.equal(left.length, 0);
});

test("a demo that cannot be made leaves nothing behind and stops nothing", async () => {
  await using t = await startTestApp({
    config: { demo: "auto" },
    overrides: {
      providerHttp: streaming({ request: () => Promise.reject(new Error("out of order")) }),
    },
  });
  assert.equal(
    await ensureDemo(t.app, { publicUrl: "http://127.0.0.1:9", address: "http://127.0.0.1:9" }),
    null,
  );
  assert.equal(t.app.sandbox.receiverUrl, null);
  assert.equal((await t.app.db.query(sql`select 1 from workspace`)).length, 0);
});
