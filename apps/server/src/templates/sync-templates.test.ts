import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { connectChannel } from "../channels/connect-channel.ts";
import { disconnectChannel } from "../channels/disconnect-channel.ts";
import { findChannel } from "../channels/list-channels.ts";
import { sql } from "../db/sql.ts";
import { HttpFailure, type HttpRequest, type HttpResponse } from "../lib/http.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { createSyncChannelsWorker } from "../workers/sync-channels.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { applyTemplateStatus } from "./apply-template-status.ts";
import { findTemplate, listTemplates } from "./list-templates.ts";
import { syncTemplates } from "./sync-templates.ts";
import { streaming } from "../../test/streaming.ts";

/** The platform's answer to a request. Each test sets its own. */
let answer: (request: HttpRequest) => object | string | Error | Promise<object>;
let requests: HttpRequest[] = [];
let t: TestApp;

before(async () => {
  const request = async (sent: HttpRequest): Promise<HttpResponse> => {
    // The setup's questions about the account get the answers for a valid one.
    if (!sent.url.includes("/message_templates")) {
      const account = { id: String(7000 + numbers), data: [{ id: String(7000 + numbers) }] };
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(account)) };
    }
    requests.push(sent);
    const given = await answer(sent);
    if (given instanceof Error) throw given;
    const failed = typeof given === "object" && "error" in given;
    const text = typeof given === "string" ? given : JSON.stringify(given);
    return { status: failed ? 400 : 200, headers: {}, body: Buffer.from(text) };
  };
  t = await startTestApp({ overrides: { providerHttp: streaming({ request }) } });
});
after(() => t[Symbol.asyncDispose]());

let numbers = 0;
async function connect(of?: string): Promise<{ workspaceId: string; channelId: string }> {
  requests = [];
  const workspaceId =
    of ?? (await createWorkspace(OPERATOR, t.app, { name: "W", plan: "business" })).id;
  const channel = await connectChannel(OPERATOR, t.app, workspaceId, {
    type: "WHATSAPP",
    name: "Main",
    phoneNumberId: String(7000 + ++numbers),
    wabaId: "102290129340398",
    accessToken: "EAAB",
    appSecret: "s",
    verifyToken: "v",
    apiUrl: "https://proxy.example/graph",
  });
  return { workspaceId, channelId: channel.id };
}

const COMPONENTS = [
  { type: "HEADER", format: "TEXT", text: "Hi {{1}}", example: { header_text: ["Sara"] } },
  { type: "BODY", text: "Order {{1}} ships {{2}}. Ref {{1}}", zeta: 1, alpha: 2 },
];
const item = (id: string, more: object = {}) => ({
  id,
  name: `t_${id}`,
  language: "en_US",
  status: "APPROVED",
  category: "UTILITY",
  parameter_format: "POSITIONAL",
  components: COMPONENTS,
  ...more,
});
const page = (...data: object[]) => ({ data, paging: { cursors: { before: "b", after: "a" } } });

async function templateEvents(workspaceId: string): Promise<string[]> {
  const rows = await t.app.db.query<{ body: string }>(
    sql`select body from event where workspace_id = ${workspaceId} and type = 'template.status' order by sequence`,
  );
  return rows.map(({ body }) => {
    const { data } = JSON.parse(body) as { data: Record<string, string | null> };
    return `${data["name"]}:${data["previousStatus"]}>${data["status"]}`;
  });
}

test("every page is read from our own base address, with nothing but the cursor", async () => {
  const { workspaceId, channelId } = await connect();
  answer = ({ url }) => {
    const after = new URL(url).searchParams.get("after");
    const next = "https://graph.facebook.com/v25.0/1/message_templates?access_token=EAAB&after=zzz";
    if (after === null) return { data: [item("1")], paging: { cursors: { after: "c 1" }, next } };
    if (after === "c 1") return { data: [item("2")], paging: { cursors: { after: "c2" }, next } };
    return { data: [item("3")], paging: { cursors: { before: "x", after: "c3" } } };
  };
  const report = await syncTemplates(OPERATOR, t.app, workspaceId, channelId);
  assert.deepEqual(report, { ok: true, total: 3, changed: 3 });
  assert.equal(requests.length, 3);
  for (const request of requests) {
    const url = new URL(request.url);
    assert.equal(
      `${url.origin}${url.pathname}`,
      "https://proxy.example/graph/v25.0/102290129340398/message_templates",
    );
    assert.equal(url.searchParams.get("limit"), "100");
    assert.equal(request.url.includes("EAAB"), false);
    assert.equal(request.headers?.["authorization"], "Bearer EAAB");
  }
  const listed = await listTemplates(t.app, workspaceId);
  assert.deepEqual(
    listed.map(({ metaId }) => metaId),
    ["1", "2", "3"],
  );
  const [first] = listed;
  assert.ok(first);
  assert.equal(JSON.stringify(first.components), JSON.stringify(COMPONENTS));
  assert.deepEqual(
    [first.bodyVariableCount, first.headerFormat, first.category, first.lastSyncedAt],
    [2, "TEXT", "UTILITY", t.clock.now().toISOString()],
  );
});

