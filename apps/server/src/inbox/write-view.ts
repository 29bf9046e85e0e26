import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import type { Queryable, Tx } from "../db/database.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { permitRight } from "../policies.ts";
import { memberOf } from "../workspaces/member-notice.ts";
import { audit } from "../workspaces/write-audit.ts";
import { write } from "../write.ts";
import {
  countOwnViews,
  lockOwnView,
  putOwnView,
  removeOwnView,
  selectOwnViews,
} from "./desk-view-store.ts";
import { VIEW_BOUNDS } from "../wire/words.ts";
import type { DeskViewFilter, DeskViewRule, OwnView } from "./desk-view.ts";

/** The views that a member sees: shared ones and the member's own, in the order of their creation. */
export const viewsOf = (db: Queryable, workspaceId: string, memberId: string): Promise<OwnView[]> =>
  selectOwnViews(db, workspaceId, [memberId]);

type ViewContext = Pick<Context, "db" | "ids" | "clock">;

/** Limited, because every page of the dashboard has all of them and counts them. */
const MOST = 50;

/**
 * Creates a view of the acting member, or a shared one (`shared`, for owners and admins). Throws FORBIDDEN,
 * VALIDATION_FAILED.
 */
export const createView = write(
  "desk_view.create",
  async (
    actor,
    context: ViewContext,
    workspaceId: string,
    input: { readonly name: string; readonly filter: DeskViewFilter; readonly shared: boolean },
  ): Promise<OwnView> => {
    if (input.shared) permitRight(actor, "inbox.share");
    const memberId = input.shared ? null : memberOf(actor);
    const { name, filter } = input;
    const view = tidy({ id: context.ids.next(), memberId, name, filter });
    return context.db.transaction(async (tx) => {
      if ((await countOwnViews(tx, workspaceId, memberId)) >= MOST)
        throw invalid("name", `cannot be added: there are ${MOST} views`);
      const stored = await putOwnView(tx, workspaceId, view, context.clock.now());
      await audit(actor, context, tx, workspaceId, {
        action: "desk_view.created",
        subject: view.id,
      });
      return stored;
    });
  },
);

/**
 * Changes a view; members that are left out stay. `match` is called under its lock. Throws FORBIDDEN, NOT_FOUND,
 * VALIDATION_FAILED.
 */
export const updateView = write(
  "desk_view.update",
  async (
    actor,
    context: ViewContext,
    workspaceId: string,
    id: string,
    patch: { readonly name?: string | undefined; readonly filter?: DeskViewFilter | undefined },
    match: (current: OwnView) => void = () => {},
  ): Promise<OwnView> => {
    return context.db.transaction(async (tx) => {
      const before = await lockWritable(actor, tx, workspaceId, id);
      match(before);
      const { name = before.name, filter = before.filter } = patch;
      const view = tidy({ ...before, name, filter });
      const stored = await putOwnView(tx, workspaceId, view, context.clock.now());
      await audit(actor, context, tx, workspaceId, { action: "desk_view.updated", subject: id });
      return stored;
    });
  },
);

/** Deletes a view. Throws FORBIDDEN, NOT_FOUND. */
export const deleteView = write(
  "desk_view.delete",
  async (actor, context: ViewContext, workspaceId: string, id: string): Promise<void> => {
    await context.db.transaction(async (tx) => {
      const { memberId, name } = await lockWritable(actor, tx, workspaceId, id);
      await removeOwnView(tx, workspaceId, id);
      await audit(actor, context, tx, workspaceId, {
        action: "desk_view.deleted",
        subject: id,
        facts: memberId === null ? { name } : {},
      });
    });
  },
);

/** Another member's own one does not exist for the actor; only owners and admins write shared ones. */
async function lockWritable(
  actor: Actor,
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<OwnView> {
  const found = isId(id) ? await lockOwnView(tx, workspaceId, id) : null;
  if (!found || (found.memberId !== null && found.memberId !== memberOf(actor)))
    throw new AppError("NOT_FOUND", { explanation: "no such view" });
  if (found.memberId === null) permitRight(actor, "inbox.share");
  return found;
}

function tidy(view: OwnView): OwnView {
  const name = view.name.trim();
  if (name === "" || name.length > 80) throw invalid("name", "must be 1 to 80 characters");
  const { all } = view.filter;
  const most = (count: number, what: string) =>
    invalid("filter", `must have at most ${count} ${what}`);
  if (all.length > VIEW_BOUNDS.groups) throw most(VIEW_BOUNDS.groups, "groups");
  if (all.reduce((sum, group) => sum + group.length, 0) > VIEW_BOUNDS.rules)
    throw most(VIEW_BOUNDS.rules, "rules");
  for (const rule of all.flat())
    if ("any" in rule) {
      if (rule.any.length > VIEW_BOUNDS.values) throw most(VIEW_BOUNDS.values, "values in a rule");
      if (rule.any.some((value) => value.length > VIEW_BOUNDS.length))
        throw most(VIEW_BOUNDS.length, "characters in a value");
    }
  return { ...view, name, filter: { all: all.map((group) => group.map(bare)) } };
}

/** The rule without members that no rule has: they would be stored, and read with every page. */
function bare(rule: DeskViewRule): DeskViewRule {
  switch (rule.field) {
    case "status":
      return { field: rule.field, any: rule.any };
    case "channel":
    case "label":
    case "assignee":
      return { field: rule.field, any: rule.any };
    case "unanswered":
    case "failed":
    case "unread":
      return { field: rule.field, is: rule.is };
    case "waiting":
      return { field: rule.field, minutes: rule.minutes };
  }
}
