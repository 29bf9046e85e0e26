import { createMember } from "../../src/workspaces/create-member.ts";
import { KEY } from "../actors.ts";
import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { revokeKey } from "../../src/api-keys/revoke-key.ts";
import { broadcastBreakdown } from "../../src/broadcasts/report/broadcast-breakdown.ts";
import { broadcastReport } from "../../src/broadcasts/report/broadcast-report.ts";
import { broadcastTimeline } from "../../src/broadcasts/record/broadcast-timeline.ts";
import * as changeBroadcast from "../../src/broadcasts/record/change-broadcast.ts";
import { compareVariants } from "../../src/broadcasts/report/compare-variants.ts";
import * as copyBroadcast from "../../src/broadcasts/record/copy-broadcast.ts";
import { createBroadcast } from "../../src/broadcasts/record/create-broadcast.ts";
import { estimateBroadcast } from "../../src/broadcasts/audience/estimate-broadcast.ts";
import { exportRecipients } from "../../src/broadcasts/report/export-recipients.ts";
import { previewBroadcast } from "../../src/broadcasts/text/preview-broadcast.ts";
import { resendUnknown } from "../../src/broadcasts/send/resend-unknown.ts";
import * as channelPaces from "../../src/broadcasts/send/set-channel-pace.ts";
import { setPace } from "../../src/broadcasts/send/set-pace.ts";
import { disconnectChannel } from "../../src/channels/disconnect-channel.ts";
import { updateCredentials } from "../../src/channels/update-credentials.ts";
import { updateWeb } from "../../src/channels/web-channel.ts";
import { changeNumberConsent } from "../../src/contacts/consent/change-consent.ts";
import { consentHistory } from "../../src/contacts/consent/consent-history.ts";
import { createContact } from "../../src/contacts/record/create-contact.ts";
import { importRefusals } from "../../src/contacts/import/import-refusals.ts";
import { mergeContacts } from "../../src/contacts/identity/merge-contacts.ts";
import { setConsent } from "../../src/contacts/consent/set-consent.ts";
import { updateConversation } from "../../src/conversations/update-conversation.ts";
import { Sql, sql } from "../../src/db/sql.ts";
import { AppError } from "../../src/errors.ts";
import { findMedia } from "../../src/media/open-media.ts";
import { uploadMedia } from "../../src/media/upload-media.ts";
import { acceptMessage } from "../../src/messages/accept/accept-message.ts";
import { markRead } from "../../src/messages/record/mark-read.ts";
import { exportPerson } from "../../src/persons/export-person.ts";
import { startErasure } from "../../src/persons/start-erasure.ts";
import { contactTimeline } from "../../src/persons/timeline.ts";
import { deleteSegment } from "../../src/segments/delete-segment.ts";
import { findSegment } from "../../src/segments/find-segment.ts";
import * as bulkJobs from "../../src/segments/run-bulk-jobs.ts";
import { startBulkJob } from "../../src/segments/start-bulk-job.ts";
import { updateSegment } from "../../src/segments/update-segment.ts";
import { syncTemplates } from "../../src/templates/sync-templates.ts";
import { createEndpoint } from "../../src/webhooks/create-endpoint.ts";
import { disableEndpoint } from "../../src/webhooks/disable-endpoint.ts";
import { enableEndpoint } from "../../src/webhooks/enable-endpoint.ts";
import { findDelivery, listDeliveries } from "../../src/webhooks/list-deliveries.ts";
import { redeliver } from "../../src/webhooks/redeliver.ts";
import { rotateSecret } from "../../src/webhooks/rotate-secret.ts";
import { sendTestEvent } from "../../src/webhooks/send-test-event.ts";
import { updateEndpoint } from "../../src/webhooks/update-endpoint.ts";
import type { TestApp } from "../harness.ts";
import { openWorld, type Tenant, type World } from "../property/world.ts";

