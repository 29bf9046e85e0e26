import type { MemberRole } from "../actor.ts";
import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";

/** An invitation of a person to a workspace. */
export interface Invitation {
  readonly id: string;
  readonly workspaceId: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const COLUMNS = sql`id, workspace_id as "workspaceId", email, role, created_at as "createdAt",
  expires_at as "expiresAt"`;

/** Stores an invitation, with the hash of its secret. */
export async function insertInvitation(
  tx: Tx,
  one: Invitation & { readonly tokenHash: Buffer },
): Promise<void> {
  await tx.query(sql`insert into invitation (workspace_id, id, token_hash, email, role, created_at, expires_at)
    values (${one.workspaceId}, ${one.id}, ${one.tokenHash}, ${one.email}, ${one.role}, ${one.createdAt},
      ${one.expiresAt})`);
}

/** Invitations that have not expired, the oldest first. */
export function selectInvitations(
  db: Queryable,
  workspaceId: string,
  now: Date,
): Promise<Invitation[]> {
  return db.query<Invitation>(sql`select ${COLUMNS} from invitation
    where workspace_id = ${workspaceId} and expires_at > ${now}::timestamptz order by id`);
}

/** The open invitation with this secret's hash; null when there is none or it has expired. */
export async function selectInvitation(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<Invitation | null> {
  const rows = await db.query<Invitation>(sql`select ${COLUMNS} from invitation
    where token_hash = ${tokenHash} and expires_at > ${now}::timestamptz`);
  return rows[0] ?? null;
}

/** Deletes an invitation. False when there was none. */
export async function deleteInvitation(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  const rows = await tx.query(sql`delete from invitation
    where workspace_id = ${workspaceId} and id = ${id} returning 1`);
  return rows.length > 0;
}

/** Deletes the invitation of an address, open or expired. */
export async function deleteInvitationOf(
  tx: Tx,
  workspaceId: string,
  email: string,
): Promise<void> {
  await tx.query(
    sql`delete from invitation where workspace_id = ${workspaceId} and email = ${email}`,
  );
}

/** Deletes the invitations of an address to all workspaces, and returns them. */
export function deleteInvitationsTo(
  tx: Tx,
  email: string,
): Promise<{ readonly workspaceId: string; readonly id: string }[]> {
  return tx.query(sql`delete from invitation where email = ${email}
    returning workspace_id as "workspaceId", id`);
}
