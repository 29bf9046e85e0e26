import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Command } from "commander";
import { OPERATOR, type Actor } from "../src/actor.ts";
import { makeLiveBot } from "../src/bots/bot.fixture.ts";
import { aiDocumentExample } from "../src/wire/bot.ts";
import { beginBot } from "../src/bots/thread/who-answers.ts";
import { lockConversations } from "../src/conversations/touch-conversations.ts";
import { storeAudiences } from "../src/broadcasts/audience/store-audience.ts";
import { createBroadcast } from "../src/broadcasts/record/create-broadcast.ts";
import { startBroadcast } from "../src/broadcasts/record/start-broadcast.ts";
import { createKey } from "../src/api-keys/create-key.ts";
import { argumentsOf, registerDeclared } from "../src/cli/declared.ts";
import type { App } from "../src/app.ts";
import { createContact } from "../src/contacts/record/create-contact.ts";
import type { Context } from "../src/context.ts";
import { buildHttp } from "../src/http/server.ts";
import { GroupCommit } from "../src/lib/group-commit.ts";
import { LONG } from "./group.ts";
import { sql, Sql } from "../src/db/sql.ts";
import { runDeclared } from "../src/http/bound.ts";
import { everyOperation, OPERATIONS, type OperationName } from "../src/operations/all.ts";
import { laidOut, placesOf, type DoorName, type Declaration } from "../src/operations/operation.ts";
import { listGaps } from "../src/knowledge/close-gap.ts";
import { recordGap } from "../src/knowledge/record-gap.ts";
import { createSavedReply } from "../src/inbox/write-saved-reply.ts";
import { acceptMessage } from "../src/messages/accept/accept-message.ts";
import { uploadImport } from "../src/imports/upload-import.ts";
import type { Http, HttpRequest, HttpResponse } from "../src/lib/http.ts";
import { startErasure } from "../src/persons/start-erasure.ts";
import { draftExample } from "../src/wire/broadcast-draft.ts";
import { newContactExample } from "../src/wire/contact.ts";
import { messageExample } from "../src/wire/message.ts";
import { addSandboxWeb } from "../src/sandbox/add-sandbox-channel.ts";
import { setProvider } from "../src/sms/set-provider.ts";
import { testProvider } from "../src/sms/test-provider.ts";
import { templateExample } from "../src/wire/template.ts";
import { createEndpoint } from "../src/webhooks/create-endpoint.ts";
import { sendTestEvent } from "../src/webhooks/send-test-event.ts";
import { createMember } from "../src/workspaces/create-member.ts";
import { KEY } from "./actors.ts";
import { FILES } from "./files.ts";
import { streaming } from "./streaming.ts";
import { startApi, type Api } from "./v1/api.ts";
import { addTemplate, connectWhatsApp, openConversation } from "./v1/fixtures.ts";

// Each declared operation, called as its example says, by every door that it names.

