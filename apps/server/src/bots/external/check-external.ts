import type { CheckBeforePublish } from "../record/publish-bot.ts";
import { draftFault } from "../record/shape-faults.ts";
import { selectBotSecret } from "./secret-store.ts";

/** An external bot has a secret that signs the calls. */
export const checkExternal: CheckBeforePublish = async (_context, tx, { kind, workspaceId, id }) =>
  kind !== "external" || (await selectBotSecret(tx, workspaceId, id))
    ? []
    : [draftFault("secret", "NO_SECRET", "must be made first: it signs the calls")];
