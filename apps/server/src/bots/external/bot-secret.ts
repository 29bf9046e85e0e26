import type { Context } from "../../context.ts";
import type { Queryable, Tx } from "../../db/database.ts";
import { newSecret } from "../../webhooks/sign.ts";
import { putSecret, selectBotSecret } from "./secret-store.ts";

export const botSecretPlace = (workspaceId: string, botId: string): string =>
  `bot:${workspaceId}:${botId}`;

/** Makes what signs the calls to a bot's address, and gives it, once. The one before ends. */
export async function makeSecret(
  context: Pick<Context, "sealer" | "clock">,
  tx: Tx,
  workspaceId: string,
  botId: string,
): Promise<string> {
  const secret = newSecret();
  const sealed = context.sealer.seal(secret, botSecretPlace(workspaceId, botId));
  await putSecret(tx, workspaceId, botId, sealed, context.clock.now());
  return secret;
}

/** What signs the calls to a bot's address; null: none was made. */
export async function secretOf(
  context: Pick<Context, "sealer">,
  db: Queryable,
  workspaceId: string,
  botId: string,
): Promise<string | null> {
  const sealed = await selectBotSecret(db, workspaceId, botId);
  return sealed && context.sealer.open(sealed, botSecretPlace(workspaceId, botId));
}
