import type { Queryable } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/**
 * Takes the lease when it is free, ours or expired. False when another process runs the sandbox; then nothing is
 * written.
 */
export async function claimSandboxLease(
  db: Queryable,
  lease: {
    readonly holder: string;
    readonly address: string;
    readonly now: Date;
    readonly until: Date;
  },
): Promise<boolean> {
  const { holder, address, now, until } = lease;
  const rows = await db.query(sql`
    insert into sandbox_runner as r (holder, address, lease_until)
    select ${holder}::uuid, ${address}, ${until}::timestamptz
      where not exists (select 1 from sandbox_runner where holder <> ${holder}::uuid and lease_until > ${now})
    on conflict (only_one) do update
      set holder = excluded.holder, address = excluded.address, lease_until = excluded.lease_until
      where r.holder = excluded.holder or r.lease_until <= ${now}
    returning 1`);
  return rows.length > 0;
}

/** Gives the lease back, so that another process takes over at once. */
export async function dropLease(db: Queryable, holder: string): Promise<number> {
  const rows = await db.query(sql`delete from sandbox_runner where holder = ${holder} returning 1`);
  return rows.length;
}

/** The address where the sandbox runs now; null when it runs nowhere. */
export async function selectRunner(db: Queryable, now: Date): Promise<string | null> {
  const rows = await db.query<{ address: string }>(
    sql`select address from sandbox_runner where lease_until > ${now}`,
  );
  return rows[0]?.address ?? null;
}
