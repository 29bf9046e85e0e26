import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { OPERATOR, type Actor } from "../actor.ts";
import { AppError } from "../errors.ts";
import { createMember } from "../workspaces/create-member.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import type { DeskViewFilter, DeskViewRule } from "./desk-view.ts";
import { createView, updateView, viewsOf } from "./write-view.ts";

let t: TestApp;
let w: string;
let sara: Actor & { readonly memberId: string };
before(async () => {
  t = await startTestApp();
  w = (await createWorkspace(OPERATOR, t.app, { name: "A", plan: "business" })).id;
  const input = { email: "sara@example.com", name: "Sara", role: "admin" } as const;
  const { id: memberId } = await createMember(OPERATOR, t.app, w, input);
  sara = { kind: "member", memberId, role: "admin" };
});
after(() => t[Symbol.asyncDispose]());

const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
const unread: DeskViewRule = { field: "unread", is: true };
const labels = (any: readonly string[]): DeskViewFilter => ({ all: [[{ field: "label", any }]] });

test("a view holds at most 20 groups, 20 rules, 100 values of 200 characters; empty groups count", async () => {
  const refused: readonly (readonly [string, DeskViewFilter])[] = [
    ["20 groups", { all: many(82_000, []) }],
    ["20 groups", { all: many(21, []) }],
    ["20 rules", { all: [many(11, unread), many(10, unread)] }],
    ["20 rules", { all: [many(21, unread)] }],
    ["100 values", labels(many(101, "vip"))],
    ["200 characters", labels(["x".repeat(201)])],
  ];
  const kept = await createView(sara, t.app, w, {
    name: "Kept",
    filter: labels(["vip"]),
    shared: false,
  });
  for (const [most, filter] of refused)
    for (const write of [
      createView(sara, t.app, w, { name: "Large", filter, shared: true }),
      updateView(sara, t.app, w, kept.id, { filter }),
    ]) {
      const error: unknown = await write.catch((caught: unknown) => caught);
      assert.ok(
        error instanceof AppError && error.message.includes(most),
        `${most}: ${String(error)}`,
      );
    }
  const largest: DeskViewFilter = { all: [...many(19, []), many(20, unread)] };
  await createView(sara, t.app, w, { name: "Largest", filter: largest, shared: true });
  await createView(sara, t.app, w, {
    name: "Values",
    filter: labels(many(100, "x".repeat(200))),
    shared: true,
  });
  const views = await viewsOf(t.app.db, w, sara.memberId);
  assert.deepEqual(
    views.map(({ name, filter }) => [name, filter.all.length]),
    [
      ["Kept", 1],
      ["Largest", 20],
      ["Values", 1],
    ],
  );
});

test("members that no rule has are not stored", async () => {
  const rules = [
    { field: "status", any: ["open"], more: "x".repeat(1_000) },
    { field: "waiting", minutes: 5, more: [1, 2, 3] },
    { ...unread, more: {} },
  ] as const;
  const made = await createView(sara, t.app, w, {
    name: "Bare",
    filter: { all: [rules] },
    shared: false,
  });
  const stored = (await viewsOf(t.app.db, w, sara.memberId)).find(({ id }) => id === made.id);
  assert.deepEqual(stored?.filter.all, [
    [{ field: "status", any: ["open"] }, { field: "waiting", minutes: 5 }, unread],
  ]);
});
