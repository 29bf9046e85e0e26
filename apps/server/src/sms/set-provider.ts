import type { Context } from "../context.ts";
import { sqlState } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import { presentProvider } from "./find-provider.ts";
import {
  checkProvider,
  smsSecretsPlace,
  type SmsProviderInput,
  type WorkspaceSmsProvider,
} from "./sms-provider.ts";
import { selectByWorkspace, upsertProvider } from "./sms-provider-store.ts";

/**
 * Sets the workspace's one SMS gateway account, replacing the former. It cannot send until `testProvider` went
 * through (spec, POST /v1/otp/send). Secrets are sealed. Throws VALIDATION_FAILED by field, NOT_FOUND (workspace).
 */
export async function setProvider(
  context: Pick<Context, "db" | "ids" | "clock" | "sealer">,
  workspaceId: string,
  input: SmsProviderInput,
): Promise<WorkspaceSmsProvider> {
  const { provider, apiUrl, settings, secrets } = checkProvider(input);
  const unknown = new AppError("NOT_FOUND", {
    explanation: `there is no workspace ${workspaceId}`,
  });
  if (!isId(workspaceId)) throw unknown;
  try {
    return await context.db.transaction(async (tx) => {
      const id = (await selectByWorkspace(tx, workspaceId))?.id ?? context.ids.next();
      const row = await upsertProvider(tx, {
        workspaceId,
        id,
        provider,
        apiUrl,
        settings,
        secretsSealed: context.sealer.seal(
          JSON.stringify(secrets),
          smsSecretsPlace(workspaceId, id),
        ),
        at: context.clock.now(),
      });
      // Another call set the first account at the same moment, under another id.
      if (!row)
        throw new AppError("CONFLICT", { explanation: "the account was just set; try again" });
      return presentProvider(row);
    });
  } catch (error) {
    throw sqlState(error) === "23503" ? unknown : error;
  }
}
