import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { MemberRole } from "../actor.ts";
import { seatCount } from "./workspace-sql.ts";
import type { Availability, Member } from "./member.ts";
import type { OwnSettings, SettingsChanges } from "./member-settings.ts";

interface Row {
  workspace_id: string;
  id: string;
  login_id: string;
  email: string;
  name: string;
  role: MemberRole;
  created_at: Date;
  disabled_at: Date | null;
  availability: Availability;
}

/** Who never signed in is not there, whatever the column says. */
const COLUMNS = sql`workspace_id, id, login_id, email, name, role, created_at, disabled_at,
  case when signed_in_at is null then 'away' else availability end as availability`;

const toMember = (row: Row): Member => ({
  id: row.id,
  workspaceId: row.workspace_id,
  loginId: row.login_id,
  email: row.email,
  name: row.name,
  role: row.role,
  createdAt: row.created_at,
  disabledAt: row.disabled_at,
  availability: row.availability,
});

/** All members of the workspace, oldest first. */
export async function selectMembers(db: Queryable, workspaceId: string): Promise<Member[]> {
  const rows = await db.query<Row>(sql`select ${COLUMNS}
    from member where workspace_id = ${workspaceId} order by id`);
  return rows.map(toMember);
}

/** The role of a member who is not disabled, or null. */
export async function selectRole(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<MemberRole | null> {
  const rows = await db.query<{ role: MemberRole }>(sql`select role
    from member where workspace_id = ${workspaceId} and id = ${id} and disabled_at is null`);
  return rows[0]?.role ?? null;
}

/** One member, locked until the transaction ends. */
export async function lockMember(tx: Tx, workspaceId: string, id: string): Promise<Member | null> {
  const rows = await tx.query<Row>(sql`select ${COLUMNS}
    from member where workspace_id = ${workspaceId} and id = ${id} for update`);
  return rows[0] ? toMember(rows[0]) : null;
}

/**
 * Counts the owners who are not disabled, and locks them. So when two owners give up the role at once, neither counts
 * on the other.
 */
export async function countOwners(tx: Tx, workspaceId: string): Promise<number> {
  const rows = await tx.query(sql`select id from member
    where workspace_id = ${workspaceId} and role = 'owner' and disabled_at is null order by id for update`);
  return rows.length;
}

/** Writes name and role. */
export async function writeMember(tx: Tx, member: Member): Promise<void> {
  await tx.query(sql`update member set name = ${member.name}, role = ${member.role}
    where workspace_id = ${member.workspaceId} and id = ${member.id}`);
}

/** How many members a login has, in all workspaces. */
export async function countMembersOf(tx: Tx, loginId: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    sql`select count(*) as count from member where login_id = ${loginId}`,
  );
  return rows[0]?.count ?? 0;
}

/** Writes a login's address into all of its members. */
export async function writeEmailOfMembers(tx: Tx, loginId: string, email: string): Promise<void> {
  await tx.query(sql`update member set email = ${email} where login_id = ${loginId}`);
}

/** The members of a login, the first one first. */
export async function selectMembersOf(db: Queryable, loginId: string): Promise<Member[]> {
  const rows = await db.query<Row>(sql`select ${COLUMNS}
    from member where login_id = ${loginId} order by created_at, id`);
  return rows.map(toMember);
}

/** Deletes a member. The seat is free after the commit. */
export async function deleteMember(tx: Tx, workspaceId: string, id: string): Promise<void> {
  await tx.query(sql`delete from member where workspace_id = ${workspaceId} and id = ${id}`);
}

/** As `seatCount`. */
export async function countSeats(db: Queryable, workspaceId: string, now: Date): Promise<number> {
  const rows = await db.query<{ count: number }>(
    sql`select ${seatCount(workspaceId, now)} as count`,
  );
  return rows[0]?.count ?? 0;
}

/** Disables a member, or with null lets them in again. */
export async function writeDisabled(
  tx: Tx,
  workspaceId: string,
  id: string,
  disabledAt: Date | null,
): Promise<void> {
  await tx.query(sql`update member set disabled_at = ${disabledAt}
    where workspace_id = ${workspaceId} and id = ${id}`);
}

/** Whether an address belongs to a member of the workspace. */
export async function hasEmail(
  db: Queryable,
  workspaceId: string,
  email: string,
): Promise<boolean> {
  const rows = await db.query(
    sql`select 1 from member where workspace_id = ${workspaceId} and email = ${email}`,
  );
  return rows.length > 0;
}

/** Stores a member. False when the workspace already has one with that address. */
export async function insertMember(tx: Tx, member: Member): Promise<boolean> {
  const rows = await tx.query(sql`insert into member
      (workspace_id, id, login_id, email, name, role, created_at)
    values (${member.workspaceId}, ${member.id}, ${member.loginId}, ${member.email}, ${member.name},
            ${member.role}, ${member.createdAt})
    on conflict do nothing returning id`);
  return rows.length > 0;
}

/** The settings that a member chose; null when there is no such member. */
export async function selectSettings(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<Partial<OwnSettings> | null> {
  const rows = await db.query<{ settings: Partial<OwnSettings> }>(sql`
    select settings from member where workspace_id = ${workspaceId} and id = ${id}`);
  return rows[0]?.settings ?? null;
}

/** Writes changes over a member's settings and returns all settings; null when there is no such member. */
export async function writeSettings(
  db: Queryable,
  workspaceId: string,
  id: string,
  changes: SettingsChanges,
): Promise<Partial<OwnSettings> | null> {
  const rows = await db.query<{ settings: Partial<OwnSettings> }>(sql`
    update member set settings = settings || ${JSON.stringify(changes)}::jsonb
    where workspace_id = ${workspaceId} and id = ${id} returning settings`);
  return rows[0]?.settings ?? null;
}

/** Writes whether a member, who is signed in, is present. False when there is no such member. */
export async function writeAvailability(
  db: Queryable,
  workspaceId: string,
  id: string,
  availability: Availability,
): Promise<boolean> {
  const rows =
    await db.query(sql`update member set availability = ${availability}, signed_in_at = coalesce(signed_in_at, created_at)
    where workspace_id = ${workspaceId} and id = ${id} returning 1`);
  return rows.length > 0;
}

/** Records that a member signed in, at the first time. */
export async function writeSignedIn(
  tx: Tx,
  workspaceId: string,
  id: string,
  at: Date,
): Promise<void> {
  await tx.query(sql`update member set signed_in_at = ${at}
    where workspace_id = ${workspaceId} and id = ${id} and signed_in_at is null`);
}

/** Whether a member can take a conversation: neither away nor disabled, and has signed in before. */
export async function selectAtWork(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<boolean> {
  const rows = await db.query(sql`select 1 from member
    where workspace_id = ${workspaceId} and id = ${id} and disabled_at is null and availability = 'online'
      and signed_in_at is not null`);
  return rows.length > 0;
}
