import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk } from "../../../test/messaging.ts";
import { selectAnswered } from "../../conversations/handler.ts";
import { listMessages } from "../../messages/record/find-message.ts";
import { OPERATOR } from "../../actor.ts";
import type { AppError } from "../../errors.ts";
import { makeLiveBot } from "../bot.fixture.ts";
import { json, startBotStand, type BotStand } from "../bot-stand.fixture.ts";
import { makeSecret } from "../external/bot-secret.ts";
import { createBot, saveBotDraft } from "../record/bots.ts";
import { publishBot, resumeBot } from "../record/publish-bot.ts";
import { startBots } from "../thread/start-bots.ts";
import { workFlows } from "./work-flows.ts";

// Customers and called systems write what no database takes: a flow goes on.

let stand: BotStand;
before(async () => {
  stand = await startBotStand();
});
after(() => stand[Symbol.asyncDispose]());

let customers = 96_582_000_000;

async function goOn(): Promise<void> {
  await startBots(stand.context, 10);
  await workFlows(stand.context, 10);
  stand.m.t.clock.advance(10_000);
}

async function said({ workspaceId }: Desk, conversationId: string): Promise<(string | null)[]> {
  const { messages } = await listMessages(stand.context, workspaceId, conversationId);
  return messages.flatMap(({ direction, text }) => (direction === "outbound" ? [text] : []));
}

test("a long answer of emoji is cut between two of them, not within one", async () => {
  const desk = await Desk.open(stand.m);
  await makeLiveBot(stand.context, desk.workspaceId, {
    format: 1,
    kind: "flow",
    name: "Names",
    entry: "q",
    steps: {
      q: { type: "ask", text: { en: "Your name?" }, into: "who", next: "s" },
      s: { type: "set", variable: "greeting", value: "x{{who}}{{who}}", next: "hi" },
      hi: { type: "send", text: { en: "{{greeting}}!" } },
    },
  });
  const from = String(++customers);
  const id = await desk.hears(from, "hello");
  await goOn();
  await desk.hears(from, "😀".repeat(700));
  await goOn();
  const greeting = `x${"😀".repeat(999)}!`;
  assert.deepEqual(new Set(await said(desk, id)), new Set(["Your name?", greeting]));
});

test("a flow that names no entry begins at the first of its steps, whatever they are called", async () => {
  const desk = await Desk.open(stand.m);
  const document = {
    format: 1,
    kind: "flow",
    name: "Greeting",
    steps: {
      welcome: { type: "send", text: { en: "Welcome." }, next: "bye" },
      bye: { type: "send", text: { en: "Bye." } },
    },
  };
  const input = { document };
  const made = (await createBot(OPERATOR, stand.context, desk.workspaceId, input)).answer;
  await saveBotDraft(OPERATOR, stand.context, desk.workspaceId, { id: made.id, document });
  await publishBot(OPERATOR, stand.context, desk.workspaceId, { id: made.id });
  const id = await desk.hears(String(++customers), "hello");
  await goOn();
  assert.deepEqual(new Set(await said(desk, id)), new Set(["Welcome.", "Bye."]));
});

test("a bot that names a channel of another workspace is not published: it would begin nowhere", async () => {
  const [desk, other] = [await Desk.open(stand.m), await Desk.open(stand.m)];
  const [own, foreign] = [desk.account.channelId, other.account.channelId];
  const named = (...channels: string[]) => ({
    format: 1,
    kind: "flow",
    name: "Greeting",
    trigger: { channels },
    steps: { a: { type: "send", text: { en: "Welcome." } } },
  });
  const input = { document: named("TELEGRAM", own, foreign, "SMS") };
  const { id } = (await createBot(OPERATOR, stand.context, desk.workspaceId, input)).answer;
  const publish = () => publishBot(OPERATOR, stand.context, desk.workspaceId, { id });
  await assert.rejects(publish(), (error: AppError) => {
    assert.equal(error.code, "BOT_NOT_PUBLISHABLE");
    assert.deepEqual(
      error.facts.details?.map(({ path }) => path),
      ["trigger.channels.2", "trigger.channels.3"],
    );
    return true;
  });
  const document = named("TELEGRAM", own);
  await saveBotDraft(OPERATOR, stand.context, desk.workspaceId, { id, document });
  await publish();
});

test("an unknown bot is not found, also where the plan is full", async () => {
  const [desk, other] = [await Desk.open(stand.m, { plan: "free" }), await Desk.open(stand.m)];
  await makeLiveBot(stand.context, desk.workspaceId);
  const foreign = await makeLiveBot(stand.context, other.workspaceId);
  for (const change of [publishBot, resumeBot])
    for (const id of [foreign, stand.context.ids.next(), "x"])
      await assert.rejects(
        Promise.resolve(change(OPERATOR, stand.context, desk.workspaceId, { id })),
        ({ code }: AppError) => code === "NOT_FOUND",
      );
});

test("half a character and a NUL in the answer of a called system keep no customer waiting", async () => {
  const desk = await Desk.open(stand.m);
  const botId = await makeLiveBot(stand.context, desk.workspaceId, {
    format: 1,
    kind: "flow",
    name: "Orders",
    entry: "c",
    steps: {
      c: {
        type: "call",
        url: `${stand.shop.base}/order`,
        changes: false,
        results: [{ path: "state", into: "state" }],
        next: "s",
      },
      s: { type: "send", text: { en: "It is {{state}}." } },
    },
  });
  await stand.context.db.transaction((tx) =>
    makeSecret(stand.context, tx, desk.workspaceId, botId),
  );
  stand.shop.answers.set("/order", json({ state: "on \0its way\ud83d" }));
  const id = await desk.hears(String(++customers), "where is it");
  await goOn();
  assert.deepEqual(await said(desk, id), ["It is on its way\ufffd."]);
});

/** The customer is silent for 80 minutes. Gives how many texts the flow wrote, and who answers then. */
async function alone(
  steps: object,
): Promise<{ readonly texts: number; readonly handler: unknown[] }> {
  const desk = await Desk.open(stand.m);
  const { workspaceId } = desk;
  const document = { format: 1, kind: "flow", name: "Alone", entry: "a", steps };
  await makeLiveBot(stand.context, workspaceId, document);
  const conversationId = await desk.hears(String(++customers), "hello");
  await goOn();
  for (let minutes = 0; minutes < 80; minutes++) {
    stand.m.t.clock.advance(61_000);
    await workFlows(stand.context, 10);
  }
  const [thread] = await selectAnswered(stand.context.db, [{ workspaceId, conversationId }]);
  const texts = (await said(desk, conversationId)).length;
  return { texts, handler: [thread?.handler, thread?.handedReason] };
}

test("a flow that goes on writing while the customer is silent is handed over, as one that talks in a circle", async () => {
  const again = { minutes: 1, next: "a" };
  const same = await alone({
    a: { type: "ask", text: { en: "There?" }, into: "x", timeout: again },
  });
  // With the text of the hand-over.
  assert.deepEqual(same, { texts: 4, handler: ["person", "loop"] });
  const say = (text: string, next: string) => ({ type: "send", text: { en: text }, next });
  const wait = (next: string) => ({ type: "wait", minutes: 1, next });
  const steps = { a: say("Tick", "b"), b: wait("c"), c: say("Tock", "d"), d: wait("a") };
  // A page of the talk has no more.
  assert.deepEqual(await alone(steps), { texts: 50, handler: ["person", "loop"] });
});
