import { AGENT } from "../actors.ts";
import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { Agent, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createKey } from "../../src/api-keys/create-key.ts";
import { createBroadcast } from "../../src/broadcasts/record/create-broadcast.ts";
import { connectChannel } from "../../src/channels/connect-channel.ts";
import { startErasure } from "../../src/persons/start-erasure.ts";
import { upsertContact } from "../../src/contacts/upsert/upsert-contacts.ts";
import { defineAttribute } from "../../src/contacts/attributes/define-attribute.ts";
import { putLabel } from "../../src/conversations/put-label.ts";
import { createContact } from "../../src/contacts/record/create-contact.ts";
import { Sql, sql } from "../../src/db/sql.ts";
import { buildHttp } from "../../src/http/server.ts";
import type { Http, HttpRequest, HttpResponse } from "../../src/lib/http.ts";
import { acceptMessage } from "../../src/messages/accept/accept-message.ts";
import { receiveEvents } from "../../src/messages/receive/receive-events.ts";
import { startBulkJob } from "../../src/segments/start-bulk-job.ts";
import { createSegment } from "../../src/segments/create-segment.ts";
import { startVerification } from "../../src/otp/verifications.ts";
import { setProvider } from "../../src/sms/set-provider.ts";
import { testProvider } from "../../src/sms/test-provider.ts";
import { connectWeb } from "../../src/channels/web-channel.ts";
import { createEndpoint } from "../../src/webhooks/create-endpoint.ts";
import { sendTestEvent } from "../../src/webhooks/send-test-event.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import type { Answer } from "./document.ts";
import { FILES } from "../files.ts";
import { streaming } from "../streaming.ts";

/** A workspace with something of everything. */
export interface Tenant {
  readonly workspaceId: string;
  readonly bearer: string;
  readonly conversationId: string;
  readonly contactId: string;
  readonly otherContactId: string;
  readonly erasureId: string;
  readonly broadcastId: string;
  /** A campaign that stays a draft. */
  readonly draftId: string;
  readonly messageId: string;
  readonly templateId: string;
  /** Of the same words; a call may change it. */
  readonly editedTemplateId: string;
  /** A change to many contacts that nobody goes on with. */
  readonly jobId: string;
  readonly segmentId: string;
  /** The WhatsApp channel of the template. */
  readonly whatsAppId: string;
  readonly verificationId: string;
  /** A file that waits to be looked at. */
  readonly importId: string;
  readonly exportId: string;
  /** A web chat. */
  readonly channelId: string;
  /** Of the bearer's key, in the conversation. */
  readonly noteId: string;
  readonly mediaId: string;
  readonly endpointId: string;
  /** The event of a delivery to the endpoint. */
  readonly eventId: string;
}

/** What is there before the bearer's key writes. */
type Furnished = Omit<
  Tenant,
  "noteId" | "mediaId" | "endpointId" | "eventId" | "channelId" | "importId" | "exportId"
>;

export interface Call {
  readonly method: string;
  /** After `/api`. */
  readonly path: string;
  readonly bearer?: string | null;
  readonly payload?: Buffer | string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly chunked?: boolean;
}

/** Two workspaces behind a server that listens; `b`'s every text carries `canary`. */
export interface World extends AsyncDisposable {
  readonly t: TestApp;
  readonly port: number;
  readonly canary: string;
  readonly a: Tenant;
  readonly b: Tenant;
  /** Over real HTTP, as workspace A unless a bearer is given. Moves the clock so that the rate never refuses. */
  call(call: Call): Promise<Answer>;
  /** Makes A's export again: one is kept for a day, and many calls take the clock further. */
  renew(): Promise<void>;
  /** A hash of every row of a workspace, or of all. */
  hash(workspaceId?: string): Promise<string>;
}

