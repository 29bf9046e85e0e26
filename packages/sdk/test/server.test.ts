import { OPERATOR } from "../../../apps/server/src/actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createContact } from "../../../apps/server/src/contacts/record/create-contact.ts";
import { FILES } from "../../../apps/server/test/files.ts";
import { streaming } from "../../../apps/server/test/streaming.ts";
import { startStand, type Stand } from "../../../apps/server/test/guides/stand.ts";
import { camel, methodName, everyName, operationsOf, pagingOf, readDocument } from "../document.ts";
import { Parley, ParleyError, type Attempt } from "../dist/index.js";
import { collect } from "./stand-in.ts";

let stand: Stand;
/** Every public address has a picture. */
const pictureHost = {
  request: () => Promise.resolve({ status: 200, headers: {}, body: FILES.png }),
};
before(async () => {
  stand = await startStand({ guardedHttp: streaming(pictureHost) });
});
after(() => stand[Symbol.asyncDispose]());

const document = readDocument();
const operations = operationsOf(document);
const attempts: Attempt[] = [];
/** A key of its own, for its rate. */
const client = async (options: Partial<ConstructorParameters<typeof Parley>[0]> = {}) => {
  const onAttempt = (attempt: Attempt) => attempts.push(attempt);
  return new Parley({
    baseUrl: stand.baseUrl,
    apiKey: await stand.api.key(),
    onAttempt,
    ...options,
  });
};

const SNIPPET = { title: "Delivery", text: "We deliver within 2 days." };

/** A label that exists, named by its path. */
/** Starts a verification, and gives its id. */
const verified = async (parley: Parley): Promise<[string]> => [
  (await parley.otp.startVerification({ to: newPhone() })).id,
];

async function putLabel(): Promise<[string]> {
  await (await client()).labels.put("vip", { color: "#b3261e" });
  return ["vip"];
}

const writeNote = (parley: Parley) =>
  parley.conversations.writeNote(stand.conversationId, { text: "A note" });

let phones = 96_555_500_000;
const newPhone = () => String(++phones);
/** A contact of its own, for what deletes or merges it. */
const newContact = async (parley: Parley, phone = newPhone()): Promise<string> =>
  (await parley.contacts.create({ phone })).id;
const upsert = () => ({
  match: ["refs.crm", "phone"],
  phone: newPhone(),
  refs: { crm: newPhone() },
  addTags: ["vip"],
});
const SITE = { type: "WEB", name: "Site", fields: {} } as const;
const ENDPOINT = { url: "https://127.0.0.1:9999/in", events: ["otp.status"] } as const;
const putEndpoint = async (parley: Parley): Promise<string> =>
  (await parley.webhookEndpoints.put("orders", ENDPOINT)).id;
/** An endpoint with the event of a delivery. */
const tested = async (parley: Parley): Promise<[string, string]> => {
  const id = await putEndpoint(parley);
  return [id, (await parley.webhookEndpoints.test(id)).eventId];
};
const EVERYONE = { definition: { match: "all" as const, rules: [] } };
const TIER = { type: "choice" as const, choices: ["gold", "silver"] };
/** The key of a defined attribute. */
async function putAttribute(parley: Parley): Promise<[string]> {
  return [(await parley.contactAttributes.put("tier", TIER)).key];
}

const tagMany = () => ({
  filter: { ids: [stand.contactId] },
  change: { action: "tag" as const, tags: ["vip"] },
});
const TEMPLATE_TEXT = { body: "Your order is ready.", bodyExamples: [], buttons: [] };
const newTemplate = () => ({
  channelId: stand.channelId,
  name: `order_${newPhone()}`,
  language: "en",
  category: "UTILITY" as const,
  ...TEMPLATE_TEXT,
});

