import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { sql } from "../../db/sql.ts";
import { createIds } from "../../lib/ids.ts";
import { GROUP_SIZE, moveTotals } from "./contact-total-store.ts";
import { insertContacts } from "./contact-store.ts";
import type { NewContactRow } from "./contact.ts";
import { type ContactJson } from "../../wire/contact.ts";
import { listContacts } from "./list-contacts.ts";

let t: TestApp;
before(async () => void (t = await startTestApp()));
after(() => t[Symbol.asyncDispose]());

const rowOf = (workspaceId: string, id: string): NewContactRow => ({
  workspaceId,
  id,
  name: null,
  email: null,
  phone: null,
  notes: null,
  channelType: null,
  externalId: null,
  tags: [],
  attributes: {},
  optedOutAt: null,
  lastSeenAt: null,
  createdAt: t.clock.now(),
  author: null,
});

/** As `createContacts` and `changeContacts` do it, for many contacts at once. */
const add = (workspaceId: string, ids: readonly string[]) =>
  t.app.db.transaction(async (tx) => {
    await insertContacts(
      tx,
      ids.map((id) => rowOf(workspaceId, id)),
    );
    await moveTotals(
      tx,
      ids.map((id) => ({ workspaceId, id, by: 1 })),
    );
  });
const remove = (workspaceId: string, ids: readonly string[]) =>
  t.app.db.transaction(async (tx) => {
    await tx.query(
      sql`delete from contact where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`,
    );
    await moveTotals(
      tx,
      ids.map((id) => ({ workspaceId, id, by: -1 })),
    );
  });

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom("new", "late", "delete", "delete"),
    at: fc.double({ min: 0, max: 0.999, noNaN: true }),
    part: fc.double({ min: 0.001, max: 0.7, noNaN: true }),
  }),
  { minLength: 3, maxLength: 6 },
);

test("several groups of blocks: every page equals a plain model after new and late contacts and large deletions", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const w = t.app.ids.next();
      const now = t.clock.now().getTime();
      let times = 0;
      const idsAt = (ms: number, count: number) => {
        const ids = createIds({ now: () => new Date(ms) });
        return Array.from({ length: count }, () => ids.next());
      };
      let model: string[] = [];
      const grow = async (ids: readonly string[]) => {
        await add(w, ids);
        model = [...model, ...ids].sort();
      };
      // More than two groups, closed bit by bit.
      while (model.length < 2.5 * GROUP_SIZE) await grow(idsAt(now + 60_000 * ++times, 1_500));
      for (const { kind, at, part } of given) {
        const count = Math.ceil(part * 3_000);
        if (kind === "new") await grow(idsAt(now + 60_000 * ++times, count));
        else if (kind === "late") await grow(idsAt(now + 60_000 * at * times + 7, count));
        else {
          const from = Math.floor(at * model.length);
          const gone = model.slice(from, from + Math.floor(part * model.length));
          if (gone.length > 0) await remove(w, gone);
          model = model.filter((_, index) => index < from || index >= from + gone.length);
        }
        await agree(w, model.toReversed());
      }
    }),
    { numRuns: 3 },
  );
});

async function agree(workspaceId: string, newest: readonly string[]): Promise<void> {
  for (let offset = 0; offset <= newest.length; offset += 611) {
    const page = Math.floor(offset / 50) + 1;
    const found = await listContacts(t.app, workspaceId, { page, pageSize: 50 });
    const ids = (JSON.parse(`[${found.documents.toString()}]`) as ContactJson[]).map(
      ({ id }) => id,
    );
    assert.equal(found.total, newest.length);
    assert.deepEqual(ids, newest.slice((page - 1) * 50, page * 50));
  }
  const [sums] = await t.app.db.query(sql`
    select total, open_count + (select coalesce(sum(count), 0) from contact_block where workspace_id = ${workspaceId} and level = 0)::bigint as blocks,
      open_count + (select coalesce(sum(count), 0) from contact_block where workspace_id = ${workspaceId} and level = 1)::bigint as groups
    from contact_total where workspace_id = ${workspaceId}`);
  const { length } = newest;
  assert.deepEqual(sums, { total: length, blocks: length, groups: length });
}
