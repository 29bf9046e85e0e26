import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { LIMIT_NAMES, type LimitName, type PlanLimits } from "./plan-limits.ts";
import type { Plan, WorkspaceKind } from "../wire/words.ts";
import type { Workspace } from "./workspace.ts";

interface Row {
  id: string;
  name: string;
  plan: Plan;
  kind: WorkspaceKind;
  limits: Record<string, unknown>;
  sms_credits: number | null;
  suspended_at: Date | null;
  time_zone: string;
  country: string | null;
  two_factor_required: boolean;
  locale: "en" | "ar" | null;
  otp_per_number: number | null;
  otp_countries: string[] | null;
  removal_asked_at: Date | null;
  created_at: Date;
}

const COLUMNS = sql`id, name, plan, kind, limits, sms_credits, suspended_at, time_zone, country,
  two_factor_required, locale, otp_per_number, otp_countries,
  removal_asked_at, created_at`;

function toWorkspace(row: Row): Workspace {
  const overrides: Partial<Record<LimitName, number | null>> = {};
  for (const name of LIMIT_NAMES) {
    const value = row.limits[name];
    if (typeof value === "number" || value === null) overrides[name] = value;
  }
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    kind: row.kind,
    limitOverrides: overrides,
    smsCredits: row.sms_credits,
    suspendedAt: row.suspended_at,
    timeZone: row.time_zone,
    country: row.country,
    twoFactorRequired: row.two_factor_required,
    locale: row.locale,
    otpPerNumber: row.otp_per_number,
    otpCountries: row.otp_countries,
    removalAskedAt: row.removal_asked_at,
    createdAt: row.created_at,
  };
}

/** The workspaces with these ids, in no order. Unknown ids are left out. */
export async function selectWorkspaces(
  db: Queryable,
  ids: readonly string[],
): Promise<Workspace[]> {
  const rows = await db.query<Row>(
    sql`select ${COLUMNS} from workspace where id = any(${ids}::uuid[])`,
  );
  return rows.map(toWorkspace);
}

/** Every workspace, oldest first. */
export async function selectAllWorkspaces(db: Queryable): Promise<Workspace[]> {
  return (await db.query<Row>(sql`select ${COLUMNS} from workspace order by id`)).map(toWorkspace);
}

/** Locks a workspace's row until the transaction ends. Every check of a workspace's limit does so. */
export async function lockWorkspace(tx: Tx, id: string): Promise<Workspace | null> {
  const rows = await tx.query<Row>(
    sql`select ${COLUMNS} from workspace where id = ${id} for update`,
  );
  return rows[0] ? toWorkspace(rows[0]) : null;
}

/** Any one workspace, or none. */
export function selectAnyWorkspace(db: Queryable): Promise<unknown[]> {
  return db.query(sql`select 1 from workspace limit 1`);
}

/** Stores a new workspace. */
export async function insertWorkspace(tx: Tx, workspace: Workspace): Promise<void> {
  await tx.query(sql`insert into workspace (id, name, plan, kind, limits, sms_credits, time_zone, country, created_at)
    values (${workspace.id}, ${workspace.name}, ${workspace.plan}, ${workspace.kind},
            ${JSON.stringify(workspace.limitOverrides)}::jsonb, ${workspace.smsCredits}, ${workspace.timeZone},
            ${workspace.country}, ${workspace.createdAt})`);
}

/** Writes all fields of a workspace that can change, except its balance (`setSmsCredits`). */
export async function replaceWorkspace(
  tx: Tx,
  id: string,
  next: Pick<
    Workspace,
    | "name"
    | "plan"
    | "suspendedAt"
    | "timeZone"
    | "country"
    | "twoFactorRequired"
    | "locale"
    | "otpPerNumber"
    | "otpCountries"
  > & {
    limitOverrides: Partial<PlanLimits>;
  },
): Promise<void> {
  await tx.query(sql`update workspace
    set name = ${next.name}, plan = ${next.plan}, suspended_at = ${next.suspendedAt},
        time_zone = ${next.timeZone}, country = ${next.country},
        two_factor_required = ${next.twoFactorRequired}, locale = ${next.locale}, otp_per_number = ${next.otpPerNumber},
        otp_countries = ${next.otpCountries},
        limits = ${JSON.stringify(next.limitOverrides)}::jsonb
    where id = ${id}`);
}

/**
 * Writes the balance. It is separate from `replaceWorkspace`, because sends change the balance meanwhile: it is written
 * only when that was asked for.
 */
export async function setSmsCredits(tx: Tx, id: string, credits: number | null): Promise<void> {
  await tx.query(sql`update workspace set sms_credits = ${credits} where id = ${id}`);
}

/** Whether PostgreSQL knows this zone and can compute its days. It has a list of its own. */
export async function knowsTimeZone(db: Queryable, name: string): Promise<boolean> {
  const rows = await db.query(
    sql`select 1 from pg_timezone_names
      where lower(name collate "C") = lower(${name}::text collate "C") limit 1`,
  );
  return rows.length > 0;
}

/**
 * Takes `count` from the balance and returns the new one; undefined when it is too low. A null balance is not limited
 * and stays null.
 */
export async function chargeCreditBalance(
  tx: Tx,
  workspaceId: string,
  count: number,
): Promise<number | null | undefined> {
  const [row] = await tx.query<{ sms_credits: number | null }>(sql`
    update workspace set sms_credits = sms_credits - ${count}::integer
    where id = ${workspaceId} and (sms_credits is null or sms_credits >= ${count}::integer)
    returning sms_credits`);
  return row ? row.sms_credits : undefined;
}

/** The balance of SMS credits; 0 where none is counted. */
export async function selectCredits(tx: Tx, workspaceId: string): Promise<number> {
  const [row] = await tx.query<{ sms_credits: number | null }>(
    sql`select sms_credits from workspace where id = ${workspaceId}`,
  );
  return row?.sms_credits ?? 0;
}

/** Deletes the row of a workspace. Fails (23503) while rows of another table name it. */
export async function deleteWorkspaceById(db: Queryable, id: string): Promise<void> {
  await db.query(sql`delete from workspace where id = ${id}`);
}

/** Locks out new workspaces until the transaction ends. */
export async function lockWorkspaces(tx: Tx): Promise<void> {
  await tx.query(sql`lock table workspace in exclusive mode`);
}

/** Stores that an owner asked for the deletion of the workspace. */
export async function writeRemovalAsked(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.query(sql`update workspace set removal_asked_at = ${at} where id = ${id}`);
}

/** A workspace that is to be deleted, if there is one. */
export async function selectToRemove(
  db: Queryable,
): Promise<{ readonly id: string; readonly name: string } | null> {
  const [row] = await db.query<{ id: string; name: string }>(sql`
    select id, name from workspace where removal_asked_at is not null order by removal_asked_at limit 1`);
  return row ?? null;
}
