import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { OPERATOR } from "../../actor.ts";
import { sql } from "../../db/sql.ts";
import { listDesk } from "../../desk/read-desk.ts";
import { RUN_OUTCOMES } from "../../wire/words.ts";
import { resultsAddress, termsOf, type ResultsFilter } from "../../wire/in-view.ts";
import { makeLiveBot } from "../bot.fixture.ts";
import { botReport } from "./bot-report.ts";

let m: Messaging;
before(async () => {
  m = await startMessaging();
});
after(() => m[Symbol.asyncDispose]());

const DAY = 86_400_000;

/** A workspace with runs, turns and suggestions of two bots over some days. */
async function shop() {
  const { app } = m.t;
  const desk = await Desk.open(m);
  const { workspaceId } = desk;
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) ids.push(await desk.hears(`9657300000${n}`));
  const bots = [await makeLiveBot(app, workspaceId), await makeLiveBot(app, workspaceId)];
  const now = app.clock.now().getTime();
  const at = (daysAgo: number) => new Date(now - daysAgo * DAY);
  const outcomes = [...RUN_OUTCOMES, null, "resolved"] as const;
  for (const [n, id] of ids.entries()) {
    const outcome = outcomes[n] ?? null;
    const reason = outcome === "handed_over" ? "asked" : null;
    await app.db.query(sql`
      insert into bot_run (workspace_id, id, bot_id, version, conversation_id, kind, state, began_at, ended_at, outcome,
        reason, topic, reopened_at)
      values (${workspaceId}, ${app.ids.next()}, ${bots[n % 2]}, 1, ${id}, 'ai', ${outcome ? "ended" : "waiting"},
        ${at(n)}, ${outcome ? at(n) : null}, ${outcome}, ${reason}, ${n < 2 ? "orders" : null},
        ${n === 5 ? at(1) : null})`);
    await app.db.query(sql`
      insert into ai_turn (workspace_id, id, bot_id, version, conversation_id, status, month, answer, tokens, cost,
        lease_until, created_at, settled_at, rated_good)
      values (${workspaceId}, ${app.ids.next()}, ${bots[n % 2]}, 1, ${id}, 'sent', '2026-11-01',
        ${JSON.stringify({ language: n % 3 === 0 ? "ar" : "en" })}::jsonb, 100, 0.25, ${at(n)}, ${at(n)}, ${at(n)},
        ${n === 0 ? true : n === 1 ? false : null})`);
    await app.db.query(sql`
      insert into suggestion (workspace_id, id, conversation_id, author, state, text, created_at, settled_at)
      values (${workspaceId}, ${app.ids.next()}, ${id}, ${`bot:${bots[n % 2]}`},
        ${(["used", "edited", "discarded", "open"] as const)[n % 4] ?? "open"}, 'x', ${at(n)}, ${at(n)})`);
  }
  const day = (daysAgo: number) => at(daysAgo).toISOString().slice(0, 10);
  const read = (input: object) => botReport(OPERATOR, app, workspaceId, input);
  const found = async (of: ResultsFilter) => {
    const terms = termsOf(resultsAddress(of), []);
    assert.ok(terms);
    const list = { terms, order: "newest", unread: false, cursor: undefined, limit: 50 } as const;
    const { rows } = await listDesk(app, { workspaceId, memberId: app.ids.next() }, list);
    return rows.map(({ id }) => id).sort();
  };
  const conversations = (from: ReturnType<typeof sql>) =>
    app.db
      .query<{ id: string }>(
        sql`select distinct conversation_id::text as id from ${from} order by 1`,
      )
      .then((rows) => rows.map(({ id }) => id).sort());
  return { app, workspaceId, bots, day, read, found, conversations };
}

