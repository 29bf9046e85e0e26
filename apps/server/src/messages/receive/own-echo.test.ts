import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { KEY } from "../../../test/actors.ts";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { json } from "../../../test/messaging.ts";
import { streaming, textOf } from "../../../test/streaming.ts";
import { makeLiveBot } from "../../bots/bot.fixture.ts";
import { beginBot } from "../../bots/thread/who-answers.ts";
import { connectChannel } from "../../channels/connect-channel.ts";
import type { Choice } from "../../channels/choices.ts";
import { lockConversations } from "../../conversations/touch-conversations.ts";
import type { Db } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { HttpRequest, HttpResponse } from "../../lib/http.ts";
import { metered } from "../../usage/metered.fixture.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { acceptMessage } from "../accept/accept-message.ts";
import { receiveEvents, type InboundAccount, type InboundItem } from "./receive-events.ts";

/** Runs while the platform works on a send, with the text that it was given. Gives its id for the message. */
let platform: (text: string) => Promise<string> = () => Promise.resolve("m.1");

async function request(asked: HttpRequest): Promise<HttpResponse> {
  const isSend = /\/(messages|message\/send\/)$/.test(asked.url);
  if (!isSend) return json(200, { code: 0, data: [] });
  const body = JSON.parse(textOf(asked)) as {
    readonly message?: { readonly text: string };
    readonly text?: { readonly body: string };
  };
  const id = await platform(body.message?.text ?? body.text?.body ?? "");
  return json(200, {
    message_id: id,
    code: 0,
    message: "OK",
    data: { message: { message_id: id } },
  });
}

let t: TestApp;
before(async () => {
  t = await startTestApp({ overrides: { providerHttp: streaming({ request }) } });
});
after(() => t[Symbol.asyncDispose]());

const ACCOUNTS = {
  INSTAGRAM: { type: "INSTAGRAM", accountId: "178", verifyToken: "v" },
  TIKTOK: { type: "TIKTOK", businessId: "biz-1" },
} as const;

const CUSTOMER = "u-1";
const THREAD = "dGhyZWFk";

interface Thread {
  readonly account: InboundAccount;
  readonly conversationId: string;
}

/** A conversation of a workspace of its own, in which the customer wrote. */
async function open(channelType: keyof typeof ACCOUNTS): Promise<Thread> {
  const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, {
    name: "W",
    plan: "business",
  });
  const { id: channelId } = await connectChannel(OPERATOR, t.app, workspaceId, {
    name: "Shop",
    accessToken: "token",
    appSecret: "secret",
    ...ACCOUNTS[channelType],
  });
  const account = { workspaceId, channelId, channelType };
  await receiveEvents(t.app, [
    {
      account,
      event: {
        kind: "message",
        accountExternalId: "1",
        externalMessageId: "in.1",
        ...(channelType === "TIKTOK" && { threadId: THREAD }),
        from: { externalId: CUSTOMER, phone: null, name: "Mona" },
        occurredAt: t.clock.now(),
        content: { type: "text", text: "hello", attachments: [] },
        opensWindow: true,
      },
    },
  ]);
  const [row] = await t.app.db.query<{ id: string }>(
    sql`select id from conversation where workspace_id = ${workspaceId}`,
  );
  return { account, conversationId: row?.id ?? assert.fail() };
}

/** The platform's echo of what the business said. These two platforms hand no id of ours back. */
const echoOf = (
  { account }: Thread,
  externalMessageId: string,
  text: string,
  more: { readonly automatic?: true; readonly occurredAt?: Date } = {},
): InboundItem => ({
  account,
  event: {
    kind: "echo",
    accountExternalId: "1",
    externalMessageId,
    ...(account.channelType === "TIKTOK" && { threadId: THREAD }),
    to: { externalId: CUSTOMER, phone: null },
    occurredAt: t.clock.now(),
    content: { type: "text", text, attachments: [] },
    maybeOurs: true,
    correlationId: null,
    ...more,
  },
});

const echo = (...of: Parameters<typeof echoOf>) => receiveEvents(t.app, [echoOf(...of)]);

const outbound = ({ account: { workspaceId } }: Thread) =>
  t.app.db.query<{ text: string; status: string; id: string | null }>(sql`
    select text, status, provider_message_id as id from message
    where workspace_id = ${workspaceId} and direction = 'outbound' order by id`);

/** Labels that are too long for buttons on Instagram; TikTok has none. */
const SIZES: readonly Choice[] = [
  { text: "Small, for a narrow foot", payload: "s" },
  { text: "Large, for a broad foot", payload: "l" },
];

