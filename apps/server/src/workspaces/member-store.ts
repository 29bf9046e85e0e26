import type { Queryable, Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Member, MemberRole } from "./member.ts";

interface Row {
  workspace_id: string;
  id: string;
  email: string;
  name: string;
  role: MemberRole;
  created_at: Date;
}

/** Everybody of the workspace, oldest first. */
export async function selectMembers(db: Queryable, workspaceId: string): Promise<Member[]> {
  const rows = await db.query<Row>(sql`select workspace_id, id, email, name, role, created_at
    from member where workspace_id = ${workspaceId} order by id`);
  return rows.map((row) => ({
    id: row.id,
    workspaceId: row.workspace_id,
    email: row.email,
    name: row.name,
    role: row.role,
    createdAt: row.created_at,
  }));
}

/** How many of the plan's seats are taken. */
export async function countMembers(db: Queryable, workspaceId: string): Promise<number> {
  const rows = await db.query<{ count: number }>(
    sql`select count(*) as count from member where workspace_id = ${workspaceId}`,
  );
  return rows[0]?.count ?? 0;
}

/** False when the workspace has somebody with that address. */
export async function insertMember(
  tx: Tx,
  member: Member,
  passwordHash: string | null,
): Promise<boolean> {
  const rows = await tx.query(sql`insert into member
      (workspace_id, id, email, name, role, password_hash, created_at)
    values (${member.workspaceId}, ${member.id}, ${member.email}, ${member.name}, ${member.role},
            ${passwordHash}, ${member.createdAt})
    on conflict (workspace_id, email) do nothing returning id`);
  return rows.length > 0;
}