test("only approved templates are listed, by name, then language", async () => {
  const { workspaceId, channelId } = await connect();
  answer = () =>
    page(
      item("1", { name: "b", language: "en" }),
      item("2", { name: "b", language: "ar" }),
      item("3", { name: "a" }),
      item("4", { name: "Z" }),
      item("5", { name: "c", status: "PENDING" }),
      item("6", { name: "d", status: "REJECTED" }),
    );
  await syncTemplates(OPERATOR, t.app, workspaceId, channelId);
  const listed = await listTemplates(t.app, workspaceId);
  assert.deepEqual(
    listed.map(({ name, language }) => `${name} ${language}`),
    ["Z en_US", "a en_US", "b ar", "b en"],
  );
  const other = await connect();
  assert.deepEqual(await listTemplates(t.app, other.workspaceId), []);
  await disconnectChannel(OPERATOR, t.app, workspaceId, channelId);
  assert.deepEqual(await listTemplates(t.app, workspaceId), []);
});

test("the templates of one channel are read alone, up to a limit", async () => {
  const { workspaceId, channelId } = await connect();
  const second = await connect(workspaceId);
  answer = () => page(item("1", { name: "b" }), item("2", { name: "a" }), item("3", { name: "c" }));
  for (const id of [channelId, second.channelId])
    await syncTemplates(OPERATOR, t.app, workspaceId, id);
  const namesOf = async (filter: object) =>
    (await listTemplates(t.app, workspaceId, filter)).map((one) => [one.name, one.channelId]);
  assert.equal((await namesOf({})).length, 6);
  const own = ["a", "b", "c"].map((name) => [name, channelId]);
  assert.deepEqual(await namesOf({ channelId }), own);
  assert.deepEqual(await namesOf({ channelId, limit: 2 }), own.slice(0, 2));
  assert.deepEqual(await namesOf({ channelId: workspaceId }), []);
  assert.deepEqual(await namesOf({ channelId: "no id" }), []);
  await disconnectChannel(OPERATOR, t.app, workspaceId, channelId);
  assert.deepEqual(await namesOf({ channelId }), []);
});

test("the first sync announces nothing; later ones announce every change, new templates and missing ones", async () => {
  const { workspaceId, channelId } = await connect();
  answer = () => page(item("1"), item("2"), item("3", { status: "PENDING" }));
  await syncTemplates(OPERATOR, t.app, workspaceId, channelId);
  assert.deepEqual(await templateEvents(workspaceId), []);
  const kept = (await listTemplates(t.app, workspaceId))[0];
  answer = () =>
    page(item("1", { components: [] }), item("3"), item("4"), { id: 5 }, { odd: true });
  const report = await syncTemplates(OPERATOR, t.app, workspaceId, channelId);
  assert.deepEqual(report, { ok: true, total: 3, changed: 3 });
  assert.deepEqual(await templateEvents(workspaceId), [
    "t_2:APPROVED>DELETED",
    "t_3:PENDING>APPROVED",
    "t_4:null>APPROVED",
  ]);
  const same = await findTemplate(t.app.db, workspaceId, kept?.id ?? "");
  assert.deepEqual([same?.metaId, same?.bodyVariableCount, same?.headerFormat], ["1", 0, null]);
  await syncTemplates(OPERATOR, t.app, workspaceId, channelId);
  assert.equal((await templateEvents(workspaceId)).length, 3);
});

