import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { AGENT } from "../../test/actors.ts";
import { Desk, startMessaging, type Messaging } from "../../test/messaging.ts";
import { OPERATOR } from "../actor.ts";
import { updateConversation } from "../conversations/update-conversation.ts";
import type { DeskRow, ViewRule } from "../wire/desk-shapes.ts";
import { DESK_ORDERS } from "../wire/desk-shapes.ts";
import { DESK_VIEWS } from "../wire/words.ts";
import { compareRows, inView, type ViewTerms } from "../wire/in-view.ts";
import { createMember } from "../workspaces/create-member.ts";
import { countDeskViews, deskChangesAfter, deskRows, listDesk } from "./read-desk.ts";

let m: Messaging;
before(async () => {
  m = await startMessaging();
});
after(() => m[Symbol.asyncDispose]());

const page = { unread: false, cursor: undefined, limit: 50 } as const;

test("the SQL of every view and order agrees with inView and compareRows", async () => {
  const desk = await Desk.open(m);
  const { workspaceId } = desk;
  const { id: memberId } = await createMember(OPERATOR, m.t.app, workspaceId, {
    email: "desk@b.example",
    name: "A",
    role: "agent",
  });
  const patches = [
    {},
    { assigneeId: memberId },
    { status: "resolved", labels: ["vip"] },
    { status: "snoozed", until: new Date("2031-01-01T00:00:00Z") },
    { labels: ["vip", "late"] },
    { labels: ["late"], assigneeId: memberId, status: "resolved" },
  ] as const;
  const ids: string[] = [];
  for (const [index, patch] of patches.entries()) {
    const id = await desk.hears(`9658200000${index}`);
    ids.push(id);
    await updateConversation(AGENT, m.t.app, workspaceId, id, patch);
  }
  const rows = await deskRows(m.t.app.db, workspaceId, ids);
  assert.equal(rows.length, ids.length);
  const rules: ViewRule[] = [
    { field: "status", any: ["open", "resolved"] },
    { field: "channel", any: [rows[0]?.channelId ?? ""] },
    { field: "label", any: ["vip"] },
    { field: "assignee", any: ["me"] },
    { field: "assignee", any: ["nobody"] },
    { field: "unanswered", is: true },
    { field: "failed", is: false },
    { field: "unread", is: true },
    { field: "waiting", minutes: 1 },
  ];
  const views: ViewTerms[] = [
    ...DESK_VIEWS.map((view) => ({ kind: "built-in", view }) as const),
    { kind: "channel", channelId: rows[0]?.channelId ?? "" },
    { kind: "channel", channelId: "nonsense" },
    { kind: "label", label: "vip" },
    { kind: "label", label: "late" },
    { kind: "own", filter: { all: [] } },
    { kind: "own", filter: { all: [[]] } },
    ...rules.map((rule) => ({ kind: "own", filter: { all: [[rule]] } }) as const),
    { kind: "own", filter: { all: [rules.slice(2, 4), rules.slice(5)] } },
  ];
  const looker = { memberId, now: m.t.app.clock.now().getTime() };
  const member = { workspaceId, memberId };
  for (const terms of views) {
    for (const order of DESK_ORDERS) {
      const expected = rows
        .filter((row) => inView(row, undefined, terms, looker))
        .sort((a, b) => compareRows(order, a, b))
        .map(({ id }) => id);
      const seen: DeskRow[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const read = await listDesk(m.t.app, member, {
          ...page,
          terms,
          order,
          cursor: cursor ?? undefined,
          limit: 2,
        });
        seen.push(...read.rows);
        cursor = read.nextCursor;
      }
      assert.deepEqual(
        seen.map(({ id }) => id),
        expected,
        `${order} ${JSON.stringify(terms)}`,
      );
      // Counted for a colleague in the same statements, who sees everybody's views and not the member's own.
      const colleague = m.t.app.ids.next();
      const theirs = rows.filter((row) =>
        inView(row, undefined, terms, { ...looker, memberId: colleague }),
      );
      for (const owner of [null, memberId]) {
        const members = [memberId, colleague];
        const counts = await countDeskViews(m.t.app, workspaceId, members, [["it", terms, owner]]);
        assert.deepEqual(counts.get(memberId), { it: expected.length });
        assert.deepEqual(counts.get(colleague), owner === null ? { it: theirs.length } : {});
      }
    }
  }
});

test("a customer's message ends a snooze, moves the row and is read as a change", async () => {
  const desk = await Desk.open(m);
  const { workspaceId } = desk;
  const id = await desk.hears("96583000001");
  const [first] = await deskRows(m.t.app.db, workspaceId, [id]);
  assert.deepEqual(
    [first?.status, first?.inboundCount, first?.previewSide, first?.waitingSince === null],
    ["open", 1, "customer", false],
  );
  await updateConversation(AGENT, m.t.app, workspaceId, id, {
    status: "snoozed",
    until: new Date("2031-01-01T00:00:00Z"),
  });
  const [snoozed] = await deskChangesAfter(m.t.app.db, workspaceId, first?.change ?? 0);
  assert.deepEqual(
    [snoozed?.status, snoozed?.snoozedUntil, snoozed?.deskAt],
    ["snoozed", "2031-01-01T00:00:00.000Z", first?.deskAt],
  );
  await desk.hears("96583000001");
  const changes = await deskChangesAfter(m.t.app.db, workspaceId, snoozed?.change ?? 0);
  assert.deepEqual(
    changes.map((row) => [row.id, row.status, row.snoozedUntil, row.inboundCount]),
    [[id, "open", null, 2]],
  );
  assert.deepEqual(await deskRows(m.t.app.db, (await Desk.open(m)).workspaceId, [id]), []);
});
