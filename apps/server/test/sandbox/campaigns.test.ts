import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { duplicateBroadcast } from "../../src/broadcasts/record/copy-broadcast.ts";
import { createBroadcast } from "../../src/broadcasts/record/create-broadcast.ts";
import { listBroadcasts } from "../../src/broadcasts/record/list-broadcasts.ts";
import { createContact } from "../../src/contacts/record/create-contact.ts";
import { findProvider } from "../../src/sms/find-provider.ts";
import { addSandboxChannel } from "../../src/sandbox/add-sandbox-channel.ts";
import { findTemplate, listTemplates } from "../../src/templates/list-templates.ts";
import { createEndpoint } from "../../src/webhooks/create-endpoint.ts";
import { startSandboxStand, type SandboxShop, type SandboxStand } from "../sandbox-stand.ts";
import { startReceiver, type Receiver } from "../webhook-receiver.ts";

/** Campaigns, opt-out, webhooks and the meter on sandbox channels alone, by public operations. */
let stand: SandboxStand;
let receiver: Receiver;
before(async () => {
  receiver = await startReceiver();
  stand = await startSandboxStand();
});
after(async () => {
  await stand[Symbol.asyncDispose]();
  receiver.close();
});

type Draft = Parameters<typeof createBroadcast>[3];

/** Starts it over the API and runs until it is completed. */
async function run(shop: SandboxShop, draft: Draft): Promise<Readonly<Record<string, unknown>>> {
  const { id } = await createBroadcast(OPERATOR, stand.t.app, shop.workspaceId, draft);
  const started = await shop.api("POST", `/broadcasts/${id}/start`);
  assert.equal(started.body["status"], "QUEUED", JSON.stringify(started.body));
  for (let tick = 0; tick < 20; tick++) {
    await stand.settle();
    stand.t.clock.advance(5_000);
    const { body } = await shop.api("GET", "/broadcasts");
    const list = body as unknown as Record<string, unknown>[];
    const campaign = list.find((one) => one["id"] === id);
    if (campaign?.["status"] === "COMPLETED") {
      await stand.settle();
      return campaign;
    }
  }
  throw new Error("the campaign did not end");
}

const facts = (campaign: Readonly<Record<string, unknown>>) =>
  ["totalCount", "sentCount", "failedCount"].map((name) => campaign[name]);

async function usage(shop: SandboxShop): Promise<unknown> {
  const { body } = await shop.api("GET", "/usage");
  return Object(body["usage"]).messages;
}

test("WhatsApp: a template campaign, STOP by a customer, webhooks and the meter", async () => {
  const shop = await stand.open("WHATSAPP");
  await stand.settle();
  const { url } = await createEndpoint(OPERATOR, stand.t.app, shop.workspaceId, {
    url: `${receiver.base}/sandbox`,
    events: ["contact.opted_out", "broadcast.status"],
  });
  assert.ok(url);
  const templates = await listTemplates(stand.t.app, shop.workspaceId);
  const offer = templates.find((one) => one.name === "season_offer" && one.language === "en_US");
  assert.ok(offer, "the samples were read from the sandbox");
  for (const [name, phone] of [
    ["Sara", "96550007401"],
    ["Omar", "96550007402"],
    ["Nobody", "99950000026"],
  ] as const)
    await createContact(OPERATOR, stand.t.app, shop.workspaceId, { name, phone });
  const draft: Draft = {
    name: "Offer",
    kind: "WHATSAPP_TEMPLATE",
    channelId: shop.added.id,
    templateId: offer.id,
    variables: { "1": "{{first_name}}" },
  };
  assert.deepEqual(facts(await run(shop, draft)), [3, 2, 1]);
  assert.equal(await usage(shop), 3);
  await shop.say({ from: "96550007401", text: "STOP" });
  await stand.settle();
  const again = await run(shop, { ...draft, name: "Offer again" });
  assert.equal(again["sentCount"], 1, "who wrote STOP gets nothing more");
  // The same campaign over a second channel: its template of the same name.
  const second = await addSandboxChannel(OPERATOR, stand.t.app, shop.workspaceId, {
    type: "WHATSAPP",
  });
  await stand.look();
  const [first] = await listBroadcasts(stand.t.app, shop.workspaceId);
  assert.ok(first);
  const copy = await duplicateBroadcast(OPERATOR, stand.t.app, shop.workspaceId, first.id, {
    channelId: second.id,
  });
  const theirs = await findTemplate(stand.t.app.db, shop.workspaceId, copy.templateId ?? "");
  assert.deepEqual(
    [copy.channelId, copy.status, theirs?.channelId, theirs?.name],
    [second.id, "DRAFT", second.id, "season_offer"],
  );
  await assert.rejects(
    duplicateBroadcast(OPERATOR, stand.t.app, shop.workspaceId, first.id, {
      channelId: shop.workspaceId,
    }),
    /channelId: must be a connected channel/,
  );
  const kinds = receiver.received
    .filter(({ path }) => path === "/sandbox")
    .map(({ body }) => (JSON.parse(body) as { type: string }).type);
  assert.equal(kinds.filter((kind) => kind === "contact.opted_out").length, 1);
  assert.ok(kinds.includes("broadcast.status"));
  assert.deepEqual(shop.line.platform.repeated(), []);
});

