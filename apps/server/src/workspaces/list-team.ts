import type { Context } from "../context.ts";
import { NIL_ID } from "../lib/ids.ts";
import { cursorOf, cutPage } from "../lib/cut-page.ts";
import { PAGE_ITEMS } from "../operations/page.ts";
import { teamReads } from "../operations/team.ts";
import { perform } from "../write.ts";
import { listMembers } from "./list-members.ts";
import type { Member } from "./member.ts";
import type { MemberRecord } from "../wire/member.ts";

/** The members of the workspace, in the order of joining. Throws VALIDATION_FAILED for a cursor that no page gave. */
export const listTeamMembers = perform(
  teamReads.listTeamMembers,
  async (_actor, context: Pick<Context, "db">, workspaceId, { cursor, limit = PAGE_ITEMS }) => {
    const after = cursorOf(cursor) ?? NIL_ID;
    // A workspace has as many members as its plan has seats: the page is cut here.
    const all = await listMembers(context.db, workspaceId);
    // The one at the cursor may have been removed since: those behind it still follow.
    const { items, last } = cutPage(
      all.filter(({ id }) => id > after),
      limit,
    );
    return {
      items: items.map(presentTeamMember),
      nextCursor: last?.id ?? null,
    };
  },
);

/** A member as programs read it. */
export const presentTeamMember = ({
  id,
  name,
  email,
  role,
  availability,
  disabledAt,
  createdAt,
}: Member): MemberRecord => ({
  id,
  name,
  email,
  role,
  availability,
  disabled: disabledAt !== null,
  createdAt: createdAt.toISOString(),
});