const PASSWORD = "correct horse battery";
/** What a language model says, whatever it is asked. */
const COMPLETION = {
  choices: [
    {
      message: { content: '{"decision":"clarify","text":"We open at nine."}' },
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 40, completion_tokens: 12 },
};
/** Every platform has an empty list, and takes what it is given. */
const WILLING = {
  data: [],
  sid: "SM1",
  id: templateExample.metaId,
  status: "PENDING",
  success: true,
};

/** A host that has a language model, and the same bytes everywhere else. */
class Host implements Http {
  readonly #type: string;
  readonly #body: Buffer;
  constructor(type: string, body: Buffer) {
    this.#type = type;
    this.#body = body;
  }
  request({ url }: HttpRequest): Promise<HttpResponse> {
    const headers = { "content-type": this.#type };
    const body = url.endsWith("/chat/completions")
      ? Buffer.from(JSON.stringify(COMPLETION))
      : this.#body;
    return Promise.resolve({ status: 200, headers, body });
  }
}

let api: Api;
before(async () => {
  api = await startApi({
    overrides: {
      guardedHttp: streaming(new Host("image/png", FILES.png)),
      providerHttp: streaming(new Host("application/json", Buffer.from(JSON.stringify(WILLING)))),
    },
  });
});
after(() => api[Symbol.asyncDispose]());

type Input = Readonly<Record<string, unknown>>;
type Door = (workspaceId: string, name: OperationName, input: Input) => Promise<unknown>;

const keys = new Map<string, string>();
/** One member for a workspace, as one key. */
const sessions = new Map<string, Readonly<Record<string, string>>>();
const DOORS: Readonly<Record<DoorName, Door>> = {
  async app(workspaceId, name, input) {
    const headers = sessions.get(workspaceId) ?? (await signIn(workspaceId));
    sessions.set(workspaceId, headers);
    return ask("/api/app", name, input, headers);
  },
  async v1(workspaceId, name, input) {
    const { scope } = operationOf(name);
    // One key for a scope: what one call wrote is the next one's own.
    const holder = `${workspaceId} ${scope}`;
    const bearer = keys.get(holder) ?? (await api.key(scope === null ? [] : [scope], workspaceId));
    keys.set(holder, bearer);
    return ask("/api/v1", name, input, { authorization: `Bearer ${bearer}` });
  },
  async cli(workspaceId, name, input) {
    const operation = operationOf(name);
    const [noun = "", verb = ""] = operation.name.replaceAll("_", "-").split(".");
    let printed: unknown;
    const group = new Command(noun).exitOverride();
    registerDeclared(noun, group, async (_options, work) => {
      printed = await work(api.app, {
        config: api.app.config,
        databaseUrl: api.databaseUrl,
        alone: false,
        close: async () => {},
      });
    });
    await group.parseAsync([verb, "--workspace", workspaceId, ...argumentsOf(operation, input)], {
      from: "user",
    });
    return printed;
  },
  // What the tools add to an operation, `http/mcp/` tests.
  mcp: async (workspaceId, name, input) =>
    runDeclared(name, await keyWith(workspaceId, name), api.app, workspaceId, input),
};

const holders = new Map<string, Actor>();
/** The headers of a new owner, signed in. */
async function signIn(workspaceId: string): Promise<Readonly<Record<string, string>>> {
  const email = `${api.app.ids.next()}@example.com`;
  const person = { email, name: "Mona", role: "owner", password: PASSWORD } as const;
  await createMember(OPERATOR, api.app, workspaceId, person);
  const ours = { "x-parley": "1", "sec-fetch-site": "same-origin" };
  const signedIn = await api.http.inject({
    method: "POST",
    url: "/api/app/sign-in",
    headers: ours,
    payload: { email, password: PASSWORD },
  });
  const [session] = signedIn.cookies;
  assert.ok(session);
  return { ...ours, cookie: `${session.name}=${session.value}` };
}

/** A key with the operation's scope, one for a scope: what one call wrote is the next one's own. */
async function keyWith(workspaceId: string, name: OperationName): Promise<Actor> {
  const scopes = [operationOf(name).scope ?? "messages:read"];
  const holder = `${workspaceId} ${scopes.join()}`;
  const known = holders.get(holder);
  if (known) return known;
  const { id: keyId, publicKey } = await createKey(OPERATOR, api.app, workspaceId, { scopes });
  const actor: Actor = { kind: "key", keyId, publicKey, scopes };
  holders.set(holder, actor);
  return actor;
}

const operationOf = (name: OperationName): Declaration => OPERATIONS[name];

async function ask(
  prefix: string,
  name: OperationName,
  input: Input,
  headers: Readonly<Record<string, string>>,
): Promise<unknown> {
  const places = placesOf(operationOf(name));
  const { path, query, body } = laidOut(places, input);
  const search = new URLSearchParams(
    Object.entries(query).map(([one, value]) => [one, String(value)]),
  );
  const answer = await api.http.inject({
    method: places.method,
    url: `${prefix}${path}${search.size > 0 ? `?${search.toString()}` : ""}`,
    headers,
    ...(places.body && { payload: body }),
  });
  const json = answer.json<unknown>();
  const { status = 200, createdWhen: [member = "", value] = [] } = operationOf(name);
  const made = new Map(Object.entries(json ?? {})).get(member) === value;
  assert.equal(answer.statusCode, value !== undefined && made ? 201 : status, answer.body);
  return json;
}

/** A question that no source answered. */
async function withGap(workspaceId: string): Promise<Input> {
  await api.app.db.transaction((tx) =>
    recordGap(api.app, tx, workspaceId, {
      question: "Do you repair bicycles?",
      why: "no_source",
      contactId: null,
      conversationId: null,
      botId: null,
    }),
  );
  const { items } = await listGaps(OPERATOR, api.app, workspaceId, {});
  return { id: items[0]?.id ?? "" };
}

/** A gateway that has sent its test. */
async function withGateway(workspaceId: string): Promise<Input> {
  const account = { provider: "twilio", accountSid: "AC1", authToken: "t", from: "15551234567" };
  await setProvider(OPERATOR, api.app, workspaceId, account);
  assert.ok((await testProvider(OPERATOR, api.app, workspaceId, "96550000001")).sent);
  return {};
}

/** What there must be before an example works, and the ids that it then has instead of the example's. */
const GROUND: Partial<
  Record<OperationName, (workspaceId: string, door: DoorName) => Promise<Input>>
> = {
  readContactConsent: async (workspaceId) => ({ id: await someContact(workspaceId) }),
  putContactConsent: async (workspaceId) => ({ id: await someContact(workspaceId) }),
  async mergeContact(workspaceId) {
    const id = await upsertedContact(workspaceId);
    return { id, mergedId: await someContact(workspaceId) };
  },
  eraseContact: async (workspaceId) => ({ id: await someContact(workspaceId) }),
  listContactTimeline: async (workspaceId) => ({ id: await someContact(workspaceId) }),
  readContactIdentities: async (workspaceId) => ({ id: await upsertedContact(workspaceId) }),
  async previewContactMerge(workspaceId) {
    const other = { name: "Sara Haddad", phone: "201001234567", tags: ["tea"] };
    const { id: mergedId } = await createContact(OPERATOR, api.app, workspaceId, other);
    return { id: await likeExample(workspaceId), mergedId };
  },
  async listContactDuplicates(workspaceId) {
    for (const _ of "12") await likeExample(workspaceId);
    return {};
  },
  async readErasure(workspaceId) {
    const id = await someContact(workspaceId);
    return { id: (await startErasure(OPERATOR, api.app, workspaceId, id)).id };
  },
  async playInbound(workspaceId) {
    await api.app.db.query(sql`update workspace set kind = 'test' where id = ${workspaceId}`);
    return { channelId: (await addSandboxWeb(OPERATOR, api.app, workspaceId)).id };
  },
  startVerification: withGateway,
  sendTemplateMessage: withTemplate,
  sendTemplateBatch: withTemplate,
  async listTeamMembers(workspaceId) {
    const email = `${api.app.ids.next()}@example.com`;
    await createMember(OPERATOR, api.app, workspaceId, { email, name: "Mona", role: "agent" });
    return {};
  },
  createBroadcast: draftGround,
  estimateDraft: async (workspaceId) => ({
    draft: { ...draftExample, ...(await draftGround(workspaceId)) },
  }),
  previewDraft: async (workspaceId) => ({
    draft: { ...draftExample, ...(await draftGround(workspaceId)) },
  }),
  estimateBroadcast: async (workspaceId) => ({ id: await someBroadcast(workspaceId) }),
  previewBroadcast: async (workspaceId) => ({ id: await someBroadcast(workspaceId) }),
  pauseBroadcast: async (workspaceId) => ({ id: await runningBroadcast(workspaceId) }),
  async testBroadcast(workspaceId) {
    return { id: await someBroadcast(workspaceId), contactIds: [await someContact(workspaceId)] };
  },
  async resendUnknown(workspaceId) {
    const id = await runningBroadcast(workspaceId);
    await settleAll(id, "failed", "OUTCOME_UNKNOWN", "COMPLETED");
    return { id };
  },
  async resendFailed(workspaceId) {
    const id = await runningBroadcast(workspaceId);
    await settleAll(id, "failed", "131000", "COMPLETED");
    return { id };
  },
  async readBroadcastTimeline(workspaceId) {
    const id = await someBroadcast(workspaceId);
    await startBroadcast(OPERATOR, api.app, workspaceId, id);
    return { id };
  },
  async compareBroadcastVariants(workspaceId) {
    const { variables = {}, name, kind } = draftExample;
    const { channelId, templateId } = await draftGround(workspaceId);
    const variants = ["A", "B"].map((one) => ({ name: one, share: 0.5, templateId, variables }));
    const draft = { name, kind, channelId, variants };
    return { id: (await createBroadcast(OPERATOR, api.app, workspaceId, draft)).id };
  },
  async syncTemplates(workspaceId) {
    return { id: await connectWhatsApp(api, workspaceId) };
  },
  readTemplate: listedTemplate,
  async createTemplate(workspaceId) {
    return { channelId: await connectWhatsApp(api, workspaceId) };
  },
  editTemplate: listedTemplate,
  deleteTemplate: listedTemplate,
  async startContactJob(workspaceId) {
    await someContact(workspaceId);
    return {};
  },
  putWebhookEndpoint: async () => ({ url: "https://127.0.0.1:9999/in" }),
  listWebhookDeliveries: async (workspaceId) => ({ id: (await testedEndpoint(workspaceId)).id }),
  readWebhookDelivery: testedEndpoint,
  async listConversations(workspaceId) {
    const { id } = await inConversation(workspaceId);
    await api.app.db
      .query(sql`update conversation set labels = '{orders}', unread_count = 1, last_message_at = now()
      where workspace_id = ${workspaceId} and id = ${id}`);
    return {};
  },
  async listAllMessages(workspaceId) {
    const { id: conversationId } = await inConversation(workspaceId);
    const { text, status, providerMessageId } = messageExample;
    await acceptMessage(KEY, api.app, workspaceId, { conversationId, text });
    await api.app.db
      .query(sql`update message set status = ${status}, sent_at = now(), delivered_at = now(),
      provider_message_id = ${providerMessageId} where workspace_id = ${workspaceId}`);
    return {};
  },
  readImport: withUpload,
  lookAtImport: withUpload,
  startImport: withUpload,
  cancelImport: withUpload,
  async listUsageMonths(workspaceId) {
    await withTemplate(workspaceId);
    const { input } = OPERATIONS.sendTemplateMessage.example;
    await runDeclared("sendTemplateMessage", OPERATOR, api.app, workspaceId, input);
    return {};
  },
  async listGaps(workspaceId) {
    await withGap(workspaceId);
    return {};
  },
  closeGap: withGap,
  async addSavedReplies(workspaceId) {
    const memberId = api.app.ids.next();
    const owner = { kind: "member", memberId, role: "owner" } as const;
    const text = "Hello {{contact.name}}, we deliver within 2 working days.";
    const reply = { shortcut: "delivery", title: "Delivery", text, shared: true };
    return {
      savedReplyIds: [(await createSavedReply(owner, api.app, workspaceId, reply)).id],
    };
  },
  makeBotSecret: withExternal,
  testExternalBot: withExternal,
  testLookup: withLookup,
  async previewBot(workspaceId) {
    const document = {
      format: 1,
      kind: "flow",
      name: "Ours",
      entry: "a",
      steps: { a: { type: "end" } },
    };
    return { id: await makeLiveBot(api.app, workspaceId, document) };
  },
  async askBot(workspaceId) {
    return { id: await withModel(workspaceId) };
  },
  listCases: async (workspaceId) => botOf(withCase(workspaceId)),
  addCase: async (workspaceId) => ({ id: await withModel(workspaceId) }),
  saveCase: withCase,
  deleteCase: withCase,
  runCases: async (workspaceId) => botOf(withCase(workspaceId)),
  readCaseRun: withCaseRun,
  async listTurns(workspaceId) {
    return { id: (await withTurn(workspaceId)).botId };
  },
  readTurn: async (workspaceId) => ({ id: (await withTurn(workspaceId)).id }),
  rateTurn: async (workspaceId) => ({ id: (await withTurn(workspaceId)).id }),
  async askSuggestion(workspaceId) {
    await withModel(workspaceId);
    return { id: await greeted(workspaceId) };
  },
  async summarise(workspaceId) {
    await withModel(workspaceId);
    return { id: await greeted(workspaceId) };
  },
  async translate(workspaceId) {
    await withModel(workspaceId);
    const id = await greeted(workspaceId);
    const [row] = await api.app.db.query<{ id: string }>(
      sql`select id from message where workspace_id = ${workspaceId}`,
    );
    return { id, messageId: row?.id };
  },
  async suggestQuestions(workspaceId) {
    await withModel(workspaceId);
    await runDeclared("addSnippet", OPERATOR, api.app, workspaceId, {
      title: "Opening",
      text: "We open at nine.",
    });
    const [row] = await api.app.db.query<{ id: string }>(
      sql`select id from knowledge_source where workspace_id = ${workspaceId}`,
    );
    return { id: row?.id };
  },
  async rewrite(workspaceId) {
    await withModel(workspaceId);
    return {};
  },
  changeConversation: inConversation,
  takeOver: asExample,
  giveBack: asExample,
  handOverConversation: withBot,
  giveConversationBack: inConversation,
  readRun: withBot,
  sendInConversation: inConversation,
  writeNote: inConversation,
  suggestReply: inConversation,
  readSuggestion: withSuggestion,
  withdrawSuggestion: withSuggestion,
  listSuggestions: withSuggestion,
  sendSuggestion: theSuggestion,
  discardSuggestion: theSuggestion,
  async changeManyConversations(workspaceId) {
    return { ids: [(await inConversation(workspaceId)).id] };
  },
  async listNotes(workspaceId, door) {
    const { id } = await inConversation(workspaceId);
    await runBy(door, workspaceId, "writeNote", { ...OPERATIONS.writeNote.example.input, id });
    return { id };
  },
};

/** A bot with a model and a case, and a run over it. */
async function withCase(workspaceId: string) {
  const id = await withModel(workspaceId);
  const { input } = OPERATIONS.addCase.example;
  await runDeclared("addCase", OPERATOR, api.app, workspaceId, { ...input, id });
  const [row] = await api.app.db.query<{ caseId: string }>(
    sql`select id as "caseId" from bot_case where workspace_id = ${workspaceId}`,
  );
  return { id, caseId: row?.caseId };
}

async function withCaseRun(workspaceId: string, door: DoorName) {
  const { id } = await withCase(workspaceId);
  await runBy(door, workspaceId, "runCases", { id });
  const [row] = await api.app.db.query<{ runId: string }>(
    sql`select id as "runId" from case_run where workspace_id = ${workspaceId}`,
  );
  return { id, runId: row?.runId };
}

const botOf = async (of: Promise<{ readonly id: string }>) => ({ id: (await of).id });

async function withExternal(workspaceId: string): Promise<Input> {
  const document = { format: 1, kind: "external", name: "Ours", url: "https://bot.example/" };
  return { id: await makeLiveBot(api.app, workspaceId, document) };
}

/** A live AI bot that has a look-up. */
async function withLookup(workspaceId: string): Promise<Input> {
  const lookup = {
    name: "order_status",
    description: "Orders.",
    url: "https://shop.example/",
    arguments: [{ name: "number", type: "text" }],
  };
  const document = { ...aiDocumentExample, lookups: [lookup] };
  return { id: await makeLiveBot(api.app, workspaceId, document) };
}

/** A live bot, and the model that answers for it. */
async function withModel(workspaceId: string): Promise<string> {
  const { input } = OPERATIONS.setModel.example;
  await runDeclared("setModel", OPERATOR, api.app, workspaceId, input);
  return makeLiveBot(api.app, workspaceId);
}

/** A conversation in which the customer greeted. */
async function greeted(workspaceId: string): Promise<string> {
  const { id } = await inConversation(workspaceId);
  await api.app.db.query(sql`
    insert into message (workspace_id, id, conversation_id, contact_id, channel_id, direction, type, text, status, source,
      created_at)
    select workspace_id, ${api.app.ids.next()}, id, contact_id, channel_id, 'inbound', 'text', 'Hello', 'received', 'channel',
      now() from conversation where workspace_id = ${workspaceId} and id = ${id}`);
  return id;
}

/** A turn in which a bot suggested a reply. */
async function withTurn(workspaceId: string) {
  const botId = await withModel(workspaceId);
  const id = await greeted(workspaceId);
  await runDeclared("askSuggestion", OPERATOR, api.app, workspaceId, { id });
  const [row] = await api.app.db.query<{ id: string }>(
    sql`select id from ai_turn where workspace_id = ${workspaceId}`,
  );
  return { botId, id: row?.id ?? "" };
}

/** `templateExample`, stored. */
async function listedTemplate(workspaceId: string): Promise<Input> {
  const channelId = await connectWhatsApp(api, workspaceId);
  const id = await addTemplate(api, channelId, {
    name: "order_update",
    language: templateExample.language,
    workspaceId,
  });
  await api.app.db.query(sql`update template set meta_id = ${templateExample.metaId},
    components = ${JSON.stringify(templateExample.components)}::json where id = ${id}`);
  return { id };
}

/** A conversation that a bot answers. */
async function withBot(workspaceId: string) {
  const { id: conversationId } = await inConversation(workspaceId);
  const botId = await makeLiveBot(api.app, workspaceId);
  const dueAt = api.app.clock.now();
  const by = { workspaceId, conversationId, botId, kind: "ai", version: 1 } as const;
  await api.app.db.transaction(async (tx) => {
    const [found] = await lockConversations(tx, [{ workspaceId, id: conversationId }]);
    assert.ok(found);
    await beginBot(api.app, tx, found, undefined, { ...by, since: new Date(0), dueAt });
  });
  return { id: conversationId };
}

/** The conversation with the number of the examples. */
async function asExample(workspaceId: string) {
  return { id: await openConversation(api, { workspaceId, phone: "201001234567" }) };
}

async function withUpload(workspaceId: string): Promise<Input> {
  async function* body() {
    yield Buffer.from("phone\n+201001234567\n");
  }
  const given = { fileName: "customers.csv", body: body() };
  return { id: (await uploadImport(OPERATOR, api.app, workspaceId, given)).id };
}

async function withTemplate(workspaceId: string): Promise<Input> {
  const channelId = await connectWhatsApp(api, workspaceId);
  await addTemplate(api, channelId, {
    name: "order_update",
    language: templateExample.language,
    workspaceId,
  });
  return {};
}

/** Ends a campaign as if each of its recipients had been called. */
async function settleAll(id: string, status: string, reason: string, became: string) {
  await api.app.db.query(sql`update broadcast_recipient set status = ${status}, reason = ${reason}
    where broadcast_id = ${id}`);
  await api.app.db.query(sql`update broadcast set status = ${became}, failed_count = total_count
    where id = ${id}`);
}

/** What `draftExample` needs: a channel, its template, and somebody in the audience. */
async function draftGround(workspaceId: string) {
  const channelId = await connectWhatsApp(api, workspaceId);
  const templateId = await addTemplate(api, channelId, {
    name: "order_update",
    language: templateExample.language,
    workspaceId,
  });
  await someContact(workspaceId);
  return { channelId, templateId };
}

async function someBroadcast(workspaceId: string): Promise<string> {
  const draft = { ...draftExample, ...(await draftGround(workspaceId)) };
  return (await createBroadcast(OPERATOR, api.app, workspaceId, draft)).id;
}

/** One whose audience is stored, so that it runs; nobody sends. */
async function runningBroadcast(workspaceId: string): Promise<string> {
  const id = await someBroadcast(workspaceId);
  await startBroadcast(OPERATOR, api.app, workspaceId, id);
  await storeAudiences(api.app);
  return id;
}

async function inConversation(workspaceId: string): Promise<{ readonly id: string }> {
  return { id: await openConversation(api, { workspaceId, phone: "201001234567" }) };
}

async function withSuggestion(workspaceId: string, door: DoorName): Promise<Input> {
  return { id: (await suggested(workspaceId, door)).conversationId };
}

async function theSuggestion(workspaceId: string, door: DoorName): Promise<Input> {
  return { id: (await suggested(workspaceId, door)).id };
}

async function suggested(workspaceId: string, door: DoorName) {
  const { input } = OPERATIONS.suggestReply.example;
  const { id: conversationId } = await inConversation(workspaceId);
  await runBy(door, workspaceId, "suggestReply", { ...input, id: conversationId });
  const [row] = await api.app.db.query<{ id: string }>(
    sql`select id from suggestion where workspace_id = ${workspaceId}`,
  );
  return { conversationId, id: row?.id };
}

/** An endpoint with the delivery of a test event. */
async function testedEndpoint(workspaceId: string) {
  const endpoint = { url: "https://127.0.0.1:9999/in" };
  const { id } = await createEndpoint(OPERATOR, api.app, workspaceId, endpoint);
  return { id, eventId: (await sendTestEvent(OPERATOR, api.app, workspaceId, id)).eventId };
}

/** Runs what comes before an example by the door of the example, or as the operator where there is none. */
const runBy = (door: DoorName, workspaceId: string, name: OperationName, input: Input) =>
  operationOf(name).doors.includes(door)
    ? DOORS[door](workspaceId, name, input)
    : runDeclared(name, OPERATOR, api.app, workspaceId, input);

/** The contact of the example of an upsert. */
async function upsertedContact(workspaceId: string) {
  const { input } = OPERATIONS.upsertContact.example;
  await runDeclared("upsertContact", OPERATOR, api.app, workspaceId, input);
  const [contact] = await api.app.db.query<{ id: string }>(
    sql`select id from contact where workspace_id = ${workspaceId}`,
  );
  return contact?.id;
}

/** `contactExample` as a record. */
const likeExample = async (workspaceId: string): Promise<string> =>
  (await createContact(OPERATOR, api.app, workspaceId, newContactExample)).id;

async function someContact(workspaceId: string): Promise<string> {
  const contact = { name: "Sara Haddad", phone: "201001234567" };
  return (await createContact(OPERATOR, api.app, workspaceId, contact)).id;
}

/** Runs the examples that come before an operation's own, and gives the input of the latter. */
async function prepared(workspaceId: string, name: OperationName, door: DoorName): Promise<Input> {
  const { example, ...operation } = operationOf(name);
  const first = everyOperation().find(([, one]) => one.name === example.after);
  if (!first) return { ...example.input, ...(await GROUND[name]?.(workspaceId, door)) };
  const given = await prepared(workspaceId, first[0], door);
  const answer = await runBy(door, workspaceId, first[0], given);
  const known = new Map(Object.entries(typeof answer === "object" && answer ? answer : {}));
  const taken = placesOf(operation).named.filter((one) => known.has(one));
  return { ...example.input, ...Object.fromEntries(taken.map((one) => [one, known.get(one)])) };
}

/** What the workspace has recorded: its audit without the actor, and its events. */
async function recorded(workspaceId: string): Promise<object> {
  const { db } = api.app;
  return {
    audit: await db.query(sql`select action, subject, facts from audit_entry
      where workspace_id = ${workspaceId} and action not in ('member.created', 'session.opened', 'api_key.created')
      order by id`),
    events: await db.query(
      sql`select type, body from event where workspace_id = ${workspaceId} order by sequence`,
    ),
  };
}

/** Ids, keys and moments differ from one call to the next; a message says at which kind of door it was written, an event who made the change. */
const masked = (value: object): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "ID")
      .replaceAll(/(source\\*":\\*")(?:api|dashboard)/g, "$1DOOR")
      .replaceAll(/(by\\*":\\*")(?:key:ID|member:ID|cli)/g, "$1ACTOR")
      .replaceAll(/[\w-]+@example\.com/g, "MAIL")
      .replaceAll(/"(url|keyName|workspaceName|account)":"[^"]*"/g, '"$1":"ITS OWN"')
      .replaceAll(/(author(?:Id|Name)\\*":)(?:null|\\*"[^"]*")/g, "$1null")
      // The dashboard's door needs a member, who takes a seat.
      .replaceAll(/("name":"seats","limit":null,"used":)\d+/g, "$1" + "0")
      .replaceAll(/pk_[\w-]+/g, "KEY")
      .replaceAll(/("identitySecret":)"[^"]*"/g, '$1"SECRET"')
      .replaceAll(/whsec_[\w+/]+=*/g, "SECRET")
      .replaceAll(/v_[\w-]{22}/g, "VISITOR")
      .replaceAll(/"etag":"\\"[^"]*""/g, '"etag":"VERSION"')
      .replaceAll(/"ms":\d+/g, '"ms":0')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "MOMENT")
      // The tests run at any hour, in any month and year.
      .replaceAll(/"month":"\d{4}-\d\d"/g, '"month":"ITS OWN"')
      .replaceAll(/"now":\{"open":(?:true|false),"until":[^}]*\}/g, '"now":"ITS OWN"')
      .replaceAll(/"ramadan":\{[^}]*\}/g, '"ramadan":"ITS OWN"'),
  );