test("Telegram: a text campaign reaches customers that wrote, and a blocked bot ends as opted out", async () => {
  const shop = await stand.open("TELEGRAM");
  for (const from of ["700007401", "700007402", "999000403"])
    await shop.say({ from, text: "/start" });
  await stand.settle();
  const campaign = await run(shop, {
    name: "News",
    kind: "TEXT",
    channelId: shop.added.id,
    body: "Hello {{name}}",
  });
  assert.deepEqual(facts(campaign), [3, 2, 1]);
  assert.equal(await usage(shop), 3);
  assert.equal((await shop.events("contact.opted_out")).length, 1);
  await shop.say({ from: "700007401", text: "STOP" });
  await stand.settle();
  const again = await run(shop, {
    name: "More",
    kind: "TEXT",
    channelId: shop.added.id,
    body: "Hello again",
  });
  assert.equal(again["sentCount"], 1);
});

test("SMS: the sandbox account is verified by its test send; passcodes and a campaign go over it, STOP counts", async () => {
  const shop = await stand.open("SMS");
  const provider = await findProvider(stand.t.app, shop.workspaceId);
  assert.ok(provider?.sandbox && provider.verifiedAt !== null);
  const otp = (mobile: string) =>
    shop.api("POST", "/otp/send", { mobile, message: "Your code is 482913", lang: "E" });
  assert.equal((await otp("96550007401")).body["sent"], true);
  for (const [ending, code] of [
    ["1211", "INVALID_NUMBER"],
    ["1610", "BLOCKED_BY_RECIPIENT"],
    ["0003", "GATEWAY_AUTH"],
    ["0429", "GATEWAY_RATE_LIMITED"],
    ["0503", "GATEWAY_UNAVAILABLE"],
  ] as const) {
    const { body } = await otp(`9995000${ending}`);
    assert.deepEqual([body["sent"], body["errorCode"]], [false, code]);
  }
  for (const phone of ["96550007402", "96550007403", "99950001211"])
    await createContact(OPERATOR, stand.t.app, shop.workspaceId, { name: "P", phone });
  const draft: Draft = { name: "Text", kind: "SMS", body: "Sale. Reply STOP to end." };
  assert.deepEqual(facts(await run(shop, draft)), [3, 2, 1]);
  const said = await shop.say({ from: "96550007402", text: "STOP" });
  assert.deepEqual([said.takenIn, said.conversationId], [true, null]);
  assert.equal((await shop.events("contact.opted_out")).length, 1);
  assert.equal((await run(shop, { ...draft, name: "Text 2" }))["sentCount"], 1);
  const shown = shop.line.thread({ customer: "96550007403", limit: 10 });
  assert.equal(shown.length, 2);
});
