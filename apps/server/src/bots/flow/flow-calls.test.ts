import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { after, before, beforeEach, test } from "node:test";
import type { ModelEmulator } from "@parley/emulators";
import { Webhook } from "standardwebhooks";
import { LONG } from "../../../test/group.ts";
import { Desk, type Messaging } from "../../../test/messaging.ts";
import { type Answer, type Receiver } from "../../../test/webhook-receiver.ts";
import { OPERATOR } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { selectAnswered } from "../../conversations/handler.ts";
import { sql } from "../../db/sql.ts";
import { addSnippet } from "../../knowledge/write-snippet.ts";
import { readThread } from "../../inbox/read-thread.ts";
import { acceptMessage } from "../../messages/accept/accept-message.ts";
import { listMessages } from "../../messages/record/find-message.ts";
import { AppError } from "../../errors.ts";
import { setModel } from "../../models/set-model.ts";
import { aiDocumentExample } from "../../wire/bot.ts";
import type { BotCall } from "../../wire/bot-call.ts";
import { updateWorkspace } from "../../workspaces/update-workspace.ts";
import { createMember } from "../../workspaces/create-member.ts";
import { json, startBotStand, type BotStand } from "../bot-stand.fixture.ts";
import { makeLiveBot } from "../bot.fixture.ts";
import { handOverStuck, STUCK_MS } from "../hand-over/hand-over-stuck.ts";
import { makeSecret } from "../external/bot-secret.ts";
import { answerOf } from "../../write.ts";
import { createBot, readBot } from "../record/bots.ts";
import { publishBot } from "../record/publish-bot.ts";
import { selectLastRun } from "../thread/run-store.ts";
import { recentTurns } from "../turn/read-turns.ts";
import { startBots } from "../thread/start-bots.ts";
import { createFlowRunner, workFlows } from "./work-flows.ts";

let stand: BotStand;
let m: Messaging;
let shop: Receiver;
let model: ModelEmulator;
let context: Context;
let customers = 96_573_000_000;

before(async () => {
  stand = await startBotStand();
  ({ m, shop, model, context } = stand);
});
after(() => stand[Symbol.asyncDispose]());
beforeEach(() => shop.clear());

const flow = (steps: object, entry = "a") => ({ format: 1, kind: "flow", name: "F", entry, steps });
const en = (text: string) => ({ en: text });

/** A workspace with a live flow, and what signs its calls. */
async function open(steps: object, entry?: string) {
  const desk = await Desk.open(m);
  const { workspaceId } = desk;
  const botId = await makeLiveBot(context, workspaceId, flow(steps, entry));
  const secret = await context.db.transaction((tx) => makeSecret(context, tx, workspaceId, botId));
  return { desk, workspaceId, botId, secret, from: String(++customers) };
}
type Open = Awaited<ReturnType<typeof open>>;

/** The customer writes, and everything due is done. */
async function says({ desk, from }: Open, text: string): Promise<string> {
  const id = await desk.hears(from, text);
  await work();
  return id;
}

async function work(): Promise<void> {
  for (;;) if ((await startBots(context, 100)) + (await workFlows(context, 100)) === 0) return;
}

const ours = async ({ workspaceId }: Open, conversationId: string) =>
  (await listMessages(context, workspaceId, conversationId)).messages
    .filter(({ direction }) => direction === "outbound")
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ text }) => text);

const runOf = ({ workspaceId }: Open, conversationId: string) =>
  selectLastRun(context.db, workspaceId, conversationId);

async function threadOf({ workspaceId }: Open, conversationId: string) {
  const [thread] = await selectAnswered(context.db, [{ workspaceId, conversationId }]);
  return thread;
}

const ORDER = (more: object = {}) => ({
  a: { type: "ask", text: en("Its number?"), as: "number", into: "order", next: "call" },
  call: {
    type: "call",
    name: "Order",
    url: `${shop.base}/orders`,
    inputs: { number: "{{order}}" },
    results: [
      { path: "order.items.0.state", into: "state" },
      { path: "order.total", into: "total" },
      { path: "order.none", into: "none" },
    ],
    changes: false,
    next: "say",
    ...more,
  },
  say: { type: "send", text: en("It is {{state}}, {{total}} KD{{none}}."), next: "end" },
  end: { type: "end" },
});

