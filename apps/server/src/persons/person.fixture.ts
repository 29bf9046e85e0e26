import { AGENT, KEY } from "../../test/actors.ts";
import { OPERATOR } from "../actor.ts";
import { Readable } from "node:stream";
import { Desk } from "../../test/messaging.ts";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { createKey } from "../api-keys/create-key.ts";
import { startBulkJob } from "../segments/start-bulk-job.ts";
import { createBroadcast } from "../broadcasts/record/create-broadcast.ts";
import { startBroadcast } from "../broadcasts/record/start-broadcast.ts";
import type { MediaSource } from "../channels/adapter.ts";
import { allowedOrigins } from "../channels/web-form.ts";
import { connectChannel } from "../channels/connect-channel.ts";
import { fileOf } from "../contacts/import/import-crash.fixture.ts";
import { runImport } from "../contacts/import/run-import.ts";
import { sql } from "../db/sql.ts";
import { storeFailedCall } from "../messages/receive/store-failed-call.ts";
import { buildHttp } from "../http/server.ts";
import { createFetcher } from "../media/fetch-media.ts";
import { suggestReply } from "../inbox/suggest-reply.ts";
import { saveDraft } from "../inbox/save-draft.ts";
import { writeNote } from "../inbox/notes.ts";
import { uploadMedia } from "../media/upload-media.ts";
import { acceptMessage } from "../messages/accept/accept-message.ts";
import { receiveEvents } from "../messages/receive/receive-events.ts";
import { sendOtp } from "../otp/send-otp.ts";
import { setProvider } from "../sms/set-provider.ts";
import { createMember } from "../workspaces/create-member.ts";
import { createEndpoint } from "../webhooks/create-endpoint.ts";
import { Outside, parrot } from "./outside.fixture.ts";
import { chatAsUser, SECRET } from "./web-user.fixture.ts";
import { settleAttachment } from "../messages/record/settle-attachment.ts";

/** A person with something in every place that a customer can fill. */
export interface Someone {
  readonly contactId: string;
  readonly conversationId: string;
  readonly marker: string;
  readonly phone: string;
  /** A token of web chat. */
  readonly token: string;
  /** Every text by which the person would be found. */
  readonly words: readonly string[];
}

/** A workspace with all kinds of channels, and people in it. */
export class Town implements AsyncDisposable {
  readonly t: TestApp;
  readonly outside: Outside;
  readonly desk: Desk;
  readonly webId: string;
  readonly templateId: string;
  readonly bearer: string;
  constructor(
    t: TestApp,
    outside: Outside,
    desk: Desk,
    ids: Record<"webId" | "templateId" | "bearer", string>,
  ) {
    this.t = t;
    this.outside = outside;
    this.desk = desk;
    this.webId = ids.webId;
    this.templateId = ids.templateId;
    this.bearer = ids.bearer;
  }

  static async open(): Promise<Town> {
    const outside = new Outside();
    const t = await startTestApp({ overrides: { providerHttp: outside, guardedHttp: parrot } });
    const desk = await Desk.open({ t, graph: outside, [Symbol.asyncDispose]: async () => {} });
    await t.app.drain();
    const w = desk.workspaceId;
    const web = await connectChannel(OPERATOR, t.app, w, {
      type: "WEB",
      name: "Site",
      allowedOrigins: allowedOrigins(["https://shop.example"]),
      identitySecret: SECRET,
    });
    const { bearer } = await createKey(OPERATOR, t.app, w);
    await createEndpoint(OPERATOR, t.app, w, {
      url: "http://127.0.0.1/hook",
      events: ["contact.created"],
    });
    await setProvider(OPERATOR, t.app, w, {
      provider: "twilio",
      accountSid: "AC1",
      authToken: "token-1",
      from: "15551234567",
      apiUrl: "https://twilio.example",
    });
    await t.app.db.query(sql`update sms_provider set verified_at = ${t.clock.now()}`);
    const templateId = t.app.ids.next();
    const components = JSON.stringify([{ type: "BODY", text: "Hello {{1}}" }]);
    await t.app.db.query(sql`
      insert into template (workspace_id, id, channel_id, meta_id, name, language, category, status, components,
        body_variable_count, last_synced_at)
      values (${w}, ${templateId}, ${desk.account.channelId}, '77', 'hello', 'en', 'MARKETING', 'APPROVED',
        ${components}, 1, ${t.clock.now()})`);
    return new Town(t, outside, desk, { webId: web.id, templateId, bearer });
  }

