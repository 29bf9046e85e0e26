import type { Context } from "../context.ts";
import { isId } from "../lib/ids.ts";
import { cutPage } from "../lib/cut-page.ts";
import { PAGE_ITEMS } from "../operations/page.ts";
import { teamReads } from "../operations/team.ts";
import { perform } from "../write.ts";
import { listMembers } from "./list-members.ts";
import type { Member } from "./member.ts";
import type { MemberRecord } from "../wire/member.ts";

/** The members of the workspace, in the order of joining. A cursor that is no id finds none. */
export const listTeamMembers = perform(
  teamReads.listTeamMembers,
  async (_actor, context: Pick<Context, "db">, workspaceId, { cursor, limit = PAGE_ITEMS }) => {
    // A workspace has as many members as its plan has seats: the page is cut here.
    const all = await listMembers(context.db, workspaceId);
    const from = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1;
    const known = cursor === undefined || (isId(cursor) && from > 0);
    const { items, last } = cutPage(known ? all.slice(from, from + limit + 1) : [], limit);
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