test("a call posts its inputs, signed as webhooks are, outside of a transaction; its answer's values fill the next texts", async () => {
  const one = await open(ORDER());
  shop.answers.set("/orders", json({ order: { items: [{ state: "on its way" }], total: 4.5 } }));
  const id = await says(one, "hello");
  await says(one, "١٠٤٢");
  assert.deepEqual(await ours(one, id), ["Its number?", "It is on its way, 4.5 KD."]);
  const [received] = shop.received;
  assert.ok(received);
  new Webhook(one.secret).verify(received.body, received.headers as Record<string, string>);
  const body: BotCall = JSON.parse(received.body);
  assert.deepEqual(
    [body.type, body.step, body.inputs, body.conversationId, body.contact.externalId],
    ["bot.call", "call", { number: "1042" }, id, one.from],
  );
  const run = await runOf(one, id);
  assert.deepEqual(
    run?.steps.map(({ type, detail }) => [type, detail]),
    [
      ["ask", undefined],
      ["call", "answered"],
      ["send", undefined],
      ["end", undefined],
    ],
  );
  assert.equal(shop.received.length, 1);
});

for (const [what, answer, calls, more] of [
  ["an error", json({}, 500), 1, {}],
  ["an error of an idempotent call", json({}, 500), 2, { idempotent: true }],
  ["a refusal of an idempotent call", json({}, 400), 1, { idempotent: true }],
  ["words that are no JSON", (response) => response.end("hello"), 1, {}],
  ["an answer of 65 KiB", json("x".repeat(65 * 1024)), 1, {}],
] as const satisfies readonly (readonly [string, Answer, number, object])[])
  test(`${what} takes the otherwise-edge, or hands over where there is none`, async () => {
    shop.answers.set("/orders", answer);
    const sorry = { ...ORDER({ ...more, otherwise: "sorry" }) };
    const one = await open({
      ...sorry,
      sorry: { type: "send", text: en("I cannot see it now."), next: "end" },
    });
    const id = await says(one, "hello");
    await says(one, "7");
    assert.deepEqual((await ours(one, id)).slice(1), ["I cannot see it now."]);
    assert.equal(shop.received.length, calls);
    const two = await open(ORDER(more));
    const other = await says(two, "hello");
    await says(two, "7");
    const thread = await threadOf(two, other);
    assert.deepEqual([thread?.handler, thread?.handedReason], ["person", "flow"]);
    assert.match((await runOf(two, other))?.summary ?? "", /^Order: /);
  });

test("a call to a private address is refused by the guard", async () => {
  const one = await open(ORDER({ url: "http://10.0.0.1/orders" }));
  const guarded = { ...context, guardedHttp: m.t.app.guardedHttp };
  const id = await says(one, "hello");
  await one.desk.hears(one.from, "7");
  for (;;) if ((await startBots(guarded, 100)) + (await workFlows(guarded, 100)) === 0) break;
  assert.match((await runOf(one, id))?.summary ?? "", /NETWORK_BLOCKED/);
});

const CHANGES = {
  a: { type: "confirm", text: en("Cancel the order?"), next: "call", refused: "no" },
  call: { type: "call", url: "https://127.0.0.1:9/cancel", next: "done" },
  done: { type: "send", text: en("It is cancelled.") },
  no: { type: "send", text: en("It stays.") },
};

test("only after the customer's yes a call that changes something is made; a worker that is lost meanwhile does not make it again", async () => {
  const steps = { ...CHANGES, call: { ...CHANGES.call, url: `${shop.base}/cancel` } };
  const one = await open(steps);
  const id = await says(one, "cancel it");
  assert.deepEqual(await ours(one, id), ["Cancel the order?"]);
  assert.equal(shop.received.length, 0);
  await says(one, "Yes");
  assert.deepEqual((await ours(one, id)).slice(1), ["It is cancelled."]);
  assert.equal(shop.received.length, 1);

  const two = await open(steps);
  const lost = await says(two, "cancel it");
  await two.desk.hears(two.from, "نعم");
  await startBots(context, 100);
  // The worker makes the call, and dies before it can store the outcome.
  await workFlows(dyingAfter(1), 100);
  assert.equal(shop.received.length, 2);
  m.t.clock.advance(31_000);
  await work();
  assert.equal(shop.received.length, 2);
  const thread = await threadOf(two, lost);
  assert.deepEqual([thread?.handler, thread?.handedReason], ["person", "flow"]);
});

