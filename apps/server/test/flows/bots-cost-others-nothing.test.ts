import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { makeLiveBot } from "../../src/bots/bot.fixture.ts";
import { storeChunk } from "../../src/broadcasts/audience/store-chunk.fixture.ts";
import { Shop, startGround, type Ground } from "../../src/broadcasts/record/campaign.fixture.ts";
import { sendBatch } from "../../src/broadcasts/send/send-batch.ts";
import type { Context } from "../../src/context.ts";
import { openDatabase, type Db, type Tx } from "../../src/db/database.ts";
import { sql, type Sql } from "../../src/db/sql.ts";
import { GroupCommit } from "../../src/lib/group-commit.ts";
import { acceptMessages } from "../../src/messages/accept/accept-message.ts";
import { KEY } from "../actors.ts";

// What programs and campaigns send costs a workspace with live bots what it costs one without: as many statements, and as
// many bytes of PostgreSQL's log. All measured work is done on one connection, because PostgreSQL counts what each
// connection writes: other tests, which write at the same moment, are not counted.

let ground: Ground;
let quiet: Shop;
let busy: Shop;
/** The only connection of the measured work. */
let lone: Db;
before(async () => {
  ground = await startGround();
  lone = openDatabase({ connectionString: ground.t.databaseUrl, poolSize: 1 });
  quiet = await Shop.open(ground);
  busy = await Shop.open(ground);
  await makeLiveBot(ground.t.app, busy.id);
});
after(async () => {
  await lone.close();
  await ground[Symbol.asyncDispose]();
});

interface Costs {
  /** Of each transaction or lone statement, in order. */
  readonly statements: readonly number[];
  /** Of the log, for all of them. */
  readonly bytes: number;
}

/** How many bytes of the log the connection has written. PostgreSQL counts them when a statement is over. */
async function written(): Promise<number> {
  await lone.query(sql`select pg_stat_force_next_flush()`);
  const [row] = await lone.query<{ bytes: string }>(sql`
    select wal_bytes::text as bytes from pg_stat_get_backend_wal(pg_backend_pid())`);
  assert.ok(row);
  return Number(row.bytes);
}

async function costsOf(work: (context: Context) => Promise<unknown>): Promise<Costs> {
  const statements: number[] = [];
  const counted =
    (ask: typeof lone.query) =>
    <Row extends object>(statement: Sql) => {
      statements.push(1);
      return ask<Row>(statement);
    };
  const db: Db = {
    ...lone,
    query: counted(lone.query.bind(lone)),
    read: counted(lone.read.bind(lone)),
    async transaction(run) {
      const at = statements.push(0) - 1;
      return lone.transaction((tx) => {
        // What is run again, after a deadlock for instance, counts once.
        statements[at] = 0;
        const query: Tx["query"] = (statement) => {
          statements[at] = (statements[at] ?? 0) + 1;
          return tx.query(statement);
        };
        return run({ ...tx, query });
      });
    },
  };
  const context: Context = {
    ...ground.t.app,
    db,
    groupCommit: new GroupCommit<Context>(db, () => context),
  };
  const from = await written();
  await work(context);
  return { statements, bytes: (await written()) - from };
}

/** One record of the log may be more or less, of a page that is tidied in passing. A row with its index takes 120 bytes or more. */
const SLACK = 110;
/** A campaign to five people writes to more pages. A row for each of them would be 600 bytes or more. */
const SLACK_OF_CAMPAIGN = 3 * SLACK;

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0);

/**
 * The fewest statements, and of as many the fewest bytes. On a slow machine a campaign looks once more whether it was
 * paused; a page of an index that is split, or the first change of a page after a checkpoint, makes more bytes.
 */
function least(one: Costs | null, other: Costs): Costs {
  if (one === null) return other;
  const more = sum(other.statements) - sum(one.statements);
  return more < 0 || (more === 0 && other.bytes < one.bytes) ? other : one;
}

function differ(one: Costs | null, other: Costs | null, slack = SLACK): boolean {
  if (one === null || other === null) return true;
  if (sum(one.statements) !== sum(other.statements)) return true;
  return Math.abs(one.bytes - other.bytes) > slack;
}

/** Does both in turn until they cost the same, or for so many rounds. The first round of each makes what is made once. */
async function compare(
  rounds: number,
  without: () => Promise<Costs>,
  withBots: () => Promise<Costs>,
  slack = SLACK,
): Promise<{ readonly without: Costs; readonly withBots: Costs }> {
  await without();
  await withBots();
  let one: Costs | null = null;
  let other: Costs | null = null;
  for (let round = 0; round < 3 || (round < rounds && differ(one, other, slack)); round++) {
    one = least(one, await without());
    other = least(other, await withBots());
  }
  assert.ok(one !== null && other !== null);
  return { without: one, withBots: other };
}

function same(
  { without, withBots }: { readonly without: Costs; readonly withBots: Costs },
  slack = SLACK,
): void {
  assert.deepEqual(withBots.statements, without.statements);
  assert.equal(differ(without, withBots, slack), false, JSON.stringify({ without, withBots }));
}

/** A reply of a program in a conversation of a shop. */
async function replier(shop: Shop, from: string, beside?: (tx: Tx) => Promise<unknown>) {
  const conversationId = await shop.desk.hears(from);
  const item = { actor: KEY, workspaceId: shop.id, conversationId, text: "hi" };
  return () =>
    costsOf((context) =>
      context.db.transaction(async (tx) => {
        await acceptMessages(context, tx, [item]);
        await beside?.(tx);
      }),
    );
}

test("a reply by the API costs the same statements and bytes of log in a workspace with a live bot", async (t) => {
  const pair = [await replier(quiet, "96571000001"), await replier(busy, "96571000002")] as const;
  const seen = await compare(60, ...pair);
  t.diagnostic(JSON.stringify(seen));
  same(seen);
  const [statements = 0] = seen.without.statements;
  assert.ok(statements >= 6 && seen.without.bytes > 500, JSON.stringify(seen.without));
});

test("the measure finds one row more", async () => {
  const writes = await replier(busy, "96571000003", (tx) =>
    tx.query(sql`
      insert into forgotten_message (workspace_id, channel_id, digest, stored_at)
      values (${busy.id}, ${busy.id}, uuid_send(gen_random_uuid()), now())`),
  );
  const seen = await compare(6, await replier(quiet, "96571000004"), writes);
  assert.equal(differ(seen.without, seen.withBots), true, JSON.stringify(seen));
});

test("a campaign costs the same statements and bytes of log in a workspace with a live bot", async (t) => {
  const campaigns = async (shop: Shop) => {
    await shop.crowd(3);
    return async () => {
      const { id } = await shop.draft();
      await shop.start(id);
      const costs = await costsOf(async (context) => {
        while ((await shop.find(id)).status === "QUEUED") await storeChunk(context, shop.key(id));
        await sendBatch(context, shop.key(id));
      });
      await ground.t.app.drain();
      const { status, sentCount } = await shop.find(id);
      // Each shop has three of its own, and the two who wrote to it.
      assert.deepEqual([status, sentCount], ["COMPLETED", 5]);
      return costs;
    };
  };
  const pair = [await campaigns(quiet), await campaigns(busy)] as const;
  const seen = await compare(40, ...pair, SLACK_OF_CAMPAIGN);
  t.diagnostic(JSON.stringify(seen));
  same(seen, SLACK_OF_CAMPAIGN);
});