  get id(): string {
    return this.desk.workspaceId;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.t[Symbol.asyncDispose]();
  }

  /** Fills every place with the marker and the number. */
  async settle(marker: string, phone: string): Promise<Someone> {
    const { t, id: w, desk } = this;
    const { app } = t;
    const http = await buildHttp(app);
    const post = async (url: string, payload: object) => {
      const headers = {
        authorization: `Bearer ${this.bearer}`,
        "idempotency-key": t.app.ids.next(),
      };
      const answer = await http.inject({ method: "POST", url: `/api/v1${url}`, headers, payload });
      if (answer.statusCode !== 201) throw new Error(answer.body);
      return answer.json<{ id: string }>();
    };
    const contact = await post("/contacts", {
      name: `Name ${marker}`,
      email: `${marker}@example.com`,
      phone,
      notes: `notes ${marker}`,
      tags: [`tag-${marker}`],
      attributes: { city: `city ${marker}` },
    });
    await http.inject({
      method: "POST",
      url: "/api/v1/contacts/upsert",
      headers: { authorization: `Bearer ${this.bearer}`, "idempotency-key": t.app.ids.next() },
      payload: { match: ["phone"], phone, refs: { crm: `ref ${marker}` } },
    });
    t.clock.advance(1_000);
    await this.#writes(marker, phone);
    const [thread] = await app.db.query<{ id: string }>(sql`
      select id from conversation where workspace_id = ${w} and contact_id = ${contact.id}`);
    const conversationId = thread?.id ?? "";
    await app.db.query(
      sql`update conversation set labels = array[${`label ${marker}`}] where id = ${conversationId}`,
    );
    await post("/messages", { conversationId, text: `reply ${marker}` });
    await post(`/conversations/${conversationId}/notes`, { text: `note by key ${marker}` });
    const file = await uploadMedia(OPERATOR, app, w, {
      fileName: `sent ${marker}.txt`,
      mimeType: "text/plain",
      body: Readable.from([Buffer.from(`sent bytes ${marker}`)]),
    });
    const caption = `caption ${marker} ${"long ".repeat(300)}`;
    await acceptMessage(AGENT, app, w, {
      conversationId,
      text: caption,
      attachments: [file.id],
    });
    await this.#desk(marker, conversationId);
    await app.drain();
    const token = await chatAsUser(
      app,
      { workspaceId: w, channelId: this.webId },
      marker,
      contact.id,
    );
    await this.#campaign(marker);
    await this.#office(marker, phone, contact.id);
    await app.drain();
    await app.db.query(sql`
      insert into profile_request (workspace_id, contact_id, channel_id, external_id, available_at)
      values (${w}, ${contact.id}, ${desk.account.channelId}, ${`psid-${marker}`}, 'infinity')`);
    await http.close();
    return { contactId: contact.id, conversationId, marker, phone, token, words: [marker, phone] };
  }

  /** The platform asks to wait, so a reply waits. */
  async waits({ conversationId, marker }: Someone): Promise<void> {
    const { app, clock } = this.t;
    await app.db.query(sql`
      update channel set throttled_until = ${new Date(clock.now().getTime() + 3_600_000)}
      where workspace_id = ${this.id} and id = ${this.desk.account.channelId}`);
    await acceptMessage(KEY, app, this.id, { conversationId, text: `waits ${marker}` });
  }

