import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { makeLiveBot } from "../../src/bots/bot.fixture.ts";
import { storeChunk } from "../../src/broadcasts/audience/store-chunk.fixture.ts";
import { Shop, startGround, type Ground } from "../../src/broadcasts/record/campaign.fixture.ts";
import { sendBatch } from "../../src/broadcasts/send/send-batch.ts";
import type { Context } from "../../src/context.ts";
import type { Tx } from "../../src/db/database.ts";
import { sql, type Sql } from "../../src/db/sql.ts";
import { GroupCommit } from "../../src/lib/group-commit.ts";
import { acceptMessages } from "../../src/messages/accept/accept-message.ts";
import { KEY } from "../actors.ts";

// What programs and campaigns send costs a workspace with live bots what it costs one without: as many statements, and as
// many bytes of PostgreSQL's log.

let ground: Ground;
let quiet: Shop;
let busy: Shop;
before(async () => {
  ground = await startGround();
  quiet = await Shop.open(ground);
  busy = await Shop.open(ground);
  await makeLiveBot(ground.t.app, busy.id);
});
after(() => ground[Symbol.asyncDispose]());

/** What each transaction or lone statement of some work cost, in order. */
type Costs = readonly { readonly statements: number; readonly bytes: number }[];

/** Where PostgreSQL's log ends. Others write into it too: they can only make a difference larger. */
async function logEnd(): Promise<number> {
  const [row] = await ground.t.app.db.query<{ at: string }>(sql`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as at`);
  return Number(row?.at);
}

async function costsOf(work: (context: Context) => Promise<unknown>): Promise<Costs> {
  const { app } = ground.t;
  const { db } = app;
  const costs: { statements: number; bytes: number }[] = [];
  const measured = async <T>(run: (count: () => void) => Promise<T>): Promise<T> => {
    let statements = 0;
    const from = await logEnd();
    const value = await run(() => (statements += 1));
    costs.push({ statements, bytes: (await logEnd()) - from });
    return value;
  };
  const lone =
    (ask: typeof db.query) =>
    <Row extends object>(statement: Sql) =>
      measured((count) => {
        count();
        return ask<Row>(statement);
      });
  const context: Context = {
    ...app,
    db: {
      ...db,
      query: lone(db.query.bind(db)),
      read: lone(db.read.bind(db)),
      transaction: (run) =>
        measured((count) =>
          db.transaction((tx) => {
            const counted: Tx = {
              ...tx,
              query(statement) {
                count();
                return tx.query(statement);
              },
            };
            return run(counted);
          }),
        ),
    },
    groupCommit: new GroupCommit<Context>(db, () => context),
  };
  await work(context);
  return costs;
}

/** The headers of a page of the log, and what is filled up behind a record. A row with its index takes 120 bytes or more. */
const SLACK = 40;
/** How full a page of an index is makes this part of the bytes more or less. */
const SPREAD = 1 / 250;

/** The fewest bytes of each transaction: others, who write at the same moment, make it more. */
function least(one: Costs | null, other: Costs): Costs {
  if (one === null) return other;
  assert.deepEqual(
    one.map(({ statements }) => statements),
    other.map(({ statements }) => statements),
  );
  return one.map(({ statements, bytes }, at) => ({
    statements,
    bytes: Math.min(bytes, other[at]?.bytes ?? bytes),
  }));
}

const bytesOf = (costs: Costs): number => costs.reduce((sum, { bytes }) => sum + bytes, 0);

function differ(one: Costs | null, other: Costs | null): boolean {
  if (one === null || other === null) return true;
  const [mine, theirs] = [bytesOf(one), bytesOf(other)];
  return Math.abs(mine - theirs) > SLACK + mine * SPREAD;
}

/** Does both in turn until they cost the same, or for so many rounds. The first round of each makes what is made once. */
async function compare(
  rounds: number,
  without: () => Promise<Costs>,
  withBots: () => Promise<Costs>,
): Promise<{ readonly without: Costs; readonly withBots: Costs }> {
  await without();
  await withBots();
  let one: Costs | null = null;
  let other: Costs | null = null;
  for (let round = 0; round < 3 || (round < rounds && differ(one, other)); round++) {
    one = least(one, await without());
    other = least(other, await withBots());
  }
  assert.ok(one !== null && other !== null);
  return { without: one, withBots: other };
}

function same({ without, withBots }: { readonly without: Costs; readonly withBots: Costs }): void {
  const statements = (costs: Costs) => costs.map((one) => one.statements);
  assert.deepEqual(statements(withBots), statements(without));
  assert.equal(differ(without, withBots), false, JSON.stringify({ without, withBots }));
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
  const [whole] = seen.without;
  assert.ok(whole && whole.statements >= 6 && whole.bytes > 500, JSON.stringify(whole));
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
  const seen = await compare(40, await campaigns(quiet), await campaigns(busy));
  t.diagnostic(JSON.stringify(seen));
  same(seen);
});
