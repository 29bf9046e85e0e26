import type { Queryable } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { HAS_TRIGRAM, matching, type SearchTerm } from "./contact-page-store.ts";

/** How many of the newest contacts are read before the index is asked, which gives all hits to be sorted. */
const NEAR = 400;
/** Without a trigram no index helps: then only this many of the newest contacts are read. */
const NEAR_WITHOUT_INDEX = 5_000;

export interface PeopleMatches {
  readonly ids: readonly string[];
  /** There are at least this many; counted up to `most`. */
  readonly total: number;
  readonly exact: boolean;
}

/** A whole e-mail address; enough digits for a whole phone. */
const EMAIL = /^\S+@\S+[.]\S{2,}$/;
const PHONE = /^[0-9]{8,}$/;

/**
 * Contacts whose whole e-mail or phone was typed, by the indexes of these. Addresses share most of their trigrams:
 * the trigram index read 100,000 entries for one address.
 */
async function selectByAddress(
  db: Queryable,
  workspaceId: string,
  { text, phone }: SearchTerm,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<string[]> {
  const digits = phone?.digits ?? text;
  const condition = EMAIL.test(text)
    ? sql`email is not null and folded(email) = ${text}`
    : PHONE.test(digits)
      ? sql`phone is not null and phone = ${digits}`
      : null;
  if (condition === null) return [];
  const rows = await db.query<{ id: string }>(sql`
    select id from contact where workspace_id = ${workspaceId} and ${condition} and id < ${before}
    order by id desc limit ${limit}::int`);
  return rows.map(({ id }) => id);
}

/** Ids of contacts that the term finds, the newest first; when it is a whole address, only those with that address. */
export async function selectPeople(
  db: Queryable,
  workspaceId: string,
  term: SearchTerm,
  page: { readonly before: string; readonly limit: number; readonly most: number },
): Promise<PeopleMatches> {
  const { before, limit, most } = page;
  const whole = await selectByAddress(db, workspaceId, term, page);
  if (whole.length > 0)
    return { ids: whole.slice(0, limit), total: whole.length, exact: whole.length < limit };
  const indexed = HAS_TRIGRAM.test(term.text) && HAS_TRIGRAM.test(term.phone?.digits ?? term.text);
  const near = await db.query<{ id: string }>(sql`
    select id from (select id, search, phone from contact
      where workspace_id = ${workspaceId} and id < ${before}
      order by id desc limit ${indexed ? NEAR : NEAR_WITHOUT_INDEX}::int) n
    where ${matching(term)} order by id desc`);
  if (near.length >= limit || !indexed)
    return { ids: near.slice(0, limit).map(({ id }) => id), total: near.length, exact: false };
  const all = await db.query<{ id: string; total: number }>(sql`
    with hit as materialized (select id from contact
        where workspace_id = ${workspaceId} and ${matching(term)}),
      counted as materialized (select id from hit where id < ${before})
    select id, (select least(count(*), ${most}::int)::int from counted) as total
    from counted order by id desc limit ${limit}::int`);
  const total = all[0]?.total ?? 0;
  return { ids: all.map(({ id }) => id), total, exact: total < most };
}
