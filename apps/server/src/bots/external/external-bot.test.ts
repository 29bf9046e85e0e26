import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { Check } from "typebox/value";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { startReceiver, type Answer, type Receiver } from "../../../test/webhook-receiver.ts";
import { actorName, OPERATOR } from "../../actor.ts";
import { selectAnswered } from "../../conversations/handler.ts";
import { buildHttp } from "../../http/server.ts";
import { acceptMessage } from "../../messages/accept/accept-message.ts";
import { listMessages } from "../../messages/record/find-message.ts";
import { BotTurnCall, TURN_SECONDS } from "../../wire/external-bot.ts";
import { updateWorkspace } from "../../workspaces/update-workspace.ts";
import { makeLiveBot } from "../bot.fixture.ts";
import { makeSecret } from "./bot-secret.ts";
import { testExternalBot } from "./test-external.ts";

let m: Messaging;
let desk: Desk;
let bot: Receiver;
let botId: string;
let secret: string;
let http: Awaited<ReturnType<typeof buildHttp>>;
let people = 96_572_000_000;

before(async () => {
  m = await startMessaging();
  desk = await Desk.open(m);
  bot = await startReceiver();
  http = await buildHttp(m.t.app);
  botId = await makeLiveBot(m.t.app, desk.workspaceId, {
    format: 1,
    kind: "external",
    name: "Our own bot",
    url: `${bot.base}/turn`,
    waitSeconds: 5,
  });
  secret = await m.t.app.db.transaction((tx) => makeSecret(m.t.app, tx, desk.workspaceId, botId));
});
after(async () => {
  await http.close();
  bot.close();
  await m[Symbol.asyncDispose]();
});
beforeEach(() => bot.clear());

const says =
  (body: unknown, status = 200): Answer =>
  (response) =>
    response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));

const calls = (): BotTurnCall[] => bot.received.map(({ body }): BotTurnCall => JSON.parse(body));

/** A customer nobody knows writes, and the bot is asked. */
async function asks(text: string, answer: Answer): Promise<string> {
  bot.answers.set("/turn", answer);
  const conversationId = await desk.hears(String((people += 1)), text);
  await m.t.app.drain();
  return conversationId;
}

const ours = async (conversationId: string) =>
  (await listMessages(m.t.app, desk.workspaceId, conversationId)).messages.filter(
    ({ direction }) => direction === "outbound",
  );
const threadOf = async (conversationId: string) =>
  (await selectAnswered(m.t.app.db, [{ workspaceId: desk.workspaceId, conversationId }]))[0];

const later = (token: string, body: unknown) =>
  http.inject({ method: "POST", url: `/api/v1/bot-turns/${token}`, payload: JSON.stringify(body) });

test("a customer's message is posted, signed as webhooks are; the answer is sent by the bot, and its variables return", async () => {
  const conversationId = await asks(
    "Where is my order?",
    says({
      messages: [
        { text: "Which one?", choices: [{ text: "The red one", payload: "red" }] },
        { text: "I am an automatic assistant." },
      ],
      variables: { step: 1 },
    }),
  );
  const [call] = calls();
  assert.ok(call);
  assert.ok(Check(BotTurnCall, call), "it is as the API document says");
  assert.deepEqual(
    [call.type, call.conversationId, call.contact.language, call.variables],
    ["bot.turn", conversationId, "en", {}],
  );
  assert.deepEqual(
    call.messages.map(({ from, text }) => [from, text]),
    [["customer", "Where is my order?"]],
  );
  const [received] = bot.received;
  assert.ok(received);
  new Webhook(secret).verify(received.body, received.headers as Record<string, string>);
  const sent = await ours(conversationId);
  assert.deepEqual(
    new Set(sent.map(({ text }) => text)),
    new Set(["Which one?", "I am an automatic assistant."]),
  );
  const author = actorName({ kind: "bot", botId });
  assert.ok(sent.every((one) => one.author === author));
  assert.deepEqual(
    sent.map(({ status }) => status).filter((status) => status === "failed"),
    [],
  );

  m.t.clock.advance(60_000);
  await desk.hears(String(people), "The red one");
  await m.t.app.drain();
  assert.deepEqual(calls()[1]?.variables, { step: 1 });
  assert.equal(calls()[1]?.messages.length, 4);
});