const newSegment = async (parley: Parley): Promise<string> =>
  (await parley.segments.create({ ...EVERYONE, name: newPhone() })).id;
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();
const draft = () => ({
  name: "Black Friday",
  kind: "WHATSAPP_TEMPLATE" as const,
  channelId: stand.channelId,
  templateId: stand.templateId,
  variables: { "1": "Sara", "2": "1042" },
});
const newDraft = async (parley: Parley): Promise<string> =>
  (await parley.broadcasts.create(draft())).id;
const scheduled = async (parley: Parley): Promise<string> => {
  const id = await stand.newBroadcast();
  await parley.broadcasts.schedule(id, { scheduledAt: TOMORROW });
  return id;
};

const suggested = async (parley: Parley): Promise<[string]> => {
  await parley.conversations.suggestReply(stand.conversationId, { text: "On its way." });
  return [stand.conversationId];
};
const PEOPLE = "name,phone\nSara,+96550000009\n";
const uploaded = async (parley: Parley): Promise<string> =>
  (await parley.imports.upload(PEOPLE, { name: "people.csv" })).id;
/** Calls that the state of the ground refuses: nothing of it runs, has failed or was refused. */
const REFUSED: Readonly<Record<string, readonly [number, string]>> = {
  resendFailed: [409, "NOT_ALLOWED_IN_STATE"],
  resendUnknown: [409, "NOT_ALLOWED_IN_STATE"],
  pauseBroadcast: [409, "NOT_ALLOWED_IN_STATE"],
  compareBroadcastVariants: [409, "NOT_ALLOWED_IN_STATE"],
  // Only a test workspace plays its customers.
  playInbound: [409, "NOT_ALLOWED_IN_STATE"],
  downloadRefusedRows: [404, "NOT_FOUND"],
};