/** Every gateway takes everything. */
class Gateways implements Http {
  #next = 0;
  async request(request: HttpRequest): Promise<HttpResponse> {
    const id = String(++this.#next).padStart(32, "0");
    const body = request.url.includes("Messages.json")
      ? { sid: `SM${id}`, status: "queued" }
      : { messages: [{ id: `wamid.${id}` }], id: String(this.#next), success: true };
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) };
  }
}

/** Every public address has a picture. */
class PictureHost implements Http {
  request(): Promise<HttpResponse> {
    return Promise.resolve({ status: 200, headers: {}, body: FILES.png });
  }
}

export async function openWorld(): Promise<World> {
  const t = await startTestApp({
    overrides: {
      providerHttp: streaming(new Gateways()),
      guardedHttp: streaming(new PictureHost()),
    },
  });
  const http = await buildHttp(t.app);
  await http.listen({ host: "127.0.0.1", port: 0 });
  const { port } = http.server.address() as AddressInfo;
  const canary = `canary-${t.app.ids.next()}`;
  const postAs =
    ({ bearer }: Furnished) =>
    async (path: string, payload: object | string): Promise<string> => {
      const headers = {
        authorization: `Bearer ${bearer}`,
        "content-type": typeof payload === "string" ? "text/csv" : "application/json",
      };
      const made = await http.inject({ method: "POST", url: `/api/v1${path}`, headers, payload });
      return made.json<{ id: string }>().id;
    };
  /** With what the bearer's key itself wrote. */
  const withOwn = async (tenant: Furnished): Promise<Tenant> => {
    const post = postAs(tenant);
    const { workspaceId } = tenant;
    const { id: endpointId } = await createEndpoint(OPERATOR, t.app, workspaceId, {
      url: "https://127.0.0.1:9999/in",
      events: ["otp.status"],
    });
    const { eventId } = await sendTestEvent(OPERATOR, t.app, workspaceId, endpointId);
    const web = { name: "Site", origins: [] };
    const { id: channelId } = await connectWeb(OPERATOR, t.app, workspaceId, web);
    return {
      ...tenant,
      channelId,
      endpointId,
      eventId,
      noteId: await post(`/conversations/${tenant.conversationId}/notes`, { text: "own" }),
      mediaId: await post("/media", { url: "https://files.example.com/parcel.png" }),
      importId: await post("/imports?name=people.csv", "name,phone\nSara,+96550000001\n"),
      exportId: await post("/exports", {}),
    };
  };
  let a = await withOwn(await furnish(t, "own"));
  const b = await withOwn(await furnish(t, canary));
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  let calls = 0;
  const send = async ({
    method,
    path,
    bearer = a.bearer,
    payload,
    headers,
    chunked,
  }: Call): Promise<Answer> => {
    // 60 passcodes a minute are the narrowest rate that most calls meet.
    if (++calls % 50 === 0) t.clock.advance(60_001);
    const sent = httpRequest({
      host: "127.0.0.1",
      port,
      agent,
      method,
      path: `/api${path}`,
      headers: {
        ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
        ...(payload !== undefined && { "content-type": "application/json" }),
        ...(payload !== undefined && !chunked && { "content-length": Buffer.byteLength(payload) }),
        ...headers,
      },
    });
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    sent.on("error", reject);
    sent.on("response", (response) => {
      const { statusCode = 0, headers: got } = response;
      text(response).then(
        (body) => resolve({ status: statusCode, headers: got, text: body }),
        reject,
      );
    });
    if (chunked && payload !== undefined) {
      const bytes = Buffer.from(payload);
      sent.write(bytes.subarray(0, bytes.length >> 1));
      sent.end(bytes.subarray(bytes.length >> 1));
    } else sent.end(payload);
    return promise;
  };
  return {
    t,
    port,
    canary,
    get a() {
      return a;
    },
    b,
    async call(call) {
      const answer = await send(call);
      if (answer.status !== 429) return answer;
      // Exports and imports have a limit an hour.
      t.clock.advance(3_600_001);
      return send(call);
    },
    async renew() {
      t.clock.advance(3_600_001);
      a = { ...a, exportId: await postAs(a)("/exports", {}) };
    },
    hash: (workspaceId) => hashRows(t, workspaceId),
    async [Symbol.asyncDispose]() {
      agent.destroy();
      await http.close();
      await t[Symbol.asyncDispose]();
    },
  };
}

let numbers = 0;

async function furnish(t: TestApp, word: string): Promise<Furnished> {
  const { app } = t;
  const { id: workspaceId } = await createWorkspace(OPERATOR, app, {
    name: word,
    plan: "business",
  });
  const { bearer } = await createKey(OPERATOR, app, workspaceId, { scopes: [], name: word });
  const channel = await connectChannel(OPERATOR, app, workspaceId, {
    type: "WHATSAPP",
    name: word,
    phoneNumberId: `55500${++numbers}`,
    wabaId: "1",
    accessToken: word,
    appSecret: word,
    verifyToken: word,
  });
  const account = { workspaceId, channelId: channel.id, channelType: "WHATSAPP" } as const;
  const phone = `20100000000${numbers}`;
  await receiveEvents(app, [
    {
      account,
      event: {
        kind: "message",
        accountExternalId: channel.externalId,
        externalMessageId: `in.${workspaceId}`,
        from: { externalId: phone, phone, name: word },
        // The reply window outlasts every step of the clock here.
        occurredAt: app.clock.now(),
        content: { type: "text", text: word, attachments: [] },
        opensWindow: true,
      },
    },
  ]);
  const [conversation] = await app.db.query<{ id: string }>(
    sql`select id from conversation where workspace_id = ${workspaceId}`,
  );
  const conversationId = conversation?.id ?? "";
  const message = await acceptMessage(AGENT, app, workspaceId, {
    conversationId,
    text: word,
  });
  const contact = await createContact(OPERATOR, app, workspaceId, {
    name: word,
    email: `${word}@example.com`,
    notes: word,
    tags: [word],
    attributes: { [word]: word },
  });
  await upsertContact(OPERATOR, app, workspaceId, {
    match: ["email"],
    email: `${word}@example.com`,
    refs: { crm: "42" },
  });
  const left = await createContact(OPERATOR, app, workspaceId, { email: "left@example.com" });
  const other = await createContact(OPERATOR, app, workspaceId, { email: "other@example.com" });
  const erasure = await startErasure(OPERATOR, app, workspaceId, left.id);
  const segment = await createSegment(OPERATOR, app, workspaceId, {
    name: word,
    definition: { match: "all", rules: [] },
  });
  await defineAttribute(OPERATOR, app, workspaceId, { key: "ref.crm", type: "text" });
  await putLabel(OPERATOR, app, workspaceId, { name: "vip", color: "#b3261e" });
  const tagging = { action: "tag", tags: [word] } as const;
  const { id: jobId } = await startBulkJob(
    OPERATOR,
    app,
    workspaceId,
    { ids: [contact.id] },
    tagging,
  );
  const [templateId, editedTemplateId] = [app.ids.next(), app.ids.next()];
  const components = JSON.stringify([{ type: "BODY", text: word }]);
  for (const id of [templateId, editedTemplateId])
    await app.db.query(sql`
      insert into template (workspace_id, id, channel_id, meta_id, name, language, category, status, components,
        body_variable_count, header_format, last_synced_at)
      values (${workspaceId}, ${id}, ${channel.id}, ${id}, ${word}, 'en', 'UTILITY', 'APPROVED',
        ${components}::json, 0, null, ${app.clock.now()})`);
  const draft = {
    name: word,
    kind: "WHATSAPP_TEMPLATE",
    channelId: channel.id,
    templateId,
  } as const;
  const broadcast = await createBroadcast(OPERATOR, app, workspaceId, draft);
  const { id: draftId } = await createBroadcast(OPERATOR, app, workspaceId, draft);
  await setProvider(OPERATOR, app, workspaceId, {
    provider: "twilio",
    accountSid: `AC${numbers}`,
    authToken: word,
    from: "+15005550006",
  });
  await testProvider(OPERATOR, app, workspaceId, "201001234567");
  const verification = await startVerification(OPERATOR, app, workspaceId, { to: phone });
  return {
    verificationId: verification.answer.id,
    workspaceId,
    bearer,
    conversationId,
    contactId: contact.id,
    otherContactId: other.id,
    erasureId: erasure.id,
    broadcastId: broadcast.id,
    draftId,
    messageId: message.id,
    templateId,
    editedTemplateId,
    jobId,
    segmentId: segment.id,
    whatsAppId: channel.id,
  };
}

/** Rows that a request may touch without being an effect: the rate window and when a key was last used. */
const LEFT_OUT = ["rate_window", "api_key", "schema_migration", "migration"];

async function hashRows(t: TestApp, workspaceId?: string): Promise<string> {
  const columns = await t.app.db.query<{ table_name: string; own: boolean }>(sql`
    select t.table_name, exists (select from information_schema.columns c where c.table_schema = 'public'
      and c.table_name = t.table_name and c.column_name = 'workspace_id') as own
    from information_schema.tables t where t.table_schema = 'public' order by 1`);
  const parts: string[] = [];
  for (const { table_name: table, own } of columns) {
    if (LEFT_OUT.includes(table)) continue;
    if (workspaceId !== undefined && !own) continue;
    // A table's name comes from the catalogue.
    const all = `select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as hash from "${table}" t`;
    const query =
      workspaceId === undefined
        ? new Sql([all], [])
        : new Sql([`${all} where workspace_id = `, ""], [workspaceId]);
    const [row] = await t.app.db.query<{ hash: string }>(query);
    parts.push(`${table} ${row?.hash}`);
  }
  assert.ok(parts.length > 20, "the catalogue lists the tables");
  return parts.join("\n");
}
