import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { OPERATOR } from "../../src/actor.ts";
import { uploadMedia } from "../../src/media/upload-media.ts";
import { FILES } from "../files.ts";
import {
  startSandboxStand,
  type Answer,
  type SandboxShop,
  type SandboxStand,
} from "../sandbox-stand.ts";

let stand: SandboxStand;
before(async () => {
  stand = await startSandboxStand();
});
after(() => stand[Symbol.asyncDispose]());

/** Sends in a conversation as a program. */
const send = (shop: SandboxShop, conversationId: string, json: object) =>
  shop.api("POST", `/conversations/${conversationId}/messages`, json);

/** The place of the first fault of a refusal. */
function pathIn({ details }: Answer["body"]): unknown {
  return Array.isArray(details) ? details.map(({ path }: { path: string }) => path)[0] : null;
}

/** A customer who has written, and the id of what they wrote. */
async function written(shop: SandboxShop) {
  const { from, conversationId, messageId, platformMessageId } = await shop.say({ text: "Open?" });
  assert.ok(conversationId && messageId);
  return { from, conversationId, messageId, platformMessageId };
}

for (const type of ["WHATSAPP", "MESSENGER", "TELEGRAM", "TIKTOK"] as const)
  test(`${type}: a program quotes a customer's message, and the customer quotes the answer`, async () => {
    const shop = await stand.open(type);
    const asked = await written(shop);
    const answer = { text: "Until ten.", replyTo: asked.messageId };
    const sent = await send(shop, asked.conversationId, answer);
    assert.deepEqual(
      [sent.status, sent.body["replyTo"]],
      [201, asked.messageId],
      JSON.stringify(sent.body),
    );
    await stand.settle();
    const shown = shop.line
      .thread({ customer: asked.from, limit: 100 })
      .findLast((one) => one.kind === "message" && one.by === "business");
    assert.ok(shown?.kind === "message");
    assert.deepEqual([shown.text, shown.quotes], ["Until ten.", asked.platformMessageId]);
    const back = await shop.say({ text: "Good", from: asked.from, replyTo: shown.messageId });
    const stored = await shop.api("GET", `/messages/${back.messageId}`);
    assert.equal(stored.body["replyTo"], sent.body["id"]);
    // What the platform does not have cannot be quoted, nor what is in another conversation.
    const others = await written(await stand.open(type));
    for (const replyTo of [others.messageId, asked.conversationId, "none"]) {
      const refused = await send(shop, asked.conversationId, { text: "x", replyTo });
      assert.deepEqual([refused.status, pathIn(refused.body)], [400, "replyTo"]);
    }
  });

test("INSTAGRAM: a reply quotes nothing and is refused before anything is stored, but a customer's quote is read", async () => {
  const shop = await stand.open("INSTAGRAM");
  const { from, conversationId, messageId } = await written(shop);
  const path = `/conversations/${conversationId}/messages`;
  const before = await shop.api("GET", path);
  const refused = await send(shop, conversationId, { text: "x", replyTo: messageId });
  assert.deepEqual([refused.status, refused.body["message"]], [400, "NOT_SUPPORTED_HERE"]);
  assert.deepEqual((await shop.api("GET", path)).body, before.body);
  const sent = await send(shop, conversationId, { text: "Until ten." });
  await stand.settle();
  const { providerMessageId } = await shop.stored(String(sent.body["id"]));
  const back = await shop.say({ text: "Good", from, replyTo: String(providerMessageId) });
  const stored = await shop.api("GET", `/messages/${back.messageId}`);
  assert.equal(stored.body["replyTo"], sent.body["id"]);
});

test("TELEGRAM: of a reply in parts the first one quotes", async () => {
  const shop = await stand.open("TELEGRAM");
  const { from, conversationId, messageId, platformMessageId } = await written(shop);
  const upload = async (fileName: string) => {
    const file = { fileName, mimeType: "image/png", body: Readable.from([FILES.png]) };
    return (await uploadMedia(OPERATOR, stand.t.app, shop.workspaceId, file)).id;
  };
  const two = [await upload("a.png"), await upload("b.png")];
  const sent = await send(shop, conversationId, { attachments: two, replyTo: messageId });
  assert.equal(sent.status, 201, JSON.stringify(sent.body));
  await stand.settle();
  const shown = shop.line
    .thread({ customer: from, limit: 100 })
    .flatMap((one) => (one.kind === "message" && one.by === "business" ? [one.quotes] : []));
  assert.deepEqual(shown, [platformMessageId, undefined]);
});

test("buttons by a program are pressed with their payload", async () => {
  const shop = await stand.open("WHATSAPP");
  const { from, conversationId } = await written(shop);
  const choices = [{ text: "Yes", payload: "order/yes" }];
  const sent = await send(shop, conversationId, { text: "Shall we send it?", choices });
  assert.equal(sent.status, 201, JSON.stringify(sent.body));
  await stand.settle();
  const shown = shop.line
    .thread({ customer: from, limit: 100 })
    .findLast((one) => one.kind === "message" && one.by === "business");
  assert.deepEqual(shown?.kind === "message" && shown.buttons, ["Yes"]);
});
