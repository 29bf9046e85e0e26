import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { previewText } from "../../cli/broadcast-table.ts";
import { sql } from "../../db/sql.ts";
import { estimateBroadcast } from "../audience/estimate-broadcast.ts";
import { Shop, startGround, type Ground } from "./campaign.fixture.ts";
import { listBroadcasts } from "./list-broadcasts.ts";
import { paceToKeep, paceWarning } from "../send/pace-warning.ts";
import { previewBroadcast } from "../text/preview-broadcast.ts";
import { setChannelPace } from "../send/set-channel-pace.ts";
import { updateBroadcast, type BroadcastChanges } from "./update-broadcast.ts";

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

test("a mistyped placeholder of a template's value is refused with those that there are", async () => {
  const shop = await Shop.open(ground);
  for (const [value, fault] of [
    ["{{first_name", "has {{ without its }}"],
    ["Hello {{ first_name }, your order", "has {{ without its }}"],
    ["first_name}}", "has }} without its {{"],
    ["{{first_nam}}", "has {{first_nam}}, which no contact has"],
    ["{{First name|friend}}", "has {{First name}}, which no contact has"],
    ["{{}}", "has {{}}, which no contact has"],
  ] as const) {
    const wanted = `variables.1: ${fault}: write {{name}}, {{first_name}}, {{phone}}, {{email}} or {{attribute.NAME}}`;
    await assert.rejects(shop.draft({ variables: { "1": value, "2": "b" } }), { message: wanted });
  }
  const { templateId } = shop;
  const value = "{{first_nam}}";
  await assert.rejects(shop.draft({ header: { text: value } }), /header\.text: has \{\{first_nam/);
  await assert.rejects(shop.draft({ buttons: { "0": value } }), /buttons\[0\]: has \{\{first_nam/);
  const variant = { share: 0.5, templateId, variables: { "1": "a", "2": "b" } };
  const variants = [
    { ...variant, name: "A" },
    { ...variant, name: "B", variables: { "1": "a", "2": value } },
  ];
  const none = { templateId: null, variables: {} };
  await assert.rejects(shop.draft({ ...none, variants }), /variants\[1\]\.variables\.2: has/);
  // An attribute may be given to contacts later.
  await shop.draft({ variables: { "1": "{{attribute.later|soon}}", "2": "{ }" } });
});

test("a body may have any text: what is mistyped in it is named by the estimate", async () => {
  const shop = await Shop.open(ground);
  await shop.people([{ name: "Sara Ali", phone: "96550000001" }]);
  const { id } = await shop.text("{{first_nam}} {{first_nam}}{{name}} {x} {{name\nor {{email }");
  const estimate = await estimateBroadcast(shop.app, shop.id, id);
  assert.deepEqual(estimate.unknownPlaceholders, ["{{first_nam}}", "{{name", "{{email"]);
});

test("a name has up to 200 characters of any script, however many bytes each takes", async () => {
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

test("a draft is changed in part, checked as a whole, and only while it is a draft", async () => {
  const shop = await Shop.open(ground);
  await shop.people([
    { name: "Sara Ali", phone: "96550000001" },
    { name: null, phone: "96550000002" },
  ]);
  const { id } = await shop.draft();
  const change = (changes: BroadcastChanges) =>
    updateBroadcast(OPERATOR, shop.app, shop.id, id, changes);
  await change({ name: "Changed", rateLimitPerMinute: 600, replyDays: 5 });
  const kept = await shop.find(id);
  assert.deepEqual(
    [kept.name, kept.rateLimitPerMinute, kept.replyDays, kept.variables, kept.status],
    ["Changed", 600, 5, ["{{first_name}}", "A-17"], "DRAFT"],
  );
  await assert.rejects(change({ variables: { "1": "x" } }), /variables\.2: is needed/);
  await assert.rejects(change({ rateLimitPerMinute: 9 }), /rateLimitPerMinute/);
  await assert.rejects(change({ body: "x" }), /body: must be left out/);
  assert.deepEqual(await shop.find(id), kept, "a refused change changes nothing");
  await change({ variables: { "1": "{{first_name|عميلنا}}", "2": "B" } });
  const { contacts } = await previewBroadcast(shop.app, shop.id, id);
  assert.deepEqual(
    contacts.map((one) => one.skipped),
    [null, null],
  );
  assert.ok(contacts.some((one) => one.text?.includes("عميلنا")));
  const shown = previewText({ cannotRun: null, contacts });
  assert.match(shown, /^Sara Ali {2}96550000001 {2}\S+\n {2}\S/m);
  assert.ok(!shown.includes("{"), shown);
  await shop.start(id);
  await assert.rejects(change({ name: "Late" }), code("NOT_ALLOWED_IN_STATE"));
});

test("variants of a draft are changed together, and stay when something else changes", async () => {
  const shop = await Shop.open(ground);
  const variants = [
    { name: "A", share: 0.5, body: "Hi" },
    { name: "B", share: 0.5, body: "Hello" },
  ];
  const { id } = await shop.text("", { body: null, variants });
  const change = (changes: BroadcastChanges) =>
    updateBroadcast(OPERATOR, shop.app, shop.id, id, changes);
  await assert.rejects(change({ body: "One" }), /body: is of each variant/);
  await change({ name: "Split" });
  const texts = async () => (await shop.find(id)).variants.map((one) => one.body);
  assert.deepEqual(await texts(), ["Hi", "Hello"]);
  await change({ variants: variants.map((one) => ({ ...one, body: `${one.body}!` })) });
  assert.deepEqual(await texts(), ["Hi!", "Hello!"]);
});

test("a pace above what the number may send gives a warning, and the campaign is created all the same", async () => {
  const shop = await Shop.open(ground);
  const told = async (rateLimitPerMinute: number) =>
    paceWarning(shop.app, await shop.draft({ rateLimitPerMinute }));
  assert.equal(await told(4_800), null);
  assert.match((await told(6_000)) ?? "", /^6,000 a minute is more than a WHATSAPP number usually/);
  await setChannelPace(OPERATOR, shop.app, shop.id, shop.desk.account.channelId, 600);
  assert.match((await told(700)) ?? "", /more than its number is set to \(600\)/);
  // The estimate of a start counts with the pace that the number keeps.
  const kept = async (rateLimitPerMinute: number) =>
    paceToKeep(shop.app, await shop.draft({ rateLimitPerMinute }));
  assert.deepEqual([await kept(4_800), await kept(300)], [600, 300]);
});

test("a fallback counts towards the length of a part, because a contact with empty fields reads it", async () => {
  const shop = await Shop.open(ground);
  const components = [
    { type: "HEADER", format: "TEXT", text: "Hi {{1}}" },
    { type: "BODY", text: "{{1}} {{2}}" },
  ];
  await shop.app.db.query(sql`update template set components = ${JSON.stringify(components)}::json,
    header_format = 'TEXT' where workspace_id = ${shop.id} and id = ${shop.templateId}`);
  const header = (fallback: string) => ({ header: { text: `{{first_name|${fallback}}}` } });
  await shop.draft(header("x".repeat(50)));
  await assert.rejects(
    shop.draft(header("x".repeat(61))),
    /header\.text: must have at most \d+ characters/,
  );
});