/** What a call of an operation is given; one without its line here is called with the ids of its path. */
const INPUT: Record<string, (parley: Parley) => unknown[] | Promise<unknown[]>> = {
  previewRetention: () => [{ messageMonths: 12 }],
  changeRetention: () => [{ messageMonths: 12 }],
  playInbound: () => [{ text: "Where is my order?" }],
  createContact: () => [{ phone: "+965 5000 0001", tags: ["VIP"], attributes: { city: "Kuwait" } }],
  updateContact: () => [stand.contactId, { name: "Sara" }],
  eraseContact: async (parley) => [await newContact(parley)],
  upsertContact: () => [upsert()],
  batchContacts: () => [{ contacts: [upsert(), upsert()] }],
  findContactByKey: async (parley) => {
    const phone = newPhone();
    await newContact(parley, phone);
    return ["phone", phone];
  },
  searchContacts: () => [EVERYONE],
  countContacts: () => [EVERYONE],
  putContactConsent: async (parley) => [await newContact(parley), { optedOut: true }],
  mergeContact: async (parley) => [
    await newContact(parley),
    { mergedId: await newContact(parley) },
  ],
  previewContactMerge: async (parley) => [
    await newContact(parley),
    { mergedId: await newContact(parley) },
  ],
  putSavedReply: () => ["hours", { title: "Opening hours", text: "9 to 21" }],
  removeSavedReply: async (parley) => {
    await parley.savedReplies.put("hours", { title: "Opening hours", text: "9 to 21" });
    return ["hours"];
  },
  putContactAttribute: () => ["tier", TIER],
  readContactAttribute: putAttribute,
  deleteContactAttribute: putAttribute,
  readErasure: async (parley) => [
    (await parley.contacts.erase(await newContact(parley))).id,
  ],
  sendMessage: () => [{ conversationId: stand.conversationId, text: "Hello مرحبا" }],
  sendOtp: () => [{ mobile: "96550000001", message: "Your code is 1", lang: "E" }],
  startVerification: () => [{ to: newPhone() }],
  readVerification: verified,
  checkVerification: async (parley) => [...(await verified(parley)), { code: "000000" }],
  cancelVerification: verified,
  sendTemplateMessage: () => [
    { to: "96550000002", template: { name: "welcome", language: "en" }, body: ["Sara", "1042"] },
  ],
  changeConversation: () => [stand.conversationId, { addLabels: ["vip"] }],
  changeManyConversations: () => [{ ids: [stand.conversationId], read: true }],
  sendInConversation: () => [stand.conversationId, { text: "Hello مرحبا" }],
  writeNote: () => [stand.conversationId, { text: "A note" }],
  handOverConversation: () => [stand.conversationId, {}],
  changeNote: async (parley) => [(await writeNote(parley)).id, { text: "Another" }],
  removeNote: async (parley) => [(await writeNote(parley)).id],
  storeMedia: () => [{ url: "https://files.example.com/parcel.png" }],
  readMedia: async (parley) => [
    (await parley.media.store({ url: "https://files.example.com/parcel.png" })).id,
  ],
  downloadMedia: async (parley) => [
    (await parley.media.storeFile(FILES.png, { name: "parcel.png" })).id,
  ],
  syncTemplates: () => [stand.channelId],
  startContactJob: () => [tagMany()],
  readContactJob: async (parley) => [(await parley.contactJobs.start(tagMany())).id],
  moveContactJob: async (parley) => [
    (await parley.contactJobs.start(tagMany())).id,
    { move: "cancel" },
  ],
  readTemplate: () => [stand.templateId],
  createTemplate: () => [newTemplate()],
  editTemplate: () => [stand.templateId, TEMPLATE_TEXT],
  deleteTemplate: async (parley) => [(await parley.templates.create(newTemplate())).id],
  readChannel: () => [stand.channelId],
  connectChannel: () => [SITE],
  changeChannel: () => [stand.channelId, { name: "Shop" }],
  testChannel: () => [stand.channelId],
  // The stand's plan has two channels: the newest is the one that the call before connected.
  disconnectChannel: async (parley) => [
    (await parley.channels.list()).items.at(-1)?.id ?? assert.fail("no channel"),
  ],
  setChannelPace: () => [stand.channelId, { most: 600 }],
  putWebhookEndpoint: () => ["orders", ENDPOINT],
  readWebhookEndpoint: async (parley) => [await putEndpoint(parley)],
  changeWebhookEndpoint: async (parley) => [await putEndpoint(parley), { enabled: true }],
  deleteWebhookEndpoint: async (parley) => [await putEndpoint(parley)],
  testWebhookEndpoint: async (parley) => [await putEndpoint(parley)],
  rotateWebhookSecret: async (parley) => [await putEndpoint(parley), { now: true }],
  redeliverEvents: async (parley) => {
    const [id, eventId] = await tested(parley);
    return [id, { eventId }];
  },
  listWebhookDeliveries: async (parley) => [await putEndpoint(parley)],
  readWebhookDelivery: tested,
  putKnowledge: () => ["delivery", SNIPPET],
  async removeKnowledge(parley) {
    await parley.knowledge.put("delivery", SNIPPET);
    return ["delivery"];
  },
  putLabel: () => ["vip", { color: "#b3261e" }],
  readLabel: putLabel,
  deleteLabel: putLabel,
  createSegment: () => [{ ...EVERYONE, name: newPhone() }],
  readSegment: async (parley) => [await newSegment(parley)],
  updateSegment: async (parley) => [await newSegment(parley), { name: newPhone() }],
  deleteSegment: async (parley) => [await newSegment(parley)],
  countDefinition: () => [EVERYONE],
  sampleDefinition: () => [EVERYONE],
  createBroadcast: () => [draft()],
  updateBroadcast: async (parley) => [await newDraft(parley), { name: "Another" }],
  deleteBroadcast: async (parley) => [await newDraft(parley)],
  estimateDraft: () => [{ draft: draft() }],
  previewDraft: () => [{ draft: draft() }],
  duplicateBroadcast: () => [stand.broadcastId, {}],
  resendFailed: () => [stand.broadcastId, {}],
  cancelBroadcast: async (parley) => [await scheduled(parley)],
  scheduleBroadcast: async () => [await stand.newBroadcast(), { scheduledAt: TOMORROW }],
  unscheduleBroadcast: async (parley) => [await scheduled(parley)],
  paceBroadcast: () => [stand.broadcastId, { rateLimitPerMinute: 600 }],
  testBroadcast: async () => [await stand.newBroadcast(), { contactIds: [stand.contactId] }],
  searchBroadcasts: () => [{}],
  sendTemplateBatch: () => [
    { messages: [{ to: newPhone(), template: { name: "welcome", language: "en" }, body: ["Sara", "1042"] }] },
  ],
  suggestReply: () => [stand.conversationId, { text: "On its way." }],
  readSuggestion: suggested,
  withdrawSuggestion: suggested,
  uploadImport: () => [PEOPLE, { name: "people.csv" }],
  readImport: async (parley) => [await uploaded(parley)],
  lookAtImport: async (parley) => [await uploaded(parley), {}],
  startImport: async (parley) => [await uploaded(parley), {}],
  cancelImport: async (parley) => [await uploaded(parley)],
  downloadRefusedRows: async (parley) => [await uploaded(parley)],
  createExport: () => [{}],
  readExport: async (parley) => [(await parley.exports.create({})).id],
  downloadExport: async (parley) => [(await parley.exports.create({})).id],
  startBroadcast: async () => [await stand.newBroadcast()],
  getMessage: async () => {
    const { id } = await (await client()).messages.send({ conversationId: stand.conversationId, text: "x" });
    return [id];
  },
}; // oxfmt-ignore
const idOf = (tag: string): string =>
  ({ contacts: stand.contactId, conversations: stand.conversationId, broadcasts: stand.broadcastId })[tag] ??
  assert.fail(`no id for ${tag}: give ${tag} a line in INPUT`); // oxfmt-ignore

