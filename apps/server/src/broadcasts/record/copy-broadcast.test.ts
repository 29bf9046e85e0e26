import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { mergeContacts } from "../../contacts/identity/merge-contacts.ts";
import { setConsent } from "../../contacts/consent/set-consent.ts";
import { updateWorkspace } from "../../workspaces/update-workspace.ts";
import { createBroadcast } from "./create-broadcast.ts";
import { AppError, type ErrorCode } from "../../errors.ts";
import { broadcastReport } from "../report/broadcast-report.ts";
import { refusal, Shop, startGround, type Ground } from "./campaign.fixture.ts";
import { cancelBroadcast } from "./change-broadcast.ts";
import { duplicateBroadcast, resendFailed, testBroadcast } from "./copy-broadcast.ts";
import { estimateBroadcast } from "../audience/estimate-broadcast.ts";
import { listBroadcasts } from "./list-broadcasts.ts";
import { previewBroadcast } from "../text/preview-broadcast.ts";
import { storeAudiences } from "../audience/store-audience.ts";
import { usageSummary } from "../../usage/usage-summary.ts";

let ground: Ground;
before(async () => {
  ground = await startGround();
});
after(() => ground[Symbol.asyncDispose]());
beforeEach(() => {
  ground.graph.sent.length = 0;
  ground.graph.answer = () => ground.graph.accepted();
});
const code = (wanted: ErrorCode) => (error: unknown) =>
  error instanceof AppError && error.code === wanted;
const sentTo = () => ground.graph.sent.map((one) => one.to.slice(-1)).toSorted();

test("a resend goes to failed recipients with a good number and is linked, or to all of them when asked", async () => {
  const shop = await Shop.open(ground);
  const [, , third] = await shop.crowd(6);
  const { id } = await shop.draft();
  await assert.rejects(resendFailed(OPERATOR, shop.app, shop.id, id), code("NOT_ALLOWED_IN_STATE"));
  const answers: Record<string, number> = { 1: 131026, 2: 130472, 3: 131049, 4: 131053 };
  ground.graph.answer = (_, { to }) => {
    const last = to.slice(-1);
    if (last === "5") return { status: 500, headers: {}, body: Buffer.from("?") };
    const refused = answers[last];
    return refused === undefined ? ground.graph.accepted() : refusal(400, refused);
  };
  await shop.start(id);
  await ground.t.app.drain();
  ground.t.clock.advance(16 * 60_000);
  await ground.t.app.drain();
  assert.deepEqual(await shop.outcomes(id), [
    "sent",
    "failed 131026",
    "failed 130472",
    "failed 131049",
    "failed 131053",
    "failed OUTCOME_UNKNOWN",
  ]);
  ground.graph.sent.length = 0;
  ground.graph.answer = () => ground.graph.accepted();
  const again = await resendFailed(OPERATOR, shop.app, shop.id, id);
  assert.deepEqual(
    [again.status, again.parentId, again.name, again.scheduledAt],
    ["DRAFT", id, "News (resend)", null],
  );
  // A contact who opted out since is skipped.
  const at = ground.t.clock.now();
  await shop.app.db.transaction((tx) =>
    setConsent(shop.app, tx, [
      { workspaceId: shop.id, contactId: third ?? "", optedOut: true, source: "dashboard", at },
    ]),
  );
  await shop.start(again.id);
  await ground.t.app.drain();
  assert.deepEqual(sentTo(), ["3", "4"]);
  assert.deepEqual(await shop.outcomes(again.id), ["skipped opted_out", "sent", "sent"]);
  ground.graph.sent.length = 0;
  const all = await resendFailed(OPERATOR, shop.app, shop.id, id, { all: true, name: "Once more" });
  await shop.start(all.id);
  await ground.t.app.drain();
  // Two of the others got it by the first resend, and one has opted out.
  assert.deepEqual([all.name, sentTo()], ["Once more", ["1"]]);
  // The first one's report is as it was.
  assert.equal((await shop.checkCounts(id)).failedCount, 5);
  await assert.rejects(
    resendFailed(OPERATOR, shop.app, shop.id, again.id),
    code("VALIDATION_FAILED"),
  );
});

