import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { buildApp, type App } from "../../app.ts";
import type { InboundEvent } from "../../channels/adapter.ts";
import type { ChannelType } from "../../wire/words.ts";
import { sql } from "../../db/sql.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { receiveEvents, type InboundItem } from "./receive-events.ts";

let t: TestApp;
let apps: App[];
before(async () => {
  t = await startTestApp();
  const secrets = { masterKey: randomBytes(32) };
  apps = [t.app, await buildApp(t.app.config, secrets, { clock: t.clock })];
});
after(async () => {
  await apps[1]?.[Symbol.asyncDispose]();
  await t[Symbol.asyncDispose]();
});

type Shape = Pick<Extract<InboundEvent, { kind: "message" }>, "from" | "threadId">;
const person = (externalId: string, phone: string | null = null, alternateId?: string): Shape => ({
  from: { externalId, phone, name: "Mona", ...(alternateId !== undefined && { alternateId }) },
});

const PLATFORMS: readonly (readonly [string, ChannelType, readonly Shape[]])[] = [
  ["WhatsApp by number", "WHATSAPP", [person("96550000001", "96550000001")]],
  ["WhatsApp by number and user id", "WHATSAPP", [person("96550000001", "96550000001", "KW.1")]],
  ["WhatsApp, a user id whose number is hidden", "WHATSAPP", [person("KW.13491208655302741918")]],
  [
    "WhatsApp, both at once and the number alone",
    "WHATSAPP",
    [person("96550000001", "96550000001", "KW.1"), person("96550000001", "96550000001")],
  ],
  ["Messenger", "MESSENGER", [person("7654321098765432")]],
  ["Instagram", "INSTAGRAM", [person("1784140000000001")]],
  ["Telegram", "TELEGRAM", [person("123456789")]],
  [
    "TikTok, where the thread has its own id",
    "TIKTOK",
    [{ ...person("dXNlcg=="), threadId: "dGhyZWFk" }],
  ],
  [
    "TikTok, where the person has two ids",
    "TIKTOK",
    [{ ...person("u-1", null, "open-1"), threadId: "dGhyZWFk" }],
  ],
  ["web chat", "WEB", [person("visitor-1")]],
];

for (const [name, channelType, shapes] of PLATFORMS)
  test(`${name}: the same call fifty times at once in two processes gives one message, contact and conversation`, async () => {
    const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, {
      name: "A",
      plan: "business",
    });
    const account = { workspaceId, channelId: t.app.ids.next(), channelType };
    const items = Array.from({ length: 50 }, (_, n): InboundItem[] => {
      const shape = shapes[n % shapes.length] ?? assert.fail();
      return [
        {
          account,
          event: {
            kind: "message",
            accountExternalId: "1",
            externalMessageId: "m.1",
            occurredAt: t.clock.now(),
            content: { type: "text", text: "hello", attachments: [] },
            opensWindow: true,
            ...shape,
          },
        },
      ];
    });
    await Promise.all(items.map((call, n) => receiveEvents(apps[n % 2] ?? t.app, call)));
    const [row] = await t.app.db.query(sql`
      select (select count(*) from message where workspace_id = ${workspaceId}) as messages,
        (select count(*) from contact where workspace_id = ${workspaceId}) as contacts,
        (select total from contact_total where workspace_id = ${workspaceId}) as total,
        (select count(*) from conversation where workspace_id = ${workspaceId}) as conversations,
        (select max(external_id) from conversation where workspace_id = ${workspaceId}) as thread,
        (select sum(unread_count)::int from conversation where workspace_id = ${workspaceId}) as unread,
        (select received from usage_day where workspace_id = ${workspaceId}) as received,
        (select string_agg(type, ' ' order by type) from event where workspace_id = ${workspaceId}) as events,
        (select count(*) from inbound_failure where workspace_id = ${workspaceId}) as failures`);
    assert.deepEqual(row, {
      messages: 1,
      contacts: 1,
      total: 1,
      conversations: 1,
      thread: shapes[0]?.threadId ?? shapes[0]?.from.externalId,
      unread: 1,
      received: 1,
      events: "contact.created conversation.created message.received",
      failures: 0,
    });
  });
