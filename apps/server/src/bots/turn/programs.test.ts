import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { KEY } from "../../../test/actors.ts";
import { Desk } from "../../../test/messaging.ts";
import { OPERATOR } from "../../actor.ts";
import { selectAnswered } from "../../conversations/handler.ts";
import { acceptMessage } from "../../messages/accept/accept-message.ts";
import { listMessages } from "../../messages/record/find-message.ts";
import { receiveEvents } from "../../messages/receive/receive-events.ts";
import { setModel } from "../../models/set-model.ts";
import { aiDocumentExample } from "../../wire/bot.ts";
import { makeLiveBot } from "../bot.fixture.ts";
import { json, startBotStand, type BotStand } from "../bot-stand.fixture.ts";
import { makeSecret } from "../external/bot-secret.ts";
import { createExternalRunner } from "../external/run-external.ts";
import { workFlows } from "../flow/work-flows.ts";
import { startBots } from "../thread/start-bots.ts";
import { runTurns } from "./run-turns.ts";

// What a program or a campaign writes to the customer while a bot has the conversation is no answer to what the customer
// asked: the bot goes on.

let stand: BotStand;
before(async () => {
  stand = await startBotStand();
});
after(() => stand[Symbol.asyncDispose]());

let customers = 96_581_000_000;
const SHIPPED = "Your order was shipped.";

async function outbound({ workspaceId }: Desk, conversationId: string): Promise<string[]> {
  const { messages } = await listMessages(stand.context, workspaceId, conversationId);
  return messages
    .filter(({ direction }) => direction === "outbound")
    .map(({ text }) => text ?? "")
    .toSorted();
}
async function answererOf({ workspaceId }: Desk, conversationId: string) {
  const [thread] = await selectAnswered(stand.context.db, [{ workspaceId, conversationId }]);
  return [thread?.handler, thread?.handedReason];
}
const shipped = ({ workspaceId }: Desk, conversationId: string) =>
  acceptMessage(KEY, stand.context, workspaceId, { conversationId, text: SHIPPED });

const reacts = (desk: Desk, from: string) =>
  receiveEvents(stand.context, [
    desk.message(from, "👍", { content: { type: "reaction", text: "👍", attachments: [] } }),
  ]);

async function withModel(): Promise<Desk> {
  const desk = await Desk.open(stand.m);
  const { url, key } = stand.model;
  const given = { protocol: "openai-chat", url, key, name: "script" } as const;
  await setModel(OPERATOR, { ...stand.context, operator: true }, desk.workspaceId, given);
  await makeLiveBot(stand.context, desk.workspaceId, { ...aiDocumentExample, disclosure: {} });
  return desk;
}

const ASKS = { decision: "clarify", text: "Which order do you mean?" };

async function quietOver(): Promise<void> {
  for (let rounds = 0; rounds < 5; rounds++) {
    await startBots(stand.context, 10);
    stand.m.t.clock.advance(2_500);
    await runTurns(stand.context, 10);
  }
}

test("an AI bot answers a customer although a program wrote before its turn", async () => {
  const desk = await withModel();
  stand.model.script([{ answer: ASKS }]);
  const id = await desk.hears(String(++customers), "where is it");
  await startBots(stand.context, 10);
  await shipped(desk, id);
  await quietOver();
  assert.deepEqual(await outbound(desk, id), [ASKS.text, SHIPPED].toSorted());
});

test("an AI bot answers a customer although a program wrote while it thought", async () => {
  const desk = await withModel();
  stand.model.script([{ answer: ASKS }, { answer: ASKS }]);
  const id = await desk.hears(String(++customers), "where is it");
  await startBots(stand.context, 10);
  stand.m.t.clock.advance(2_500);
  const { providerHttp } = stand.context;
  let first = true;
  const meanwhile = {
    ...stand.context,
    providerHttp: {
      ...providerHttp,
      async request(given: Parameters<typeof providerHttp.request>[0]) {
        if (first) {
          first = false;
          await shipped(desk, id);
        }
        return providerHttp.request(given);
      },
    },
  };
  await runTurns(meanwhile, 1);
  await quietOver();
  assert.deepEqual(await outbound(desk, id), [ASKS.text, SHIPPED].toSorted());
});

async function withExternal(): Promise<Desk> {
  const desk = await Desk.open(stand.m);
  const botId = await makeLiveBot(stand.context, desk.workspaceId, {
    format: 1,
    kind: "external",
    name: "Ours",
    url: `${stand.shop.base}/turn`,
  });
  await stand.context.db.transaction((tx) =>
    makeSecret(stand.context, tx, desk.workspaceId, botId),
  );
  return desk;
}
async function external(): Promise<void> {
  const runner = createExternalRunner(stand.context);
  for (let rounds = 0; rounds < 4; rounds++) {
    await startBots(stand.context, 10);
    await runner.claim();
    await Promise.all(runner.inFlight);
    stand.m.t.clock.advance(1_500);
  }
}

for (const what of ["a program writes", "the customer reacts"] as const)
  test(`an external bot's answer reaches the customer although ${what} while it thinks`, async () => {
    const desk = await withExternal();
    const from = String(++customers);
    let first = true;
    let id = "";
    stand.shop.answers.set("/turn", (response, request) => {
      const answer = () => json({ messages: [{ text: "It is on its way." }] })(response, request);
      if (!first) return answer();
      first = false;
      const happens = what === "a program writes" ? shipped(desk, id) : reacts(desk, from);
      void happens.then(() => startBots(stand.context, 10)).then(answer);
    });
    id = await desk.hears(from, "where is it");
    await external();
    assert.ok(
      (await outbound(desk, id)).includes("It is on its way."),
      JSON.stringify(await outbound(desk, id)),
    );
    assert.deepEqual(await answererOf(desk, id), ["bot", null]);
  });

test("a flow hears a customer's answer although a program wrote behind it", async () => {
  const desk = await Desk.open(stand.m);
  await makeLiveBot(stand.context, desk.workspaceId, {
    format: 1,
    kind: "flow",
    name: "Hours",
    entry: "q",
    steps: {
      q: { type: "ask", text: { en: "Your name?" }, into: "who", next: "hi" },
      hi: { type: "send", text: { en: "Hello {{who}}!" } },
    },
  });
  const from = String(++customers);
  const id = await desk.hears(from, "hello");
  await startBots(stand.context, 10);
  await workFlows(stand.context, 10);
  stand.m.t.clock.advance(5_000);
  await desk.hears(from, "Sara");
  await startBots(stand.context, 10);
  await shipped(desk, id);
  await workFlows(stand.context, 10);
  stand.m.t.clock.advance(5_000);
  await workFlows(stand.context, 10);
  assert.ok(
    (await outbound(desk, id)).includes("Hello Sara!"),
    JSON.stringify(await outbound(desk, id)),
  );
});