test("an edited template gets the platform's new content and keeps its id", async () => {
  const { workspaceId, channelId } = await connect();
  answer = () => page(item("1"));
  await syncTemplates(OPERATOR, t.app, workspaceId, channelId);
  const [old] = await listTemplates(t.app, workspaceId);
  t.clock.advance(60_000);
  const components = [
    { type: "HEADER", format: "IMAGE" },
    { type: "BODY", text: "{{who}}" },
  ];
  const edit = { name: "n", language: "ar", category: "MARKETING", parameter_format: "NAMED" };
  answer = () => page(item("1", { ...edit, components }));
  await syncTemplates(OPERATOR, t.app, workspaceId, channelId);
  const { parameter_format: parameterFormat, ...same } = edit;
  assert.deepEqual(await findTemplate(t.app.db, workspaceId, old?.id ?? ""), {
    ...old,
    ...same,
    rejectedReason: null,
    rejectionDetail: null,
    quality: null,
    workspaceId,
    channelId,
    components,
    parameterFormat,
    bodyVariableCount: 1,
    headerFormat: "IMAGE",
    lastSyncedAt: t.clock.now(),
  });
});

test("two numbers of one business have the same templates, and each number has its own rows", async () => {
  const one = await connect();
  const other = await connect(one.workspaceId);
  const { workspaceId } = one;
  answer = () => page(item("1"), item("2"));
  for (const { channelId } of [one, other, one]) {
    const report = await syncTemplates(OPERATOR, t.app, workspaceId, channelId);
    assert.ok(report.ok && report.total === 2);
  }
  assert.deepEqual(await templateEvents(workspaceId), []);
  for (const [channel, status] of [
    [one, "PAUSED"],
    [other, "DISABLED"],
  ] as const) {
    const push = { ...channel, externalTemplateId: "1", status, reason: null };
    await t.app.db.transaction((tx) => applyTemplateStatus(t.app, tx, push));
  }
  answer = () => page(item("1"));
  await syncTemplates(OPERATOR, t.app, workspaceId, other.channelId);
  assert.deepEqual(await templateEvents(workspaceId), [
    "t_1:DISABLED>APPROVED",
    "t_2:APPROVED>DELETED",
  ]);
  const rows = await t.app.db.query<{ row: string }>(sql`
    select case channel_id when ${one.channelId} then 'one' else 'other' end || ' ' || meta_id || ' ' || status as row
    from template where workspace_id = ${workspaceId} order by 1`);
  assert.deepEqual(
    rows.map(({ row }) => row),
    ["one 1 PAUSED", "one 2 APPROVED", "other 1 APPROVED", "other 2 DELETED"],
  );
});

const BROKEN: readonly (readonly [string, () => object | string | Error, string])[] = [
  ["a page of HTML", () => "<html>", "BROKEN_LIST"],
  ["half a document", () => '{"data":[{"id":"1"', "BROKEN_LIST"],
  ["no list", () => ({ ok: true }), "BROKEN_LIST"],
  ["a throttle", () => ({ error: { code: 80007, message: "slow down" } }), "80007"],
  ["no answer", () => new HttpFailure("timeout", true, "x"), "NETWORK_TIMEOUT"],
  [
    "a cursor that turns in a circle",
    () => ({ data: [], paging: { next: "y", cursors: { after: "same" } } }),
    "BROKEN_LIST",
  ],
  ["no cursor although there is more", () => ({ data: [], paging: { next: "y" } }), "BROKEN_LIST"],
];
for (const [name, broken, code] of BROKEN) {
  test(`${name} changes no template, and the channel shows the failure`, async () => {
    const { workspaceId, channelId } = await connect();
    answer = () => page(item("1"));
    await syncTemplates(OPERATOR, t.app, workspaceId, channelId);
    answer = broken;
    const report = await syncTemplates(OPERATOR, t.app, workspaceId, channelId);
    assert.ok(!report.ok);
    assert.equal(report.code, code);
    assert.equal((await listTemplates(t.app, workspaceId)).length, 1);
    const channel = await findChannel(t.app, workspaceId, channelId);
    assert.equal(channel.status, "connected");
    assert.ok(channel.syncError?.startsWith(`${code}: `));
    answer = () => page(item("1"));
    await syncTemplates(OPERATOR, t.app, workspaceId, channelId);
    assert.equal((await findChannel(t.app, workspaceId, channelId)).syncError, null);
  });
}

test("a refused token turns the channel to error", async () => {
  const { workspaceId, channelId } = await connect();
  answer = () => ({ error: { code: 190, message: "token EAAB expired" } });
  const report = await syncTemplates(OPERATOR, t.app, workspaceId, channelId);
  assert.deepEqual(report, { ok: false, code: "190", detail: "token [token] expired" });
  const channel = await findChannel(t.app, workspaceId, channelId);
  assert.deepEqual([channel.status, channel.statusReason], ["error", "190: token [token] expired"]);
});

