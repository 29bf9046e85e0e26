import { audit } from "../workspaces/write-audit.ts";
import { randomBytes } from "node:crypto";
import type { Context } from "../context.ts";
import { sqlState } from "../db/database.ts";
import { AppError } from "../errors.ts";
import { checkAddress, isGuarded } from "../lib/check-address.ts";
import { isId } from "../lib/ids.ts";
import { presentProvider } from "./find-provider.ts";
import { receiptUrl } from "./providers/receipt-url.ts";
import { smsProviderFor } from "./registry.ts";
import {
  checkProvider,
  openAccount,
  smsSecretsPlace,
  type SmsProviderInput,
  type WorkspaceSmsProvider,
} from "./sms-provider.ts";
import { selectByWorkspace, upsertProvider } from "./sms-provider-store.ts";
import { write } from "../write.ts";

/**
 * Sets the workspace's one SMS gateway account and replaces the former one. It cannot send until `testProvider`
 * succeeded (spec, POST /v1/otp/send). Secrets are sealed. `receiptUrl` is given when a person must enter it at
 * the gateway: it contains the token by which receipts are recognised, and is shown only here. Throws
 * VALIDATION_FAILED by field, NOT_FOUND (workspace).
 */
export const setProvider = write(
  "sms_provider.set",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "sealer" | "config" | "operator">,
    workspaceId: string,
    input: SmsProviderInput,
    options: {
      readonly sandbox?: boolean;
      /** At the same gateway and address, secrets that are left out stay as they were. */
      readonly keepSecrets?: boolean;
    } = {},
  ): Promise<WorkspaceSmsProvider & { readonly receiptUrl?: string }> => {
    const entered = options.keepSecrets
      ? await withFormerSecrets(context, workspaceId, input)
      : input;
    const { provider, apiUrl, settings, secrets } = checkProvider(entered);
    const byHand = smsProviderFor(provider).receiptsByHand === true;
    const unknown = new AppError("NOT_FOUND", {
      explanation: `there is no workspace ${workspaceId}`,
    });
    if (!isId(workspaceId)) throw unknown;
    const apiUrlGuarded = await isGuarded(context, apiUrl);
    const address = smsProviderFor(provider).addressIn?.(secrets) ?? null;
    if (address !== null && !context.operator) await checkAddress(context, address, "url");
    try {
      return await context.db.transaction(async (tx) => {
        const former = await selectByWorkspace(tx, workspaceId);
        const id = former?.id ?? context.ids.next();
        // The token is kept when the account changes: receipts for messages on their way still come in, and the
        // address entered at the gateway stays right.
        const callbackToken =
          (former && openAccount(context, former).secrets["callbackToken"]) ??
          randomBytes(24).toString("base64url");
        const row = await upsertProvider(tx, {
          workspaceId,
          id,
          provider,
          apiUrl,
          apiUrlGuarded,
          settings,
          secretsSealed: context.sealer.seal(
            JSON.stringify({ ...secrets, callbackToken }),
            smsSecretsPlace(workspaceId, id),
          ),
          sandbox: options.sandbox ?? false,
          at: context.clock.now(),
        });
        // Another call set the first account at the same moment, under another id.
        if (!row)
          throw new AppError("CONFLICT", { explanation: "the account was just set; try again" });
        await audit(actor, context, tx, workspaceId, {
          action: "sms_provider.set",
          subject: id,
          facts: { provider, sandbox: row.sandbox },
        });
        const account = openAccount(context, row);
        const url = receiptUrl(account, null, { token: true });
        return { ...presentProvider(row), ...(byHand && { receiptUrl: url }) };
      });
    } catch (error) {
      throw sqlState(error) === "23503" ? unknown : error;
    }
  },
);

/**
 * No stored secret goes to another address: an admin could have it sent to a server of their own and so read a
 * secret that is shown to nobody.
 */
async function withFormerSecrets(
  context: Pick<Context, "db" | "sealer" | "config">,
  workspaceId: string,
  input: SmsProviderInput,
): Promise<SmsProviderInput> {
  const former = isId(workspaceId) ? await selectByWorkspace(context.db, workspaceId) : undefined;
  if (former?.provider !== input.provider) return input;
  const { fields, addressIn } = smsProviderFor(former.provider);
  const given = (name: string) => (input[name] ?? "").trim();
  const moved = given("apiUrl") !== (former.apiUrl ?? "") || (addressIn && given("url") !== "");
  if (moved) return input;
  const { secrets } = openAccount(context, former);
  const kept = Object.keys(fields)
    .filter((name) => fields[name]?.goesTo === "secrets" && given(name) === "")
    .map((name) => [name, secrets[name]]);
  return { ...input, ...Object.fromEntries(kept) };
}