let world: World;
/** One id of everything that workspace B has, by the table it stands in. */
let foreign: ReadonlyMap<string, string>;
const idOf = (table: string) => foreign.get(table) ?? assert.fail(`B has nothing in ${table}`);
before(async () => {
  world = await openWorld();
  foreign = await furnishMore(world);
});
after(() => world[Symbol.asyncDispose]());

async function* bytes(text: string) {
  yield Buffer.from(text);
}

/** Gives both workspaces what else can be named by an id, and finds the ids of B. */
async function furnishMore({ t, a, b }: World) {
  const { app } = t;
  for (const { workspaceId, contactId, templateId } of [a, b]) {
    await createEndpoint(OPERATOR, app, workspaceId, { url: "http://127.0.0.1:9/" });
    await uploadMedia(OPERATOR, app, workspaceId, { fileName: "a.txt", body: bytes("text") });
    const importId = app.ids.next();
    await app.db.query(sql`
      with import as (
        insert into contact_import (workspace_id, id, file_name, file_hash, file_size, options, header, state, position,
          created_at, updated_at)
        values (${workspaceId}, ${importId}, 'a.csv', '', 1, '{}', '{name}', 'done', 1, now(), now())
      )
      insert into contact_import_refusal (workspace_id, import_id, position, line, reason, record, created_at)
      values (${workspaceId}, ${importId}, 0, 2, 'phone', '{A}', now())`);
    await createMember(OPERATOR, app, workspaceId, {
      email: `${workspaceId}@b.co`,
      name: "A",
      role: "agent",
    });
    const one = { ids: [contactId] };
    await startBulkJob(OPERATOR, app, workspaceId, one, { action: "tag", tags: ["new"] });
    const former = await createContact(OPERATOR, app, workspaceId, { email: "former@example.com" });
    await mergeContacts(OPERATOR, app, workspaceId, contactId, former.id);
    const ids = await idsOf(t, workspaceId);
    await app.db.transaction((tx) =>
      setConsent(app, tx, [
        {
          workspaceId,
          contactId: ids.get("contact") ?? "",
          optedOut: true,
          source: "cli",
          at: app.clock.now(),
        },
      ]),
    );
    await createBroadcast(OPERATOR, app, workspaceId, {
      name: "Later",
      kind: "WHATSAPP_TEMPLATE",
      channelId: ids.get("channel") ?? "",
      templateId,
      segmentId: ids.get("segment") ?? "",
      scheduledAt: new Date(app.clock.now().getTime() + 86_400_000),
    });
    await app.drain();
    // Nothing of B's own is to happen later.
    await app.db.query(sql`
      update delivery set state = 'delivered', attempted_at = now() where workspace_id = ${workspaceId}`);
  }
  return idsOf(t, b.workspaceId);
}

/** The first id of everything that a workspace has, by the table. */
async function idsOf({ app }: TestApp, workspaceId: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const table of HAVING_IDS) {
    const statement = [`select id from ${table} where workspace_id = `, " order by id limit 1"];
    const [row] = await app.db.query<{ id: string }>(new Sql(statement, [workspaceId]));
    assert.ok(row, `there is something in ${table}`);
    found.set(table, row.id);
  }
  return found;
}

/** All tables with records that can be named by id from outside. */
const HAVING_IDS =
  "api_key broadcast channel contact contact_alias contact_import contact_job conversation endpoint event media member message segment template".split(
    " ",
  );

/** Every place of the API where an id can stand, by the table that has it. */
const POSITIONS: readonly (readonly [
  table: string,
  method: string,
  path: string,
  json?: Readonly<Record<string, string>>,
])[] = [
  ["contact", "GET", "contacts/ID"],
  ["contact", "PATCH", "contacts/ID", { name: "Mine" }],
  ["conversation", "GET", "conversations?cursor=ID"],
  ["channel", "GET", "conversations?channelId=ID"],
  ["contact", "GET", "conversations?contactId=ID"],
  ["conversation", "GET", "conversations/ID"],
  ["conversation", "GET", "conversations/ID/messages"],
  ["conversation", "POST", "messages", { conversationId: "ID", text: "Hi" }],
  ["message", "GET", "messages/ID"],
  ["broadcast", "GET", "broadcasts/ID"],
  ["broadcast", "GET", "broadcasts/ID/recipients"],
  ["broadcast", "POST", "broadcasts/ID/start"],
];

