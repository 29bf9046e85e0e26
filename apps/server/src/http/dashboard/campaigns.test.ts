import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { MemberRole } from "../../actor.ts";
import { OPERATOR } from "../../actor.ts";
import { Shop, startGround, type Ground } from "../../broadcasts/record/campaign.fixture.ts";
import { reachAudience, sampleAudience } from "../../broadcasts/audience/audience-reach.ts";
import { findBroadcast } from "../../broadcasts/record/find-broadcast.ts";
import { QueryTimeout } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { AppError } from "../../errors.ts";
import { createSegment } from "../../segments/create-segment.ts";
import { updateWorkspace } from "../../workspaces/update-workspace.ts";
import type {
  BroadcastBreakdownJson,
  BroadcastEstimateJson,
  BroadcastPreviewJson,
  BroadcastTimelineJson,
} from "../../wire/broadcast-report.ts";
import { showCampaign } from "./campaign-shown.ts";
import type {
  Campaign,
  CampaignRecipient,
  CampaignReport,
  CampaignLine,
} from "./contract/campaign-shapes.ts";
import { openBrowsers, type Browsers } from "./people.fixture.ts";

let ground: Ground;
let browsers: Browsers;
before(async () => {
  ground = await startGround();
  browsers = await openBrowsers(ground.t.app);
});
after(async () => {
  await browsers[Symbol.asyncDispose]();
  await ground[Symbol.asyncDispose]();
});

type Estimated = BroadcastEstimateJson;

interface Refusal {
  readonly message?: string;
  readonly details?: readonly { readonly path: string }[];
}

/** A member of the shop, signed in: calls the dashboard's API over HTTP. */
async function signedIn(shop: Shop, role: MemberRole) {
  const { ask, send } = await browsers.signIn(shop.id, role, "Sara");
  return { send, ask: <T>(...given: Parameters<typeof send>) => ask<T & Refusal>(...given) };
}

const draftOf = (shop: Shop) => ({
  name: "News",
  kind: "WHATSAPP_TEMPLATE",
  channelId: shop.desk.account.channelId,
  templateId: shop.templateId,
  variables: { "1": "{{first_name|friend}}", "2": "A-17" },
  rateLimitPerMinute: 1_000_000,
});

test("an audience is counted before there is a message, a draft before it is stored", async () => {
  const shop = await Shop.open(ground, { messages: 2 });
  await shop.people([
    { phone: "96550000001", name: "Huda Ali", attributes: { city: "Jahra" } },
    { phone: "96550000001", name: "Huda again" },
    { phone: "96550000002", name: null },
    { phone: "96550000003" },
    { phone: null, name: "Nobody" },
    { phone: "96550000004", optedOut: true, attributes: { city: "Jahra" } },
  ]);
  const sara = await signedIn(shop, "admin");
  type Reach = { reach: { recipients: number; skipped: object } | null };
  type Sample = { people: { name: string | null; skipped: string | null }[] | null };
  const { channelId } = shop.desk.account;
  const all = await sara.ask<Reach>("POST", "/campaign-audiences", { channelId });
  const skipped = { no_address: 1, duplicate_address: 1 };
  assert.deepEqual(all.json.reach, { recipients: 3, skipped });
  const sample = await sara.ask<Sample>("POST", "/campaign-audiences/sample", { channelId });
  assert.deepEqual(
    sample.json.people?.map((one) => [one.name, one.skipped]),
    [
      ["Huda Ali", null],
      ["Huda again", null],
      [null, null],
      ["Sara Ali", null],
      ["Nobody", "no_address"],
    ],
  );
  const jahra = await createSegment(OPERATOR, shop.app, shop.id, {
    name: "Jahra",
    definition: { match: "all", rules: [{ field: "attribute.city", op: "eq", value: "Jahra" }] },
  });
  // Consent follows the number, also where the contact's own record does not say so yet.
  await shop.app.db.query(sql`insert into opted_out_phone (workspace_id, phone, since)
    values (${shop.id}, '96550000002', now())`);
  const fewer = await sara.ask<Reach>("POST", "/campaign-audiences", { channelId });
  assert.deepEqual(fewer.json.reach, { recipients: 2, skipped: { ...skipped, opted_out: 1 } });
  await shop.app.db.query(sql`delete from opted_out_phone
    where workspace_id = ${shop.id} and phone = '96550000002'`);
  const some = { segmentId: jahra.id, channelId };
  const part = await sara.ask<Reach>("POST", "/campaign-audiences", some);
  assert.deepEqual(part.json.reach?.skipped, { opted_out: 1 });
  for (const path of ["/campaign-audiences", "/campaign-audiences/sample"]) {
    const gone = await sara.ask("POST", path, { segmentId: shop.id, channelId });
    assert.deepEqual([gone.status, gone.json.details?.[0]?.path], [400, "segmentId"]);
    // The shop has no SMS gateway, and no other shop's channel.
    for (const body of [{}, { channelId: shop.id }])
      assert.equal((await sara.ask("POST", path, body)).status, 404);
  }

  const draft = { ...draftOf(shop), rateLimitPerMinute: 60 };
  const estimate = await sara.ask<Estimated>("POST", "/broadcast-estimates", { draft });
  assert.ok(estimate.json.estimate);
  const { recipients, slotsLeft, covered, seconds, pace } = estimate.json.estimate;
  assert.deepEqual([recipients, slotsLeft, covered, seconds, pace], [3, 2, false, 3, null]);
  const fast = { draft: { ...draft, rateLimitPerMinute: 6_000 } };
  const warned = await sara.ask<Estimated>("POST", "/broadcast-estimates", fast);
  assert.deepEqual(warned.json.estimate?.pace, { limit: "usual", most: 4_800 });
  const preview = await sara.ask<BroadcastPreviewJson>("POST", "/broadcast-previews", { draft });
  assert.deepEqual(
    preview.json.contacts.map(({ text, skipped }) => text ?? skipped),
    [
      "Hello Huda, your code is A-17",
      "duplicate_address",
      "Hello friend, your code is A-17",
      "Hello Sara, your code is A-17",
      "no_address",
    ],
  );
  const bad = { draft: { ...draft, variables: { "1": "x" } } };
  const refused = await sara.ask("POST", "/broadcast-previews", bad);
  assert.deepEqual([refused.status, refused.json.details?.[0]?.path], [400, "variables.2"]);
  const stored = await shop.app.db.query(
    sql`select 1 from broadcast where workspace_id = ${shop.id}`,
  );
  assert.equal(stored.length, 0);
});

