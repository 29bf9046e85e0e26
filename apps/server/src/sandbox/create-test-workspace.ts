import type { Actor } from "../actor.ts";
import type { Context } from "../context.ts";
import { createWorkspace, type NewWorkspace } from "../workspaces/create-workspace.ts";
import type { Workspace } from "../workspaces/workspace.ts";
import { SANDBOX_TYPES } from "../wire/words.ts";
import { addSandboxChannel, addSandboxWeb } from "./add-sandbox-channel.ts";

/**
 * Makes a test workspace with a sandbox channel of each type, the web chat and SMS, so that a program can be tested at once.
 * Its plan is `business` unless another is named; one whose limits hold fewer channels gets as many as fit. Throws
 * VALIDATION_FAILED.
 */
export async function createTestWorkspace(
  actor: Actor,
  context: Context,
  input: NewWorkspace,
): Promise<Workspace> {
  const named = { plan: "business", smsCredits: null, ...input, kind: "test" } as const;
  const workspace = await createWorkspace(actor, context, named);
  for (const type of SANDBOX_TYPES) await addSandboxChannel(actor, context, workspace.id, { type });
  await addSandboxWeb(actor, context, workspace.id);
  return workspace;
}
