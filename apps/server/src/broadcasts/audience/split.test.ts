import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { AppError } from "../../errors.ts";
import { receiveEvents } from "../../messages/receive/receive-events.ts";
import { presentBroadcast, type Broadcast } from "../record/broadcast.ts";
import { countBroadcast } from "../report/broadcast-funnel.ts";
import { Shop, startGround, type Ground } from "../record/campaign.fixture.ts";
import { compare, compareVariants } from "../report/compare-variants.ts";
import { listRecipients } from "../report/list-recipients.ts";
import { variantOf } from "./split-draw.fixture.ts";
import { HOLDOUT } from "./split-draw.ts";

let ground: Ground;

before(async () => {
  ground = await startGround();
});

after(() => ground[Symbol.asyncDispose]());

beforeEach(() => {
  ground.graph.sent.length = 0;
  ground.graph.answer = () => ground.graph.accepted();
});

const ab = (a: number, b: number) => [
  { name: "Short", share: a, variables: { "1": "{{first_name}}", "2": "A" } },
  { name: "Kind", share: b, variables: { "1": "dear {{attribute.city}}", "2": "{{name}}" } },
];

const split = (shop: Shop, shares: readonly [number, number], holdoutShare: number) => {
  const [first, second] = ab(...shares);
  assert.ok(first && second);
  const { templateId } = shop;
  const variants = [
    { ...first, templateId },
    { ...second, templateId },
  ];
  return shop.draft({ templateId: null, variables: {}, variants, holdoutShare });
};

test("everyone gets the text that the address draws; the hold-out is skipped; the shares come out right", async () => {
  const shop = await Shop.open(ground);
  const people = Array.from({ length: 2_000 }, (_, n) => ({
    phone: `9655${String(n).padStart(7, "0")}`,
    attributes: { city: "Kuwait" },
  }));
  await shop.people(people);
  const made = await split(shop, [0.5, 0.3], 0.2);
  await shop.start(made.id);
  await ground.t.app.drain();
  const done = await shop.checkCounts(made.id);
  assert.equal(done.status, "COMPLETED");
  const lots = people.map((one) => variantOf(done, one.phone));
  const drawn = (variant: number) => lots.filter((one) => one === variant).length;
  assert.deepEqual([done.sentCount, done.skippedCount], [drawn(0) + drawn(1), drawn(HOLDOUT)]);
  // Six standard deviations: a wrong border shows, chance does not.
  for (const [variant, share] of [
    [0, 0.5],
    [1, 0.3],
    [HOLDOUT, 0.2],
  ] as const)
    assert.ok(
      Math.abs(drawn(variant) - 2_000 * share) < 6 * Math.sqrt(2_000 * share * (1 - share)),
    );
  const texts = new Map(ground.graph.sent.map((one) => [one.to, JSON.stringify(one)]));
  for (const [n, { phone }] of people.entries()) {
    const text = texts.get(phone);
    if (lots[n] === HOLDOUT) assert.equal(text, undefined);
    else assert.ok(text?.includes(lots[n] === 0 ? '"text":"Sara"' : "dear Kuwait"), text ?? phone);
  }
  const held = await listRecipients(shop.app, shop.id, made.id, { reason: "holdout", limit: 1 });
  assert.equal(held.items[0]?.status, "skipped");
});

test("the hold-out is shown as the share that was asked for", async () => {
  const shop = await Shop.open(ground);
  const { id } = await split(shop, [0.45, 0.45], 0.1);
  const { holdout } = await compareVariants(shop.app, shop.id, id);
  assert.deepEqual(holdout, { share: 0.1, count: 0 });
});

test("two contacts with one number draw alike, and otherwise in another campaign", async () => {
  const shop = await Shop.open(ground);
  const numbers = Array.from({ length: 60 }, (_, n) => ({
    phone: `96566000${String(n).padStart(3, "0")}`,
    attributes: { city: "K" },
  }));
  await shop.people([...numbers, ...numbers]);
  const first = await split(shop, [0.25, 0.25], 0.5);
  await shop.start(first.id);
  await ground.t.app.drain();
  const words = await shop.outcomes(first.id);
  const held = words.filter((word) => word === "skipped holdout").length;
  assert.equal(held % 2, 0);
  assert.ok(held > 0 && held < 120);
  assert.equal((await shop.checkCounts(first.id)).sentCount, (120 - held) / 2);
  const second = await split(shop, [0.25, 0.25], 0.5);
  const lots = (broadcast: typeof first) => numbers.map((one) => variantOf(broadcast, one.phone));
  assert.notDeepEqual(lots(first), lots(second));
});

test("a value that only one variant shows is required only of its recipients", async () => {
  const shop = await Shop.open(ground);
  const people = Array.from({ length: 40 }, (_, n) => ({
    phone: `96567000${String(n).padStart(3, "0")}`,
    name: null,
  }));
  await shop.people(people);
  const { templateId } = shop;
  const made = await shop.draft({
    templateId: null,
    variables: {},
    variants: [
      { name: "A", share: 0.5, templateId, variables: { "1": "you", "2": "A" } },
      { name: "B", share: 0.5, templateId, variables: { "1": "{{name}}", "2": "B" } },
    ],
  });
  await shop.start(made.id);
  await ground.t.app.drain();
  const expected = people.map((one) =>
    variantOf(made, one.phone) === 0 ? "sent" : "skipped missing_variable",
  );
  assert.deepEqual(await shop.outcomes(made.id), expected);
  // Contacts without a name are in only one of the variants, so the draw was not fair and they are not compared.
  const lacking = expected.filter((word) => word !== "sent").length;
  const { warnings } = await compareVariants(shop.app, shop.id, made.id);
  assert.match(warnings[0] ?? "", new RegExp(`^${lacking} lacked what their variant shows`));
});