test("the second resend of a campaign leaves out recipients who got the first, or wait for it", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(3);
  const { id } = await shop.draft();
  ground.graph.answer = (_, { to }) =>
    to.endsWith("0") ? ground.graph.accepted() : refusal(400, 131049);
  await shop.start(id);
  await ground.t.app.drain();
  const recipients = async (one: { readonly id: string }) =>
    (await estimateBroadcast(shop.app, shop.id, one.id)).recipients;
  const drafts = await Promise.all(
    [1, 2, 3].map(() => resendFailed(OPERATOR, shop.app, shop.id, id)),
  );
  const [first, second, third] = drafts;
  assert.ok(first && second && third);
  assert.deepEqual(await Promise.all(drafts.map(recipients)), [2, 2, 2]);
  // The second person fails again: both the next resend and a resend of the resend may reach it, but not one after
  // the other.
  ground.graph.answer = (_, { to }) =>
    to.endsWith("1") ? ground.graph.accepted() : refusal(400, 131049);
  await shop.start(first.id);
  await ground.t.app.drain();
  assert.equal(await recipients(second), 1);
  const inner = await resendFailed(OPERATOR, shop.app, shop.id, first.id);
  ground.graph.answer = () => ground.graph.accepted();
  await shop.start(inner.id);
  await storeAudiences(shop.app);
  assert.equal(await recipients(second), 0);
  await cancelBroadcast(OPERATOR, shop.app, shop.id, inner.id);
  assert.equal(await recipients(second), 1);
  ground.graph.sent.length = 0;
  await shop.start(second.id);
  await shop.start(third.id);
  await ground.t.app.drain();
  assert.deepEqual(sentTo(), ["2"]);
  await assert.rejects(resendFailed(OPERATOR, shop.app, shop.id, id), code("VALIDATION_FAILED"));
});

test("a duplicate is a draft with everything but the time and the counts", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(1);
  const scheduledAt = new Date(ground.t.clock.now().getTime() + 60_000);
  const original = await shop.draft({
    scheduledAt,
    timeZone: "Asia/Kuwait",
    quietHours: { from: 1_320, until: 480 },
    rateLimitPerMinute: 77,
  });
  await cancelBroadcast(OPERATOR, shop.app, shop.id, original.id);
  const copy = await duplicateBroadcast(OPERATOR, shop.app, shop.id, original.id);
  const { id, name, createdAt, ...rest } = await shop.find(copy.id);
  const { id: _1, name: _2, createdAt: _3, ...wanted } = original;
  assert.notEqual(id, original.id);
  assert.equal(name, "News (copy)");
  assert.ok(createdAt >= original.createdAt);
  assert.deepEqual(rest, { ...wanted, status: "DRAFT", scheduledAt: null });
  await assert.rejects(
    duplicateBroadcast(OPERATOR, shop.app, shop.id, original.id, { name: " " }),
    code("VALIDATION_FAILED"),
  );
  const other = await Shop.open(ground);
  await assert.rejects(
    duplicateBroadcast(OPERATOR, other.app, other.id, original.id),
    code("BROADCAST_NOT_FOUND"),
  );
});

test("a test send reaches only the chosen contacts, uses slots, and is not in the campaign's report", async () => {
  const shop = await Shop.open(ground);
  const [a, b, c] = await shop.crowd(3);
  const { id } = await shop.draft({ quietHours: { from: 0, until: 1_439 } });
  const test = await testBroadcast(OPERATOR, shop.app, shop.id, id, [a ?? "", c ?? "", c ?? ""]);
  assert.deepEqual([test.status, test.parentId, test.name], ["QUEUED", id, "News (test)"]);
  await ground.t.app.drain();
  assert.deepEqual(sentTo(), ["0", "2"]);
  assert.equal((await usageSummary(shop.app, shop.id)).usage.messages, 2);
  const report = await broadcastReport(shop.app, shop.id, id);
  assert.deepEqual([report.broadcast.status, report.broadcast.totalCount], ["DRAFT", 0]);
  assert.equal((await shop.checkCounts(test.id)).status, "COMPLETED");
  for (const ids of [[], ["x"], Array.from({ length: 21 }, () => b ?? "")])
    await assert.rejects(
      testBroadcast(OPERATOR, shop.app, shop.id, id, ids),
      code("VALIDATION_FAILED"),
    );
  // A test that may not start leaves nothing in the list.
  const listed = await listBroadcasts(shop.app, shop.id);
  await updateWorkspace(OPERATOR, shop.app, shop.id, { suspended: true });
  await assert.rejects(
    testBroadcast(OPERATOR, shop.app, shop.id, id, [b ?? ""]),
    code("SUBSCRIPTION_SUSPENDED"),
  );
  assert.deepEqual(await listBroadcasts(shop.app, shop.id), listed);
});

test("a merged contact is tested and previewed as the contact it is now, once", async () => {
  const shop = await Shop.open(ground);
  const [a = "", b = ""] = await shop.crowd(2);
  const { id } = await shop.draft();
  await mergeContacts(OPERATOR, shop.app, shop.id, a, b);
  const { contacts } = await previewBroadcast(shop.app, shop.id, id, { contactIds: [b] });
  assert.deepEqual(
    contacts.map((one) => one.contactId),
    [a],
  );
  const test = await testBroadcast(OPERATOR, shop.app, shop.id, id, [b, a]);
  await ground.t.app.drain();
  assert.deepEqual(sentTo(), ["0"]);
  assert.equal((await shop.find(test.id)).totalCount, 1);
});