/** An app that is lost after so many transactions; `commits`: the one in which that happens is stored. */
function dyingAfter(count: number, commits = false): Context {
  let left = count;
  const transaction = (async (work: Parameters<Context["db"]["transaction"]>[0]) => {
    const isLost = left-- <= 0;
    if (isLost && !commits) throw new Error("the worker is lost before its commit");
    const result = await context.db.transaction(work);
    if (isLost) throw new Error("the worker is lost after its commit");
    return result;
  }) as Context["db"]["transaction"];
  const query = context.db.query.bind(context.db);
  return { ...context, db: { ...context.db, query, transaction } };
}

const KILLS = LONG ? 10 : 1;

test(`workers that are lost at each commit of a call, ${KILLS * 4} times: no call and no message is doubled, and no talk stays`, async () => {
  const steps = {
    a: { type: "send", text: en("One moment."), next: "b" },
    b: { type: "call", url: `${shop.base}/orders`, changes: false, next: "c", otherwise: "c" },
    c: { type: "ask", text: en("Anything else?"), into: "more" },
  };
  for (let kill = 0; kill < KILLS * 4; kill++) {
    shop.clear();
    const one = await open(steps);
    const id = await one.desk.hears(one.from, "hello");
    await startBots(context, 100);
    const dying = dyingAfter(kill % 2, kill % 4 >= 2);
    await Promise.all([1, 2, 3].map(() => workFlows(dying, 1)));
    m.t.clock.advance(31_000);
    await Promise.all([1, 2, 3].map(() => workFlows(context, 1)));
    await work();
    assert.deepEqual(await ours(one, id), ["One moment.", "Anything else?"], `kill ${kill}`);
    assert.ok(shop.received.length <= 1, `kill ${kill}: ${shop.received.length} calls`);
    assert.equal((await runOf(one, id))?.state, "waiting");
  }
});

/** How often the runs of a workspace were written, and how many wait for a free call. */
async function written({ workspaceId }: Open) {
  const [row] = await context.db.query<{ rows: string; waiting: number }>(sql`
    select string_agg(xmin::text, ' ' order by id) as rows,
      (count(*) filter (where state = 'calling' and lease_until is null))::int as waiting
    from bot_run where workspace_id = ${workspaceId}`);
  assert.ok(row);
  return row;
}

test("flows that wait for a free call of their workspace are not written meanwhile; they call in the order in which they came", async () => {
  const call = { ...ORDER().call, inputs: { from: "{{order}}" } };
  const one = await open({ ...ORDER(), call });
  const held: (() => void)[] = [];
  shop.answers.set("/orders", (response) => {
    held.push(() => response.writeHead(200).end(JSON.stringify({ order: {} })));
  });
  const runner = createFlowRunner(context);
  const rounds = async () => {
    for (;;) if ((await startBots(context, 100)) + (await runner.work(8)) === 0) return;
  };
  const senders = Array.from({ length: 20 }, () => String(++customers));
  for (const from of senders) {
    m.t.clock.advance(10);
    await one.desk.hears(from, "hello");
  }
  await rounds();
  for (const [index, from] of senders.entries()) {
    m.t.clock.advance(10);
    await one.desk.hears(from, String(1_000 + index));
    await rounds();
  }
  const until = async (n: number) => {
    while (shop.received.length < n) await setImmediate();
  };
  await until(8);
  const before = await written(one);
  assert.equal(before.waiting, 12);
  for (let second = 0; second < 5; second++) {
    m.t.clock.advance(1_000);
    await rounds();
  }
  assert.equal((await written(one)).rows, before.rows, "nothing was written");
  // A customer who comes now waits behind them.
  const late = String(++customers);
  await one.desk.hears(late, "hello");
  await rounds();
  m.t.clock.advance(10);
  await one.desk.hears(late, "2000");
  for (let n = 9; n <= 21; n++) {
    const calls = [...runner.inFlight];
    held.shift()?.();
    await Promise.race(calls);
    await rounds();
    await until(n);
  }
  const asked = shop.received.map(({ body }) =>
    Number((JSON.parse(body) as BotCall).inputs["from"]),
  );
  // The first eight are called at once.
  const inOrder = [...asked.slice(0, 8).toSorted((a, b) => a - b), ...asked.slice(8)];
  assert.deepEqual(inOrder, [...senders.map((_, index) => 1_000 + index), 2_000]);
  while (runner.inFlight.size > 0) {
    held.shift()?.();
    await setImmediate();
  }
});