for (const [name, { doors, example, trace }] of everyOperation())
  test(`${name} does and records the same by each of its doors: ${doors.join(", ")}`, async () => {
    let first: unknown;
    for (const door of doors) {
      const { workspaceId } = await api.newWorkspace("business");
      const answer = await DOORS[door](workspaceId, name, await prepared(workspaceId, name, door));
      assert.deepEqual(masked({ answer }), masked({ answer: example.answer }), door);
      if (trace === "audit") assert.match(await lastActor(workspaceId), ACTORS[door]);
      const left = masked(await recorded(workspaceId));
      first ??= left;
      assert.deepEqual(left, first, `by ${door}, beside ${doors[0]}`);
    }
  });

/** Who made the last entry of the audit. */
async function lastActor(workspaceId: string): Promise<string> {
  const [entry] = await api.app.db.query<{ actor: string }>(sql`select actor from audit_entry
    where workspace_id = ${workspaceId} order by id desc limit 1`);
  return entry?.actor ?? "";
}
const ACTORS: Readonly<Record<DoorName, RegExp>> = {
  app: /^member:/,
  v1: /^key:/,
  cli: /^cli$/,
  mcp: /^key:/,
};

/** How many equal calls are made at once. */
const AT_ONCE = LONG ? 50 : 8;
/** What has happened outside the transaction of its answer happens again after a death in between. */
const OUTSIDE: Partial<Record<OperationName, string>> = {
  storeMedia: "the file is fetched first; a copy that no message carries is deleted within a day",
  testChannel: "the platform is asked first, and each test is in the audit",
  syncTemplates: "the platform is asked first, and each reading is in the audit",
};