test("a preview shows what real contacts would get and why one would be skipped, and stores nothing", async () => {
  const shop = await Shop.open(ground);
  const ids = await shop.people([
    { name: "Sara Ali", phone: "96551110001" },
    { name: "Sara again", phone: "96551110001" },
    { name: null, phone: "96551110002" },
    { name: "Out", phone: "96551110003", optedOut: true },
    { name: "Mail", phone: null },
    { name: "Mona K", phone: "96551110004" },
  ]);
  const { id } = await shop.draft();
  const words = async (input: Parameters<typeof previewBroadcast>[3]) =>
    (await previewBroadcast(shop.app, shop.id, id, input)).contacts.map(
      (one) => `${one.name}: ${one.text ?? one.skipped}`,
    );
  assert.deepEqual(await words({ count: 10 }), [
    "Sara Ali: Hello Sara, your code is A-17",
    "Sara again: duplicate_address",
    "null: missing_variable",
    "Mail: no_address",
    "Mona K: Hello Mona, your code is A-17",
  ]);
  assert.equal((await words({ count: 2 })).length, 2);
  const [, , , out, , mona] = ids;
  assert.deepEqual(await words({ contactIds: [mona ?? "", out ?? ""] }), [
    "Mona K: Hello Mona, your code is A-17",
    "null: not_in_audience",
  ]);
  assert.equal((await shop.checkCounts(id)).totalCount, 0);
  await assert.rejects(words({ count: 0 }), code("VALIDATION_FAILED"));
  await assert.rejects(words({ contactIds: ["x"] }), code("VALIDATION_FAILED"));
  // What is shown is what is sent.
  await shop.start(id);
  await ground.t.app.drain();
  assert.deepEqual(await shop.outcomes(id), [
    "sent",
    "skipped duplicate_address",
    "skipped missing_variable",
    "skipped no_address",
    "sent",
  ]);
});

test("an estimate counts as the start does and says what is short", async () => {
  const shop = await Shop.open(ground, { messages: 3 });
  await shop.people([
    ...Array.from({ length: 5 }, (_, n) => ({ phone: `9655222000${n}` })),
    { phone: "96552220000" },
    { phone: null },
    { name: null, phone: "96552220009" },
  ]);
  const { id } = await shop.draft({ rateLimitPerMinute: 10 });
  const estimate = await estimateBroadcast(shop.app, shop.id, id);
  assert.deepEqual(estimate, {
    summary: "5 recipients, 3 slots left",
    cannotRun: null,
    recipients: 5,
    unknownPlaceholders: [],
    skipped: { duplicate_address: 1, no_address: 1, missing_variable: 1 },
    slotsLeft: 3,
    credits: null,
    covered: false,
    // One at once, then one every six seconds.
    seconds: 25,
  });
  await shop.start(id);
  await ground.t.app.drain();
  const stored = await shop.checkCounts(id);
  assert.deepEqual([stored.totalCount, stored.skippedCount], [8, 3]);
  await assert.rejects(estimateBroadcast(shop.app, shop.id, id), code("NOT_ALLOWED_IN_STATE"));

  const rich = await Shop.open(ground);
  await rich.crowd(1_200);
  const big = await estimateBroadcast(rich.app, rich.id, (await rich.draft()).id);
  assert.deepEqual([big.summary, big.covered], ["1,200 recipients, unlimited slots", true]);
});

test("the estimate of an SMS campaign counts the parts of its texts", async () => {
  const shop = await Shop.open(ground);
  await updateWorkspace(OPERATOR, shop.app, shop.id, { smsCredits: 5 });
  await shop.people([
    { name: "Al", phone: "96553330001" },
    { name: "Al", phone: "96553330002" },
    { name: "x".repeat(160), phone: "96553330003" },
    { name: "Al", phone: "96553330004" },
  ]);
  const { id } = await createBroadcast(OPERATOR, shop.app, shop.id, {
    name: "SMS",
    kind: "SMS",
    body: "Hi {{first_name}}",
  });
  const estimate = await estimateBroadcast(shop.app, shop.id, id);
  assert.deepEqual(estimate.credits, { needed: 5, left: 5 });
  assert.deepEqual([estimate.covered, estimate.cannotRun], [true, "SMS_PROVIDER_NOT_VERIFIED"]);
  assert.match(estimate.summary, /^4 recipients, unlimited slots, 5 credits of 5 needed$/);
});

test("too long a name is cut, never through the middle of a character, and shown as it is stored", async () => {
  const shop = await Shop.open(ground);
  const { id } = await shop.draft();
  const name = `${"x".repeat(199)}🌷`;
  for (const given of [name, `${name}y`]) {
    const copy = await duplicateBroadcast(OPERATOR, shop.app, shop.id, id, { name: given });
    assert.deepEqual([copy.name, (await shop.find(copy.id)).name], [name, name]);
  }
});
