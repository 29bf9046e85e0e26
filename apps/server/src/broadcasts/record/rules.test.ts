import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { presentBroadcast, TRANSITIONS, type Broadcast, type Trigger } from "./broadcast.ts";
import { BROADCAST_STATUSES, type BroadcastStatus } from "../../wire/words.ts";
import { aheadMs, nextPlace, paceAt, placeAfter, placesUntil, type Pace } from "../send/pace.ts";
import { parameterText } from "../../templates/parameter-text.ts";
import { parseText, renderText, type Subject } from "../text/placeholders.ts";
import { renderingOf } from "../text/rendering.ts";
import { processorMs } from "../../../test/processor-time.ts";

test("the state table is the contract's, move for move", () => {
  // Written from spec "Broadcast status" and contract §5, not from the code. `-` is: no move.
  //            DRAFT SCHEDULED QUEUED RUNNING PAUSED COMPLETED CANCELLED FAILED
  const wanted: Record<Trigger, string> = {
    start: "QUEUED QUEUED - - RUNNING - - -",
    schedule: "SCHEDULED - - - - - - -",
    unschedule: "- DRAFT - - - - - -",
    due: "- QUEUED - - - - - -",
    miss: "- DRAFT - - - - - -",
    stored: "- - RUNNING - - - - -",
    fail: "- - FAILED - - - - -",
    pause: "- - - PAUSED - - - -",
    halt: "- - - PAUSED - - - -",
    complete: "- - - COMPLETED - - - -",
    reopen: "- - - - - RUNNING - -",
    cancel: "CANCELLED CANCELLED CANCELLED CANCELLED CANCELLED - - -",
  };
  for (const [trigger, moves] of Object.entries(TRANSITIONS)) {
    const table: Partial<Record<BroadcastStatus, BroadcastStatus>> = moves;
    const row = BROADCAST_STATUSES.map((status) => table[status] ?? "-").join(" ");
    assert.equal(row, wanted[trigger as Trigger], trigger);
  }
});

test("an SMS campaign has no channelId member, and nothing beyond the spec is shown", () => {
  const at = new Date("2026-11-21T10:00:00.000Z");
  const broadcast: Broadcast = {
    workspaceId: "w",
    id: "b",
    name: "n",
    channelId: null,
    channelType: "WHATSAPP",
    kind: "SMS",
    status: "DRAFT",
    statusReason: "secret",
    templateId: null,
    body: "hi",
    variables: [],
    headerText: null,
    headerMediaId: null,
    buttonTexts: [],
    variants: [],
    replyDays: 3,
    segmentId: null,
    scheduledAt: at,
    timeZone: "UTC",
    localTime: false,
    quietFrom: null,
    quietUntil: null,
    zones: [""],
    parentId: null,
    parentAll: false,
    parentUnknown: false,
    contactIds: null,
    rateLimitPerMinute: 600,
    totalCount: 0,
    sentCount: 0,
    deliveredCount: 0,
    readCount: 0,
    failedCount: 0,
    skippedCount: 0,
    startedAt: null,
    completedAt: null,
    createdAt: at,
  };
  assert.deepEqual(
    Object.keys(presentBroadcast(broadcast)).join(" "),
    "id name channelType kind status templateId body scheduledAt rateLimitPerMinute totalCount sentCount deliveredCount readCount failedCount skippedCount createdAt",
  );
  assert.equal(presentBroadcast(broadcast).scheduledAt, "2026-11-21T10:00:00.000Z");
  assert.equal(presentBroadcast({ ...broadcast, channelId: "c" }).channelId, "c");
});

const sara: Subject = {
  name: "Sara  Al-Ali",
  phone: "96550000001",
  email: "s@example.com",
  attributes: { city: "Kuwait {{phone}}", points: 12, vip: true, list: [1], nothing: null },
};
const rendered = (text: string, subject = sara) => renderText(parseText(text), subject);

test("placeholders show the contact; unknown ones are empty; other braces stay", () => {
  const table: [string, string][] = [
    ["{{name}}|{{first_name}}|{{phone}}|{{email}}", "Sara  Al-Ali|Sara|96550000001|s@example.com"],
    ["{{ name }}", "Sara  Al-Ali"],
    ["{{attribute.points}} {{attribute.vip}}", "12 true"],
    ["[{{attribute.list}}{{attribute.nothing}}{{attribute.none}}{{other}}{{}}]", "[]"],
    ["[{{attribute.__proto__}}{{attribute.constructor}}{{attribute.toString}}{{__proto__}}]", "[]"],
    // A value is never parsed again.
    ["{{attribute.city}}", "Kuwait {{phone}}"],
    ["{{ {{first_name}} }}", "{{ Sara }}"],
    ["{{{first_name}}}", "{Sara}"],
    ["a}} {{b", "a}} {{b"],
    ["{{first_name|عميلنا}}, {{attribute.none | our guest }}", "Sara, our guest"],
    ["[{{attribute.list|a|b}}{{frist_name|x}}{{attribute.none|}}]", "[a|bx]"],
    ["", ""],
  ];
  for (const [text, wanted] of table) assert.equal(rendered(text), wanted, text);
  const bare: Subject = { name: null, phone: null, email: null, attributes: {} };
  assert.equal(rendered("{{name}}{{first_name}}{{phone}}{{email}}", bare), "");
  const blank = { ...bare, name: " \u0085 " };
  assert.equal(rendered("مرحبا {{first_name|عميلنا}}", blank), "مرحبا عميلنا");
});

