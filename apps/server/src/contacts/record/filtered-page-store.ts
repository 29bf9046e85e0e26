import { QueryTimeout, type Db } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";
import type { ContactOrder } from "../../wire/words.ts";
import { contactTotal } from "./contact-sql.ts";

/**
 * How many contacts are tried first, which is enough for a filter that many contacts fit. In the order of names
 * each contact is a page of its own.
 */
const WINDOW = { time: 10_000, name: 3_000 } as const;
/**
 * How far is looked when the first ones hold a part of the page: as far as their share says, a tenth of a million at most.
 * By time they lie together; by name they do not, and looking on costs as much as reading all.
 */
const WIDEST = { time: 100_000, name: WINDOW.name } as const;
/**
 * When so many contacts fit, they are not sorted: by time so many lie close together, and walking on costs less than
 * reading all. By name each step costs five times as much, and a search for a name finds nothing until its letter: with
 * 157,000 Mohammeds among a million the walk took 9 s, sorting all of them 1 to 3 s.
 */
const MOST_SORTED = { time: 100_000, name: null } as const;
const SORTED_MS = 5_000;
const ORDERED_MS = 5_000;
const COUNT_MS = 3_000;

/** The part of an order that walks along one index. Contacts without a name are walked by their ids. */
interface Walk {
  readonly which: Sql;
  readonly by: Sql;
  readonly window: keyof typeof WINDOW;
}
const WALKS: Readonly<Record<ContactOrder, readonly Walk[]>> = {
  newest: [{ which: sql`true`, by: sql`c.id desc`, window: "time" }],
  oldest: [{ which: sql`true`, by: sql`c.id`, window: "time" }],
  name: byNames(sql`folded(c.name), c.id`),
  "name-desc": byNames(sql`folded(c.name) desc, c.id desc`),
};
function byNames(by: Sql): readonly Walk[] {
  return [
    { which: sql`c.name is not null`, by, window: "name" },
    { which: sql`c.name is null`, by: sql`c.id desc`, window: "time" },
  ];
}

/** The first contacts of an order that fit, and how many fit altogether (null: not known yet). */
export interface FirstContacts {
  readonly ids: readonly string[];
  readonly total: number | null;
}

/**
 * The ids of the first `need` contacts in an order that fit a condition over `contact c` (null: all). Each
 * statement is bounded. When many fit, the first contacts of the order are enough. Otherwise those that fit are
 * found by index and sorted, and so counted too; when there are too many to sort by time, they are walked in their order.
 * Throws `QueryTimeout`.
 */
export async function firstContacts(
  db: Db,
  workspaceId: string,
  where: Sql | null,
  order: ContactOrder,
  need: number,
): Promise<FirstContacts> {
  const all = async () => ({
    ids: await walked(db, workspaceId, where ?? sql`true`, order, need),
    total: null,
  });
  if (where === null) return all();
  return (
    (await nearestFiltered(db, workspaceId, where, order, need)) ??
    (await sorted(db, workspaceId, where, order, need)) ??
    (await all())
  );
}

/** Null: the first contacts have too few, and there are more. */
async function nearestFiltered(
  db: Db,
  workspaceId: string,
  where: Sql,
  order: ContactOrder,
  need: number,
): Promise<FirstContacts | null> {
  const [walk] = WALKS[order];
  if (!walk) return null;
  // A page far down needs more of them.
  const window = WINDOW[walk.window] + 10 * need;
  const found = await inWindow(db, workspaceId, where, walk, window, need);
  if (found.ids.length === need) return { ids: found.ids, total: null };
  if (WALKS[order].length === 1 && found.all <= window)
    return { ids: found.ids, total: found.ids.length };
  // Twice as far as the share among the first says, because contacts that fit do not lie evenly.
  const wider = Math.ceil((2 * window * need) / found.ids.length);
  if (wider > WIDEST[walk.window]) return null;
  const { ids } = await inWindow(db, workspaceId, where, walk, wider, need);
  return ids.length === need ? { ids, total: null } : null;
}

/** Those of the first `window` contacts of a walk that fit, `need` at most; and how many contacts there are. */
async function inWindow(
  db: Db,
  workspaceId: string,
  where: Sql,
  { which, by }: Walk,
  window: number,
  need: number,
): Promise<{ readonly ids: readonly string[]; readonly all: number }> {
  const [row] = await db.slowQuery<{ ids: string[]; all: number }>(
    sql`select ${contactTotal(workspaceId)} as "all", array(
      select c.id from (
        select * from contact c where c.workspace_id = ${workspaceId} and ${which} order by ${by} limit ${window}) c
      where ${where} order by ${by} limit ${need}) as ids`,
    ORDERED_MS,
    "planned each time",
  );
  return row ?? { ids: [], all: 0 };
}

/** Null: too many fit to be sorted. */
async function sorted(
  db: Db,
  workspaceId: string,
  where: Sql,
  order: ContactOrder,
  need: number,
): Promise<FirstContacts | null> {
  const key = {
    newest: sql`id desc`,
    oldest: sql`id`,
    // Contacts without a name come newest first, as in the walk.
    name: sql`name nulls last, case when name is null then id end desc, id`,
    "name-desc": sql`name desc nulls last, id desc`,
  }[order];
  const named = WALKS[order].length > 1;
  const most = MOST_SORTED[named ? "name" : "time"];
  const [row] = await db.slowQuery<{ ids: string[]; total: number }>(
    // The cap stands outside: with it inside, the planner would expect to stop early and read the whole table.
    sql`with matching as materialized (
        select c.id, ${named ? sql`folded(c.name)` : sql`null::text`} as name
        from contact c where c.workspace_id = ${workspaceId} and ${where}
      ), found as materialized (select * from matching limit ${most})
      select (select count(*) from found) as total,
        array(select id from found order by ${key} limit ${need}) as ids`,
    SORTED_MS,
    "planned each time",
  );
  return !row || row.total === most ? null : row;
}

async function walked(
  db: Db,
  workspaceId: string,
  where: Sql,
  order: ContactOrder,
  need: number,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const { which, by } of WALKS[order]) {
    if (ids.length === need) break;
    const rows = await db.slowQuery<{ id: string }>(
      sql`select c.id from contact c where c.workspace_id = ${workspaceId} and ${which} and ${where}
        order by ${by} limit ${need - ids.length}`,
      ORDERED_MS,
      "planned each time",
    );
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

/** How many contacts fit a condition, counted up to `most`; null when that takes too long. */
export async function countUpTo(
  db: Db,
  workspaceId: string,
  where: Sql,
  most: number,
): Promise<number | null> {
  try {
    const [row] = await db.slowQuery<{ count: number }>(
      sql`select count(*) as count from (
        select 1 from contact c where c.workspace_id = ${workspaceId} and ${where} limit ${most}) as counted`,
      COUNT_MS,
      "planned each time",
    );
    return row?.count ?? 0;
  } catch (error) {
    if (error instanceof QueryTimeout) return null;
    throw error;
  }
}
