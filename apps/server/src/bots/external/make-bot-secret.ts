import type { Context } from "../../context.ts";
import { botOperations } from "../../operations/bots.ts";
import { audit } from "../../workspaces/write-audit.ts";
import { perform } from "../../write.ts";
import { lockLiving } from "../record/bots.ts";
import { makeSecret } from "./bot-secret.ts";

/**
 * Makes what signs the calls of a bot to other systems, and gives it, once. Throws NOT_FOUND; NOT_ALLOWED_IN_STATE for an
 * archived one.
 */
export const makeBotSecret = perform(
  botOperations.makeBotSecret,
  (actor, context: Context, workspaceId, { id }, { keep }) =>
    context.db.transaction(async (tx) => {
      await lockLiving(tx, workspaceId, id);
      const secret = await makeSecret(context, tx, workspaceId, id);
      await audit(actor, context, tx, workspaceId, { action: "bot.secret_made", subject: id });
      return keep(tx, { secret });
    }),
);
