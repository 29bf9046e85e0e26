import type { Db } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { MAX_ID } from "../../lib/ids.ts";

export interface Page {
  readonly total: number;
  /** The API's JSON of the contacts, separated by commas. */
  readonly documents: string;
}

interface Line {
  total: number;
  documents: string | null;
}

// The database joins the page to one text: the driver parses each of fifty rows by itself, and takes an array
// apart character by character. Null when there is no contact.
const toPage = ([line]: readonly Line[]): Page => ({
  total: line?.total ?? 0,
  documents: line?.documents ?? "",
});

/** Total and page in one statement, so both are from one moment. The order of ids is the order of creation. */
export async function pageFromTop(
  db: Db,
  workspaceId: string,
  offset: number,
  limit: number,
): Promise<Page> {
  return toPage(
    await db.read<Line>(sql`
      select t.total, (
        select string_agg(document, ',' order by id desc) from (
          select id, document from contact where workspace_id = ${workspaceId}
          order by id desc offset ${offset} limit ${limit}) as c) as documents
      from contact_total t where t.workspace_id = ${workspaceId}`),
  );
}

/**
 * As `pageFromTop`, far down the list. The groups' counts tell the group in which the page begins, and its blocks'
 * counts tell the block; only that block is read. When several blocks begin at the same place, because an empty
 * one lies above, the oldest holds the page. When none does, the page begins in the open block. Documents are
 * fetched one by one: the planner does not know how few they are, and would read the whole table for a plain join.
 */
export async function pageByBlocks(
  db: Db,
  workspaceId: string,
  offset: number,
  limit: number,
): Promise<Page> {
  return toPage(
    await db.read<Line>(sql`
      with top as materialized (
        select total, open_start, open_count from contact_total where workspace_id = ${workspaceId}
      ), home_group as materialized (
        select * from (
          select start_id, lag(start_id) over newer as next_start,
            (select open_count from top) + sum(count::int) over newer - count as above
          from contact_block where workspace_id = ${workspaceId} and level = 1
          window newer as (order by start_id desc rows unbounded preceding)
        ) as g where above <= ${offset} order by start_id limit 1
      ), home as materialized (
        select above, until_id from (
          select b.start_id, g.above + sum(b.count::int) over newer - b.count as above,
            coalesce(lag(b.start_id) over newer, g.next_start, (select open_start from top)) as until_id
          from home_group g, contact_block b where b.workspace_id = ${workspaceId} and b.level = 0
            and b.start_id >= g.start_id and b.start_id < coalesce(g.next_start, (select open_start from top))
          window newer as (order by b.start_id desc rows unbounded preceding)
        ) as blocks where above <= ${offset} order by start_id limit 1
      )
      select t.total, (
        select string_agg(document, ',' order by page.id desc) from (
          select id from contact
          where workspace_id = ${workspaceId} and id < coalesce((select until_id from home), ${MAX_ID})
            and ${offset} < t.total
          order by id desc offset ${offset} - coalesce((select above from home), 0) limit ${limit}) as page
        cross join lateral (
          select document from contact where workspace_id = ${workspaceId} and id = page.id limit 1) as c) as documents
      from top t`),
  );
}

/** More matches than this are counted on connections of their own. */
const FEW_MATCHES = 2_000;

/** Without three letters or digits in a row there is no trigram, and the index cannot narrow the search. */
export const HAS_TRIGRAM = /[\p{L}\p{N}]{3}/u;

/** Escapes `%`, `_` and `\`. */
const containing = (term: string): string => `%${term.replaceAll(/[%_\\]/g, String.raw`\$&`)}%`;

/** A search term. */
export interface SearchTerm {
  /** Folded text: part of name, e-mail or phone. */
  readonly text: string;
  /** A phone as people write it, in digits as phones are stored: part of a phone, or its beginning. */
  readonly phone: { readonly digits: string; readonly begins: boolean } | null;
}

/**
 * The exact total and page of the contacts that the term finds, when they are few. Null when there are too many to
 * count here, or when the index does not serve the term.
 */
export async function searchPage(
  db: Db,
  workspaceId: string,
  term: SearchTerm,
  offset: number,
  limit: number,
): Promise<Page | null> {
  if (!HAS_TRIGRAM.test(term.text) || !HAS_TRIGRAM.test(term.phone?.digits ?? term.text))
    return null;
  const statement = searchStatement(workspaceId, term, FEW_MATCHES + 1, offset, limit);
  const page = toPage(await db.query<Line>(statement));
  return page.total > FEW_MATCHES ? null : page;
}

/** As `searchPage` for any term, on connections of its own. Throws `QueryTimeout`. */
export async function searchPageSlowly(
  db: Db,
  workspaceId: string,
  term: SearchTerm,
  offset: number,
  limit: number,
  timeoutMs: number,
): Promise<Page> {
  const statement = searchStatement(workspaceId, term, null, offset, limit);
  return toPage(await db.slowQuery<Line>(statement, timeoutMs));
}

/**
 * The condition for a row of `contact`. One or two letters are compared without `like`: for that the planner would take
 * the index, which gives every contact then (2.8 s of processor time for a million, 0.9 without).
 */
export function matching({ text, phone }: SearchTerm): Sql {
  const literally =
    text.length < 3 ? sql`position(${text} in search) > 0` : sql`search like ${containing(text)}`;
  // Phones are part of the search text too, and only that is indexed by trigrams.
  return phone === null
    ? literally
    : sql`(${literally} or (search like ${containing(phone.digits)}
        and phone like ${phone.begins ? `${phone.digits}%` : `%${phone.digits}%`}))`;
}

// The cap stands outside the materialised matches: with it inside, the planner would expect to stop early and read
// the whole table in order, other workspaces' rows too. Only as many matches are made as are asked for.
function searchStatement(
  workspaceId: string,
  term: SearchTerm,
  cap: number | null,
  offset: number,
  limit: number,
): Sql {
  const condition = matching(term);
  return sql`
    with matching as materialized (
      select id from contact where workspace_id = ${workspaceId} and ${condition}
    ), found as materialized (select id from matching limit ${cap})
    select (select count(*) from found) as total, (
      select string_agg(document, ',' order by contact.id desc)
      from (select id from found order by id desc offset ${offset} limit ${limit}) as page
      join contact on workspace_id = ${workspaceId} and contact.id = page.id) as documents`;
}
