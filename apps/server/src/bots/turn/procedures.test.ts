import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { ModelEmulator } from "@parley/emulators";
import { Desk, type Messaging } from "../../../test/messaging.ts";
import type { Receiver } from "../../../test/webhook-receiver.ts";
import { OPERATOR } from "../../actor.ts";
import type { Context } from "../../context.ts";
import { selectAnswered } from "../../conversations/handler.ts";
import { AppError } from "../../errors.ts";
import { readThread } from "../../inbox/read-thread.ts";
import { acceptMessage } from "../../messages/accept/accept-message.ts";
import { listMessages } from "../../messages/record/find-message.ts";
import { setModel } from "../../models/set-model.ts";
import { aiDocumentExample, type BotJson } from "../../wire/bot.ts";
import { answerOf } from "../../write.ts";
import { json, startBotStand, type BotStand } from "../bot-stand.fixture.ts";
import { makeLiveBot } from "../bot.fixture.ts";
import { makeSecret } from "../external/bot-secret.ts";
import { workFlows } from "../flow/work-flows.ts";
import { handOverStuck } from "../hand-over/hand-over-stuck.ts";
import { archiveBot, publishBot } from "../record/publish-bot.ts";
import { createBot } from "../record/bots.ts";
import { selectLastRun } from "../thread/run-store.ts";
import { startBots } from "../thread/start-bots.ts";
import { endSilent } from "./end-silent.ts";
import { readRun } from "./read-run.ts";
import { recentTurns } from "./read-turns.ts";
import { runTurns } from "./run-turns.ts";

let stand: BotStand;
let m: Messaging;
let shop: Receiver;
let model: ModelEmulator;
let context: Context;
let customers = 96_575_000_000;

before(async () => {
  stand = await startBotStand();
  ({ m, shop, model, context } = stand);
});
after(() => stand[Symbol.asyncDispose]());
beforeEach(() => shop.clear());

const FLOW = "Shop assistant";
const en = (text: string) => ({ en: text });
/** Cancels an order: it asks for the number, and for a yes. */
const cancels = () => ({
  ask: { type: "ask", text: en("Its number?"), as: "number", into: "order", next: "sure" },
  sure: { type: "confirm", text: en("Cancel {{order}}?"), next: "call", refused: "kept" },
  call: { type: "call", url: `${shop.base}/cancel`, inputs: { number: "{{order}}" }, next: "said" },
  said: { type: "send", text: en("It is cancelled."), next: "end" },
  kept: { type: "send", text: en("It stays as it is."), next: "end" },
  end: { type: "end" },
});

/** A workspace with a live AI bot that may begin a live flow, which nothing else begins. */
async function open(steps: object = cancels()) {
  const desk = await Desk.open(m);
  const { workspaceId } = desk;
  const { url, key } = model;
  const given = { protocol: "openai-chat", url, key, name: "script" } as const;
  await setModel(OPERATOR, { ...context, operator: true }, workspaceId, given);
  const entry = Object.keys(steps)[0];
  const document = { format: 1, kind: "flow", name: FLOW, entry, steps };
  const trigger = { when: "by_assistant" };
  const flowId = await makeLiveBot(context, workspaceId, { ...document, trigger });
  await context.db.transaction((tx) => makeSecret(context, tx, workspaceId, flowId));
  const procedures = [{ flow: FLOW, when: "The customer wants to cancel an order." }];
  const botId = await makeLiveBot(context, workspaceId, { ...aiDocumentExample, procedures });
  return { desk, workspaceId, flowId, botId, from: String(++customers) };
}
type Open = Awaited<ReturnType<typeof open>>;

async function says({ desk, from }: Open, text: string): Promise<string> {
  const id = await desk.hears(from, text);
  await work();
  return id;
}

async function work(): Promise<void> {
  for (let rounds = 0; rounds < 30; rounds++) {
    const begun = await startBots(context, 100);
    m.t.clock.advance(2_500);
    if (begun + (await runTurns(context, 100)) + (await workFlows(context, 100)) === 0) return;
  }
  assert.fail("bots go on without end");
}

const ours = async ({ workspaceId }: Open, conversationId: string) =>
  (await listMessages(context, workspaceId, conversationId)).messages
    .filter(({ direction }) => direction === "outbound")
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ text }) => text);

/** Of each message of ours: whether the thread says that a model wrote it. */
async function byAi({ workspaceId }: Open, conversationId: string): Promise<readonly boolean[]> {
  const { entries } = await readThread(context, workspaceId, conversationId, {});
  return entries.flatMap((line) =>
    line.kind === "message" && line.direction === "outbound" ? [line.byAi] : [],
  );
}

const standing = async ({ workspaceId }: Open, conversationId: string) => {
  const [thread] = await selectAnswered(context.db, [{ workspaceId, conversationId }]);
  return [thread?.handler, thread?.handedReason];
};

const CANCELS = { decision: "procedure", procedure: FLOW };
const GREETS = { decision: "clarify", text: "Which order do you mean?" };
const SAYS = aiDocumentExample.disclosure?.en;

