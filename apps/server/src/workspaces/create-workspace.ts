import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { anybodyCanSignIn, lockFirstLogin } from "../logins/login.ts";
import { addMember, checkedMember } from "./create-member.ts";
import type { Member } from "./member.ts";
import { checkedCountry } from "./country.ts";
import { checkedCount, checkedName, type Workspace } from "./workspace.ts";
import type { Plan, WorkspaceKind } from "../wire/words.ts";
import { checkedTimeZone } from "./time-zone.ts";
import { insertWorkspace } from "./workspace-store.ts";
import { audit } from "./write-audit.ts";
import { write } from "../write.ts";

export interface NewWorkspace {
  readonly name: string;
  /** Default free. */
  readonly plan?: Plan;
  /** Default live. It never changes. */
  readonly kind?: WorkspaceKind;
  /** The balance of SMS credits at the start; null (the default) does not count them. */
  readonly smsCredits?: number | null;
  /** IANA name. Default UTC. */
  readonly timeZone?: string;
  /** Two letters, like "KW". Default none. */
  readonly country?: string;
}

/** Creates a workspace. Throws VALIDATION_FAILED. */
export const createWorkspace = write(
  "workspace.create",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids">,
    input: NewWorkspace,
  ): Promise<Workspace> => {
    const workspace = await checkedWorkspace(context, input);
    await context.db.transaction((tx) => openWorkspace(actor, context, tx, workspace));
    return workspace;
  },
);

export interface FirstOwner {
  readonly name: string;
  readonly email: string;
  /** At least 10 characters. */
  readonly password: string;
}

/**
 * Creates the first workspace of an installation with its owner. It works only while nobody can sign in, and of two
 * tries at once only one succeeds. Throws VALIDATION_FAILED, and NOT_FOUND once somebody can sign in.
 */
export const setUpWorkspace = write(
  "workspace.set_up",
  async (
    actor,
    context: Pick<Context, "db" | "clock" | "ids">,
    input: NewWorkspace,
    owner: FirstOwner,
  ): Promise<{ readonly workspace: Workspace; readonly owner: Member }> => {
    const done = () =>
      new AppError("NOT_FOUND", {
        explanation: "Parley is set up; sign in, or ask an owner for an invitation",
      });
    // Before the hash, which costs far more than the look-up: this call is open to everybody.
    if (await anybodyCanSignIn(context)) throw done();
    const workspace = await checkedWorkspace(context, input);
    const checked = await checkedMember({ ...owner, role: "owner" });
    return context.db.transaction(async (tx) => {
      if (await lockFirstLogin(tx)) throw done();
      await openWorkspace(actor, context, tx, workspace);
      return { workspace, owner: await addMember(actor, context, tx, workspace, checked) };
    });
  },
);

async function checkedWorkspace(
  context: Pick<Context, "db" | "clock" | "ids">,
  input: NewWorkspace,
): Promise<Workspace> {
  return {
    id: context.ids.next(),
    name: checkedName(input.name),
    plan: input.plan ?? "free",
    kind: input.kind ?? "live",
    limitOverrides: {},
    smsCredits: checkedCount("smsCredits", input.smsCredits ?? null),
    suspendedAt: null,
    twoFactorRequired: false,
    otpPerNumber: null,
    otpCountries: null,
    locale: null,
    removalAskedAt: null,
    country: input.country === undefined ? null : checkedCountry(input.country),
    timeZone: await checkedTimeZone(context.db, input.timeZone ?? "UTC"),
    createdAt: context.clock.now(),
  };
}

async function openWorkspace(
  actor: Actor,
  context: Pick<Context, "clock" | "ids">,
  tx: Tx,
  workspace: Workspace,
): Promise<void> {
  await insertWorkspace(tx, workspace);
  await audit(actor, context, tx, workspace.id, {
    action: "workspace.created",
    subject: workspace.id,
    facts: { plan: workspace.plan, ...(workspace.kind === "test" && { kind: "test" }) },
  });
}
