import { OPERATOR } from "../../actor.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { after, before, beforeEach, test } from "node:test";
import { createSegment } from "../../segments/create-segment.ts";
import { spellingsOf } from "../../contacts/identity/other-spelling.ts";
import { setConsent } from "../../contacts/consent/set-consent.ts";
import { sql } from "../../db/sql.ts";
import { receiveEvents } from "../../messages/receive/receive-events.ts";
import { compileSegment } from "../../segments/segment-sql.ts";
import { insertAudience } from "./audience-insert-store.ts";
import { audienceItems } from "./audience-store.ts";
import { estimateBroadcast } from "./estimate-broadcast.ts";
import { findBroadcast } from "../record/find-broadcast.ts";
import { Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { previewBroadcast } from "../text/preview-broadcast.ts";
import { audienceCounts, type AudienceCount } from "../text/preview-store.ts";
import { broadcastReport } from "../report/broadcast-report.ts";
import type { Content } from "./recipient.ts";
import { BLANKS } from "../text/placeholders.ts";
import { renderingOf } from "../text/rendering.ts";
import { splitRendering } from "./split.ts";
import { storeChunk } from "./store-chunk.fixture.ts";

let ground: Ground;

before(async () => {
  ground = await startGround();
});

after(() => ground[Symbol.asyncDispose]());

beforeEach(() => {
  ground.graph.sent.length = 0;
  ground.graph.answer = () => ground.graph.accepted();
});

test("every contact of the segment is accounted for: skipped ones with the reason, addresses once over all chunks", async () => {
  const shop = await Shop.open(ground);
  await shop.people([
    { phone: "96550000001", name: "Sara Ali" },
    { phone: "96550000002", name: null },
    { phone: null },
    { phone: "96550000003", optedOut: true },
    { phone: "96550000001", name: "Sara Again" },
    // The same number as a contact who opted out.
    { phone: "96550000003" },
    { phone: "96550000004" },
    { phone: "96550000001", name: "Sara Thrice" },
    { phone: "10000000000" },
  ]);
  const segment = await createSegment(OPERATOR, shop.app, shop.id, {
    name: "Kuwait or none",
    definition: {
      match: "any",
      rules: [
        { field: "phone", op: "starts_with", value: "965" },
        { field: "phone", op: "not_exists" },
      ],
    },
  });
  const { id } = await shop.draft({ segmentId: segment.id });
  await shop.start(id);
  // Two a chunk: the last of four finds nothing more.
  for (let chunk = 0; chunk < 5; chunk++) {
    await storeChunk(shop.app, shop.key(id), 2);
    await shop.checkCounts(id);
  }
  assert.deepEqual(await shop.outcomes(id), [
    "pending",
    "skipped missing_variable",
    "skipped no_address",
    "skipped opted_out",
    "skipped duplicate_address",
    "skipped opted_out",
    "pending",
    "skipped duplicate_address",
  ]);
  await ground.t.app.drain();
  const report = await broadcastReport(shop.app, shop.id, id);
  assert.deepEqual(report.skipped, {
    duplicate_address: 2,
    missing_variable: 1,
    no_address: 1,
    opted_out: 2,
  });
  assert.equal(report.broadcast.status, "COMPLETED");
  assert.deepEqual(ground.graph.sent.map((one) => one.to).toSorted(), [
    "96550000001",
    "96550000004",
  ]);
});

test("two contacts with one number in both spellings get one message, and estimate and preview say so", async () => {
  for (const chunk of [1, 10]) {
    const shop = await Shop.open(ground);
    ground.graph.sent.length = 0;
    const phones = [
      "5215512345678",
      "525512345678",
      "551188887777",
      "5511988887777",
      "541123456789",
      "5491123456789",
      // A land line has one spelling, so these are two numbers.
      "551133334444",
      "5511933334444",
    ];
    await shop.people(phones.map((phone) => ({ phone, name: "Ana" })));
    const { id } = await shop.draft();
    const estimate = await estimateBroadcast(shop.app, shop.id, id);
    assert.deepEqual([estimate.recipients, estimate.skipped], [5, { duplicate_address: 3 }]);
    const { contacts } = await previewBroadcast(shop.app, shop.id, id, { count: 10 });
    const skipped = contacts.map((one) => one.skipped);
    const [second, single] = ["duplicate_address", null];
    const expected = [null, second, null, second, null, second, single, single];
    assert.deepEqual(skipped, expected);
    await shop.start(id);
    for (let n = 0; n <= phones.length; n++) await storeChunk(shop.app, shop.key(id), chunk);
    await ground.t.app.drain();
    const outcomes = expected.map((reason) => (reason === null ? "sent" : `skipped ${reason}`));
    assert.deepEqual(await shop.outcomes(id), outcomes);
    await shop.checkCounts(id);
    assert.equal(ground.graph.sent.length, 5);
  }
});

test("the database and Node know the same spellings of a number", async () => {
  const digits = fc.stringMatching(/^[0-9]{7,12}$/);
  const start = fc.constantFrom("55", "5511", "55119", "52", "521", "54", "549", "5", "965");
  const numbers = fc
    .sample(fc.tuple(start, digits), 2_000)
    .map(([country, rest]) => country + rest)
    .concat("", "KW.1", "5215512345678x");
  const rows = await ground.t.app.db.query<{ one: string; other: string }>(sql`
    select one_spelling(n) as one, one_spelling(o) as other
    from unnest(${numbers}::text[], ${numbers.map((n) => spellingsOf(n).at(-1) ?? "")}::text[]) as u (n, o)`);
  assert.ok(numbers.filter((number) => spellingsOf(number).length === 2).length > 50);
  for (const [index, { one, other }] of rows.entries()) {
    assert.equal(one, other);
    assert.ok(spellingsOf(numbers[index] ?? "").includes(one));
  }
});

test("a customer without a visible number is sent to by the user id that is in force on the campaign's channel", async () => {
  const shop = await Shop.open(ground);
  const wrote = (userId: string, phone: string | null = null) => {
    const from = { externalId: phone ?? userId, phone, name: "Sara", alternateId: userId };
    return receiveEvents(shop.app, [shop.desk.message(userId, "Hello", { from })]);
  };
  await wrote("KW.1001");
  await wrote("KW.1002", "96550001002");
  // Web chat knows this contact; WhatsApp knew it by a user id that belongs to another one by now.
  const [elsewhere = "", retired = ""] = await shop.people([{ phone: null }, { phone: null }]);
  const at = ground.t.clock.now();
  await shop.app.db.query(sql`
    insert into contact_identity (workspace_id, channel_id, external_id, contact_id, retired_at, created_at)
    values (${shop.id}, ${shop.app.ids.next()}, 'visitor', ${elsewhere}, null, ${at}),
      (${shop.id}, ${shop.desk.account.channelId}, 'KW.1003', ${retired}, ${at}, ${at})`);
  for (const draft of [() => shop.draft(), () => shop.text("Hi {{first_name}}")]) {
    ground.graph.sent.length = 0;
    const { id } = await draft();
    await shop.start(id);
    await ground.t.app.drain();
    const skipped = ["skipped no_address", "skipped no_address"];
    assert.deepEqual(await shop.outcomes(id), ["sent", "sent", ...skipped]);
    const to = ground.graph.sent.map((one) => `${one.recipient ?? "-"} ${one.to ?? "-"}`);
    assert.deepEqual(to.toSorted(), ["- 96550001002", "KW.1001 -"]);
    await shop.checkCounts(id);
  }
  const addresses = sql`select external_id from conversation where workspace_id = ${shop.id} order by 1`;
  assert.deepEqual(await shop.app.db.query(addresses), [
    { external_id: "96550001002" },
    { external_id: "KW.1001" },
  ]);
});

test("the ids of a Telegram audience are the same looked up one by one and joined as a whole, and so are its counts", async () => {
  const shop = await Shop.open(ground);
  const { app, id: workspaceId } = shop;
  const [channelId, elsewhere] = [app.ids.next(), app.ids.next()];
  const people = await shop.people(
    fc.sample(fc.record({ phone: fc.constant(null), optedOut: fc.boolean() }), {
      numRuns: 300,
      seed: 5,
    }),
  );
  const now = ground.t.clock.now();
  const identities = fc.sample(
    fc.record({
      contact: fc.constantFrom(...people),
      channel: fc.constantFrom(channelId, channelId, elsewhere),
      isNumber: fc.boolean(),
      isRetired: fc.boolean(),
      // Several ids of one contact are often of one moment.
      at: fc.constantFrom(0, 1, 2).map((days) => new Date(now.getTime() - days * 86_400_000)),
    }),
    { numRuns: 1_500, seed: 6 },
  );
  await app.db.query(sql`
    insert into contact_identity (workspace_id, channel_id, external_id, contact_id, is_number, retired_at, created_at)
    select ${workspaceId}, channel, n::text, contact, is_number, case when is_retired then ${now}::timestamptz end, at
    from unnest(${identities.map((one) => one.channel)}::uuid[], ${identities.map((one) => one.contact)}::uuid[],
      ${identities.map((one) => one.isNumber)}::boolean[], ${identities.map((one) => one.isRetired)}::boolean[],
      ${identities.map((one) => one.at)}::timestamptz[]) with ordinality as u (channel, contact, is_number, is_retired, at, n)`);
  const campaign = {
    ...(await shop.text("Hello")),
    channelId,
    channelType: "TELEGRAM" as const,
  };
  const everyone = sql`true`;
  const rendering = splitRendering(campaign);
  const read = (limit: number | null) =>
    app.db.query<{ id: string; address: string | null; skip: string | null }>(
      sql`select id, address, skip
        from (${audienceItems(campaign, everyone, rendering, { after: null, limit, now })}) i order by id`,
    );
  const lookedUp = await read(1_000);
  assert.deepEqual(await read(null), lookedUp);
  const reached = lookedUp.filter((one) => one.skip === null);
  assert.ok(reached.length > 50 && reached.length < lookedUp.length - 50);
  const counts = await app.db.query<AudienceCount>(
    audienceCounts(campaign, everyone, rendering, now),
  );
  const groups = Map.groupBy(lookedUp, ({ skip }) => skip);
  assert.deepEqual(
    new Map(counts.map((one) => [one.skip, [one.count, one.addresses]])),
    new Map(
      [...groups].map(([skip, ones]) => {
        const addresses = ones.flatMap(({ address }) => address ?? []);
        return [skip, [ones.length, new Set(addresses).size]];
      }),
    ),
  );
});

test("an SMS campaign reaches only phones", async () => {
  const shop = await Shop.open(ground);
  const from = { externalId: "KW.1001", phone: null, name: null };
  await receiveEvents(shop.app, [shop.desk.message("KW.1001", "Hello", { from })]);
  const segment = compileSegment({ match: "all", rules: [] }, ground.t.clock.now());
  const { id } = await shop.draft();
  const broadcast = await findBroadcast(shop.app, shop.id, id);
  const sms = { ...broadcast, kind: "SMS" as const, channelId: null };
  const items = audienceItems(sms, segment, splitRendering(sms), {
    after: null,
    limit: null,
    now: ground.t.clock.now(),
  });
  assert.deepEqual(await shop.app.db.query(sql`select address, skip from (${items}) i`), [
    { address: null, skip: "no_address" },
  ]);
});

test("free text is sent only while the window is open, which is checked again at the send", async () => {
  const shop = await Shop.open(ground);
  await shop.people([{ phone: "96560000001" }]);
  await shop.desk.hears("96560000002");
  ground.t.clock.advance(60_000);
  await shop.desk.hears("96560000003");
  const { id } = await shop.text("Hi {{first_name}}");
  await shop.start(id);
  await storeChunk(shop.app, shop.key(id));
  assert.deepEqual(await shop.outcomes(id), ["skipped window_closed", "pending", "pending"]);
  ground.t.clock.advance(24 * 3_600_000 - 30_000);
  await ground.t.app.drain();
  assert.deepEqual(await shop.outcomes(id), [
    "skipped window_closed",
    "skipped window_closed",
    "sent",
  ]);
  assert.deepEqual(ground.graph.sent.at(-1)?.text, { preview_url: false, body: "Hi Mona" });
  await shop.checkCounts(id);
});

test("a contact who opts out after the audience was stored is skipped at the moment of sending", async () => {
  const shop = await Shop.open(ground);
  const [first] = await shop.crowd(2);
  const { id } = await shop.draft();
  await shop.start(id);
  await storeChunk(shop.app, shop.key(id));
  await shop.app.db.transaction((tx) =>
    setConsent(shop.app, tx, [
      {
        workspaceId: shop.id,
        contactId: first ?? "",
        optedOut: true,
        source: "stop_word",
        at: ground.t.clock.now(),
      },
    ]),
  );
  await ground.t.app.drain();
  assert.deepEqual(await shop.outcomes(id), ["skipped opted_out", "sent"]);
  assert.equal((await shop.checkCounts(id)).status, "COMPLETED");
});

test("on Telegram the address is the contact's identity on that channel, and attributes keep their order", async () => {
  const shop = await Shop.open(ground);
  const ids = await shop.people([
    { phone: "96550000001", attributes: { b: 2, a: "x", c: [1], __proto__x: true } },
    { phone: "96550000002" },
  ]);
  const { channelId } = shop.desk.account;
  await shop.app.db.query(sql`
    insert into contact_identity (workspace_id, channel_id, external_id, contact_id, created_at)
    values (${shop.id}, ${channelId}, '777', ${ids[0]}, ${ground.t.clock.now()}),
      (${shop.id}, ${shop.templateId}, '888', ${ids[1]}, ${ground.t.clock.now()})`);
  const text = "{{attribute.a}}{{attribute.b}}{{attribute.c}}{{attribute.__proto__}}";
  const campaign = { ...(await shop.text(text)), channelType: "TELEGRAM" as const };
  const { app } = shop;
  const options = { after: null, limit: 10, now: ground.t.clock.now() };
  await app.db.transaction((tx) =>
    insertAudience(tx, campaign, sql`true`, splitRendering(campaign), options),
  );
  const found = await app.db.query(sql`select address, content, reason from broadcast_recipient
    where workspace_id = ${shop.id} and broadcast_id = ${campaign.id} order by contact_id`);
  assert.deepEqual(found, [
    { address: "777", content: ["x", "2", null, null], reason: null },
    { address: null, content: null, reason: "no_address" },
  ]);
});

test("the database and the rendering agree on which contacts have nothing to show, whatever the texts and the contacts", async () => {
  const shop = await Shop.open(ground);
  const blank = fc.string({ unit: fc.constantFrom(...Array.from(BLANKS)), maxLength: 3 });
  const word = fc.oneof(blank, fc.string({ unit: "grapheme", maxLength: 5 }), fc.constant("x"));
  const clean = word.map((text) => text.replaceAll("\0", "").toWellFormed());
  const person = fc.record({
    name: fc.option(clean),
    attributes: fc.dictionary(
      fc.constantFrom("a", "b"),
      fc.oneof(clean, fc.integer(), fc.constant([1])),
    ),
  });
  const piece = fc.oneof(
    fc.constantFrom("{{name}}", "{{first_name}}", "{{attribute.a}}", "{{attribute.b}}", "{{none}}"),
    fc.constantFrom("{{name|x}}", "{{attribute.a| }}", "{{none|y}}"),
    clean,
  );
  const text = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(""));
  let number = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(person, { minLength: 1, maxLength: 8 }),
      fc.tuple(text, text),
      fc.boolean(),
      async (people, texts, template) => {
        const rows = people.map((one) => ({ ...one, phone: String(96_570_000_000 + ++number) }));
        const ids = await shop.people(rows);
        const kind = template ? ("WHATSAPP_TEMPLATE" as const) : ("SMS" as const);
        const campaign = {
          ...(await shop.draft()),
          kind,
          body: texts[0],
          variables: template ? texts : [],
        };
        const rendering = renderingOf(campaign);
        await shop.app.db.transaction((tx) =>
          insertAudience(tx, campaign, sql`c.id = any (${ids}::uuid[])`, splitRendering(campaign), {
            after: null,
            limit: 100,
            now: ground.t.clock.now(),
          }),
        );
        const stored = await shop.app.db.query<{ content: Content; reason: string | null }>(sql`
          select content, reason from broadcast_recipient
          where workspace_id = ${shop.id} and broadcast_id = ${campaign.id} order by contact_id`);
        assert.equal(stored.length, people.length);
        for (const [index, row] of stored.entries()) {
          const one = people[index];
          const values = rendering.facts.map((fact) => {
            if (fact.kind !== "attribute") return fact.kind === "name" ? (one?.name ?? null) : null;
            const value =
              one && Object.hasOwn(one.attributes, fact.key) && one.attributes[fact.key];
            return typeof value === "string" || typeof value === "number" ? String(value) : null;
          });
          const rendered = rendering.render(values);
          assert.equal(row.reason, rendered === null ? "missing_variable" : null);
          if (rendered !== null) assert.deepEqual(rendering.render(row.content ?? []), rendered);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("a campaign without recipients completes with zeros", async () => {
  const shop = await Shop.open(ground);
  const { id } = await shop.draft();
  await shop.start(id);
  await ground.t.app.drain();
  const done = await shop.checkCounts(id);
  assert.deepEqual([done.status, done.totalCount], ["COMPLETED", 0]);
});
