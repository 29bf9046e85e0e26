import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { createWhatsAppEmulator, type WhatsAppEmulator } from "@parley/emulators";
import type { NewBroadcast } from "../../src/broadcasts/record/create-broadcast.ts";
import { sendBatch } from "../../src/broadcasts/send/send-batch.ts";
import { storeChunk } from "../../src/broadcasts/audience/store-chunk.fixture.ts";
import { sql } from "../../src/db/sql.ts";
import { listTemplates } from "../../src/templates/list-templates.ts";
import { FILES } from "../files.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { whatsAppFault } from "../oracles/sent-documents.ts";
import { openTemplateShop, type Component } from "../template-shop.ts";

/** Templates with more than a body, to the emulated Cloud API over real HTTP. */
let t: TestApp;
let meta: WhatsAppEmulator;
before(async () => {
  t = await startTestApp();
  meta = await createWhatsAppEmulator({
    delivery: "manual",
    clock: t.clock,
    limits: { messagesPerSecond: 10_000 },
    // Everybody is to get it, whatever their number ends with.
    magic: false,
  });
});
after(async () => {
  await meta.close();
  await t[Symbol.asyncDispose]();
});
beforeEach(() => meta.clear());
afterEach(() => {
  for (const { path, body } of meta.requests())
    if (path.endsWith("/messages")) assert.equal(whatsAppFault(judged(body)), null);
});

/**
 * Without what the published schema has wrong: it takes buttons at the places 2 to 6 and 11 to 14 only, knows no code
 * to copy, and gives a document no name. The tests hold these against the page of template messages, field by field.
 */
function judged(body: string): string {
  const sent = JSON.parse(body) as { template: { components: { type: string }[] } };
  const components = sent.template.components.filter((one) => one.type !== "button");
  const text = JSON.stringify({ ...sent, template: { ...sent.template, components } });
  return text.replaceAll(/,"filename":"[^"]*"/g, "");
}

const BODY = { type: "BODY", text: "Order {{1}}" };
const BUTTONS = {
  type: "BUTTONS",
  buttons: [
    { type: "QUICK_REPLY", text: "Fine" },
    { type: "URL", text: "Track", url: "https://shop.example/{{1}}" },
    { type: "COPY_CODE", example: "SAVE10" },
  ],
};

/** A workspace with one template of these components and so many contacts. */
const openShop = (components: readonly Component[], people = 3) =>
  openTemplateShop(t, meta, [components], people);

const uploads = () => meta.requests().filter((one) => one.path.endsWith("/media"));
interface SentTemplate {
  readonly template: { readonly components: { readonly parameters: unknown[] }[] };
}
const sends = () =>
  meta
    .requests()
    .filter((one) => one.path.endsWith("/messages"))
    .map((one) => JSON.parse(String(one.body)) as SentTemplate);

test("header picture, body and buttons in the platform's own form; one upload serves everyone", async () => {
  const shop = await openShop([{ type: "HEADER", format: "IMAGE" }, BODY, BUTTONS], 5);
  const mediaId = await shop.upload(FILES.png, "sale.png");
  const { id } = await shop.draft({
    header: { mediaId },
    buttons: { "1": "orders/{{attribute.order}}", "0": "FINE {{first_name}}", "2": "SAVE10" },
  });
  await shop.start(id);
  await t.app.drain();
  const done = await shop.find(id);
  assert.deepEqual([done.status, done.sentCount, done.failedCount], ["COMPLETED", 5, 0]);
  assert.equal(uploads().length, 1);
  const [first, ...others] = sends();
  const header = first?.template.components[0]?.parameters[0] as { image: { id: string } };
  assert.deepEqual(first?.template.components, [
    { type: "header", parameters: [{ type: "image", image: { id: header.image.id } }] },
    { type: "body", parameters: [{ type: "text", text: "A/0 é?" }] },
    {
      type: "button",
      sub_type: "quick_reply",
      index: "0",
      parameters: [{ type: "payload", payload: "FINE Sara" }],
    },
    {
      type: "button",
      sub_type: "url",
      index: "1",
      parameters: [{ type: "text", text: "orders/A/0%20%C3%A9%3F" }],
    },
    {
      type: "button",
      sub_type: "copy_code",
      index: "2",
      parameters: [{ type: "coupon_code", coupon_code: "SAVE10" }],
    },
  ]);
  for (const one of others)
    assert.deepEqual(one.template.components[0], first?.template.components[0]);
  // The file outlives the day after which an upload that nothing needs is swept.
  t.clock.advance(25 * 60 * 60_000);
  await t.app.drain();
  await shop.draft({ header: { mediaId }, buttons: { "1": "x", "2": "y" } });
});

test("a text header's variable and a document's name", async () => {
  const hello = { type: "HEADER", format: "TEXT", text: "Hello {{1}}" };
  const text = await openShop([hello, BODY], 1);
  const { id } = await text.draft({ header: { text: "{{first_name}}" } });
  await text.start(id);
  await t.app.drain();
  assert.deepEqual(sends()[0]?.template.components[0], {
    type: "header",
    parameters: [{ type: "text", text: "Sara" }],
  });
  meta.clear();
  const paper = await openShop([{ type: "HEADER", format: "DOCUMENT" }, BODY], 1);
  const mediaId = await paper.upload(FILES.pdf, "bill.pdf");
  const bill = await paper.draft({ header: { mediaId } });
  await paper.start(bill.id);
  await t.app.drain();
  const [parameter] = sends()[0]?.template.components[0]?.parameters ?? [];
  const { document } = parameter as { document: { id: string; filename: string } };
  assert.equal(document.filename, "bill.pdf");
  assert.equal((await paper.find(bill.id)).sentCount, 1);
});