test("a bot that answers later by its token answers once; a token that is not ours is not found", async () => {
  const conversationId = await asks("Slow one?", says("", 202));
  const token = calls()[0]?.token ?? "";
  assert.deepEqual(await ours(conversationId), []);
  const [first, second, foreign, wrong] = [
    await later(token, { messages: [{ text: "Here I am." }] }),
    await later(token, { messages: [{ text: "Twice." }] }),
    await later(`${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`, { end: true }),
    await later(token, { messages: [{ text: "" }] }),
  ];
  assert.deepEqual(
    [first, second, foreign, wrong].map(({ statusCode }) => statusCode),
    [202, 409, 404, 400],
  );
  assert.deepEqual(wrong.json<{ details: unknown }>().details, [
    { path: "messages.0.text", message: "must not be empty" },
  ]);
  assert.deepEqual(
    (await ours(conversationId)).map(({ text }) => text),
    ["Here I am."],
  );
});

test("the same answer again gets the first answer again, whatever came after; another one does not", async () => {
  const conversationId = await asks("Slow one?", says("", 202));
  const token = calls()[0]?.token ?? "";
  const answer = { messages: [{ text: "Here I am." }], variables: { step: 1 } };
  // Two connections at once, as after a break: one is stored.
  const both = await Promise.all([later(token, answer), later(token, answer)]);
  assert.deepEqual(
    both.map(({ statusCode }) => statusCode),
    [202, 202],
  );
  const repeats = both.filter(({ headers }) => headers["idempotency-replayed"] === "true");
  assert.equal(repeats.length, 1);
  m.t.clock.advance(60_000);
  await desk.hears(String(people), "And now?");
  await m.t.app.drain();
  assert.equal(calls().length, 2, "a repeat asks nothing again");
  const again = await later(token, answer);
  assert.deepEqual(
    [again.statusCode, again.headers["idempotency-replayed"], again.body],
    [202, "true", both[0].body],
  );
  assert.equal((await later(token, { ...answer, variables: { step: 2 } })).statusCode, 409);
  const fresh = calls()[1]?.token ?? "";
  assert.equal((await later(fresh, answer)).headers["idempotency-replayed"], undefined);
  assert.equal((await later(fresh, answer)).statusCode, 202);
  assert.deepEqual(
    (await ours(conversationId)).map(({ text }) => text),
    ["Here I am.", "Here I am."],
  );
});

test("an answer that a plan without messages could not send is answered the same again", async () => {
  await asks("Slow one?", says("", 202));
  const token = calls()[0]?.token ?? "";
  const { workspaceId } = desk;
  await updateWorkspace(OPERATOR, m.t.app, workspaceId, { limits: { messages: 0 } });
  const answer = { messages: [{ text: "Too much." }] };
  const twice = [await later(token, answer), await later(token, answer)];
  await updateWorkspace(OPERATOR, m.t.app, workspaceId, { limits: { messages: null } });
  assert.deepEqual(
    twice.map(({ statusCode }) => statusCode),
    [202, 202],
  );
});

test("a turn without an answer for a minute is handed over, and its token ends", async () => {
  const conversationId = await asks("Anybody?", says("", 204));
  m.t.clock.advance(TURN_SECONDS * 1_000 + 1_000);
  await m.t.app.drain();
  const thread = await threadOf(conversationId);
  assert.deepEqual([thread?.handler, thread?.handedReason], ["person", "model_unavailable"]);
  const late = await later(calls()[0]?.token ?? "", { messages: [{ text: "Too late." }] });
  assert.equal(late.statusCode, 409);
  assert.equal(
    (await ours(conversationId)).some(({ text }) => text === "Too late."),
    false,
  );
});

for (const [what, answer] of [
  ["an error", says("broken", 500)],
  ["words that are no JSON", says("hello")],
  ["an answer without anything", says({})],
  ["a member that does not exist", says({ message: "hi" })],
  ["a text of 1,001 characters", says({ messages: [{ text: "x".repeat(1_001) }] })],
] as const)
  test(`${what} from the bot hands the conversation over at once`, async () => {
    const conversationId = await asks("Hello?", answer);
    const thread = await threadOf(conversationId);
    assert.deepEqual([thread?.handler, thread?.handedReason], ["person", "model_unavailable"]);
    assert.equal(bot.received.length, 1, "it is asked once");
  });