test("a foreign id answers byte for byte as one that nobody has", async () => {
  const { a, b, t } = world;
  const before = await world.hash(b.workspaceId);
  for (const [table, method, path, json] of POSITIONS) {
    const ask = (id: string) =>
      world.call({
        method,
        path: `/v1/${path.replace("ID", id)}`,
        ...(json && { payload: JSON.stringify(json).replace("ID", id) }),
      });
    const unknown = await ask(t.app.ids.next());
    // An id of the caller's own of another kind is unknown too.
    for (const id of [
      idOf(table),
      idOf("contact_alias"),
      b.workspaceId,
      a.workspaceId,
      a.templateId,
    ]) {
      if (path.includes("cursor") && id !== idOf(table)) continue;
      const answer = await ask(id);
      assert.deepEqual([answer.status, answer.text], [unknown.status, unknown.text], path);
      assert.deepEqual(headerNames(answer.headers), headerNames(unknown.headers), path);
    }
  }
  assert.equal(await world.hash(b.workspaceId), before);
});

const headerNames = (headers: object) => Object.keys(headers).sort();

/**
 * Every operation of the command line, and of what it shares with the dashboard, that takes a workspace and an id, by the
 * table that has the id.
 */
function operationsOf(
  { app }: TestApp,
  own: Tenant & { readonly channelId: string; readonly endpointId: string },
): Readonly<Record<string, Readonly<Record<string, (id: string) => unknown>>>> {
  const w = own.workspaceId;
  const { broadcastId, channelId, contactId, conversationId, templateId, endpointId } = own;
  const templated = { name: "A", kind: "WHATSAPP_TEMPLATE", channelId } as const;
  return {
    api_key: { "key revoke": (id) => revokeKey(OPERATOR, app, w, id) },
    broadcast: {
      "broadcast breakdown": (id) => broadcastBreakdown(app, w, id, "tag"),
      "broadcast cancel": (id) => changeBroadcast.cancelBroadcast(OPERATOR, app, w, id),
      "broadcast compare": (id) => compareVariants(app, w, id),
      "broadcast duplicate": (id) => copyBroadcast.duplicateBroadcast(OPERATOR, app, w, id),
      "broadcast estimate": (id) => estimateBroadcast(app, w, id),
      "broadcast export": (id) => exportRecipients(OPERATOR, app, w, id),
      "broadcast pace": (id) => setPace(OPERATOR, app, w, id, 100),
      "broadcast pause": (id) => changeBroadcast.pauseBroadcast(OPERATOR, app, w, id),
      "broadcast preview": (id) => previewBroadcast(app, w, id),
      "broadcast report": (id) => broadcastReport(app, w, id),
      "broadcast resend-failed": (id) => copyBroadcast.resendFailed(OPERATOR, app, w, id),
      "broadcast resend-unknown": (id) => resendUnknown(OPERATOR, app, w, id),
      "broadcast schedule": (id) =>
        changeBroadcast.scheduleBroadcast(
          OPERATOR,
          app,
          w,
          id,
          new Date(app.clock.now().getTime() + 86_400_000),
        ),
      "broadcast test": (id) => copyBroadcast.testBroadcast(OPERATOR, app, w, id, [contactId]),
      "broadcast timeline": (id) => broadcastTimeline(app, w, id),
      "broadcast unschedule": (id) => changeBroadcast.unscheduleBroadcast(OPERATOR, app, w, id),
    },
    channel: {
      "broadcast create --channel": (id) =>
        createBroadcast(OPERATOR, app, w, { name: "A", kind: "TEXT", body: "Hi", channelId: id }),
      "channel credentials": (id) => updateCredentials(OPERATOR, app, w, id, {}),
      "channel disconnect": (id) => disconnectChannel(OPERATOR, app, w, id),
      "channel pace": (id) => channelPaces.channelPace(app, w, id),
      "channel pace RATE": (id) => channelPaces.setChannelPace(OPERATOR, app, w, id, 60),
      "channel sync-templates": (id) => syncTemplates(OPERATOR, app, w, id),
      "channel update web": (id) => updateWeb(OPERATOR, app, w, id, { name: "B" }),
    },
    contact: {
      "broadcast preview --contact": (id) =>
        previewBroadcast(app, w, broadcastId, { contactIds: [id] }),
      "broadcast test --contact": (id) =>
        copyBroadcast.testBroadcast(OPERATOR, app, w, broadcastId, [id]),
      "contacts consent": (id) => consentHistory(app, w, { contactId: id }),
      "contacts delete --id": (id) =>
        startBulkJob(OPERATOR, app, w, { ids: [id] }, { action: "delete" }),
      "contacts erase": (id) => startErasure(OPERATOR, app, w, id),
      "contacts export-person": (id) => exportPerson(OPERATOR, app, w, id),
      "contacts merge ID …": (id) => mergeContacts(OPERATOR, app, w, id, contactId),
      "contacts merge … ID": (id) => mergeContacts(OPERATOR, app, w, contactId, id),
      "contacts tag --id": (id) =>
        startBulkJob(OPERATOR, app, w, { ids: [id] }, { action: "tag", tags: ["x"] }),
      "contacts timeline": (id) => contactTimeline(app, w, id),
    },
    contact_import: { "contacts rejects": (id) => importRefusals(OPERATOR, app, w, id) },
    contact_job: {
      "contacts job": (id) => bulkJobs.findBulkJob(app, w, id),
      "contacts job cancel": (id) => bulkJobs.moveBulkJob(OPERATOR, app, w, id, "cancel"),
    },
    conversation: {
      "a conversation is resolved": (id) =>
        updateConversation(OPERATOR, app, w, id, { status: "resolved" }),
      "a conversation is read": (id) => markRead(OPERATOR, app, w, id),
    },
    endpoint: {
      "webhook deliveries": (id) => listDeliveries(app, w, id),
      "webhook delivery": (id) => findDelivery(app, w, id, idOf("event")),
      "webhook disable": (id) => disableEndpoint(OPERATOR, app, w, id),
      "webhook enable": (id) => enableEndpoint(OPERATOR, app, w, id),
      "webhook redeliver": (id) =>
        redeliver(OPERATOR, app, w, id, { since: new Date(0), delivered: true }),
      "webhook rotate-secret": (id) => rotateSecret(OPERATOR, app, w, id),
      "webhook test": (id) => sendTestEvent(OPERATOR, app, w, id),
      "webhook update": (id) => updateEndpoint(OPERATOR, app, w, id, { events: [] }),
    },
    event: {
      "webhook delivery … ID": (id) => findDelivery(app, w, endpointId, id),
      "webhook redeliver --event-id": (id) =>
        redeliver(OPERATOR, app, w, endpointId, { eventId: id }),
    },
    media: {
      "a file": (id) => findMedia(app, w, id),
      "broadcast create --header-file": (id) =>
        createBroadcast(OPERATOR, app, w, { ...templated, templateId, header: { mediaId: id } }),
      "message send --attach": (id) =>
        acceptMessage(KEY, app, w, { conversationId, text: null, attachments: [id] }),
    },
    member: {
      "a conversation's agent": (id) =>
        updateConversation(OPERATOR, app, w, conversationId, { assigneeId: id }),
    },
    segment: {
      "broadcast create --segment": (id) =>
        createBroadcast(OPERATOR, app, w, { ...templated, templateId, segmentId: id }),
      "contacts export --segment": (id) => findSegment(app.db, w, id),
      "contacts tag --segment": (id) =>
        startBulkJob(OPERATOR, app, w, { segmentId: id }, { action: "tag", tags: ["x"] }),
      "segment delete": (id) => deleteSegment(OPERATOR, app, w, id),
      "segment update": (id) => updateSegment(OPERATOR, app, w, id, { name: "B" }),
    },
    template: {
      "broadcast create --template": (id) =>
        createBroadcast(OPERATOR, app, w, { ...templated, templateId: id }),
    },
  };
}

