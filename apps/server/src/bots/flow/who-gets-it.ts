import type { Queryable } from "../../db/database.ts";
import { countAssigned } from "../../desk/read-desk.ts";
import { listMembers } from "../../workspaces/list-members.ts";
import type { FlowAssign } from "./run-flow.ts";

/** The member who gets a conversation from a flow; null: no one, it waits. */
export async function memberFor(
  db: Queryable,
  workspaceId: string,
  to: FlowAssign,
): Promise<string | null> {
  if (to.kind === "nobody") return null;
  if (to.kind === "member") return to.memberId;
  const online = (await listMembers(db, workspaceId)).filter(
    ({ disabledAt, availability }) => disabledAt === null && availability === "online",
  );
  const ids = online.map(({ id }) => id);
  const counts = new Map((await countAssigned(db, workspaceId, ids)).map(({ id, n }) => [id, n]));
  const [least] = ids.toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0));
  return least ?? null;
}