const BUTTONS: readonly Choice[] = [
  { text: "Small", payload: "s" },
  { text: "Large", payload: "l" },
];

interface Said {
  readonly text: string;
  readonly choices?: readonly Choice[];
}

/** A reply whose echo comes while the platform still works on its call: TikTok and Instagram do that. */
async function echoFirst(channelType: keyof typeof ACCOUNTS, said: Said): Promise<void> {
  const thread = await open(channelType);
  platform = async (text) => {
    await echo(thread, "m.1", text.trim());
    return "m.1";
  };
  const { workspaceId } = thread.account;
  await acceptMessage(KEY, t.app, workspaceId, { conversationId: thread.conversationId, ...said });
  await t.app.drain();
  assert.deepEqual(await outbound(thread), [{ text: said.text, status: "sent", id: "m.1" }]);
  assert.deepEqual(await metered(t.app, workspaceId), { messages: 1, sent: 1, failed: 0 });
}

for (const channelType of ["INSTAGRAM", "TIKTOK"] as const) {
  test(`${channelType}: an echo before the answer is our own send, and is stored once`, () =>
    echoFirst(channelType, { text: "Hello" }));

  test(`${channelType}: so is the echo of a reply whose choices went as numbered lines`, () =>
    echoFirst(channelType, { text: "Which size?", choices: SIZES }));

  test(`${channelType}: so is the echo of a reply with buttons, where the channel has them`, () =>
    echoFirst(channelType, { text: "Which size?", choices: BUTTONS }));

  test(`${channelType}: so is the echo of a reply with blanks at its ends that no database trims`, () =>
    echoFirst(channelType, { text: "\u00a0Hello\r\n" }));

  test(`${channelType}: a read mark in the same call as the echo counts, although the answer has not come`, async () => {
    const thread = await open(channelType);
    const { account, conversationId } = thread;
    platform = async (text) => {
      const read: InboundItem = {
        account,
        event: {
          kind: "watermark",
          accountExternalId: "1",
          customerExternalId: CUSTOMER,
          status: "read",
          occurredAt: t.clock.now(),
          externalMessageId: null,
        },
      };
      await receiveEvents(t.app, [read, echoOf(thread, "m.1", text)]);
      return "m.1";
    };
    await acceptMessage(KEY, t.app, account.workspaceId, { conversationId, text: "Hello" });
    await t.app.drain();
    assert.deepEqual(await outbound(thread), [{ text: "Hello", status: "read", id: "m.1" }]);
  });

  test(`${channelType}: the echo settles a send with choices whose answer was lost`, async () => {
    const thread = await open(channelType);
    let told = "";
    platform = (text) => {
      told = text;
      // 200 without an id.
      return Promise.resolve("");
    };
    const { account, conversationId } = thread;
    const said = { conversationId, text: "Which size?", choices: SIZES };
    await acceptMessage(KEY, t.app, account.workspaceId, said);
    await t.app.drain();
    assert.equal((await outbound(thread))[0]?.id, null);
    await echo(thread, "m.9", told);
    assert.deepEqual(await outbound(thread), [{ text: "Which size?", status: "sent", id: "m.9" }]);
  });
}

for (const channelType of ["INSTAGRAM", "TIKTOK"] as const)
  test(`${channelType}: an echo that comes after the send was given up proves that it was sent; one of another time does not`, async () => {
    const thread = await open(channelType);
    platform = () => Promise.resolve("");
    const { account, conversationId } = thread;
    const { workspaceId } = account;
    await acceptMessage(KEY, t.app, workspaceId, { conversationId, text: "Hello" });
    await t.app.drain();
    const sentAt = t.clock.now();
    for (let minutes = 0; minutes < 3 * 60; minutes += 20) {
      t.clock.advance(20 * 60_000);
      await t.app.drain();
    }
    const failed = { text: "Hello", status: "failed", id: null };
    assert.deepEqual(await outbound(thread), [failed]);
    // Somebody wrote the same in the platform's app, half an hour after it and now.
    await echo(thread, "m.1", "Hello", { occurredAt: new Date(sentAt.getTime() + 30 * 60_000) });
    await echo(thread, "m.2", "Hello");
    // Other words at its time.
    await echo(thread, "m.3", "Good day", { occurredAt: sentAt });
    const byHand = [
      { text: "Hello", status: "sent", id: "m.1" },
      { text: "Hello", status: "sent", id: "m.2" },
      { text: "Good day", status: "sent", id: "m.3" },
    ];
    assert.deepEqual(await outbound(thread), [...byHand, failed]);
    for (let again = 0; again < 2; again++)
      await echo(thread, "m.4", "Hello", { occurredAt: sentAt });
    const settled = { text: "Hello", status: "sent", id: "m.4" };
    assert.deepEqual(await outbound(thread), [...byHand, settled]);
    assert.deepEqual(await metered(t.app, workspaceId), { messages: 4, sent: 4, failed: 0 });
  });