test("a file that the platform lost, or whose time there is over, is given again; nobody twice", async () => {
  const shop = await openShop([{ type: "HEADER", format: "IMAGE" }, BODY], 9);
  const mediaId = await shop.upload(FILES.png, "sale.png");
  const { id } = await shop.draft({ header: { mediaId } });
  const key = { workspaceId: shop.workspaceId, id };
  await shop.start(id);
  await storeChunk(t.app, key);
  assert.equal(await sendBatch(t.app, key, 3), 3);
  t.clock.advance(2 * 60_000);
  for (const one of sends()) {
    const [parameter] = one.template.components[0]?.parameters ?? [];
    meta.media.remove((parameter as { image: { id: string } }).image.id);
  }
  await sendBatch(t.app, key, 3);
  assert.deepEqual([(await shop.find(id)).status, (await shop.find(id)).sentCount], ["RUNNING", 3]);
  await sendBatch(t.app, key, 3);
  assert.deepEqual([(await shop.find(id)).sentCount, uploads().length], [6, 2]);
  t.clock.advance(29 * 24 * 60 * 60_000);
  await t.app.drain();
  const done = await shop.find(id);
  assert.deepEqual([done.status, done.sentCount, done.failedCount], ["COMPLETED", 9, 0]);
  assert.equal(uploads().length, 3);
  assert.deepEqual(meta.ledger.repeated(), []);
});

test("a file that is refused as soon as it was given pauses the campaign with the reason", async () => {
  const shop = await openShop([{ type: "HEADER", format: "IMAGE" }, BODY], 4);
  const { id } = await shop.draft({ header: { mediaId: await shop.upload(FILES.png, "a.png") } });
  const find = meta.media.find.bind(meta.media);
  meta.media.find = () => undefined;
  await shop.start(id);
  await t.app.drain();
  meta.media.find = find;
  const paused = await shop.find(id);
  assert.deepEqual([paused.status, paused.failedCount, paused.sentCount], ["PAUSED", 0, 0]);
  assert.match(paused.statusReason ?? "", /^MEDIA_GONE: header: Format mismatch/);
  await shop.start(id);
  await t.app.drain();
  assert.equal((await shop.find(id)).sentCount, 4);
});

test("workers that come together give the file once", async () => {
  const shop = await openShop([{ type: "HEADER", format: "VIDEO" }, BODY], 40);
  const { id } = await shop.draft({ header: { mediaId: await shop.upload(FILES.mp4, "a.mp4") } });
  const key = { workspaceId: shop.workspaceId, id };
  await shop.start(id);
  await storeChunk(t.app, key);
  const took = await Promise.all(Array.from({ length: 4 }, () => sendBatch(t.app, key, 10)));
  assert.equal(uploads().length, 1);
  assert.ok(took.some((count) => count > 0));
  await t.app.drain();
  assert.deepEqual([(await shop.find(id)).sentCount, uploads().length], [40, 1]);
});

test("what does not fit is refused by name, and a template that changed fails the campaign by name", async () => {
  const shop = await openShop([{ type: "HEADER", format: "IMAGE" }, BODY, BUTTONS], 1);
  const mediaId = await shop.upload(FILES.png, "a.png");
  const faults = (more: Partial<NewBroadcast>) =>
    shop.draft(more).then(
      () => [],
      (error: { facts: { details: { path: string }[] } }) =>
        error.facts.details.map((one) => one.path),
    );
  assert.deepEqual(await faults({}), ["header.media", "buttons[1]", "buttons[2]"]);
  const buttons = { "1": "x", "2": "y" };
  assert.deepEqual(await faults({ header: { text: "x" }, buttons }), [
    "header.text",
    "header.media",
  ]);
  assert.deepEqual(await faults({ header: { mediaId: shop.workspaceId }, buttons }), [
    "header.media",
  ]);
  const pdf = await shop.upload(FILES.pdf, "a.pdf");
  assert.deepEqual(await faults({ header: { mediaId: pdf }, buttons }), ["header.media"]);
  const webp = await shop.upload(FILES.webp, "a.webp");
  assert.deepEqual(await faults({ header: { mediaId: webp }, buttons }), ["header.media"]);
  assert.deepEqual(await faults({ header: { mediaId }, buttons: { ...buttons, "3": "z" } }), [
    "buttons[3]",
  ]);
  assert.deepEqual(await faults({ header: { mediaId }, buttons, variables: {} }), ["variables.1"]);
  // The code of a coupon: what everybody gets is too long for everybody, what only some have is theirs.
  const code = (text: string) =>
    faults({ header: { mediaId }, buttons: { ...buttons, "2": text } });
  assert.deepEqual(await code("x".repeat(16)), ["buttons[2]"]);
  assert.deepEqual(await code(`${"x".repeat(16)}{{name}}`), ["buttons[2]"]);
  assert.deepEqual(await code("x".repeat(15)), []);
  assert.deepEqual(await code("{{attribute.a_code_with_a_long_name}}"), []);
  const { id } = await shop.draft({ header: { mediaId }, buttons });
  const [template] = await listTemplates(t.app, shop.workspaceId);
  const components = JSON.stringify([{ type: "HEADER", format: "VIDEO" }, BODY, BUTTONS]);
  await t.app.db.query(sql`
    update template set components = ${components} where workspace_id = ${shop.workspaceId} and id = ${template?.id ?? ""}`);
  await shop.start(id);
  await t.app.drain();
  const failed = await shop.find(id);
  assert.equal(failed.status, "FAILED");
  assert.match(failed.statusReason ?? "", /^TEMPLATE_CHANGED: header.media is needed/);
});
