import type { Queryable } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { audienceItems } from "../audience/audience-store.ts";
import type { Broadcast } from "../record/broadcast.ts";
import type { SkipReason } from "../audience/recipient.ts";
import type { SplitRendering } from "../audience/split.ts";
import { contactsOf } from "../../contacts/record/contact-sql.ts";

type Shows = Pick<SplitRendering, "facts" | "needs">;

/** A contact as the audience would store it now. */
export interface Candidate {
  readonly id: string;
  readonly name: string | null;
  readonly address: string | null;
  readonly shown: readonly (string | null)[] | null;
  readonly variant: number | null;
  readonly skip: SkipReason | null;
}

interface FirstOnes {
  readonly limit: number;
  readonly now: Date;
}

/** The first contacts of the audience, in the order in which they are called, as a statement that gives `Candidate`s. */
export function firstCandidates(
  broadcast: Broadcast,
  audience: Sql,
  shows: Shows,
  options: FirstOnes,
): Sql {
  const items = audienceItems(broadcast, audience, shows, { ...options, after: null });
  return sql`
    select i.id, c.name, i.address, i.shown, i.variant, i.skip from (${items}) i
    join ${contactsOf(broadcast.workspaceId)} c on c.id = i.id order by i.id`;
}

/** The same, read. */
export function selectCandidates(
  db: Queryable,
  broadcast: Broadcast,
  audience: Sql,
  shows: Shows,
  options: FirstOnes,
): Promise<Candidate[]> {
  return db.query<Candidate>(firstCandidates(broadcast, audience, shows, options));
}

export interface AudienceCount {
  /** Null: they are recipients. */
  readonly skip: SkipReason | null;
  readonly count: number;
  /** Different addresses among them; a number in two spellings counts once. */
  readonly addresses: number;
}

/**
 * The whole audience counted as it would be stored now. Reads every contact: for `slowQuery`. Addresses are grouped
 * first, by hashing: `count(distinct)` sorts them, which is a fifth of the whole time.
 */
export function audienceCounts(broadcast: Broadcast, audience: Sql, shows: Shows, now: Date): Sql {
  const items = audienceItems(broadcast, audience, shows, { after: null, limit: null, now });
  return sql`select skip, sum(count)::int as count, count(address)::int as addresses
    from (select i.skip, one_spelling(i.address) as address, count(*) as count from (${items}) i group by 1, 2) a
    group by skip`;
}

/** Whether any contact fits the condition over contact `c`. */
export async function anyContact(
  db: Queryable,
  workspaceId: string,
  condition: Sql,
): Promise<boolean> {
  const rows = await db.query(
    sql`select 1 from ${contactsOf(workspaceId)} c where ${condition} limit 1`,
  );
  return rows.length > 0;
}