test("a draft is created once, rewritten with another kind, scheduled by its zone's clock and copied", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(3);
  const sara = await signedIn(shop, "owner");
  const key = { "idempotency-key": "one" };
  const zoned = { ...draftOf(shop), timeZone: "Asia/Kuwait" };
  const one = await sara.ask<{ id: string }>("POST", "/broadcasts", zoned, key);
  const again = await sara.ask<{ id: string }>("POST", "/broadcasts", zoned, key);
  assert.deepEqual([one.status, again.json.id], [201, one.json.id]);
  const path = `/campaigns/${one.json.id}`;
  const moves = `/broadcasts/${one.json.id}`;
  const read = await sara.ask<Campaign>("GET", path);
  assert.deepEqual(read.json.variables, ["{{first_name|friend}}", "A-17"]);

  const text = {
    name: "By text",
    kind: "TEXT",
    channelId: shop.desk.account.channelId,
    variants: [
      { name: "A", share: 0.5, body: "Hi {{name}}" },
      { name: "B", share: 0.4, body: "Hello" },
    ],
    holdoutShare: 0.1,
    quietHours: { from: 1_260, until: 480 },
    timeZone: "Asia/Kuwait",
  };
  assert.equal((await sara.ask("PUT", path, text)).status, 200);
  const other = await sara.ask<Campaign>("GET", path);
  assert.deepEqual(
    [other.json.kind, other.json.variants.map(({ body }) => body), other.json.quietFrom],
    ["TEXT", ["Hi {{name}}", "Hello"], 1_260],
  );
  const plain = { ...zoned, name: "Plain" };
  const last = await sara.ask<Campaign>("PUT", path, plain);
  assert.deepEqual([last.json.variants, last.json.quietFrom], [[], null]);

  const past = await sara.ask("POST", `${path}/schedule`, { wall: "2020-01-01T09:00" });
  assert.deepEqual([past.status, past.json.details?.[0]?.path], [400, "scheduledAt"]);
  // A day that is none, and a time of none.
  for (const none of [
    "2027-02-31T10:00",
    "2027-02-29T10:00",
    "2027-13-41T10:00",
    "2027-01-01T10:60",
  ]) {
    const refused = await sara.ask("POST", `${path}/schedule`, { wall: none });
    assert.deepEqual([refused.status, refused.json.details?.[0]?.path], [400, "wall"], none);
  }
  const wall = { wall: "2031-03-01T09:00" };
  const timed = await sara.ask<Campaign>("POST", `${path}/schedule`, wall);
  assert.deepEqual(
    [timed.json.status, timed.json.scheduledAt],
    ["SCHEDULED", "2031-03-01T06:00:00.000Z"],
  );
  const locked = await sara.ask("PUT", path, plain);
  assert.deepEqual([locked.status, locked.json.message], [409, "NOT_ALLOWED_IN_STATE"]);
  assert.equal(
    (await sara.ask<Estimated>("GET", `${moves}/estimate`)).json.estimate?.recipients,
    3,
  );
  assert.equal((await sara.ask<Campaign>("POST", `${moves}/unschedule`)).json.status, "DRAFT");
  const copy = await sara.ask<{ id: string }>("POST", `${moves}/duplicate`, { name: "Second" });
  const listed = await sara.ask<{ items: CampaignLine[] }>("GET", "/campaigns?show=draft&limit=1");
  assert.deepEqual(
    listed.json.items.map(({ id, name }) => [id, name]),
    [[copy.json.id, "Second"]],
  );
  const second = await sara.ask<{ items: CampaignLine[]; nextCursor: string | null }>(
    "GET",
    `/campaigns?limit=1&cursor=${copy.json.id}`,
  );
  assert.deepEqual(
    [second.json.items.map(({ id }) => id), second.json.nextCursor],
    [[one.json.id], null],
  );
});