type Method = (...input: unknown[]) => Promise<unknown> & AsyncGenerator<unknown, void, undefined>;

function methodOf(parley: Parley, tag: string, name: string): Method {
  const resource: unknown = Reflect.get(parley, tag);
  assert.ok(typeof resource === "object" && resource !== null, `there is no parley.${tag}`);
  const method: unknown = Reflect.get(resource, name);
  assert.ok(typeof method === "function", `there is no parley.${tag}.${name}: run \`npm run sdk\``);
  return method.bind(resource) as Method;
}

for (const operation of operations) {
  const { id, tag, method } = operation;
  test(`${method} ${operation.path}: parley.${tag}.${methodName(operation)} reaches a running server`, async () => {
    const parley = await client();
    const call = methodOf(parley, camel(tag), methodName(operation));
    const input = (await INPUT[id]?.(parley)) ?? operation.pathParameters.map(() => idOf(tag));
    const already = 120 - (parley.rateLimit?.remaining ?? 120);
    attempts.length = 0;
    const refused = REFUSED[id];
    if (operation.answerType === "text/event-stream") {
      const events = call({ after: 0 });
      assert.ok((await events.next()).value);
      await events.return();
    } else if (refused) await assert.rejects(call(...input), { code: refused[1] });
    else
      assert.equal(
        typeof (await call(...input)),
        operation.answerType === "text/csv" ? "string" : "object",
      );
    const [attempt, ...more] = attempts;
    assert.equal(more.length, 0);
    assert.deepEqual([attempt?.operation, attempt?.method], [id, method]);
    const statuses = refused ? [refused[0]] : [200, 201, 202];
    assert.ok(statuses.includes(attempt?.status ?? 0), String(attempt?.status));
    assert.equal(parley.rateLimit?.remaining, 119 - already);
    if (pagingOf(document, operation)) {
      const iterate = methodOf(parley, camel(tag), everyName(methodName(operation)));
      for await (const item of iterate(...input)) assert.ok(item);
    }
  });
}

