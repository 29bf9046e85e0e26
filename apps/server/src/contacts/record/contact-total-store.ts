import type { Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { NIL_ID } from "../../lib/ids.ts";

/** Size at which the open block is closed. */
export const BLOCK_SIZE = 512;
/** Size at which the next group of blocks begins: a million contacts are 122 groups of 16 blocks of 512. */
export const GROUP_SIZE = 16 * BLOCK_SIZE;

/** One contact that was added (+1) or removed (-1). */
export interface TotalMove {
  readonly workspaceId: string;
  readonly id: string;
  readonly by: 1 | -1;
}

interface OpenBlock {
  workspace_id: string;
  open_start: string;
  open_count: number;
}

/**
 * Keeps `contact_total` and `contact_block` exact, in the transaction that adds or removes the contacts, after
 * their rows are written. Locks the workspaces' total rows in order until commit, so call it late. All moves go to
 * the open block first, in one statement, because new ids belong there. That row is then locked and its
 * `open_start` cannot change. So ids older than `open_start` (of another process, of a deletion) are moved to
 * their blocks, and a full block is closed at the greatest id that is visible: whoever adds a greater one waits
 * for this row and counts it after us.
 */
export async function moveTotals(tx: Tx, moves: readonly TotalMove[]): Promise<void> {
  if (moves.length === 0) return;
  const sums = new Map<string, number>();
  for (const move of moves) sums.set(move.workspaceId, (sums.get(move.workspaceId) ?? 0) + move.by);
  const open = await tx.query<OpenBlock>(sql`
    insert into contact_total as t (workspace_id, total, open_start, open_count)
    select w, n, ${NIL_ID}, n from unnest(${[...sums.keys()]}::uuid[], ${[...sums.values()]}::bigint[]) as m(w, n)
    order by w
    on conflict (workspace_id) do update
      set total = t.total + excluded.total, open_count = t.open_count + excluded.open_count
    returning workspace_id, open_start, open_count`);
  for (const block of open) {
    const late = moves.filter(
      (move) => move.workspaceId === block.workspace_id && move.id < block.open_start,
    );
    if (late.length > 0) await moveToOlderBlocks(tx, block.workspace_id, late);
    const lateSum = late.reduce((sum, move) => sum + move.by, 0);
    if (block.open_count - lateSum >= BLOCK_SIZE) await closeOpenBlock(tx, block.workspace_id);
  }
}

async function moveToOlderBlocks(
  tx: Tx,
  workspaceId: string,
  late: readonly TotalMove[],
): Promise<void> {
  await tx.query(sql`
    update contact_total set open_count = open_count - ${late.reduce((sum, move) => sum + move.by, 0)}
    where workspace_id = ${workspaceId}`);
  const grown = await tx.query<{ start_id: string; count: number }>(sql`
    with moved as materialized (
      select home.start_id, sum(by) as n
      from unnest(${late.map((move) => move.id)}::uuid[], ${late.map((move) => move.by)}::int[]) as l(id, by)
      cross join lateral (select start_id from contact_block
        where workspace_id = ${workspaceId} and level = 0 and start_id <= l.id order by start_id desc limit 1) as home
      group by home.start_id
    ), grouped as (
      select own.start_id, sum(n) as n from moved
      cross join lateral (select start_id from contact_block
        where workspace_id = ${workspaceId} and level = 1 and start_id <= moved.start_id
        order by start_id desc limit 1) as own
      group by own.start_id
    ), summed as (
      update contact_block b set count = b.count + g.n from grouped g
      where b.workspace_id = ${workspaceId} and b.level = 1 and b.start_id = g.start_id
    )
    update contact_block b set count = b.count + m.n from moved m
    where b.workspace_id = ${workspaceId} and b.level = 0 and b.start_id = m.start_id
    returning b.start_id, b.count`);
  for (const block of grown) await splitBlock(tx, workspaceId, block.start_id, block.count);
  // An empty block gives its range to the next older one. The lowest block stays, and so does the first of a
  // group: else the range would pass from one group to another, and its later contacts would be counted in the
  // wrong group.
  await tx.query(sql`
    delete from contact_block
    where workspace_id = ${workspaceId} and level = 1 and count = 0 and start_id <> ${NIL_ID}`);
  await tx.query(sql`
    delete from contact_block b
    where workspace_id = ${workspaceId} and level = 0 and count = 0 and start_id <> ${NIL_ID} and not exists (
      select 1 from contact_block where workspace_id = b.workspace_id and level = 1 and start_id = b.start_id)`);
}

async function closeOpenBlock(tx: Tx, workspaceId: string): Promise<void> {
  // A statement of its own: its snapshot is younger than the lock, so it sees every counted contact.
  const [newest] = await tx.query<{ id: string }>(sql`
    select id from contact where workspace_id = ${workspaceId} order by id desc limit 1`);
  if (!newest) return;
  const [closed] = await tx.query<{ start_id: string; count: number }>(sql`
    insert into contact_block (workspace_id, start_id, count)
    select workspace_id, open_start, open_count from contact_total where workspace_id = ${workspaceId}
    returning start_id, count`);
  if (closed) tx.later(addToGroup(tx, workspaceId, closed));
  await tx.query(sql`
    update contact_total set open_start = ${nextId(newest.id)}, open_count = 0
    where workspace_id = ${workspaceId}`);
  if (closed) await splitBlock(tx, workspaceId, closed.start_id, closed.count);
}

/** The closed block goes to the newest group, or a new group begins with it. */
async function addToGroup(
  tx: Tx,
  workspaceId: string,
  closed: { readonly start_id: string; readonly count: number },
): Promise<void> {
  await tx.query(sql`
    with newest as materialized (
      select start_id, count from contact_block where workspace_id = ${workspaceId} and level = 1
      order by start_id desc limit 1
    ), grown as (
      update contact_block b set count = b.count + ${closed.count}::bigint from newest n
      where b.workspace_id = ${workspaceId} and b.level = 1 and b.start_id = n.start_id and n.count < ${GROUP_SIZE}
      returning 1
    )
    insert into contact_block (workspace_id, level, start_id, count)
    select ${workspaceId}, 1, ${closed.start_id}, ${closed.count} where not exists (select 1 from grown)`);
}

/**
 * Cuts a block that has become too large (after a bulk insert, or with a process whose clock is behind) into full
 * ones.
 */
async function splitBlock(
  tx: Tx,
  workspaceId: string,
  startId: string,
  count: number,
): Promise<void> {
  let start = startId;
  for (let rest = count; rest > 2 * BLOCK_SIZE;) {
    const [cut] = await tx.query<{ id: string }>(sql`
      select id from contact where workspace_id = ${workspaceId} and id >= ${start}
      order by id offset ${BLOCK_SIZE} limit 1`);
    if (!cut) return;
    rest -= BLOCK_SIZE;
    await tx.query(sql`
      with kept as (
        update contact_block set count = ${BLOCK_SIZE} 
        where workspace_id = ${workspaceId} and level = 0 and start_id = ${start}
      )
      insert into contact_block (workspace_id, start_id, count) values (${workspaceId}, ${cut.id}, ${rest})`);
    start = cut.id;
  }
}

/** The smallest id that is greater. */
function nextId(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll("-", "")}`) + 1n).toString(16).padStart(32, "0");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