test("a flow that waits two minutes for a free call is handed over, and its conversation says why", async () => {
  const one = await open({ ...ORDER() }, "call");
  const held: (() => void)[] = [];
  shop.answers.set("/orders", (response) => {
    held.push(() => response.writeHead(200).end(JSON.stringify({ order: {} })));
  });
  const runner = createFlowRunner(context);
  const ids: string[] = [];
  for (let n = 0; n < 9; n++) ids.push(await one.desk.hears(String(++customers), "hello"));
  for (;;) if ((await startBots(context, 100)) + (await runner.work(8)) === 0) break;
  while (held.length < 8) await setImmediate();
  assert.equal((await written(one)).waiting, 1);
  for (const answer of held.splice(0)) answer();
  const full = new Set(runner.inFlight);
  m.t.clock.advance(STUCK_MS + 1_000);
  await Promise.all(full);
  assert.equal(await handOverStuck(context, 50), 1);
  const reasons: (string | null | undefined)[] = [];
  for (const id of ids) reasons.push((await threadOf(one, id))?.handedReason);
  assert.deepEqual(reasons.filter(Boolean), ["stuck"]);
  const [note] = await context.db.query<{ text: string }>(sql`
    select text from note where workspace_id = ${one.workspaceId}`);
  assert.match(note?.text ?? "", /waited for a free call/);
});

test("an idempotent call is made again under the same id when its worker was lost", async () => {
  const one = await open(ORDER({ idempotent: true }));
  shop.answers.set("/orders", json({ order: { items: [{ state: "packed" }], total: 1 } }));
  const id = await says(one, "hello");
  await one.desk.hears(one.from, "7");
  await startBots(context, 100);
  await workFlows(dyingAfter(1), 100);
  m.t.clock.advance(31_000);
  await work();
  const ids = shop.received.map(({ headers }) => headers["webhook-id"]);
  assert.deepEqual([ids.length, new Set(ids).size], [2, 1]);
  assert.deepEqual((await ours(one, id)).slice(1), ["It is packed, 1 KD."]);
});

/** The same promise at every call. */
function once(work: () => Promise<void>): () => Promise<void> {
  let begun: Promise<void> | null = null;
  return () => (begun ??= work());
}

test("a person who takes the conversation during the call is not talked over; a customer who writes meanwhile loses nothing", async () => {
  const one = await open(ORDER());
  const id = await says(one, "hello");
  const two = await open(ORDER());
  const other = await says(two, "hello");
  /** Each answers the call of its own conversation, in which that happens meanwhile. */
  const during = (work: () => Promise<unknown>) => {
    const meanwhile = once(async () => void (await work()));
    shop.answers.set("/orders", (response) => {
      void meanwhile().then(() =>
        response.end(JSON.stringify({ order: { items: [{ state: "here" }], total: 2 } })),
      );
    });
  };
  const takes = { conversationId: id, text: "I look." };
  during(() => acceptMessage(OPERATOR, context, one.workspaceId, takes));
  await one.desk.hears(one.from, "7");
  await startBots(context, 100);
  await workFlows(context, 100);
  during(() => two.desk.hears(two.from, "are you there?"));
  await two.desk.hears(two.from, "7");
  await startBots(context, 100);
  await workFlows(context, 100);
  assert.deepEqual((await ours(one, id)).slice(1), ["I look."]);
  assert.deepEqual((await ours(two, other)).slice(1), ["It is here, 2 KD."]);
});

