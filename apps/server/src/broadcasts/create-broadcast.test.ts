import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { sql } from "../db/sql.ts";
import { Shop, startGround, type Ground } from "./campaign.fixture.ts";
import { listBroadcasts } from "./list-broadcasts.ts";

let ground: Ground;

before(async () => {
  ground = await startGround();
});

after(() => ground[Symbol.asyncDispose]());

beforeEach(() => {
  ground.graph.sent.length = 0;
  ground.graph.answer = () => ground.graph.accepted();
});

const code = (wanted: string) => (error: unknown) =>
  error instanceof Error && "code" in error && error.code === wanted;

test("a draft that could not be sent is refused by the name of the field", async () => {
  const shop = await Shop.open(ground);
  const faults = async (attempt: Promise<unknown>) => {
    const error: unknown = await attempt.then(
      () => null,
      (reason: unknown) => reason,
    );
    assert.ok(code("VALIDATION_FAILED")(error), String(error));
    const { facts } = error as { facts: { details: { path: string }[] } };
    return facts.details.map((one) => one.path);
  };
  const past = new Date(ground.t.clock.now().getTime());
  assert.deepEqual(await faults(shop.draft({ name: " " })), ["name"]);
  assert.deepEqual(await faults(shop.draft({ rateLimitPerMinute: 9 })), ["rateLimitPerMinute"]);
  assert.deepEqual(await faults(shop.draft({ rateLimitPerMinute: 1_000_001 })), [
    "rateLimitPerMinute",
  ]);
  assert.deepEqual(await faults(shop.draft({ scheduledAt: past })), ["scheduledAt"]);
  assert.deepEqual(await faults(shop.draft({ channelId: shop.templateId })), ["channelId"]);
  assert.deepEqual(await faults(shop.draft({ templateId: shop.id })), ["templateId"]);
  assert.deepEqual(await faults(shop.draft({ segmentId: shop.id })), ["segmentId"]);
  assert.deepEqual(await faults(shop.draft({ variables: { "1": "a" } })), ["variables.2"]);
  assert.deepEqual(await faults(shop.draft({ variables: { "1": "a", "2": "b", "3": "c" } })), [
    "variables.3",
  ]);
  assert.deepEqual(await faults(shop.text("x".repeat(4_097))), ["body"]);
  assert.deepEqual(await faults(shop.text("x", { kind: "SMS" })), ["channelId"]);
  const sms = { kind: "SMS", channelId: null } as const;
  assert.deepEqual(await faults(shop.text("x".repeat(1_601), sms)), ["body"]);
  const ofTemplate = {
    templateId: shop.templateId,
    variables: { "1": "a" },
    buttons: { "0": "b" },
  };
  assert.deepEqual(await faults(shop.text(" ", { channelId: null, ...ofTemplate })), [
    "channelId",
    "templateId",
    "variables",
    "buttons",
    "body",
  ]);
  assert.deepEqual(await faults(shop.draft({ body: "x", templateId: null })), [
    "templateId",
    "body",
  ]);
  for (const quietHours of [
    { from: 60, until: 60 },
    { from: -1, until: 60 },
    { from: 0, until: 1_440 },
    { from: 0.5, until: 60 },
  ])
    assert.deepEqual(await faults(shop.draft({ quietHours })), ["quietHours"]);
  for (const replyDays of [0, 31, 1.5])
    assert.deepEqual(await faults(shop.draft({ replyDays })), ["replyDays"]);
  assert.deepEqual(await faults(shop.draft({ timeZone: "Kuwait City" })), ["timeZone"]);
  const longest = "x".repeat(1_024);
  const { templateId } = shop;
  const parts = {
    variables: { "1": longest, "2": `${longest}x` },
    header: { text: `${longest}x`, mediaId: templateId },
    buttons: { "0": " ", "10": "x", x: "x", "9": "x".repeat(2_001) },
  };
  assert.deepEqual(await faults(shop.draft(parts)), [
    "variables.2",
    "header",
    "header.text",
    "buttons[0]",
    "buttons[9]",
    "buttons[10]",
    "buttons[x]",
  ]);
  await shop.app.db.query(sql`update template set components =
    '[{"type":"HEADER","format":"IMAGE"},{"type":"BODY","text":"{{1}} {{2}}"}]' where workspace_id = ${shop.id}`);
  assert.deepEqual(await faults(shop.draft()), ["header.media"]);
});

test("a name has 200 characters of any script, whatever each takes", async () => {
  const shop = await Shop.open(ground);
  const name = "🌷".repeat(200);
  assert.equal((await shop.draft({ name })).name, name);
  await assert.rejects(shop.draft({ name: `${name}x` }), code("VALIDATION_FAILED"));
});

test("the list shows the 100 newest, newest first", async () => {
  const shop = await Shop.open(ground);
  const made: string[] = [];
  for (let n = 0; n < 102; n++) made.push((await shop.draft()).id);
  const listed = await listBroadcasts(shop.app, shop.id);
  assert.deepEqual(
    listed.map((one) => one.id),
    made.toReversed().slice(0, 100),
  );
});
