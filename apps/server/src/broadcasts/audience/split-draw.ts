import { sql, type Sql } from "../../db/sql.ts";
import type { Broadcast } from "../record/broadcast.ts";

/** Index of the hold-out group. */
export const HOLDOUT = -1;

export type Drawn = Pick<Broadcast, "id" | "variants">;

/**
 * Where each variant ends on the line from 0 to 1: first the hold-out, then the variants by their shares, the last
 * one up to 1 whatever the fractions add up to.
 */
export function borders({ variants }: Drawn): {
  readonly holdout: number;
  readonly ends: number[];
} {
  const given = variants.reduce((sum, one) => sum + one.share, 0);
  // The hold-out that was asked for: 1 − (0.45 + 0.45) is 0.09999999999999998.
  const holdout = Math.max(0, Math.round((1 - given) * 1e9) / 1e9);
  const ends: number[] = [];
  for (const { share } of variants) ends.push((ends.at(-1) ?? holdout) + share);
  if (ends.length > 0) ends[ends.length - 1] = 1;
  return { holdout, ends };
}

/**
 * The variant that candidate row (`address`) of the audience statement draws, as SQL. It is the same at every run,
 * because it comes from a hash of campaign and address. The address counts, not the contact: two contacts with one
 * number draw alike, or one would be told what the other is held out from. Null when the campaign has no variants.
 */
export function drawVariant(broadcast: Drawn): Sql {
  if (broadcast.variants.length === 0) return sql`null::smallint`;
  const { holdout, ends } = borders(broadcast);
  const lot = sql`(('x' || left(md5(${broadcast.id}::text || ':' || address), 8))::bit(32)::bigint / 4294967296.0::float8)`;
  const arms = ends
    .slice(0, -1)
    .map((end, place) => sql`when ${lot} < ${end}::float8 then ${place}::smallint`);
  const before = sql`when ${lot} < ${holdout}::float8 then ${HOLDOUT}::smallint`;
  const cases = arms.reduce((text, arm) => sql`${text} ${arm}`, before);
  return sql`case ${cases} else ${ends.length - 1}::smallint end`;
}
