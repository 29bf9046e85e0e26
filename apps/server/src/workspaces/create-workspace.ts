import type { Context } from "../context.ts";
import { checkedCountry } from "./country.ts";
import { checkedCount, checkedName, type Workspace } from "./workspace.ts";
import type { Plan } from "../wire/words.ts";
import { checkedTimeZone } from "./time-zone.ts";
import { insertWorkspace } from "./workspace-store.ts";
import { audit } from "./write-audit.ts";
import { write } from "../write.ts";

export interface NewWorkspace {
  readonly name: string;
  /** Default free. */
  readonly plan?: Plan;
  /** SMS segments to start with; null (the default): not counted. */
  readonly smsCredits?: number | null;
  /** IANA name. Default UTC. */
  readonly timeZone?: string;
  /** Two letters, like "KW". Default none. */
  readonly country?: string;
}

/** Opens a workspace. Throws VALIDATION_FAILED. */
export const createWorkspace = write(
  "workspace.create",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids">,
    input: NewWorkspace,
  ): Promise<Workspace> => {
    const workspace: Workspace = {
      id: context.ids.next(),
      name: checkedName(input.name),
      plan: input.plan ?? "free",
      limitOverrides: {},
      smsCredits: checkedCount("smsCredits", input.smsCredits ?? null),
      suspendedAt: null,
      country: input.country === undefined ? null : checkedCountry(input.country),
      timeZone: await checkedTimeZone(context.db, input.timeZone ?? "UTC"),
      createdAt: context.clock.now(),
    };
    await context.db.transaction(async (tx) => {
      await insertWorkspace(tx, workspace);
      await audit(actor, context, tx, workspace.id, {
        action: "workspace.created",
        subject: workspace.id,
        facts: { plan: workspace.plan },
      });
    });
    return workspace;
  },
);