test("a file goes in as bytes and out as the same bytes", async () => {
  const parley = await client();
  const stored = await parley.media.storeFile(FILES.png, { name: "parcel.png" });
  assert.deepEqual([stored.fileName, stored.mimeType], ["parcel.png", "image/png"]);
  assert.deepEqual(Buffer.from(await parley.media.download(stored.id)), FILES.png);
});

test("a lost answer of a POST is asked for again and the effect stands once", async () => {
  let lost = 0;
  const parley = await client({
    fetch: async (...request) => {
      const response = await fetch(...request);
      if (lost++ > 0) return response;
      await response.arrayBuffer();
      throw new TypeError("fetch failed");
    },
  });
  const before_ = (await parley.usage.get()).usage.messages;
  lost = 0;
  attempts.length = 0;
  await parley.messages.send({ conversationId: stand.conversationId, text: "once" });
  assert.deepEqual(attempts.map((one) => [one.status, one.replayed]), [[null, false], [201, true]]); // oxfmt-ignore
  assert.equal((await parley.usage.get()).usage.messages, before_ + 1);
});

test("refusals come as ParleyErrors with the server's code, request and faults", async () => {
  const parley = await client();
  const refusal = async (call: Promise<unknown>) => {
    const error = await call.then(() => assert.fail("it passed"), (thrown: unknown) => thrown); // oxfmt-ignore
    assert.ok(error instanceof ParleyError);
    assert.match(error.requestId ?? "", /^[0-9a-f-]{36}$/);
    return [error.status, error.code, error.details[0]?.path];
  };
  const scoped = await client({ apiKey: await stand.api.key(["usage:read"]) });
  const stranger = await client({ apiKey: "pk_unknown:secret" });
  const { broadcasts, contacts, messages } = parley;
  const long = { name: "x".repeat(201), phone: "1" };
  assert.deepEqual(await refusal(contacts.create({})), [400, "CONTACT_NEEDS_IDENTITY", undefined]);
  assert.deepEqual(await refusal(contacts.create(long)), [400, "VALIDATION_FAILED", "name"]);
  assert.deepEqual(await refusal(broadcasts.start("none")), [
    404,
    "BROADCAST_NOT_FOUND",
    undefined,
  ]);
  assert.deepEqual(await refusal(stranger.usage.get()), [401, "INVALID_API_KEY", ""]);
  assert.deepEqual(await refusal(scoped.segments.list()), [403, "MISSING_SCOPE:contacts:read", ""]);
  const nowhere = messages.send({ conversationId: "none", text: "x" });
  assert.deepEqual(await refusal(nowhere), [400, "CONVERSATION_NOT_FOUND", undefined]);
});

test("the 121st request of a minute is told as RATE_LIMITED with the time to wait", async () => {
  const parley = await client({ maxWaitMs: 0 });
  for (let count = 0; count < 120; count++) await parley.usage.get();
  await assert.rejects(parley.usage.get(), (error) => {
    assert.ok(error instanceof ParleyError);
    assert.equal(error.code, "RATE_LIMITED");
    return (error.retryAfterMs ?? 0) > 0 && parley.rateLimit?.remaining === 0;
  });
});

test("every contact is iterated once, over several pages", async () => {
  const { workspaceId } = await stand.api.newWorkspace();
  const parley = await client({ apiKey: await stand.api.key([], workspaceId) });
  for (let count = 0; count < 7; count++)
    await createContact(OPERATOR, stand.api.app, workspaceId, { email: `c${count}@example.com` });
  const found = (await collect(parley.contacts.iterate({ pageSize: 3 }))).map((one) => one.email);
  assert.deepEqual(
    found,
    [6, 5, 4, 3, 2, 1, 0].map((count) => `c${count}@example.com`),
  );
  const late = await collect(parley.contacts.iterate({ pageSize: 3, page: 3 }));
  assert.equal(late.length, 1);
});