  async #writes(marker: string, phone: string): Promise<void> {
    const { t, desk } = this;
    const said = desk.message(phone, `text ${marker}`, {
      externalMessageId: `wamid.in.${marker}`,
      from: { externalId: phone, alternateId: `KW.${marker}`, phone, name: `Profile ${marker}` },
      content: {
        type: "image",
        text: `text ${marker}`,
        attachments: [{ type: "image" }],
        media: [
          {
            attachment: 0,
            kind: "document",
            source: { id: `source-${marker}` },
            mimeType: "text/plain",
            fileName: `came ${marker}.txt`,
            size: null,
          },
        ],
      },
    });
    await receiveEvents(t.app, [said]);
    const source: MediaSource = {
      open: async () => ({
        ok: true,
        body: Readable.from([Buffer.from(`came bytes ${marker}`)]),
        mimeType: "text/plain",
        fileName: null,
        size: null,
      }),
    };
    const fetcher = createFetcher(t.app, settleAttachment, { sourceFor: () => source });
    await fetcher.claim();
    await Promise.all(fetcher.inFlight);
    // The report comes before its message is known.
    await receiveEvents(t.app, [
      desk.status({
        externalMessageId: `wamid.${phone}`,
        errorDetail: `detail ${marker}`,
        status: "failed",
      }),
    ]);
    await t.app.db.query(sql`update message set provider_message_id = ${`wamid.${phone}.${marker}`}
      where workspace_id = ${this.id} and provider_message_id = ${`wamid.in.${marker}`}`);
    await t.app.db
      .query(sql`update early_status set provider_message_id = ${`wamid.${phone}.${marker}`}
      where workspace_id = ${this.id} and provider_message_id = ${`wamid.${phone}`}`);
    await receiveEvents(t.app, [desk.message(phone, "STOP"), desk.message(phone, "START")]);
  }

  async #campaign(marker: string): Promise<void> {
    const { app } = this.t;
    const made = await createBroadcast(OPERATOR, app, this.id, {
      name: "News",
      kind: "WHATSAPP_TEMPLATE",
      channelId: this.desk.account.channelId,
      templateId: this.templateId,
      variables: { "1": "{{name}} of {{attribute.city}}" },
      rateLimitPerMinute: 1_000_000,
    });
    await startBroadcast(OPERATOR, app, this.id, made.id);
    await app.drain();
    const [row] = await app.db.query<{ content: string }>(sql`
      select content::text from broadcast_recipient where broadcast_id = ${made.id} and content::text like ${`%${marker}%`}`);
    if (!row) throw new Error("the campaign froze nothing");
    await app.db.query(sql`update broadcast_recipient set detail = ${`detail ${marker}`}
      where broadcast_id = ${made.id} and content::text like ${`%${marker}%`}`);
  }

  /** What members write for each other and for themselves. */
  async #desk(marker: string, conversationId: string): Promise<void> {
    const { app } = this.t;
    const email = `${app.ids.next()}@example.com`;
    const member = { email, name: "Omar", role: "agent" } as const;
    const { id } = await createMember(OPERATOR, app, this.id, member);
    const text = `note ${marker}`;
    await writeNote(AGENT, app, this.id, { id: conversationId, text, mentions: [id] });
    const draft = { mode: "reply", text: `draft ${marker}`, media: [] } as const;
    await saveDraft(AGENT, app, this.id, conversationId, draft);
    const suggested = { text: `suggested ${marker}`, reason: `because ${marker}` };
    await suggestReply(OPERATOR, app, this.id, { id: conversationId, ...suggested });
  }

  async #office(marker: string, phone: string, contactId: string): Promise<void> {
    const { app } = this.t;
    const text = `name,phone,attributes\n${marker},+${phone.slice(0, 3)} ${phone.slice(3)},{not json\n`;
    await runImport(OPERATOR, app, this.id, await fileOf(text), { format: "csv" });
    const change = { action: "set_attribute", key: "nickname", value: `nick ${marker}` } as const;
    await startBulkJob(OPERATOR, app, this.id, { ids: [contactId] }, change);
    await sendOtp(KEY, app, this.id, { mobile: phone, message: "code 1", lang: "E" }).catch(
      () => {},
    );
    const account = { workspaceId: this.id, channelId: this.desk.account.channelId };
    const body = JSON.stringify({ from: phone, text: { body: marker } });
    await storeFailedCall(app, account, Buffer.from(body), "broken");
  }
}