test("text without a pair of braces comes back as it is, and a value goes in unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (text, value) => {
      const plain = text.replaceAll("{", "(");
      assert.equal(rendered(plain), plain);
      const subject = { ...sara, attributes: { k: value } };
      assert.equal(rendered(`${plain}{{attribute.k}}${plain}`, subject), plain + value + plain);
    }),
  );
});

test("cutting takes linear time, also for a text made to be slow", () => {
  for (const unit of ["{", "}", "{{", "}}", "{{a", "}}{", "{{name}}"]) {
    const text = unit.repeat(1_000_000 / unit.length);
    // 1 MB takes some 10 ms; the quadratic form took minutes.
    const took = processorMs(() => parseText(text));
    assert.ok(took < 2_000, `${unit}: ${took} ms`);
  }
});

test("a parameter contains nothing that Meta refuses; if it is empty then, it is missing", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(" ", "\n", "\t", "\r", "a", "\u2028") }),
      (text) => {
        const clean = parameterText(text);
        assert.doesNotMatch(clean, /[\r\n\t]| {4}/);
        assert.equal(clean.replaceAll(" ", ""), text.replaceAll(/\s/g, ""));
      },
    ),
  );
  const rendering = renderingOf({
    kind: "WHATSAPP_TEMPLATE",
    body: null,
    variables: ["{{attribute.city}}", "x"],
    headerText: null,
    buttonTexts: [],
  });
  assert.deepEqual(rendering.facts, [{ kind: "attribute", key: "city" }]);
  assert.deepEqual(rendering.needs, [[0]]);
  assert.equal(rendering.render([" \n "]), null);
  assert.deepEqual(rendering.render(["Kuwait {{phone}}"]), {
    parameters: ["Kuwait {{phone}}", "x"],
    headerText: null,
    buttons: [],
  });
});

/** Takes all places ahead at `now`; gives them and the row after that. */
function takeAll(pace: Pace, rate: number, now: number): { places: number[]; pace: Pace } {
  const next = nextPlace(pace, rate, new Date(now));
  const count = placesUntil(next, rate, now + aheadMs(rate));
  return {
    places: Array.from({ length: count }, (_, n) => placeAfter(next, rate, n)),
    pace: paceAt(placeAfter(next, rate, count), rate),
  };
}

/** The most places in any window of this many ms, both ends counted. */
function mostWithin(places: readonly number[], ms: number): number {
  let first = 0;
  let most = 0;
  for (const [index, at] of places.entries()) {
    while (at - (places[first] ?? 0) > ms) first++;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

test("no second and no minute has more places than the pace, from the first one on and whatever the rests", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.integer({ min: 10, max: 200 }), fc.constantFrom(4_800, 60_000, 100_000)),
      fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 60 }),
      (rate, rests) => {
        let now = 0;
        let pace: Pace = { tokens: 0, at: null };
        const places: number[] = [];
        for (const rest of rests) {
          now += rest;
          const taken = takeAll(pace, rate, now);
          ({ pace } = taken);
          places.push(...taken.places);
        }
        const minute = mostWithin(places, 60_000);
        assert.ok(minute <= rate, `${minute} of ${rate} in a minute`);
        const second = mostWithin(places, 1_000);
        assert.ok(second <= Math.max(1, Math.ceil(rate / 60)), `${second} in a second at ${rate}`);
      },
    ),
  );
});

/** How many places a worker takes that looks every quarter of a second. */
function taken(rate: number, minutes: number): number {
  let pace: Pace = { tokens: 0, at: null };
  const places: number[] = [];
  for (let now = 0; now < minutes * 60_000; now += 250) {
    const found = takeAll(pace, rate, now);
    ({ pace } = found);
    places.push(...found.places);
  }
  return places.filter((at) => at < minutes * 60_000).length;
}

test("a pace is reached: of ten a minute, ten in the first minute and 99 of 100 in the following ones", () => {
  assert.equal(taken(10, 1), 10);
  for (const rate of [10, 11, 17, 30, 60, 61, 120, 171, 300, 4_800, 6_000, 60_000, 1_000_000]) {
    const share = taken(rate, 10) / (10 * rate);
    assert.ok(share >= 0.985 + (rate > 10 ? 0.005 : 0) && share <= 1, `${share} of ${rate}`);
  }
});

test("a changed pace, and a row from an older version, cost one place at most", () => {
  const now = new Date(1_000_000);
  const after = (pace: Pace, rate: number) => nextPlace(pace, rate, now) - now.getTime();
  // A thousand at the highest pace were taken ahead; then the campaign is set to ten a minute.
  const fast = paceAt(placeAfter(now.getTime(), 1_000_000, 1_000), 1_000_000);
  assert.ok(after(fast, 10) <= 6_200, String(after(fast, 10)));
  assert.equal(after({ tokens: 80, at: new Date(now.getTime() - 500) }, 4_800), 0);
  assert.equal(after({ tokens: 0, at: new Date(now.getTime() + 24 * 3_600_000) }, 4_800), 0);
});
