import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { inView, type ViewFilter, type ViewRule } from "../../api/shapes.ts";
import {
  CONVERSATION_STATUSES,
  HAND_OVER_REASONS,
  HANDLERS,
} from "../../../../server/src/wire/words.ts";
import { filterOf, goneOf, wantedOf } from "./view-rules.ts";

const names = ["a", "b", "me", "nobody"] as const;
const some = <T>(of: readonly T[]) => fc.uniqueArray(fc.constantFrom(...of), { minLength: 1 });
const rule = fc.oneof(
  some(CONVERSATION_STATUSES).map((any): ViewRule => ({ field: "status", any })),
  fc
    .tuple(fc.constantFrom("assignee", "label", "channel"), some(names))
    .map(([field, any]): ViewRule => ({ field, any })),
  fc
    .tuple(fc.constantFrom("unread", "unanswered", "failed"), fc.boolean())
    .map(([field, is]): ViewRule => ({ field, is })),
  fc.constantFrom(15, 60, 90, 1440).map((minutes): ViewRule => ({ field: "waiting", minutes })),
);
const filter: fc.Arbitrary<ViewFilter> = fc.record({
  all: fc.array(fc.array(rule, { minLength: 1, maxLength: 3 }), { maxLength: 5 }),
});

const now = Date.parse("2026-01-02T00:00:00.000Z");
const row = fc.record({
  assigneeId: fc.constantFrom(null, "a", "b", "self"),
  channelId: fc.constantFrom("a", "b", "c"),
  handler: fc.constantFrom(...HANDLERS),
  handedReason: fc.constantFrom(null, ...HAND_OVER_REASONS),
  failed: fc.boolean(),
  inboundCount: fc.constantFrom(0, 2),
  answeredCount: fc.constantFrom(0, 1),
  labels: fc.subarray(["a", "b", "c"]),
  status: fc.constantFrom(...CONVERSATION_STATUSES),
  waitingSince: fc
    .constantFrom(null, 1, 20, 80, 100, 2000)
    .map((minutes) => minutes && new Date(now - minutes * 60_000).toISOString()),
  windowExpiresAt: fc.constant(null),
});

test("a filter that the form reads and writes has the same conversations", () => {
  fc.assert(
    fc.property(filter, fc.array(row, { minLength: 20, maxLength: 20 }), (before, rows) => {
      const after = filterOf(wantedOf(before));
      const holds = (which: ViewFilter) =>
        rows.map((one) =>
          inView(one, undefined, { kind: "own", filter: which }, { memberId: "self", now }),
        );
      assert.deepEqual(holds(after), holds(before));
      assert.deepEqual(wantedOf(after), wantedOf(filterOf(wantedOf(after))));
    }),
    { numRuns: 300 },
  );
});

test("what a field of the form can say stands there, everything else in a group", () => {
  const { groups, ...fields } = wantedOf({
    all: [
      [{ field: "status", any: ["open"] }],
      [{ field: "label", any: ["vip"] }],
      [{ field: "label", any: ["late"] }],
      [{ field: "unread", is: false }],
      [
        { field: "failed", is: true },
        { field: "assignee", any: ["nobody"] },
      ],
      [{ field: "waiting", minutes: 90 }],
    ],
  });
  assert.deepEqual([fields.status, fields.label, fields.waiting], [["open"], ["vip"], ""]);
  assert.deepEqual(
    groups.map((group) => group.map(({ field }) => field).join(" or ")),
    ["label", "unread", "failed or assignee", "waiting"],
  );
});

test("a condition without a value is left out", () => {
  const wanted = wantedOf({ all: [[{ field: "status", any: ["open"] }]] });
  const groups = [[{ field: "label", any: [] }], []] as const;
  assert.deepEqual(filterOf({ ...wanted, groups }), {
    all: [[{ field: "status", any: ["open"] }]],
  });
});

test("what a view names and is gone is known, so that it can be taken out", () => {
  const channel = { id: "c", type: "WEB", name: "", status: "connected", sandbox: false } as const;
  const mona = { id: "m", name: "Mona", email: "m@example.com", role: "agent" } as const;
  const here = {
    channels: [channel],
    members: [{ ...mona, disabled: true, availability: "away" as const }],
  };
  assert.deepEqual(goneOf("channel", ["c", "old", "me"], here), ["old", "me"]);
  assert.deepEqual(goneOf("assignee", ["me", "m", "left", "nobody"], here), ["left"]);
  assert.deepEqual(goneOf("channel", [], here), []);
});
