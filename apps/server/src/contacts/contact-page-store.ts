import type { Db } from "../db/database.ts";
import { sql, type Sql } from "../db/sql.ts";

export interface Page {
  readonly total: number;
  /** The API's JSON of the contacts, commas between: text, or its bytes. */
  readonly documents: string | Buffer;
}

interface Line {
  total: number;
  documents: string | null;
}

// The page is one text, joined by the database: each row of fifty costs the driver its own parsing, and an array it
// takes apart character by character. Without a row there is no contact.
const toPage = ([line]: readonly Line[]): Page => ({
  total: line?.total ?? 0,
  documents: line?.documents ?? "",
});

/** Total and documents, as the database wrote them: that a page is never a string saves a third of its time in Node. */
const toBytes = ([line]: readonly (readonly (Buffer | null)[])[]): Page => ({
  total: Number(line?.[0] ?? 0),
  documents: line?.[1] ?? "",
});

const GREATEST = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** Total and page in one statement, hence of one moment. The order of ids is the order of creation. */
export async function pageFromTop(
  db: Db,
  workspaceId: string,
  offset: number,
  limit: number,
): Promise<Page> {
  return toBytes(
    await db.readBytes(sql`
      select t.total, (
        select string_agg(document, ',' order by id desc) from (
          select id, document from contact where workspace_id = ${workspaceId}
          order by id desc offset ${offset} limit ${limit}) as c) as documents
      from contact_total t where t.workspace_id = ${workspaceId}`),
  );
}

/**
 * The same far down the list: the counts of the blocks above say in which block the page begins, and only that one
 * is walked. Of blocks that begin at the same place (an empty one above), the older holds the page.
 */
export async function pageByBlocks(
  db: Db,
  workspaceId: string,
  offset: number,
  limit: number,
): Promise<Page> {
  return toBytes(
    await db.readBytes(sql`
      with top as materialized (
        select total, open_start, open_count from contact_total where workspace_id = ${workspaceId}
      ), block as (
        select open_start as start_id, 0::numeric as above, ${GREATEST}::uuid as until_id from top
        union all
        select start_id, (select open_count from top) + sum(count) over newer - count,
          coalesce(lag(start_id) over newer, (select open_start from top))
        from contact_block where workspace_id = ${workspaceId} window newer as (order by start_id desc)
      ), home as materialized (
        select above::bigint as above, until_id from block where above <= ${offset} order by start_id limit 1
      )
      select t.total, (
        select string_agg(document, ',' order by id desc) from (
          select id, document from contact
          where workspace_id = ${workspaceId} and id < (select until_id from home) and ${offset} < t.total
          order by id desc offset ${offset} - (select above from home) limit ${limit}) as c) as documents
      from top t`),
  );
}

/** More matches than this are counted away from the shared connections. */
const FEW_MATCHES = 2_000;

/** Without three letters or digits in a row there is no trigram, and the index cannot narrow anything down. */
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}/u;

/** `%`, `_` and `\` stand for themselves. */
const containing = (term: string): string => `%${term.replaceAll(/[%_\\]/g, String.raw`\$&`)}%`;

/**
 * Exact total and page of the contacts whose search text contains the folded term, when they are few; null when
 * there are too many to be counted here, or the index does not serve the term.
 */
export async function searchPage(
  db: Db,
  workspaceId: string,
  term: string,
  offset: number,
  limit: number,
): Promise<Page | null> {
  if (!HAS_TRIGRAM.test(term)) return null;
  const statement = searchStatement(workspaceId, term, FEW_MATCHES + 1, offset, limit);
  const page = toPage(await db.query<Line>(statement));
  return page.total > FEW_MATCHES ? null : page;
}

/** The same for any term, on connections of its own. Throws `QueryTimeout`. */
export async function searchPageSlowly(
  db: Db,
  workspaceId: string,
  term: string,
  offset: number,
  limit: number,
  timeoutMs: number,
): Promise<Page> {
  const statement = searchStatement(workspaceId, term, null, offset, limit);
  return toPage(await db.slowQuery<Line>(statement, timeoutMs));
}

// The cap stands outside the materialised matches: inside, the planner would count on stopping early and read the
// whole table in order, other workspaces' rows too. The matches are still made only as far as they are asked for.
function searchStatement(
  workspaceId: string,
  term: string,
  cap: number | null,
  offset: number,
  limit: number,
): Sql {
  return sql`
    with matching as materialized (
      select id from contact where workspace_id = ${workspaceId} and search like ${containing(term)}
    ), found as materialized (select id from matching limit ${cap})
    select (select count(*) from found) as total, (
      select string_agg(document, ',' order by contact.id desc)
      from (select id from found order by id desc offset ${offset} limit ${limit}) as page
      join contact on workspace_id = ${workspaceId} and contact.id = page.id) as documents`;
}