test("a campaign is tested, started and reported as its rows are; an agent reads and changes nothing", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(6);
  await shop.people([{ phone: null, name: "=cmd" }]);
  const sara = await signedIn(shop, "owner");
  const omar = await signedIn(shop, "agent");
  const { id } = await shop.draft();
  const path = `/campaigns/${id}`;
  const moves = `/broadcasts/${id}`;
  const test1 = await sara.ask<{ id: string }>("POST", `${moves}/test`, {
    phone: "+965 5999 0000",
  });
  assert.equal(test1.status, 201);
  const sent = await sara.ask<Campaign>("GET", `/campaigns/${test1.json.id}`);
  assert.deepEqual([sent.json.isTest, sent.json.parentName], [true, "News"]);
  await shop.app.drain();
  assert.equal((await omar.ask("POST", `${path}/start`)).status, 403);
  assert.equal((await sara.ask<Campaign>("POST", `${path}/start`)).json.status, "QUEUED");
  const twice = await sara.ask("POST", `${path}/start`);
  assert.deepEqual([twice.status, twice.json.message], [400, "BROADCAST_NOT_STARTABLE"]);
  await shop.app.drain();
  const read = await omar.ask<Campaign>("GET", path);
  const { totalCount, sentCount, skippedCount, status } = read.json;
  // The number that the test was sent to became a contact without a name.
  assert.deepEqual([totalCount, sentCount, skippedCount, status], [8, 6, 2, "COMPLETED"]);
  await shop.checkCounts(id);
  const report = await omar.ask<CampaignReport>("GET", `${path}/report`);
  assert.deepEqual(
    [report.json.funnel.sent, report.json.skipped, report.json.unknownCount],
    [6, { no_address: 1, missing_variable: 1 }, 0],
  );
  const timeline = await omar.ask<BroadcastTimelineJson>("GET", `${moves}/timeline?by=hour`);
  assert.deepEqual(
    timeline.json.entries.map(({ kind }) => kind),
    ["start", "stored", "complete"],
  );
  assert.match(timeline.json.entries[0]?.actor ?? "", /^member:/);
  const skipped = await omar.ask<{ items: CampaignRecipient[] }>(
    "GET",
    `${path}/recipients?status=skipped`,
  );
  assert.deepEqual(
    skipped.json.items.map(({ name, reason, conversationId }) => [name, reason, conversationId]),
    [
      ["=cmd", "no_address", null],
      [null, "missing_variable", null],
    ],
  );
  const page = await omar.ask<{ items: CampaignRecipient[]; nextCursor: string }>(
    "GET",
    `${path}/recipients?limit=2`,
  );
  assert.ok(page.json.items.every(({ conversationId }) => conversationId !== null));
  assert.equal(page.json.nextCursor, page.json.items[1]?.contactId);
  await shop.desk.hears("96550000001", "Thanks");
  const replies = await omar.ask<{ items: { text: string }[]; nextCursor: string | null }>(
    "GET",
    `${moves}/replies`,
  );
  assert.deepEqual(
    [replies.json.items.map(({ text }) => text), replies.json.nextCursor],
    [["Thanks"], null],
  );
  const file = await sara.send("GET", `${path}/recipients.csv`);
  assert.equal(file.statusCode, 200);
  assert.equal(file.headers["content-type"], "text/csv; charset=utf-8");
  const lines = file.body.trimEnd().split("\r\n");
  assert.equal(lines.length, 9);
  assert.ok(lines.some((line) => line.includes("'=cmd")));
  assert.equal((await omar.send("GET", `${path}/recipients.csv`)).statusCode, 403);
  const stranger = await signedIn(await Shop.open(ground), "owner");
  assert.equal((await stranger.send("GET", `${path}/recipients.csv`)).statusCode, 404);
  const down = await omar.ask<BroadcastBreakdownJson>("GET", `${moves}/breakdown?by=tag`);
  assert.equal(down.status, 200);
  assert.equal(
    down.json.values.reduce((sum, { total }) => sum + total, down.json.other?.total ?? 0),
    8,
  );
  assert.equal((await omar.ask("GET", `${moves}/breakdown?by=shoe`)).status, 400);
  ground.t.clock.advance(11 * 60_000);
  const late = await sara.send("GET", `${path}/recipients.csv`);
  assert.deepEqual([late.statusCode, late.json().message], [403, "REAUTH_REQUIRED"]);
  const none = await omar.ask("GET", `${moves}/variants`);
  assert.deepEqual([none.status, none.json.message], [409, "NOT_ALLOWED_IN_STATE"]);
  const nobody = await sara.ask("POST", `${moves}/resend-failed`, {});
  assert.deepEqual([nobody.status, nobody.json.details?.[0]?.path], [400, "id"]);
});

