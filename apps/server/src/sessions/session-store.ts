import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { hasTwoFactor } from "../logins/login-sql.ts";
import { letsMembersIn, memberAt, requiresTwoFactor } from "../workspaces/workspace-sql.ts";
import type { Session, SignedIn } from "./session.ts";

/** For a session `s` and its member `m`: two-factor must be set up before anything else. */
const NEEDS_TWO_FACTOR = sql`(${requiresTwoFactor(sql`m.workspace_id`)} and not ${hasTwoFactor(sql`m.login_id`)})`;

export interface NewSession extends Session {
  readonly tokenHash: Buffer;
  readonly workspaceId: string;
  readonly memberId: string;
  readonly expiresAt: Date;
  readonly provenAt: Date;
}

export async function insertSession(tx: Tx, one: NewSession): Promise<void> {
  await tx.query(sql`insert into session (token_hash, workspace_id, member_id, id, created_at, seen_at,
      expires_at, proven_at, ip, agent)
    values (${one.tokenHash}, ${one.workspaceId}, ${one.memberId}, ${one.id}, ${one.createdAt}, ${one.seenAt},
      ${one.expiresAt}, ${one.provenAt}, ${one.ip}, ${one.agent})`);
}

/** The member of a secret, and when it was last seen; null: unknown, ended or expired. */
export async function selectSignedIn(
  db: Queryable,
  tokenHash: Buffer,
  now: Date,
): Promise<(SignedIn & { readonly seenAt: Date; readonly createdAt: Date }) | null> {
  const rows = await db.query<SignedIn & { seenAt: Date; createdAt: Date }>(sql`
    select s.id as "sessionId", s.workspace_id as "workspaceId", s.member_id as "memberId",
      m.login_id as "loginId", m.role, s.proven_at as "provenAt", s.seen_at as "seenAt",
      s.created_at as "createdAt",
      ${NEEDS_TWO_FACTOR} as "needsTwoFactor"
    from session s cross join lateral ${memberAt(sql`s.workspace_id`, sql`s.member_id`)} m
    where s.token_hash = ${tokenHash} and s.expires_at > ${now}::timestamptz and m.disabled_at is null
      and ${letsMembersIn(sql`s.workspace_id`)}`);
  return rows[0] ?? null;
}

export async function writeSeen(
  db: Queryable,
  tokenHash: Buffer,
  times: { readonly seenAt: Date; readonly expiresAt: Date },
): Promise<void> {
  await db.query(sql`update session set seen_at = ${times.seenAt}, expires_at = ${times.expiresAt}
    where token_hash = ${tokenHash}`);
}

/** Gives a session another secret. */
export async function writeToken(
  tx: Tx,
  { workspaceId, memberId, sessionId }: Pick<SignedIn, "workspaceId" | "memberId" | "sessionId">,
  tokenHash: Buffer,
): Promise<void> {
  await tx.query(sql`update session set token_hash = ${tokenHash}
    where workspace_id = ${workspaceId} and member_id = ${memberId} and id = ${sessionId}`);
}

/** Ends the session with this secret, if there is one. */
export async function deleteSessionWith(tx: Tx, tokenHash: Buffer): Promise<void> {
  await tx.query(sql`delete from session where token_hash = ${tokenHash}`);
}

export async function writeProven(
  tx: Tx,
  { workspaceId, memberId, sessionId }: Pick<SignedIn, "workspaceId" | "memberId" | "sessionId">,
  provenAt: Date,
): Promise<void> {
  await tx.query(sql`update session set proven_at = ${provenAt}
    where workspace_id = ${workspaceId} and member_id = ${memberId} and id = ${sessionId}`);
}

/** The member's valid sessions, the newest first. */
export function selectSessions(
  db: Queryable,
  workspaceId: string,
  memberId: string,
  now: Date,
): Promise<Session[]> {
  return db.query<Session>(sql`
    select id, created_at as "createdAt", seen_at as "seenAt", ip, agent from session
    where workspace_id = ${workspaceId} and member_id = ${memberId} and expires_at > ${now}::timestamptz
    order by id desc limit 100`);
}

/** Ends one session of a member, or with `but` all others. Gives how many. */
export async function deleteSessions(
  tx: Tx,
  workspaceId: string,
  memberId: string,
  which: { readonly id: string } | { readonly but: string },
): Promise<number> {
  const rows = await tx.query(sql`
    delete from session where workspace_id = ${workspaceId} and member_id = ${memberId}
      and ${"id" in which ? sql`id = ${which.id}` : sql`id <> ${which.but}`} returning 1`);
  return rows.length;
}

/** Ends the sessions of a login in all its workspaces, except one, and sign-ins that wait for their code. */
export async function deleteSessionsOfLogin(
  tx: Tx,
  members: readonly { readonly workspaceId: string; readonly id: string }[],
  but: string,
): Promise<void> {
  await tx.query(sql`
    delete from session s using unnest(${members.map((one) => one.workspaceId)}::uuid[],
      ${members.map((one) => one.id)}::uuid[]) as m (workspace_id, id)
    where s.workspace_id = m.workspace_id and s.member_id = m.id and s.id <> ${but}`);
  await tx.query(sql`
    delete from sign_in_step s using unnest(${members.map((one) => one.workspaceId)}::uuid[],
      ${members.map((one) => one.id)}::uuid[]) as m (workspace_id, id)
    where s.workspace_id = m.workspace_id and s.member_id = m.id`);
}

/** Deletes expired sessions. Gives how many. */
export async function deleteEnded(db: Queryable, now: Date, limit: number): Promise<number> {
  const rows = await db.query(sql`
    delete from session where token_hash in (
      select token_hash from session where expires_at <= ${now}::timestamptz order by expires_at limit ${limit})
    returning 1`);
  return rows.length;
}

/** Those of the sessions that are still valid. */
export function selectLiveSessions(
  db: Queryable,
  sessions: readonly {
    readonly workspaceId: string;
    readonly memberId: string;
    readonly sessionId: string;
  }[],
  now: Date,
): Promise<{ readonly id: string }[]> {
  return db.query(sql`
    select s.id from (select distinct * from unnest(${sessions.map((one) => one.workspaceId)}::uuid[],
      ${sessions.map((one) => one.memberId)}::uuid[], ${sessions.map((one) => one.sessionId)}::uuid[])
      u (workspace_id, member_id, id)) k
    cross join lateral (select id from session where workspace_id = k.workspace_id and member_id = k.member_id
      and id = k.id and expires_at > ${now}::timestamptz limit 1) s
    cross join lateral ${memberAt(sql`k.workspace_id`, sql`k.member_id`)} m
    where m.disabled_at is null and not ${NEEDS_TWO_FACTOR} and ${letsMembersIn(sql`k.workspace_id`)}`);
}
