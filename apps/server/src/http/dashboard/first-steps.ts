import { listKeys } from "../../api-keys/list-keys.ts";
import { hasBroadcasts } from "../../broadcasts/record/find-broadcast.ts";
import { hasContacts } from "../../contacts/record/list-contacts.ts";
import type { firstSteps } from "./contract/first-steps.ts";
import type { Handlers } from "./handlers.ts";

/** The first steps of a workspace (contract/first-steps.ts). */
export const firstStepHandlers: Handlers<typeof firstSteps> = {
  async readStart(context, { caller: { workspaceId } }) {
    const [imported, campaign, keys] = await Promise.all([
      hasContacts(context.db, workspaceId),
      hasBroadcasts(context.db, workspaceId),
      listKeys(context, workspaceId),
    ]);
    return { imported, campaign, key: keys.some(({ revokedAt }) => revokedAt === null) };
  },
};