test("a bot hands over with its words as the farewell, or ends, and the next message begins again", async () => {
  const handed = await asks(
    "A person, please",
    says({
      messages: [{ text: "I call a colleague." }],
      handOver: { reason: "asked", summary: "Order 7" },
    }),
  );
  const thread = await threadOf(handed);
  assert.deepEqual([thread?.handler, thread?.handedReason], ["person", "asked"]);
  assert.deepEqual(
    (await ours(handed)).map(({ text }) => text),
    ["I call a colleague."],
  );
  const ended = await asks("Bye", says({ messages: [{ text: "Bye!" }], end: true }));
  assert.equal((await threadOf(ended))?.handler, "nobody");
  const finished = (await desk.events("bot.finished")).map(({ outcome }) => outcome);
  assert.deepEqual([finished.includes("resolved"), finished.includes("handed_over")], [true, true]);
  bot.clear();
  bot.answers.set("/turn", says({ messages: [{ text: "Hello again" }] }));
  m.t.clock.advance(60_000);
  await desk.hears(String(people), "One more thing");
  await m.t.app.drain();
  assert.deepEqual(
    calls()[0]?.messages.map(({ text }) => text),
    ["One more thing"],
  );
});

test("a person who answers while the bot thinks is not talked over", async () => {
  const conversationId = await asks("Quick?", says("", 202));
  const person = { conversationId, text: "I am here." };
  await acceptMessage(OPERATOR, m.t.app, desk.workspaceId, person);
  const late = await later(calls()[0]?.token ?? "", { messages: [{ text: "Over you." }] });
  assert.equal(late.statusCode, 409);
  assert.deepEqual(
    (await ours(conversationId)).map(({ text }) => text),
    ["I am here."],
  );
});

test("the token of a turn that a newer message overtook says that the turn is over", async () => {
  await asks("Slow one?", says("", 202));
  m.t.clock.advance(60_000);
  await desk.hears(String(people), "And this?");
  await m.t.app.drain();
  const [old, fresh] = calls().map(({ token }) => token);
  assert.ok(old && fresh && old !== fresh);
  assert.equal((await later(old, { messages: [{ text: "Of the old one." }] })).statusCode, 409);
  assert.equal((await later(fresh, { messages: [{ text: "Of both." }] })).statusCode, 202);
});

test("a workspace without messages left hands over instead of answering", async () => {
  await updateWorkspace(OPERATOR, m.t.app, desk.workspaceId, { limits: { messages: 0 } });
  const conversationId = await asks("Anything left?", says({ messages: [{ text: "Yes" }] }));
  const thread = await threadOf(conversationId);
  assert.deepEqual([thread?.handler, thread?.handedReason], ["person", "limit_reached"]);
});

const tries = async (answer: Answer, id = botId) => {
  bot.answers.set("/turn", answer);
  const made = await testExternalBot(OPERATOR, m.t.app, desk.workspaceId, { id });
  return made.answer;
};

test("a test call is one signed turn; it shows the answer, sends no customer anything, and its token answers nothing", async () => {
  const messages = [{ text: "Hello!", choices: [{ text: "My order", payload: "order" }] }];
  const { state, answer } = await tries(says({ messages }));
  assert.deepEqual([state, answer], ["answered", { messages }]);
  const [received] = bot.received;
  assert.ok(received);
  new Webhook(secret).verify(received.body, received.headers as Record<string, string>);
  assert.equal((await later(calls()[0]?.token ?? "", { end: true })).statusCode, 404);
  assert.equal((await tries(says("", 202))).state, "later");
});

test("a test call that fails says why, by a code with its value", async () => {
  const made = async (answer: Answer) => {
    const { state, code, value } = await tries(answer);
    return [state, code, value];
  };
  assert.deepEqual(await made(says("broken", 500)), ["failed", "STATUS", "500"]);
  assert.deepEqual(await made(says("hello")), ["failed", "NOT_JSON", null]);
  assert.deepEqual(await made(says({ messages: [{ text: "" }] })), [
    "failed",
    "SHAPE",
    "messages.0.text",
  ]);
  assert.deepEqual(await made(says({ messages: [] })), ["failed", "EMPTY", null]);
  const flow = { format: 1, kind: "flow", name: "F", entry: "a", steps: { a: { type: "end" } } };
  const other = await makeLiveBot(m.t.app, desk.workspaceId, flow);
  await assert.rejects(tries(says({}), other), { code: "NOT_ALLOWED_IN_STATE" });
  const unready = await makeLiveBot(m.t.app, desk.workspaceId, {
    format: 1,
    kind: "external",
    name: "New",
    url: "",
  });
  assert.equal((await tries(says({}), unready)).code, "NO_ADDRESS");
});