test("an AI bot begins a flow in its own run, and answers on when the flow ends", async () => {
  const one = await open();
  shop.answers.set("/cancel", json({}));
  model.script([{ when: "cancel", answer: CANCELS }, { answer: GREETS }]);
  const id = await says(one, "I want to cancel my order");
  await says(one, "1042");
  const during = await selectLastRun(context.db, one.workspaceId, id);
  assert.deepEqual(
    [during?.kind, during?.botId, during?.flowId, during?.step],
    ["flow", one.botId, one.flowId, "sure"],
  );
  assert.equal(shop.received.length, 0, "nothing is changed without the customer's yes");
  await says(one, "Yes");
  assert.equal(shop.received.length, 1);
  await says(one, "Where is the other one?");
  assert.deepEqual(await ours(one, id), [
    `${SAYS}\n\nIts number?`,
    "Cancel 1042?",
    "It is cancelled.",
    GREETS.text,
  ]);
  assert.deepEqual(await byAi(one, id), [false, false, false, true], "a flow's words are fixed");
  const after = await selectLastRun(context.db, one.workspaceId, id);
  assert.deepEqual(
    [after?.id, after?.kind, after?.flowId, after?.state],
    [during?.id, "ai", null, "waiting"],
  );
  assert.deepEqual(await standing(one, id), ["bot", null]);
  const turns = await recentTurns(context, one.workspaceId, { conversationId: id });
  assert.deepEqual(
    turns.map(({ status, procedure }) => [status, procedure]),
    [
      ["sent", null],
      ["began", FLOW],
    ],
  );
  const { steps } = await readRun(OPERATOR, context, one.workspaceId, { id });
  assert.deepEqual(
    steps.map(({ type }) => type),
    ["turn", "procedure", "ask", "confirm", "call", "send", "end", "procedure_done", "turn"],
  );
});

test("a no of the customer changes nothing; a day of silence after a procedure is a resolved talk", async () => {
  const one = await open();
  model.script([{ when: "cancel", answer: CANCELS }, { answer: GREETS }]);
  const id = await says(one, "cancel my order");
  await says(one, "7");
  await says(one, "No");
  assert.equal((await ours(one, id)).at(-1), "It stays as it is.");
  assert.equal(shop.received.length, 0);
  m.t.clock.advance(25 * 3_600_000);
  await endSilent(context, 100);
  const run = await selectLastRun(context.db, one.workspaceId, id);
  assert.equal(run?.outcome, "resolved");
});

test("a flow that says nothing leaves the customer to the AI bot, which cannot begin one again: no circle", async () => {
  const one = await open({
    a: { type: "set", variable: "x", value: "1", next: "b" },
    b: { type: "end" },
  });
  const asked = model.requests().length;
  model.script([{ answer: CANCELS }]);
  const id = await says(one, "cancel my order");
  assert.deepEqual(await standing(one, id), ["person", "no_source"]);
  assert.equal(model.requests().length - asked, 2);
});

test("a take-over during a procedure ends it, and an archived flow hands over", async () => {
  model.script([{ answer: CANCELS }]);
  const one = await open();
  const id = await says(one, "cancel my order");
  const reply = { conversationId: id, text: "I am here" };
  await acceptMessage(OPERATOR, context, one.workspaceId, reply);
  await says(one, "1042");
  assert.deepEqual((await standing(one, id))[0], "person");
  assert.deepEqual(await ours(one, id), [`${SAYS}\n\nIts number?`, "I am here"]);
  const two = await open();
  const other = await says(two, "cancel my order");
  await archiveBot(OPERATOR, context, two.workspaceId, { id: two.flowId });
  await handOverStuck(context, 100);
  assert.deepEqual(await standing(two, other), ["person", "archived"]);
});

test("a flow that is not live is not offered, and keeps the bot from being published", async () => {
  const one = await open();
  await archiveBot(OPERATOR, context, one.workspaceId, { id: one.flowId });
  model.script([{ answer: CANCELS }]);
  const id = await says(one, "cancel my order");
  assert.deepEqual(await standing(one, id), ["person", "no_source"]);
  assert.doesNotMatch(model.requests().at(-1)?.body ?? "", /wants to cancel an order/);
  const procedures = [{ flow: FLOW, when: "The customer wants to cancel." }];
  const made = answerOf(
    await createBot(OPERATOR, context, one.workspaceId, {
      document: { ...aiDocumentExample, procedures: [...procedures, ...procedures] },
    }),
  ) as BotJson;
  assert.deepEqual(
    made.faults.map(({ path, code }) => [path, code]),
    [["procedures.1.flow", "NAME_TWICE"]],
  );
  const other = answerOf(
    await createBot(OPERATOR, context, one.workspaceId, {
      document: { ...aiDocumentExample, procedures },
    }),
  ) as BotJson;
  await assert.rejects(
    Promise.resolve(publishBot(OPERATOR, context, one.workspaceId, { id: other.id })),
    (error: unknown) =>
      error instanceof AppError && error.facts.details?.[0]?.code === "FLOW_UNKNOWN",
  );
});