/** What happens after the commit does not, after a death there. */
const AFTER: Partial<Record<OperationName, string>> = {
  playInbound: "the customer writes then; the answer goes on saying that nothing was stored",
  startVerification: "the message is sent then; the sweep gives its record an end",
};

const POSTS = everyOperation().filter(
  ([, { at, doors }]) => at.startsWith("POST ") && doors.includes("v1"),
);

for (const [name, { trace }] of POSTS) {
  test(`${name}: ${AT_ONCE} at once under one key have one effect and equal answers, and so have repeats`, async () => {
    const once = await madeOnce(name);
    const { post, left } = await poster(name);
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => post()));
    const texts = new Set<string>();
    for (const { statusCode, body } of answers)
      if (statusCode === 409 && body.includes("IDEMPOTENCY_IN_PROGRESS")) continue;
      else {
        assert.ok(statusCode < 300, body);
        texts.add(body);
      }
    const again = await post();
    texts.add(again.body);
    assert.equal(again.headers["idempotency-replayed"], "true");
    assert.equal(texts.size, 1, [...texts].join("\n"));
    assert.deepEqual(await left(), once);
  });

  test(`${name}: a server that dies before or after the commit of its answer leaves one effect to a repeat`, async () => {
    const once = await madeOnce(name);
    for (const fate of ["before its commit", "after its commit"] as const) {
      const { post, left } = await poster(name);
      const { http, died } = await dying(fate);
      const heard = await Promise.race([post(http).then(() => true), died.then(() => false)]);
      assert.equal(heard, false);
      const again = await post();
      assert.ok(again.statusCode < 300, again.body);
      // What asks only, its answer is kept like every other.
      const kept = fate === "after its commit" ? "true" : undefined;
      assert.equal(again.headers["idempotency-replayed"], kept, fate);
      const other = fate === "after its commit" ? AFTER : OUTSIDE;
      if (other[name] === undefined)
        assert.deepEqual(await left(), once, `${fate}, ${trace ?? "asks only"}`);
    }
  });
}

