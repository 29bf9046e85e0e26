import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import { sql } from "../db/sql.ts";
import { buildHttp } from "../http/server.ts";
import { describeDemo, ensureDemo, resetDemo } from "./demo.ts";
import { demoPhone } from "./demo-data.ts";
import { makeDemo } from "./make-demo.ts";
import { keepReceiver } from "./receiver-endpoint.ts";
import { startSandbox } from "./sandbox.ts";
import { streaming } from "../../test/streaming.ts";

/** A whole demo, its emulator and its receiver, over real HTTP; webhooks of the platform leave at `flush()`. */
async function startDemo() {
  const t = await startTestApp({ config: { demo: true, outboundAllow: [] } });
  const fastify = await buildHttp(t.app);
  const publicUrl = await fastify.listen({ host: "127.0.0.1", port: 0 });
  const keeper = await keepReceiver(t.app);
  const sandbox = await startSandbox(t.app, { publicUrl, delivery: "manual" });
  const facts = await makeDemo(t.app, sandbox, publicUrl);
  await keeper.attach();
  const settle = async () => {
    await t.app.drain();
    await sandbox.emulator.flush();
    await t.app.drain();
  };
  return {
    ...t,
    publicUrl,
    sandbox,
    facts,
    receiver: keeper.receiver,
    settle,
    async [Symbol.asyncDispose]() {
      await sandbox.close();
      await keeper.receiver.close();
      await fastify.close();
      await t[Symbol.asyncDispose]();
    },
  };
}

test("a reply travels from the printed curl to a signed message.status webhook", async () => {
  await using t = await startDemo();
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
  assert.deepEqual(t.sandbox.emulator.ledger.repeated(), []);
});

test("the demo has contacts, templates, conversations, segments and a draft campaign", async () => {
  await using t = await startDemo();
  await t.settle();
  const get = async (path: string) => {
    const response = await fetch(`${t.publicUrl}/api/v1/${path}`, {
      headers: { authorization: `Bearer ${t.facts.bearer}` },
    });
    assert.equal(response.status, 200, path);
    return JSON.parse(await response.text());
  };
  assert.equal((await get("contacts")).total, 200);
  assert.equal((await get("templates")).length, 5);
  assert.equal((await get("segments")).length, 2);
  const [campaign] = await get("broadcasts");
  assert.equal(campaign.status, "DRAFT");
  const [counts] = await t.app.db.query<{ threads: number; failed: number; waiting: number }>(
    sql`select (select count(*) from conversation) as threads,
      (select count(*) from message where status = 'failed') as failed,
      (select count(*) from message_outbox) as waiting`,
  );
  assert.deepEqual({ ...counts }, { threads: 12, failed: 0, waiting: 0 });
});

test("after a restart the sandbox knows its number, templates and customers again", async () => {
  await using t = await startDemo();
  await t.settle();
  await t.sandbox.close();
  const again = await startSandbox(t.app, { publicUrl: t.publicUrl, delivery: "manual" });
  try {
    const [number] = again.emulator.numbers.values();
    assert.equal(again.emulator.templates.list(number?.wabaId ?? "").length, 5);
    assert.equal(again.emulator.user(demoPhone(1)).name, "سارة الصباح");
    await t.app.drain();
    await fetch(`${t.publicUrl}/api/v1/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${t.facts.bearer}`, "content-type": "application/json" },
      body: JSON.stringify({ conversationId: t.facts.conversationId, text: "again" }),
    });
    await t.app.drain();
    assert.equal(again.emulator.messages().length, 1);
    assert.deepEqual(again.emulator.messages()[0]?.statuses, ["sent", "delivered", "read"]);
  } finally {
    await again.close();
  }
});

test("the demo is made once on an empty database, made anew by a reset, and never when it is off", async () => {
  await using off = await startTestApp({ config: { demo: false } });
  assert.equal(await ensureDemo(off.app, { publicUrl: "http://127.0.0.1:9" }), null);

  await using t = await startTestApp({ config: { demo: "auto", outboundAllow: [] } });
  const publicUrl = "http://127.0.0.1:9";
  const facts = await ensureDemo(t.app, { publicUrl });
  assert.ok(facts);
  await t.app.sandbox.close();
  assert.equal(t.app.sandbox.receiverUrl, null);
  assert.equal(await ensureDemo(t.app, { publicUrl }), null);
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

test("only the receiver's own address is admitted, and only while the sandbox runs", async () => {
  await using t = await startDemo();
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
      createEndpoint(app, t.facts.workspaceId, { url: receiver.url }),
    ),
    /not public/,
  );
});

test("a demo that cannot be made leaves nothing behind and stops nothing", async () => {
  await using t = await startTestApp({
    config: { demo: "auto" },
    overrides: {
      providerHttp: streaming({ request: () => Promise.reject(new Error("out of order")) }),
    },
  });
  assert.equal(await ensureDemo(t.app, { publicUrl: "http://127.0.0.1:9" }), null);
  assert.equal(t.app.sandbox.receiverUrl, null);
  assert.equal((await t.app.db.query(sql`select 1 from workspace`)).length, 0);
});

test("the draft campaign runs to its end over the sandbox number", async () => {
  await using t = await startDemo();
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
  // The pace lets so many out per tick: sixty ticks are more than enough for eighty.
  for (let tick = 0; tick < 60 && campaign.status !== "COMPLETED"; tick++) {
    await t.settle();
    t.clock.advance(5000);
    [campaign] = await call("GET", "broadcasts");
  }
  assert.equal(campaign.status, "COMPLETED");
  assert.equal(campaign.totalCount, 80);
  assert.equal(campaign.sentCount, 80);
  assert.equal(campaign.readCount, 80);
  assert.deepEqual(t.sandbox.emulator.ledger.repeated(), []);
});