test("a code says why a campaign cannot start, and nothing changes", async () => {
  const shop = await Shop.open(ground);
  await shop.crowd(2);
  const sara = await signedIn(shop, "owner");
  const { id } = await shop.draft();
  await shop.app.db.query(sql`update template set status = 'PAUSED' where id = ${shop.templateId}`);
  const estimate = await sara.ask<Estimated>("GET", `/broadcasts/${id}/estimate`);
  assert.equal(estimate.json.estimate?.cannotRun, "TEMPLATE_NOT_APPROVED");
  await updateWorkspace(OPERATOR, shop.app, shop.id, { suspended: true });
  const refused = await sara.ask("POST", `/campaigns/${id}/start`);
  assert.deepEqual([refused.status, refused.json.message], [402, "SUBSCRIPTION_SUSPENDED"]);
  assert.equal((await sara.ask<Campaign>("GET", `/campaigns/${id}`)).json.status, "DRAFT");
});

test("what takes too long to count has no figure: a way, the first people of an audience, the estimate of a campaign", async () => {
  const shop = await Shop.open(ground);
  const question = { segmentId: null, channelId: shop.desk.account.channelId };
  const slowQuery = () => Promise.reject(new QueryTimeout("no answer within 20000 ms"));
  const slow = { ...shop.app, db: { ...shop.app.db, slowQuery } };
  assert.equal(await reachAudience(slow, shop.id, question), null);
  assert.equal(await sampleAudience(slow, shop.id, question), null);
  const { forRequests } = shop.app;
  const db = { ...forRequests.db, slowQuery };
  await using waiting = await openBrowsers({ ...shop.app, forRequests: { ...forRequests, db } });
  const { ask } = await waiting.signIn(shop.id, "admin", "Sara");
  const draft = draftOf(shop);
  const late = await ask<Estimated>("POST", "/broadcast-estimates", { draft });
  assert.deepEqual([late.status, late.json.estimate], [200, null]);
  const broken = { ...slow.db, slowQuery: () => Promise.reject(new AppError("OVERLOADED")) };
  const away = reachAudience({ ...shop.app, db: broken }, shop.id, question);
  await assert.rejects(away, { code: "OVERLOADED" });
});

test("a campaign is shown without the name of a parent that is gone; any other failure is told", async () => {
  const shop = await Shop.open(ground);
  const sara = await signedIn(shop, "admin");
  const made = await sara.ask<{ id: string }>("POST", "/broadcasts", draftOf(shop));
  const resend = { ...(await findBroadcast(shop.app, shop.id, made.json.id)), parentId: shop.id };
  assert.equal((await showCampaign(shop.app, resend)).parentName, null);
  const query = () => Promise.reject(new AppError("OVERLOADED"));
  const away = { ...shop.app, db: { ...shop.app.db, query } };
  await assert.rejects(showCampaign(away, resend), { code: "OVERLOADED" });
});