test("every number is that of its rows, and leads to exactly their conversations", async () => {
  const { app, workspaceId, bots, day, read, found, conversations } = await shop();
  const bot = bots[0] ?? "";
  for (const of of [
    { from: day(9), to: day(0) },
    { from: day(3), to: day(1), bot },
  ] as const) {
    const report = await read(of);
    const asked = "bot" in of ? sql`and bot_id = ${of.bot}` : sql``;
    const within = (column: ReturnType<typeof sql>) => sql`workspace_id = ${workspaceId}
      and ${column} >= ${`${of.from}T00:00:00Z`}::timestamptz
      and ${column} < ${`${of.to}T00:00:00Z`}::timestamptz + interval '1 day'`;
    const counted = async (from: ReturnType<typeof sql>) =>
      (await app.db.query<{ n: number }>(sql`select count(*)::int as n from ${from}`))[0]?.n;
    const runs = (more: ReturnType<typeof sql>) =>
      sql`(select * from bot_run where ${within(sql`began_at`)} ${asked} ${more}) r`;
    assert.equal(report.runs, await counted(runs(sql``)));
    for (const [outcome, n] of Object.entries(report.outcomes)) {
      const rows = runs(
        outcome === "open"
          ? sql`and outcome is null`
          : outcome === "reopened"
            ? sql`and reopened_at is not null`
            : sql`and outcome = ${outcome}`,
      );
      assert.equal(n, await counted(rows), outcome);
      assert.deepEqual(await found({ ...of, outcome }), await conversations(rows), outcome);
    }
    for (const { reason, runs: n } of report.reasons)
      assert.equal(n, await counted(runs(sql`and reason = ${reason}`)));
    const topical = await found({ ...of, topic: "orders" });
    assert.deepEqual(topical, await conversations(runs(sql`and topic = 'orders'`)));
    const turns = (more: ReturnType<typeof sql>) =>
      sql`(select * from ai_turn where ${within(sql`created_at`)} ${asked} ${more}) a`;
    assert.equal(report.cost.tokens, 100 * ((await counted(turns(sql``))) ?? 0));
    assert.equal(report.ratings.good, await counted(turns(sql`and rated_good`)));
    assert.equal(report.ratings.bad, await counted(turns(sql`and not rated_good`)));
    for (const { language, answers } of report.languages) {
      const rows = turns(sql`and answer ->> 'language' = ${language}`);
      assert.equal(answers, await counted(rows));
      assert.deepEqual(await found({ ...of, language: language ?? "" }), await conversations(rows));
    }
    const author = "bot" in of ? sql`and author = ${`bot:${of.bot}`}` : sql``;
    for (const [suggestion, n] of Object.entries(report.suggestions)) {
      const rows = sql`(select * from suggestion where ${within(sql`created_at`)} ${author}
        and state = ${suggestion}) s`;
      assert.equal(n, await counted(rows), suggestion);
      assert.deepEqual(await found({ ...of, suggestion }), await conversations(rows), suggestion);
    }
  }
  const [channel] = await app.db.query<{ id: string }>(
    sql`select id from channel where workspace_id = ${workspaceId}`,
  );
  assert.equal((await read({ from: day(9), channel: channel?.id })).runs, 6);
  assert.equal((await read({ from: day(9), channel: app.ids.next() })).runs, 0);
});

test("days that are none, too many or in the wrong order are refused", async () => {
  const { read } = await shop();
  await assert.rejects(read({ from: "2026-13-01" }), /day such as/);
  await assert.rejects(read({ from: "2026-02-30" }), /day such as/);
  await assert.rejects(read({ from: "2026-11-02", to: "2026-11-01" }), /must not be after/);
  await assert.rejects(read({ from: "2024-11-02", to: "2026-11-01" }), /at most 366 days/);
});

test("each table of the report is read by an index of its workspace", async () => {
  const { workspaceId, day, app } = await shop();
  const { workspaceId: crowd } = await shop();
  for (const [table, at] of [
    [sql`ai_turn`, sql`true`],
    [sql`bot_run`, sql`state = 'ended'`],
    [sql`suggestion`, sql`state <> 'open'`],
  ] as const) {
    await app.db.query(sql`
      insert into ${table} select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid()))).*
      from ${table} o cross join generate_series(1, 600) where workspace_id = ${crowd} and ${at}`);
    await app.db.query(sql`analyze ${table}`);
  }
  const of = { from: day(9), to: day(0) };
  const { selectRunGroups, selectSuggestionGroups, selectTurnGroups } =
    await import("./report-store.ts");
  const plans: string[] = [];
  await app.db.transaction(async (tx) => {
    const explaining = {
      query: async (text: ReturnType<typeof sql>) => {
        const rows = await tx.query<Record<string, string>>(sql`explain ${text}`);
        plans.push(rows.map((row) => Object.values(row)[0]).join("\n"));
        return [];
      },
    } as unknown as typeof tx;
    await selectRunGroups(explaining, workspaceId, of);
    await selectTurnGroups(explaining, workspaceId, of);
    await selectSuggestionGroups(explaining, workspaceId, of);
  });
  assert.equal(plans.length, 3);
  for (const plan of plans) {
    assert.doesNotMatch(plan, /Seq Scan/);
    assert.match(plan, /Index Cond: \(+workspace_id/);
  }
});
