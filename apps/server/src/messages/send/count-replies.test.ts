import { OPERATOR } from "../../actor.ts";
import { KEY } from "../../../test/actors.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { connectChannel } from "../../channels/connect-channel.ts";
import type { InboundEvent } from "../../channels/adapter.ts";
import { sql } from "../../db/sql.ts";
import type { Http } from "../../lib/http.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { acceptMessage } from "../accept/accept-message.ts";
import type { Message } from "../record/message.ts";
import { receiveEvents } from "../receive/receive-events.ts";
import { streaming } from "../../../test/streaming.ts";

/** Ten replies after each message of a TikTok customer (channels.md §6.3). */
let t: TestApp;
let answer: object;
let sends = 0;
const providerHttp: Http = {
  request: (request) => {
    const ok = { code: 0, data: { message: { message_id: `out.${++sends}` } } };
    const body = request.url.endsWith("/message/send/") ? answer : ok;
    return Promise.resolve({
      status: 200,
      headers: {},
      body: Buffer.from(JSON.stringify("code" in body ? body : ok)),
    });
  },
};

before(async () => {
  t = await startTestApp({ overrides: { providerHttp: streaming(providerHttp) } });
});
after(() => t[Symbol.asyncDispose]());
beforeEach(() => {
  answer = {};
  t.clock.advance(1000);
});

let businesses = 0;
let inbound = 0;

class Desk {
  readonly workspaceId: string;
  readonly channelId: string;
  conversationId = "";
  constructor(workspaceId: string, channelId: string) {
    this.workspaceId = workspaceId;
    this.channelId = channelId;
  }

  /** A workspace with a TikTok account that a customer has just written to. */
  static async open(): Promise<Desk> {
    const { id } = await createWorkspace(OPERATOR, t.app, { name: "A", plan: "business" });
    const { id: channelId } = await connectChannel(OPERATOR, t.app, id, {
      type: "TIKTOK",
      name: "Shop",
      businessId: `biz-${++businesses}`,
      accessToken: "token",
      appSecret: "secret",
    });
    const desk = new Desk(id, channelId);
    await desk.hears();
    const rows = await t.app.db.query<{ id: string; to: string }>(
      sql`select id, external_id as "to" from conversation where workspace_id = ${id}`,
    );
    assert.equal(rows[0]?.to, "thread-A");
    desk.conversationId = rows[0].id;
    t.clock.advance(1000);
    return desk;
  }

  async takes(event: InboundEvent): Promise<void> {
    const { workspaceId, channelId } = this;
    await receiveEvents(t.app, [
      { account: { workspaceId, channelId, channelType: "TIKTOK" }, event },
    ]);
  }
  hears(more: Partial<Extract<InboundEvent, { kind: "message" }>> = {}): Promise<void> {
    return this.takes({
      kind: "message",
      accountExternalId: "biz",
      externalMessageId: `in.${++inbound}`,
      threadId: "thread-A",
      from: { externalId: "user-A", phone: null, name: "mona" },
      occurredAt: t.clock.now(),
      content: { type: "text", text: "hello", attachments: [] },
      opensWindow: true,
      ...more,
    });
  }
  replies(options?: Parameters<typeof acceptMessage>[4]): Promise<Message> {
    const input = { conversationId: this.conversationId, text: "hi" };
    return acceptMessage(KEY, t.app, this.workspaceId, input, options);
  }
  /** How many of `tries` replies pass. The others must be stored as failed with our code. */
  async passes(tries: number, options?: Parameters<typeof acceptMessage>[4]): Promise<number> {
    const all = await Promise.all(Array.from({ length: tries }, () => this.replies(options)));
    const refused = all.filter(({ status }) => status === "failed");
    for (const { errorCode } of refused) assert.equal(errorCode, "REPLY_LIMIT_REACHED");
    return tries - refused.length;
  }
}

test("thirty replies at once, together and each in its own transaction: exactly ten pass", async () => {
  assert.equal(await (await Desk.open()).passes(30), 10);
  const within = () => Promise.resolve();
  assert.equal(await (await Desk.open()).passes(30, { within }), 10);
});

test("refused replies spend their slots and are never handed over", async () => {
  const desk = await Desk.open();
  await desk.passes(13);
  const slots = await t.app.db.query<{ used: number }>(
    sql`select sum(sent + failed)::integer as used from usage_day where workspace_id = ${desk.workspaceId}`,
  );
  assert.deepEqual(slots, [{ used: 13 }]);
  await t.app.drain();
  const out = await t.app.db.query<{ count: number }>(sql`select count(*) as count from message
    where workspace_id = ${desk.workspaceId} and direction = 'outbound' and provider_message_id is not null`);
  assert.deepEqual(out, [{ count: 10 }]);
});

test("each message of the customer allows ten more replies", async () => {
  const desk = await Desk.open();
  assert.equal(await desk.passes(11), 10);
  await t.app.drain();
  t.clock.advance(1000);
  await desk.hears();
  t.clock.advance(1000);
  assert.equal(await desk.passes(11), 10);
});

test("replies that still wait when the customer writes count against the new ten, because they go out after that", async () => {
  const desk = await Desk.open();
  assert.equal(await desk.passes(4), 4);
  t.clock.advance(1000);
  await desk.hears();
  t.clock.advance(1000);
  assert.equal(await desk.passes(10), 6);
});

test("a message that came late allows replies by its own time only", async () => {
  const desk = await Desk.open();
  const early = t.clock.now();
  t.clock.advance(1000);
  assert.equal(await desk.passes(10), 10);
  await t.app.drain();
  t.clock.advance(1000);
  await desk.hears({ occurredAt: early });
  assert.equal(await desk.passes(1), 0);
});

test("a reaction allows no more replies", async () => {
  const desk = await Desk.open();
  assert.equal(await desk.passes(10), 10);
  await t.app.drain();
  t.clock.advance(1000);
  await desk.hears({ opensWindow: false });
  assert.equal(await desk.passes(1), 0);
});

test("a reply that the platform refused does not count", async () => {
  const desk = await Desk.open();
  answer = { code: 40002, message: "Invalid parameter." };
  assert.equal(await desk.passes(3), 3);
  await t.app.drain();
  answer = {};
  assert.equal(await desk.passes(11), 10);
});

test("a message that a person wrote in TikTok's app counts", async () => {
  const desk = await Desk.open();
  await desk.takes({
    kind: "echo",
    accountExternalId: "biz",
    externalMessageId: "app.1",
    threadId: "thread-A",
    to: { externalId: "user-A", phone: null },
    occurredAt: t.clock.now(),
    content: { type: "text", text: "by hand", attachments: [] },
  });
  assert.equal(await desk.passes(11), 9);
});

test("two customers of one account have ten each", async () => {
  const desk = await Desk.open();
  await desk.hears({
    threadId: "thread-B",
    from: { externalId: "user-B", phone: null, name: "sara" },
  });
  assert.equal(await desk.passes(11), 10);
  const rows = await t.app.db.query<{ id: string }>(
    sql`select id from conversation where workspace_id = ${desk.workspaceId} and external_id = 'thread-B'`,
  );
  desk.conversationId = rows[0]?.id ?? "";
  assert.equal(await desk.passes(11), 10);
});