const ANY_ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** The result without ids: those of new records differ each time. */
async function outcome(operation: () => unknown): Promise<string> {
  const all: unknown[] = [];
  try {
    const given = await operation();
    if (given instanceof Object && Symbol.asyncIterator in given)
      for await (const one of given as AsyncIterable<unknown>) all.push(one);
    else all.push(given);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    all.push(error.code, error.message, error);
  }
  return JSON.stringify(all).replace(ANY_ID, "ID");
}

test("no operation takes a foreign id for more than one that nobody has", async () => {
  const { a, b, t } = world;
  const before = await world.hash(b.workspaceId);
  const { channel: channelId, endpoint: endpointId } = Object.fromEntries(
    await idsOf(t, a.workspaceId),
  );
  assert.ok(channelId && endpointId);
  for (const [table, each] of Object.entries(operationsOf(t, { ...a, channelId, endpointId })))
    for (const [name, operation] of Object.entries(each)) {
      const unknown = await outcome(() => operation(t.app.ids.next()));
      assert.equal(await outcome(() => operation(idOf(table))), unknown, name);
      if (table !== "contact") continue;
      assert.equal(await outcome(() => operation(idOf("contact_alias"))), unknown, name);
    }
  await t.app.drain();
  assert.equal(await world.hash(b.workspaceId), before);
});

