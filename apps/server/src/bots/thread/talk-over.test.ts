import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { LONG } from "../../../test/group.ts";
import { Desk, graphError, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { OPERATOR, type Actor } from "../../actor.ts";
import { lockConversations } from "../../conversations/touch-conversations.ts";
import { updateConversation } from "../../conversations/update-conversation.ts";
import { sql } from "../../db/sql.ts";
import { acceptMessage } from "../../messages/accept/accept-message.ts";
import { createDispatcher } from "../../messages/send/dispatch-replies.ts";
import { atOnce } from "../../messages/send/at-once.fixture.ts";
import { receiveEvents } from "../../messages/receive/receive-events.ts";
import { createMember } from "../../workspaces/create-member.ts";
import { makeLiveBot } from "../bot.fixture.ts";
import { beginBot, compareThread, Superseded, threadForBot } from "./who-answers.ts";

let m: Messaging;
let desk: Desk;
let member: Extract<Actor, { kind: "member" }>;
let botId: string;
before(async () => {
  m = await startMessaging();
  desk = await Desk.open(m);
  const { id } = await createMember(OPERATOR, m.t.app, desk.workspaceId, {
    email: "agent@example.com",
    name: "Agent",
    role: "agent",
    password: "a long enough password",
  });
  member = { kind: "member", memberId: id, role: "agent" };
  botId = await makeLiveBot(m.t.app, desk.workspaceId);
});
after(() => m[Symbol.asyncDispose]());

/** What gives a conversation to a person. */
const TAKES: Readonly<Record<string, (conversationId: string, to: string) => Promise<unknown>>> = {
  reply: (conversationId) =>
    acceptMessage(member, m.t.app, desk.workspaceId, { conversationId, text: "a person" }),
  echo: (_, to) =>
    receiveEvents(m.t.app, [
      {
        account: desk.account,
        event: {
          kind: "echo",
          accountExternalId: "1",
          externalMessageId: `echo.${to}`,
          to: { externalId: to, phone: to },
          occurredAt: m.t.clock.now(),
          content: { type: "text", text: "from the phone", attachments: [] },
        },
      },
    ]),
  assign: (conversationId) =>
    updateConversation(OPERATOR, m.t.app, desk.workspaceId, conversationId, {
      assigneeId: member.memberId,
    }),
  resolve: (conversationId) =>
    updateConversation(member, m.t.app, desk.workspaceId, conversationId, { status: "resolved" }),
};

interface Sent {
  readonly id: string;
  readonly state: string | null;
}

/** What the bot wrote in a conversation that did not fail, with where it waits. */
const ofBot = (conversationId: string): Promise<Sent[]> =>
  m.t.app.db.query<Sent>(sql`
    select m.id, o.state from message m left join message_outbox o
      on o.workspace_id = m.workspace_id and o.message_id = m.id
    where m.workspace_id = ${desk.workspaceId} and m.conversation_id = ${conversationId}
      and m.author like 'bot:%' and m.status <> 'failed'`);

let customers = 96_570_000_000;

/** A customer who wrote, and whom the bot answers. */
async function begun() {
  const to = String(++customers);
  const conversationId = await desk.hears(to);
  const start = {
    workspaceId: desk.workspaceId,
    conversationId,
    botId,
    kind: "ai",
    version: 1,
    since: new Date(0),
    dueAt: m.t.clock.now(),
  } as const;
  await m.t.app.db.transaction(async (tx) => {
    const [found] = await lockConversations(tx, [
      { workspaceId: start.workspaceId, id: conversationId },
    ]);
    assert.ok(found);
    await beginBot(m.t.app, tx, found, undefined, start);
  });
  return { to, conversationId };
}

/**
 * One bot's answer and one person at the same moment. Gives what counts, when all calls are over, how often the bot talked
 * over the person.
 */
async function race(
  take: keyof typeof TAKES,
  compares: boolean,
  sends: boolean,
): Promise<() => Promise<number>> {
  const { to, conversationId } = await begun();
  const talk = await threadForBot(m.t.app.db, desk.workspaceId, conversationId);
  assert.ok(talk);
  const { version, ids: seen } = talk;
  const bot: Actor = { kind: "bot", botId };
  const answers = async () => {
    const reply = { conversationId, text: "an answer" };
    await acceptMessage(bot, m.t.app, desk.workspaceId, reply, {
      within: async (tx, { id }) => {
        if (!compares) return;
        const own = [id];
        await compareThread(tx, desk.workspaceId, conversationId, { version, seen, own });
      },
    }).catch((error: unknown) => {
      if (!(error instanceof Superseded)) throw error;
    });
  };
  const dispatcher = createDispatcher(m.t.app, atOnce);
  let atTake: readonly Sent[] = [];
  const takes = async () => {
    await TAKES[take]?.(conversationId, to);
    atTake = await ofBot(conversationId);
  };
  const both = customers % 2 === 0 ? [answers(), takes()] : [takes(), answers()];
  if (sends) both.push(dispatcher.claim().then(() => undefined));
  await Promise.all(both);
  await Promise.all(dispatcher.inFlight);
  const inAir = new Set(
    atTake.filter(({ state }) => state !== "waiting" && state !== "claimed").map(({ id }) => id),
  );
  // What was in the air and would be called again is a call that begins after the take-over too.
  return async () =>
    (await ofBot(conversationId)).filter(({ id, state }) => !inAir.has(id) || state === "waiting")
      .length;
}

/** Each race has up to four connections; the pool of an app has room for so many races. */
const AT_ONCE = 8;

/** Many races, some at a time. */
async function races(rounds: number, compares: boolean): Promise<number> {
  const kinds = Object.keys(TAKES);
  let over = 0;
  let calls = 0;
  // The platform throttles every third call: such a reply goes back to the queue.
  m.graph.answer = () => (++calls % 3 === 0 ? graphError(400, 131_056) : m.graph.accepted());
  for (let round = 0; round < rounds; round += AT_ONCE) {
    const counts = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) =>
        race(kinds[(round + n) % kinds.length] ?? "reply", compares, n < AT_ONCE / 2),
      ),
    );
    for (const count of counts) over += await count();
  }
  m.graph.answer = () => m.graph.accepted();
  return over;
}

