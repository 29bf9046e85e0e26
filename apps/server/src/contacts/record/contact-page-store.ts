import type { Db } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";

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

/**
 * Total and page in one statement, so both are from one moment. The order of ids is the order of creation. What is skipped
 * is read from the index alone: 10,000 rows of the table took 6 ms, of the index they take 1.4.
 */
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
          select id, document from contact where workspace_id = ${workspaceId} and id = any(array(
            select id from contact where workspace_id = ${workspaceId}
            order by id desc offset ${offset} limit ${limit}))) as c) as documents
      from contact_total t where t.workspace_id = ${workspaceId}`),
  );
}

/**
 * As `pageFromTop`, far down the list. Skips rows from the nearer end, as a slow read: half a million rows of the index
 * at the most, where a workspace has a million. Throws `QueryTimeout`.
 */
export async function pageFarDown(
  db: Db,
  workspaceId: string,
  offset: number,
  limit: number,
  timeoutMs: number,
): Promise<Page> {
  const top = sql`(select total from top)`;
  return toPage(
    await db.slowQuery<Line>(
      sql`
      with top as materialized (select total from contact_total where workspace_id = ${workspaceId}),
      page as materialized (
        (select id from contact where workspace_id = ${workspaceId} and ${offset}::bigint < ${top} / 2
          order by id desc offset ${offset} limit ${limit})
        union all
        (select id from contact where workspace_id = ${workspaceId} and ${offset}::bigint >= ${top} / 2
          order by id offset greatest(${top} - ${offset}::bigint - ${limit}::bigint, 0)
          limit greatest(least(${limit}::bigint, ${top} - ${offset}::bigint), 0))
      )
      select total, (
        select string_agg(document, ',' order by page.id desc) from page
        cross join lateral (
          select document from contact where workspace_id = ${workspaceId} and id = page.id limit 1) as c) as documents
      from top`,
      timeoutMs,
    ),
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

/** Which page of contacts by their last change. */
export interface ChangedPage {
  readonly term: SearchTerm | null;
  readonly updatedAfter: Date | null;
  readonly order: "newest" | "updatedAt";
  readonly offset: number;
  readonly limit: number;
}

/** The total, and the ids of a page of contacts by their last change. Throws `QueryTimeout`. */
export async function changedPage(
  db: Db,
  workspaceId: string,
  { term, updatedAfter, order, offset, limit }: ChangedPage,
  timeoutMs: number,
): Promise<{ readonly total: number; readonly ids: readonly string[] }> {
  const since = updatedAfter ? sql`updated_at > ${updatedAfter}` : sql`true`;
  const condition = term ? matching(term) : sql`true`;
  const by = order === "newest" ? sql`id desc` : sql`updated_at, id`;
  // All contacts by their change are read in the order of the index: of a million, no list is made to count them.
  const statement =
    term === null && updatedAfter === null
      ? sql`
        select coalesce((select total from contact_total where workspace_id = ${workspaceId}), 0) as total,
          array(select id from contact where workspace_id = ${workspaceId}
            order by ${by} offset ${offset} limit ${limit})::text[] as ids`
      : sql`
        with matching as materialized (
          select id, updated_at from contact where workspace_id = ${workspaceId} and ${since} and ${condition})
        select (select count(*) from matching) as total,
          array(select id from matching order by ${by} offset ${offset} limit ${limit})::text[] as ids`;
  const [row] = await db.slowQuery<{ total: number; ids: string[] }>(
    statement,
    timeoutMs,
    "planned each time",
  );
  return { total: Number(row?.total ?? 0), ids: row?.ids ?? [] };
}