/** Makes one call, in a workspace of its own, and gives what it leaves behind. */
async function madeOnce(name: OperationName): Promise<unknown> {
  const { post, left } = await poster(name);
  const { statusCode, body } = await post();
  assert.ok(statusCode < 300, body);
  return left();
}

/** A workspace in which the example of an operation works, and the same call of it under one key, again and again. */
async function poster(name: OperationName) {
  const { workspaceId } = await api.newWorkspace("business");
  const input = await prepared(workspaceId, name, "v1");
  const bearer = await api.key([], workspaceId);
  const places = placesOf(operationOf(name));
  const { path, body } = laidOut(places, input);
  return {
    post: (http = api.http) =>
      http.inject({
        method: "POST",
        url: `/api/v1${path}`,
        headers: { authorization: `Bearer ${bearer}`, "idempotency-key": "one key" },
        ...(places.body && { payload: body }),
      }),
    left: async () => masked({ ...(await recorded(workspaceId)), rows: await rowsOf(workspaceId) }),
  };
}

/** How many rows of each table the workspace has. */
async function rowsOf(workspaceId: string): Promise<Record<string, number>> {
  const { db } = api.app;
  const tables = await db.query<{ name: string }>(sql`select table_name as name
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = current_schema() and column_name = 'workspace_id' and table_type = 'BASE TABLE'
    order by 1`);
  const text = tables
    .map(
      ({ name }) =>
        `select '${name}' as name, count(*)::int as n from ${name} where workspace_id = '${workspaceId}'`,
    )
    .join(" union all ");
  const rows = await db.query<{ name: string; n: number }>(new Sql([text], []));
  return Object.fromEntries(rows.flatMap(({ name, n }) => (n > 0 ? [[name, n]] : [])));
}

/** A server that dies at the transaction in which an answer is kept: it is never heard of again. */
async function dying(fate: "before its commit" | "after its commit") {
  const died = Promise.withResolvers<void>();
  const gone = <T>(): Promise<T> => {
    died.resolve();
    return new Promise<T>(() => {});
  };
  const { db } = api.app;
  let dead = false;
  const mortal: App["db"] = {
    ...db,
    within: () => mortal,
    forWork: () => mortal,
    async transaction(work) {
      let kept = false;
      try {
        const value = await db.transaction(async (tx) => {
          const result = await work({
            ...tx,
            query(statement) {
              kept ||= statement.text.includes("insert into idempotency_key");
              return tx.query(statement);
            },
          });
          if (kept && fate === "before its commit") {
            dead = true;
            throw new Error("the server died");
          }
          return result;
        });
        return kept ? await gone() : value;
      } catch (error) {
        if (dead) return gone();
        throw error;
      }
    },
  };
  const app = { ...api.app, db: mortal };
  const forRequests = { db: mortal, groupCommit: new GroupCommit<Context>(mortal, () => app) };
  return { http: await buildHttp({ ...api.app, forRequests }), died: died.promise };
}