test("a changing call without a confirm right before it, on any way, and one without a secret are not published", async () => {
  const desk = await Desk.open(m);
  const codes = async (steps: object) => {
    const document = flow(steps);
    const made = Object(
      answerOf(await createBot(OPERATOR, context, desk.workspaceId, { document })),
    ) as { readonly id: string };
    const bot = await readBot(OPERATOR, context, desk.workspaceId, { id: made.id });
    const failed = await publishBot(OPERATOR, context, desk.workspaceId, { id: bot.id }).then(
      () => [],
      (error: unknown) => (error instanceof AppError ? (error.facts.details ?? []) : []),
    );
    return [bot.faults.map(({ code }) => code), failed.map(({ path }) => path)];
  };
  assert.deepEqual(await codes(CHANGES), [[], ["steps.call.url"]]);
  const ask = { type: "ask", text: en("Why?"), into: "why", next: "call" };
  const between = { ...CHANGES, a: { ...CHANGES.a, next: "b" }, b: ask };
  assert.deepEqual((await codes(between))[0], ["CALL_UNCONFIRMED"]);
  const twoWays = { ...CHANGES, a: { ...CHANGES.a, timeout: { minutes: 5, next: "call" } } };
  assert.deepEqual((await codes(twoWays))[0], ["CALL_UNCONFIRMED"]);
  const said = {
    ...CHANGES,
    a: { ...CHANGES.a, next: "b" },
    b: { type: "send", text: en("Now."), next: "call" },
  };
  assert.deepEqual((await codes(said))[0], []);
  const placed = { ...CHANGES, call: { ...CHANGES.call, url: "https://{{first_name}}.example" } };
  assert.deepEqual((await codes(placed))[0], ["ADDRESS"]);
  const unknown = {
    a: { type: "ai", bot: "Nobody", next: "b" },
    b: { type: "assign", to: "member", memberId: desk.workspaceId },
  };
  assert.deepEqual(await codes(unknown), [[], ["steps.a.bot", "steps.b.memberId"]]);
});

/** The workspace's model is the emulation. */
const setScript = async ({ workspaceId }: Open, name: string) => {
  const { url, key } = model;
  const given = { protocol: "openai-chat", url, key, name } as const;
  await setModel(OPERATOR, { ...context, operator: true }, workspaceId, given);
};

const TOPICS = {
  a: { type: "send", text: en("Tell me."), next: "wait" },
  wait: { type: "ask", text: en("What is it?"), into: "said", next: "b" },
  b: {
    type: "classify",
    topics: [
      { id: "returns", description: "wants to return or exchange something", next: "c" },
      { id: "delivery", description: "asks when the delivery arrives", next: "d" },
    ],
    into: "topic",
    otherwise: "e",
  },
  c: { type: "send", text: en("Returns: {{topic}}") },
  d: { type: "send", text: en("Delivery: {{topic}}") },
  e: { type: "send", text: en("Something else.") },
};

test("classify goes on at the topic that the model chose, or at its otherwise; its cost is kept, and no AI reply counts", async () => {
  const outcomeOf = async (name: string, text: string) => {
    const one = await open(TOPICS);
    await setScript(one, name);
    const id = await says(one, "hi");
    await says(one, text);
    const [turns] = await context.db.query<{ status: string; n: number; used: number }>(sql`
      select min(status) as status, count(*)::int as n,
        coalesce((select sum(ai_used)::int from usage_month where workspace_id = ${one.workspaceId}), 0) as used
      from ai_turn where workspace_id = ${one.workspaceId}`);
    return [(await ours(one, id)).at(-1), turns?.status, turns?.n, turns?.used];
  };
  assert.deepEqual(await outcomeOf("extract", "when does the delivery arrive"), [
    "Delivery: delivery",
    "classified",
    1,
    0,
  ]);
  assert.deepEqual(await outcomeOf("extract", "I want to exchange something"), [
    "Returns: returns",
    "classified",
    1,
    0,
  ]);
  assert.deepEqual(await outcomeOf("extract", "xyzzy"), ["Something else.", "classified", 1, 0]);
  assert.deepEqual(
    (await outcomeOf("fault:500", "when does the delivery arrive"))[0],
    "Something else.",
  );
});

test("an AI bot answers once in a flow with its checks and its meter; without an answer the otherwise-edge is taken", async () => {
  const steps = {
    a: { type: "ai", bot: "Shop assistant", next: "b", otherwise: "c" },
    b: { type: "ask", text: en("Anything else?"), into: "more", next: "a" },
    c: { type: "send", text: en("I do not know that.") },
  };
  const one = await open(steps);
  await setScript(one, "extract");
  await makeLiveBot(context, one.workspaceId, {
    ...aiDocumentExample,
    trigger: { channels: ["WEB"] },
  });
  const snippet = {
    title: "Delivery",
    lang: "en",
    text: "We deliver within two days in Kuwait.",
  } as const;
  await addSnippet(OPERATOR, context, one.workspaceId, { ...snippet, askedAs: [] });
  const id = await says(one, "when do you deliver in Kuwait");
  const disclosure = aiDocumentExample.disclosure?.en ?? "";
  assert.deepEqual(await ours(one, id), [`${disclosure}\n\n${snippet.text}`, "Anything else?"]);
  m.t.clock.advance(60_000);
  await says(one, "do you deliver within Kuwait");
  assert.deepEqual((await ours(one, id)).slice(2), [snippet.text, "Anything else?"]);
  m.t.clock.advance(60_000);
  await says(one, "xyzzy qwert");
  assert.deepEqual((await ours(one, id)).slice(4), ["I do not know that."]);
  const [meter] = await context.db.query<{ used: number; sent: number }>(sql`
    select (select sum(ai_used)::int from usage_month where workspace_id = ${one.workspaceId}) as used,
      (select count(*)::int from ai_turn t join message m on m.workspace_id = t.workspace_id and m.id = t.message_id
        where t.workspace_id = ${one.workspaceId} and t.status = 'sent' and m.text like '%' || t.text) as sent`);
  assert.deepEqual(meter, { used: 2, sent: 2 });
});

