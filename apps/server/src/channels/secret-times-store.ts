import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** How long an account's secrets have been valid, and how long they will be. */
export interface SecretTimes {
  readonly since: Date | null;
  readonly endAt: Date | null;
  readonly dueAt: Date | null;
}

/** Since when the account has its secrets, when they end, when to renew them; null without the channel. */
export async function selectSecretTimes(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<SecretTimes | null> {
  const rows = await db.query<SecretTimes>(
    sql`select secrets_since as since, secrets_end_at as "endAt", secrets_due_at as "dueAt" from channel
      where workspace_id = ${workspaceId} and id = ${id}`,
  );
  return rows[0] ?? null;
}

/** Writes all three times. */
export async function writeSecretTimes(
  tx: Tx,
  workspaceId: string,
  id: string,
  { since, endAt, dueAt }: SecretTimes,
): Promise<void> {
  await tx.query(
    sql`update channel set secrets_since = ${since}, secrets_end_at = ${endAt}, secrets_due_at = ${dueAt}
      where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** When the secrets of a workspace's channels end, by channel; those without an end are left out. */
export async function selectSecretEnds(
  db: Queryable,
  workspaceId: string,
): Promise<Map<string, Date>> {
  const rows = await db.query<{ id: string; endAt: Date }>(
    sql`select id, secrets_end_at as "endAt" from channel
      where workspace_id = ${workspaceId} and status <> 'disconnected' and secrets_end_at is not null`,
  );
  return new Map(rows.map(({ id, endAt }) => [id, endAt]));
}