test("INSTAGRAM: so is the echo of a part whose answer is stored while the echo is read", async () => {
  const thread = await open("INSTAGRAM");
  const { account, conversationId } = thread;
  const called = Promise.withResolvers<string>();
  const answer = Promise.withResolvers<string>();
  const nextCalled = Promise.withResolvers<string>();
  platform = (given) => {
    const isFirst = given.startsWith("a");
    (isFirst ? called : nextCalled).resolve(given);
    return isFirst ? answer.promise : Promise.resolve("m.2");
  };
  // Instagram takes 1,000 bytes at a time.
  const text = `${"a".repeat(900)} ${"b".repeat(900)}`;
  await acceptMessage(KEY, t.app, account.workspaceId, { conversationId, text });
  const drained = t.app.drain();
  const first = await called.promise;
  const { db } = t.app;
  const meddled: Db = {
    ...db,
    transaction: (work) =>
      db.transaction((tx) =>
        work({
          ...tx,
          async query(statement) {
            const rows = await tx.query<never>(statement);
            // No part has the echo's id. Before the sends that are under way are looked for, the answer is stored: then the
            // next part is called.
            if (/from message_part\s+where/.test(statement.text)) {
              answer.resolve("m.1");
              await nextCalled.promise;
            }
            return rows;
          },
        }),
      ),
  };
  await receiveEvents({ ...t.app, db: meddled }, [echoOf(thread, "m.1", first)]);
  await drained;
  assert.deepEqual(await outbound(thread), [{ text, status: "sent", id: "m.1" }]);
});

test("TIKTOK: so is the echo of a reply that quotes", async () => {
  const thread = await open("TIKTOK");
  const { account, conversationId } = thread;
  const [asked] = await t.app.db.query<{ id: string }>(
    sql`select id from message where workspace_id = ${account.workspaceId}`,
  );
  platform = async (text) => {
    await echo(thread, "m.1", text);
    return "m.1";
  };
  const said = { conversationId, text: "Yes", replyTo: asked?.id ?? assert.fail() };
  await acceptMessage(KEY, t.app, account.workspaceId, said);
  await t.app.drain();
  assert.deepEqual(await outbound(thread), [{ text: "Yes", status: "sent", id: "m.1" }]);
});

test("TIKTOK: an automatic message of the account answers nobody, and takes no conversation from its bot", async () => {
  const thread = await open("TIKTOK");
  const { account, conversationId } = thread;
  const { workspaceId } = account;
  const botId = await makeLiveBot(t.app, workspaceId);
  await t.app.db.transaction(async (tx) => {
    const [found] = await lockConversations(tx, [{ workspaceId, id: conversationId }]);
    const dueAt = t.clock.now();
    const start = { workspaceId, conversationId, botId, kind: "ai", version: 1, dueAt } as const;
    await beginBot(t.app, tx, found ?? assert.fail(), undefined, { ...start, since: new Date(0) });
  });
  const state = async () => {
    const [row] = await t.app.db.query<{ handler: string; answers: boolean }>(sql`
      select b.handler, m.answers from bot_thread b join message m on m.workspace_id = b.workspace_id
        and m.conversation_id = b.conversation_id and m.direction = 'outbound'
      where b.workspace_id = ${workspaceId} order by m.id desc limit 1`);
    return row;
  };
  await echo(thread, "m.1", "Welcome to our shop!", { automatic: true });
  assert.deepEqual(await state(), { handler: "bot", answers: false });
  await echo(thread, "m.2", "It is Mona here");
  assert.deepEqual(await state(), { handler: "person", answers: true });
});

test("an echo of other words is a message of the business's own app", async () => {
  const thread = await open("TIKTOK");
  platform = async () => {
    await echo(thread, "m.2", "Which size?");
    return "m.1";
  };
  const { account, conversationId } = thread;
  const said = { conversationId, text: "Which size?", choices: SIZES };
  await acceptMessage(KEY, t.app, account.workspaceId, said);
  await t.app.drain();
  assert.deepEqual(
    (await outbound(thread)).map(({ id }) => id),
    ["m.1", "m.2"],
  );
});