test("what a model wrote in a flow is marked, as a part of a hand-over's text too; an answer that no slot is left for is not counted", async () => {
  const steps = {
    a: { type: "ai", bot: "Shop assistant", next: "b" },
    b: { type: "hand_over", text: en("A colleague goes on.") },
  };
  const answers = async (limit: number | null) => {
    const one = await open(steps);
    await setScript(one, "extract");
    const trigger = { channels: ["WEB"] };
    await makeLiveBot(context, one.workspaceId, { ...aiDocumentExample, disclosure: {}, trigger });
    const snippet = { title: "Delivery", lang: "en", text: "We deliver within two days." } as const;
    await addSnippet(OPERATOR, context, one.workspaceId, { ...snippet, askedAs: [] });
    await updateWorkspace(OPERATOR, context, one.workspaceId, { limits: { messages: limit } });
    const id = await says(one, "when do you deliver");
    const { entries } = await readThread(context, one.workspaceId, id, {});
    const [turn] = await recentTurns(context, one.workspaceId, { conversationId: id });
    const said = entries.flatMap((line) =>
      line.kind === "message" && line.direction === "outbound"
        ? [[line.text, line.byAi, line.turnId === turn?.id]]
        : [],
    );
    return { said, status: turn?.status, handler: (await threadOf(one, id))?.handler };
  };
  const text = "We deliver within two days.\n\nA colleague goes on.";
  assert.deepEqual(await answers(null), {
    said: [[text, true, true]],
    status: "sent",
    handler: "person",
  });
  assert.deepEqual(await answers(0), { said: [], status: "failed", handler: "person" });
});

test("assign gives the conversation to the member that it names, to the least busy one who is online, or to no one", async () => {
  const desk = await Desk.open(m);
  const { workspaceId } = desk;
  const member = async (name: string) => {
    const email = `${name}@${workspaceId}.example`.toLowerCase();
    const given = { email, name, role: "agent", password: "a long enough password" } as const;
    return (await createMember(OPERATOR, context, workspaceId, given)).id;
  };
  const [busy, free, away] = [await member("Busy"), await member("Free"), await member("Away")];
  await context.db.query(sql`
    update member set signed_in_at = now() where workspace_id = ${workspaceId} and id = any (${[busy, free]}::uuid[])`);
  const taken = await desk.hears(String(++customers), "hi");
  await context.db.query(sql`
    update desk_conversation set assignee_id = ${busy} where workspace_id = ${workspaceId} and conversation_id = ${taken}`);
  const assignee = async (step: object, n: number) => {
    const words = [`go${n}`];
    const document = {
      ...flow({ a: { type: "assign", text: en("A colleague answers."), ...step } }),
      trigger: { words },
    };
    await makeLiveBot(context, workspaceId, document);
    const id = await desk.hears(String(++customers), `go${n}`);
    await work();
    const [row] = await context.db.query<{
      assigneeId: string | null;
      handler: string;
      texts: number;
    }>(sql`
      select c.assignee_id as "assigneeId", t.handler, (select count(*)::int from message
        where workspace_id = ${workspaceId} and conversation_id = ${id} and text = 'A colleague answers.') as texts
      from conversation c join bot_thread t on t.workspace_id = c.workspace_id and t.conversation_id = c.id
      where c.workspace_id = ${workspaceId} and c.id = ${id}`);
    assert.deepEqual([row?.handler, row?.texts], ["person", 1]);
    return row?.assigneeId;
  };
  assert.equal(await assignee({ to: "member", memberId: away }, 1), away);
  assert.equal(await assignee({ to: "least_busy" }, 2), free);
  assert.equal(await assignee({ to: "nobody" }, 3), null);
});