test("an answer of the API has the members of the spec and shows the first variant", async () => {
  const shop = await Shop.open(ground);
  const plain = await shop.text("hello");
  const made = await shop.text("", {
    body: null,
    variants: [
      { name: "A", share: 0.5, body: "first" },
      { name: "B", share: 0.5, body: "second" },
    ],
  });
  const shown = presentBroadcast(made);
  assert.equal(shown.body, "first");
  assert.deepEqual(Object.keys(shown), Object.keys(presentBroadcast(plain)));
});

test("an invalid split is refused by the name of the fault", async () => {
  const shop = await Shop.open(ground);
  const faults = async (more: Parameters<Shop["text"]>[1]) => {
    try {
      await shop.text("", { body: null, ...more });
    } catch (error) {
      if (error instanceof AppError) return error.facts.details?.map((one) => one.path);
      throw error;
    }
    return [];
  };
  const one = (name: string, share: number, body = "x") => ({ name, share, body });
  assert.deepEqual(await faults({ variants: [one("A", 1)] }), ["variants"]);
  assert.deepEqual(await faults({ variants: [one("A", 0.5), one("B", 0.4)] }), ["variants"]);
  assert.deepEqual(await faults({ variants: [one("A", 0.5), one("a ", 0.5)] }), [
    "variants[1].name",
  ]);
  assert.deepEqual(await faults({ variants: [one("A", 1.5), one("B", -0.5)] }), [
    "variants[0].share",
    "variants[1].share",
  ]);
  assert.deepEqual(await faults({ variants: [one("A", 0.5), one("B", 0.5, " ")] }), [
    "variants[1].body",
  ]);
  assert.deepEqual(await faults({ body: "y", variants: [one("A", 0.5), one("B", 0.5)] }), ["body"]);
  assert.deepEqual(await faults({ body: "y", holdoutShare: 0.1 }), ["holdoutShare"]);
  assert.deepEqual(await faults({ body: "y", replyDays: 31 }), ["replyDays"]);
  assert.deepEqual(
    await faults({ variants: [0, 1, 2].map((n) => one(`${n}`, n === 2 ? 0.334 : 0.333)) }),
    [],
  );
});

test("side by side: counts per variant, a clear difference and an unclear one, and what forbids to trust it", async () => {
  const shop = await Shop.open(ground);
  await shop.people(
    Array.from({ length: 400 }, (_, n) => ({
      phone: `9655${String(n).padStart(7, "0")}`,
      attributes: { city: "K" },
    })),
  );
  const made = await split(shop, [0.5, 0.5], 0);
  await shop.start(made.id);
  await ground.t.app.drain();
  // Every second recipient of the first reads, nearly all of the second; every tenth of both answers.
  const seen = [0, 0];
  const replied = [0, 0];
  ground.t.clock.advance(1_000);
  for (const [n, body] of ground.graph.sent.entries()) {
    const variant = variantOf(made, body.to) ?? 0;
    const place = (seen[variant] ?? 0) + 1;
    seen[variant] = place;
    const status = variant === 0 && place % 2 === 0 ? ("delivered" as const) : ("read" as const);
    const told = { correlationId: body.biz_opaque_callback_data, status };
    const events = [shop.desk.status({ ...told, externalMessageId: `s.${shop.id}.${n}` })];
    await receiveEvents(shop.app, events);
    if (place % 10 !== 0) continue;
    replied[variant] = (replied[variant] ?? 0) + 1;
    await receiveEvents(shop.app, [shop.desk.message(body.to, "ok")]);
  }
  const found = await compareVariants(shop.app, shop.id, made.id);
  assert.deepEqual(
    found.variants.map((one) => [one.name, one.sent, one.replied]),
    [
      ["Short", seen[0], replied[0]],
      ["Kind", seen[1], replied[1]],
    ],
  );
  const verdict = (metric: string) =>
    found.comparisons.find((one) => one.metric === metric)?.verdict;
  assert.deepEqual(["delivered", "read", "replied"].map(verdict), [
    "no clear difference",
    "higher",
    "no clear difference",
  ]);
  assert.ok(found.warnings.some((words) => words.includes("not final")));
  ground.t.clock.advance(4 * 86_400_000);
  const later = await compareVariants(shop.app, shop.id, made.id);
  assert.ok(!later.warnings.some((words) => words.includes("not final")));
  assert.ok(later.warnings.some((words) => words.startsWith("optedOut: fewer than 5")));
  // On a platform that reports no delivery or reading, 0 % is not a figure.
  const counts = await countBroadcast(shop.app, made);
  const warned = (broadcast: Broadcast) => compare(broadcast, counts, new Date()).warnings[0] ?? "";
  assert.match(
    warned({ ...made, kind: "TEXT", channelType: "TELEGRAM" }),
    /^delivered, read: Tele/,
  );
  assert.match(warned({ ...made, kind: "SMS", channelId: null }), /^read, replied: SMS/);
  assert.doesNotMatch(warned(made), /neither/);
  await assert.rejects(
    compareVariants(shop.app, shop.id, (await shop.text("x")).id),
    /no variants/,
  );
});
