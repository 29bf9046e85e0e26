import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { LONG } from "../../group.ts";
import { startApi } from "../api.ts";

const COUNT = LONG ? 100_000 : 1_000;
const BATCH = 500;

test(`${COUNT} contacts upserted twice by batches: the second time changes nothing`, async (t) => {
  await using api = await startApi();
  const { workspaceId, bearer } = await api.newWorkspace("business");
  const upsertAll = async () => {
    const outcomes = new Map<string, number>();
    const begun = performance.now();
    for (let from = 0; from < COUNT; from += BATCH) {
      // One key makes 120 calls a minute.
      api.clock.advance(1_000);
      const contacts = Array.from({ length: BATCH }, (_, at) => ({
        match: ["refs.crm"],
        refs: { crm: String(from + at) },
        email: `c${from + at}@example.com`,
        addTags: ["vip"],
      }));
      const answer = await api.http.inject({
        method: "POST",
        url: "/api/v1/contacts/batch",
        headers: { authorization: `Bearer ${bearer}` },
        payload: { contacts },
      });
      assert.equal(answer.statusCode, 200, answer.body);
      const { results } = answer.json<{ results: { outcome: string }[] }>();
      for (const { outcome } of results) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    t.diagnostic(`${Math.round(performance.now() - begun)} ms`);
    return Object.fromEntries(outcomes);
  };
  const eventsStored = async () => {
    const [row] = await api.app.db.query<{ n: number }>(
      sql`select count(*)::int as n from event where workspace_id = ${workspaceId}`,
    );
    return row?.n;
  };
  assert.deepEqual(await upsertAll(), { created: COUNT });
  const events = await eventsStored();
  assert.deepEqual(await upsertAll(), { unchanged: COUNT });
  assert.equal(await eventsStored(), events);
});
