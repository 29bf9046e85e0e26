import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Day, Period, Week } from "../wire/hours.ts";

/** The hours as they were saved. */
export interface StoredHours {
  /** Null: the workspace's. */
  readonly timeZone: string | null;
  readonly week: Week;
  readonly periods: readonly Period[];
  readonly days: readonly Day[];
  readonly version: number;
  readonly changedAt: Date;
}

interface Row {
  time_zone: string | null;
  week: Week;
  periods: Period[];
  days: Day[];
  version: number;
  changed_at: Date;
}

const COLUMNS = sql`time_zone, week, periods, days, version, changed_at`;

const toHours = ({ time_zone, changed_at, ...row }: Row): StoredHours => ({
  ...row,
  timeZone: time_zone,
  changedAt: changed_at,
});

/** The hours that a workspace saved, or null. */
export async function selectHours(db: Queryable, workspaceId: string): Promise<StoredHours | null> {
  const [row] = await db.query<Row>(
    sql`select ${COLUMNS} from business_hours where workspace_id = ${workspaceId}`,
  );
  return row ? toHours(row) : null;
}

/** Stores the hours and raises their version. */
export async function upsertHours(
  tx: Tx,
  workspaceId: string,
  { timeZone, week, periods, days, changedAt }: Omit<StoredHours, "version">,
): Promise<StoredHours> {
  const [row] = await tx.query<Row>(sql`insert into business_hours
      (workspace_id, time_zone, week, periods, days, version, changed_at)
    values (${workspaceId}, ${timeZone}, ${JSON.stringify(week)}::jsonb, ${JSON.stringify(periods)}::jsonb,
            ${JSON.stringify(days)}::jsonb, 1, ${changedAt})
    on conflict (workspace_id) do update
      set time_zone = excluded.time_zone, week = excluded.week, periods = excluded.periods, days = excluded.days,
          version = business_hours.version + 1, changed_at = excluded.changed_at
    returning ${COLUMNS}`);
  if (!row) throw new Error("the hours were not stored");
  return toHours(row);
}
