import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { createWhatsAppEmulator, type WhatsAppEmulator } from "@parley/emulators";
import type { AppError } from "../../src/errors.ts";
import { duplicateBroadcast } from "../../src/broadcasts/record/copy-broadcast.ts";
import { sendBatch } from "../../src/broadcasts/send/send-batch.ts";
import { storeChunk } from "../../src/broadcasts/audience/store-chunk.fixture.ts";
import { FILES } from "../files.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { openTemplateShop, type Component } from "../template-shop.ts";

/** A/B campaigns whose templates show files, to the emulated Cloud API over real HTTP. */
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
afterEach(() => assert.deepEqual(meta.ledger.repeated(), []));

const BODY = { type: "BODY", text: "Order {{1}}" };
const header = (format: string): Component => ({ type: "HEADER", format });
const LINK: Component = {
  type: "BUTTONS",
  buttons: [{ type: "URL", text: "Track", url: "https://shop.example/{{1}}" }],
};

const openShop = (templates: readonly (readonly Component[])[], people = 30) =>
  openTemplateShop(t, meta, templates, people);
type Shop = Awaited<ReturnType<typeof openShop>>;

const uploads = () => meta.requests().filter((one) => one.path.endsWith("/media"));
interface Part {
  readonly type: string;
  readonly parameters: readonly Record<string, { readonly id?: string; filename?: string }>[];
}
interface Sent {
  readonly template: { readonly name: string; readonly components: readonly Part[] };
}
const sends = () =>
  meta
    .requests()
    .filter((one) => one.path.endsWith("/messages"))
    .map((one) => JSON.parse(one.body) as Sent);
/** Of what was sent with this template: the parameters of the header, each once. */
const headers = (name: string): string[] => [
  ...new Set(
    sends()
      .filter((one) => one.template.name === name)
      .map((one) => JSON.stringify(one.template.components[0]?.parameters[0])),
  ),
];

interface Arm {
  readonly mediaId?: string;
  readonly buttons?: Record<string, string>;
}
/** Equal parts over the shop's templates in their order. */
const split = (shop: Shop, arms: readonly Arm[]) =>
  shop.draft({
    variants: arms.map(({ mediaId, buttons }, place) => ({
      name: `Arm ${place}`,
      share: 1 / arms.length,
      templateId: shop.templateIds[place] ?? "",
      variables: { "1": "{{attribute.order}}" },
      ...(mediaId !== undefined && { header: { mediaId } }),
      ...(buttons && { buttons }),
    })),
  });

test("each arm shows its own file: picture, video, document; each is given once", async () => {
  const formats = ["IMAGE", "VIDEO", "DOCUMENT"];
  const shop = await openShop(formats.map((format) => [header(format), BODY]));
  const { id } = await split(shop, [
    { mediaId: await shop.upload(FILES.png, "sale.png") },
    { mediaId: await shop.upload(FILES.mp4, "sale.mp4") },
    { mediaId: await shop.upload(FILES.pdf, "sale.pdf") },
  ]);
  await shop.start(id);
  await t.app.drain();
  const done = await shop.find(id);
  assert.deepEqual([done.status, done.sentCount, done.failedCount], ["COMPLETED", 30, 0]);
  assert.equal(uploads().length, 3);
  const found = formats.map((_, place) => headers(`order_${place}`));
  assert.deepEqual(
    found.map((one) => one.length),
    [1, 1, 1],
    "one file for all of an arm",
  );
  const kinds = found.map(([one = "{}"]) => JSON.parse(one) as Part["parameters"][number]);
  const files = kinds.map((one, place) => {
    const shown = one[["image", "video", "document"][place] ?? ""];
    return { type: meta.media.find(shown?.id ?? "")?.mimeType, name: shown?.filename };
  });
  assert.deepEqual(files, [
    { type: "image/png", name: undefined },
    { type: "video/mp4", name: undefined },
    { type: "application/pdf", name: "sale.pdf" },
  ]);
});

