import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { checkAddress } from "../../lib/check-address.ts";
import type { BotFault } from "../../wire/bot.ts";
import type { StoredBotDocument } from "../record/bot-store.ts";
import type { CheckBeforePublish } from "../record/publish-bot.ts";
import { draftFault } from "../record/shape-faults.ts";
import { selectBotSecret } from "./secret-store.ts";

/** An external bot has a secret that signs the calls. Its address was judged before the transaction. */
export const checkExternal: CheckBeforePublish = async (_context, tx, bot, { address }) => {
  if (bot.kind !== "external") return [];
  const secret = await selectBotSecret(tx, bot.workspaceId, bot.id);
  return [
    ...address,
    ...(secret
      ? []
      : [draftFault("secret", "NO_SECRET", "must be made first: it signs the calls")]),
  ];
};

/**
 * Why the address of an external bot may not be called: the rule and the words are those of webhook endpoints. Of other
 * documents, and of those without an address, nothing. Asks the name server, for 3 seconds at most: not for a transaction.
 */
export async function addressFaults(
  context: Pick<Context, "config">,
  { kind, url }: StoredBotDocument,
): Promise<BotFault[]> {
  if (kind !== "external" || typeof url !== "string" || url === "") return [];
  try {
    await checkAddress(context, url, "url");
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return (error.facts.details ?? []).map(({ path, message }) =>
      draftFault(path, "ADDRESS_REFUSED", message),
    );
  }
}