test("the worker syncs after a connect, then hourly, and soon after a failure", async () => {
  const worker = createSyncChannelsWorker(t.app);
  while ((await worker.runOnce()) > 0);
  const { workspaceId, channelId } = await connect();
  answer = () => page(item("1"));
  assert.equal(await worker.runOnce(), 1);
  assert.equal((await listTemplates(t.app, workspaceId)).length, 1);
  const callsFor = async (ms: number) => {
    t.clock.advance(ms);
    const { length } = requests;
    while ((await worker.runOnce()) > 0);
    const due = await t.app.db.query<{ due: Date }>(
      sql`select sync_due_at as due from channel where workspace_id = ${workspaceId} and id = ${channelId}`,
    );
    return [requests.length > length, (due[0]?.due.getTime() ?? 0) - t.clock.now().getTime()];
  };
  assert.deepEqual(await callsFor(0), [false, 3_600_000]);
  assert.deepEqual(await callsFor(3_600_000), [true, 3_600_000]);
  answer = () => "<html>";
  assert.deepEqual(await callsFor(3_600_000), [true, 600_000]);
  answer = () => page(item("1"));
  assert.deepEqual(await callsFor(600_000), [true, 3_600_000]);
});

const PUSHES: readonly (readonly [event: string, status: string, events: string[]])[] = [
  ["PAUSED", "PAUSED", ["t_1:APPROVED>PAUSED"]],
  ["REJECTED", "REJECTED", ["t_1:APPROVED>REJECTED"]],
  ["REINSTATED", "APPROVED", []],
  ["APPROVED", "APPROVED", []],
  ["FLAGGED", "APPROVED", []],
  ["constructor", "APPROVED", []],
];
for (const [event, status, events] of PUSHES) {
  test(`the push ${event} leaves an approved template ${status}`, async () => {
    const { workspaceId, channelId } = await connect();
    answer = () => page(item("1"));
    await syncTemplates(OPERATOR, t.app, workspaceId, channelId);
    const [template] = await listTemplates(t.app, workspaceId);
    const push = { workspaceId, channelId, externalTemplateId: "1", status: event, reason: null };
    await t.app.db.transaction(async (tx) =>
      emitEvents(t.app, tx, await applyTemplateStatus(t.app, tx, push)),
    );
    const now = await findTemplate(t.app.db, workspaceId, template?.id ?? "");
    assert.equal(now?.status, status);
    assert.deepEqual(await templateEvents(workspaceId), events);
  });
}

test("a push about a template that we do not have makes the list due at once", async () => {
  const { workspaceId, channelId } = await connect();
  answer = () => page();
  await syncTemplates(OPERATOR, t.app, workspaceId, channelId);
  const push = {
    workspaceId,
    channelId,
    externalTemplateId: "90071992547409931",
    status: "APPROVED",
    reason: null,
  };
  await t.app.db.transaction((tx) => applyTemplateStatus(t.app, tx, push));
  answer = () => page(item("90071992547409931"));
  const worker = createSyncChannelsWorker(t.app);
  while ((await worker.runOnce()) > 0);
  assert.deepEqual(await templateEvents(workspaceId), ["t_90071992547409931:null>APPROVED"]);
});

test("a push that comes while the list is read wins over the list, and a sync that it asks for is made", async () => {
  const { workspaceId, channelId } = await connect();
  answer = () => page(item("1"), item("2"), item("3"));
  await syncTemplates(OPERATOR, t.app, workspaceId, channelId);
  const push = async (externalTemplateId: string, status: string) => {
    const told = { workspaceId, channelId, externalTemplateId, status, reason: null };
    await t.app.db.transaction(async (tx) =>
      emitEvents(t.app, tx, await applyTemplateStatus(t.app, tx, told)),
    );
  };
  // The platform reports 3 with its present status, but 3 is missing from the list that was requested before.
  answer = async () => {
    t.clock.advance(1);
    await push("1", "PAUSED");
    await push("3", "APPROVED");
    await push("9", "APPROVED");
    return page(item("1"), item("2", { status: "REJECTED" }));
  };
  await syncTemplates(OPERATOR, t.app, workspaceId, channelId);
  assert.deepEqual(await templateEvents(workspaceId), [
    "t_1:APPROVED>PAUSED",
    "t_2:APPROVED>REJECTED",
  ]);
  answer = () => page(item("1", { status: "PAUSED" }), item("3"), item("9"));
  requests = [];
  const worker = createSyncChannelsWorker(t.app);
  while ((await worker.runOnce()) > 0);
  assert.equal(requests.length, 1);
  assert.deepEqual((await templateEvents(workspaceId)).slice(2), [
    "t_2:REJECTED>DELETED",
    "t_9:null>APPROVED",
  ]);
});