test("a bot never talks over a person who replies, answers on the phone, gets the conversation or resolves it", async () => {
  const rounds = LONG ? 10_000 : 240;
  assert.equal(await races(rounds, true), 0);
});

test("without the comparison it does: the race is one", async () => {
  assert.ok((await races(LONG ? 1_000 : 80, false)) > 0);
});

/** A customer's conversation with an answer of the bot in the outbox. */
async function answered() {
  const { to, conversationId } = await begun();
  const bot: Actor = { kind: "bot", botId };
  const reply = { conversationId, text: "an answer" };
  const { id } = await acceptMessage(bot, m.t.app, desk.workspaceId, reply);
  return { to, conversationId, id };
}

async function isSuperseded(id: string): Promise<void> {
  const [row] = await m.t.app.db.query<{ status: string; code: string; waits: boolean }>(sql`
    select status, error_code as code, exists (select 1 from message_outbox o
      where o.workspace_id = ${desk.workspaceId} and o.message_id = message.id) as waits
    from message where workspace_id = ${desk.workspaceId} and id = ${id}`);
  assert.deepEqual(row, { status: "failed", code: "SUPERSEDED", waits: false });
}

test("what the bot had not begun to send is stored as failed, and leaves the outbox", async () => {
  const { to, conversationId, id } = await answered();
  await TAKES["reply"]?.(conversationId, to);
  await isSuperseded(id);
  const finished = await desk.events("bot.finished");
  const own = finished.find((one) => one["conversationId"] === conversationId);
  assert.equal(own?.["outcome"], "assisted");
});

test("a call that was in the air when a person took over, and that the platform throttled, is not made again", async () => {
  const { to, conversationId, id } = await answered();
  const called = Promise.withResolvers<void>();
  const throttle = Promise.withResolvers<void>();
  m.graph.answer = async () => {
    called.resolve();
    await throttle.promise;
    return graphError(400, 131_056);
  };
  const dispatcher = createDispatcher(m.t.app, atOnce);
  await dispatcher.claim();
  await called.promise;
  await TAKES["assign"]?.(conversationId, to);
  throttle.resolve();
  await Promise.all(dispatcher.inFlight);
  m.graph.answer = () => m.graph.accepted();
  await isSuperseded(id);
});