test("every list shows each workspace its own and nothing of the other", async () => {
  const { a, b, canary } = world;
  const all = (tenant: Tenant) => Object.entries(tenant).filter(([key]) => key !== "bearer");
  for (const path of [
    "contacts",
    "contacts?search=canary",
    `contacts?search=${canary}`,
    "segments",
    "templates",
    "broadcasts",
    "usage",
    "conversations",
    "conversations?status=open",
    "events",
  ]) {
    const toA = await world.call({ method: "GET", path: `/v1/${path}` });
    const toB = await world.call({ method: "GET", path: `/v1/${path}`, bearer: b.bearer });
    assert.deepEqual([toA.status, toB.status], [200, 200]);
    // Usage names the workspace's channels by their names, a conversation nothing but ids.
    const own = [canary, idOf("conversation")];
    assert.ok(
      own.some((text) => toB.text.includes(text)),
      `${path} shows B its own`,
    );
    assert.ok(!toA.text.includes(canary), `${path} shows A what is B's`);
    for (const [key, id] of all(b)) assert.ok(!toA.text.includes(id), `${path}: ${key}`);
    for (const [key, id] of all(a)) assert.ok(!toB.text.includes(id), `${path}: ${key}`);
  }
});

test("an Idempotency-Key of one workspace says nothing to the other", async () => {
  const headers = { "idempotency-key": "shared" };
  const payload = JSON.stringify({ email: "same@example.com" });
  const answers = [];
  for (const { bearer } of [world.a, world.b])
    answers.push(
      await world.call({ method: "POST", path: "/v1/contacts", payload, headers, bearer }),
    );
  assert.deepEqual(
    answers.map((one) => [one.status, one.headers["idempotency-replayed"]]),
    [
      [201, undefined],
      [201, undefined],
    ],
  );
});

test("what a number asked for in one workspace says nothing in the other", async () => {
  const { a, b, t } = world;
  const phone = "201099999999";
  await changeNumberConsent(OPERATOR, t.app, b.workspaceId, {
    phone,
    optedOut: true,
  });
  const known = async (one: Tenant) =>
    (await consentHistory(t.app, one.workspaceId, { phone })).length;
  assert.deepEqual([await known(a), await known(b)], [0, 1]);
  const contact = await createContact(OPERATOR, t.app, a.workspaceId, { phone });
  assert.equal(contact.optedOut, false);
});