test("a file that two arms show is given once; an arm with text and buttons stands beside them", async () => {
  const text: Component = { type: "HEADER", format: "TEXT", text: "Hello" };
  const shop = await openShop([
    [header("IMAGE"), BODY],
    [header("IMAGE"), BODY, LINK],
    [text, BODY, LINK],
  ]);
  const mediaId = await shop.upload(FILES.png, "sale.png");
  const { id } = await split(shop, [
    { mediaId },
    { mediaId, buttons: { "0": "a/{{attribute.order}}" } },
    { buttons: { "0": "b" } },
  ]);
  await shop.start(id);
  await t.app.drain();
  assert.deepEqual([(await shop.find(id)).sentCount, uploads().length], [30, 1]);
  assert.deepEqual(headers("order_0"), headers("order_1"));
  const buttons = sends().map((one) => [
    one.template.name,
    one.template.components.some((part) => part.type === "button"),
    one.template.components.some((part) => part.type === "header"),
  ]);
  for (const [name, button, shown] of buttons)
    assert.deepEqual([button, shown], [name !== "order_0", name !== "order_2"], String(name));
});

test("when the platform loses one arm's file, that one is given again and the other is not", async () => {
  const shop = await openShop(
    [
      [header("IMAGE"), BODY],
      [header("VIDEO"), BODY],
    ],
    40,
  );
  const { id } = await split(shop, [
    { mediaId: await shop.upload(FILES.png, "a.png") },
    { mediaId: await shop.upload(FILES.mp4, "a.mp4") },
  ]);
  const key = { workspaceId: shop.workspaceId, id };
  await shop.start(id);
  await storeChunk(t.app, key);
  await sendBatch(t.app, key, 20);
  const [lost = "{}"] = headers("order_1");
  const { video } = JSON.parse(lost) as { video: { id: string } };
  const kept = headers("order_0");
  meta.media.remove(video.id);
  t.clock.advance(2 * 60_000);
  await t.app.drain();
  const done = await shop.find(id);
  assert.deepEqual(
    [done.status, done.statusReason, done.sentCount, done.failedCount],
    ["COMPLETED", null, 40, 0],
  );
  assert.equal(uploads().length, 3);
  assert.deepEqual(headers("order_0"), kept);
  assert.equal(headers("order_1").length, 2);
});

test("four workers that come together give each file once", async () => {
  const shop = await openShop(
    [
      [header("IMAGE"), BODY],
      [header("VIDEO"), BODY],
    ],
    40,
  );
  const { id } = await split(shop, [
    { mediaId: await shop.upload(FILES.png, "a.png") },
    { mediaId: await shop.upload(FILES.mp4, "a.mp4") },
  ]);
  const key = { workspaceId: shop.workspaceId, id };
  await shop.start(id);
  await storeChunk(t.app, key);
  for (let turn = 0; turn < 3; turn++)
    await Promise.all(Array.from({ length: 4 }, () => sendBatch(t.app, key, 10)));
  await t.app.drain();
  assert.deepEqual([(await shop.find(id)).sentCount, uploads().length], [40, 2]);
});

test("files outlive the sweep of uploads with their campaign, and a copy shows them too", async () => {
  const shop = await openShop(
    [
      [header("IMAGE"), BODY],
      [header("VIDEO"), BODY],
    ],
    10,
  );
  const { id } = await split(shop, [
    { mediaId: await shop.upload(FILES.png, "a.png") },
    { mediaId: await shop.upload(FILES.mp4, "a.mp4") },
  ]);
  t.clock.advance(25 * 60 * 60_000);
  await t.app.drain();
  const copy = await duplicateBroadcast(OPERATOR, t.app, shop.workspaceId, id);
  await shop.start(copy.id);
  await t.app.drain();
  assert.equal((await shop.find(copy.id)).sentCount, 10);
  assert.equal(uploads().length, 2);
});

test("what does not fit an arm is refused with the arm's name", async () => {
  const shop = await openShop(
    [
      [header("IMAGE"), BODY],
      [header("VIDEO"), BODY],
    ],
    1,
  );
  const picture = await shop.upload(FILES.png, "a.png");
  const faults = (arms: readonly Arm[]) =>
    split(shop, arms).then(
      () => [],
      (error: AppError) => error.facts.details?.map((one) => one.path),
    );
  assert.deepEqual(await faults([{ mediaId: picture }, {}]), ["variants[1].header.media"]);
  assert.deepEqual(await faults([{ mediaId: picture }, { mediaId: picture }]), [
    "variants[1].header.media",
  ]);
  assert.deepEqual(await faults([{}, { mediaId: shop.workspaceId }]), [
    "variants[0].header.media",
    "variants[1].header.media",
  ]);
});
