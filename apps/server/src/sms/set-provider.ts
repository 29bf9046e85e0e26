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
import {
  deleteNext,
  selectByWorkspace,
  selectUnverified,
  upsertProvider,
  writeNext,
} from "./sms-provider-store.ts";
import { checkReachable } from "../workspaces/test-workspace.ts";
import { write } from "../write.ts";

/** An account that was stored. */
export interface SetProvider extends WorkspaceSmsProvider {
  /** True: the verified account keeps sending until `testProvider` has verified this one. */
  readonly waits: boolean;
  readonly receiptUrl?: string;
}

/**
 * Sets the workspace's one SMS gateway account. It cannot send until `testProvider` succeeded (spec, POST
 * /v1/otp/send). A verified account keeps sending until then, and the new one takes its place with the test. Secrets
 * are sealed. `receiptUrl` is given when a person must enter it at the gateway: it contains the token by which
 * receipts are recognised, and is shown only here. Throws VALIDATION_FAILED by field, NOT_FOUND (workspace),
 * NOT_ALLOWED_IN_STATE for a sandbox account in the place of a verified real one, and for a real one in a test workspace.
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
  ): Promise<SetProvider> => {
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
        const verified = former !== undefined && former.verifiedAt !== null;
        const sandbox = options.sandbox ?? false;
        await checkReachable(tx, workspaceId, sandbox);
        if (sandbox && verified && !former.sandbox)
          throw new AppError("NOT_ALLOWED_IN_STATE", {
            explanation:
              "the workspace sends SMS over a verified account, which the sandbox would replace",
          });
        const waits = verified && !sandbox;
        const written = {
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
          sandbox,
          at: context.clock.now(),
        };
        if (waits) await writeNext(tx, written);
        else await deleteNext(tx, workspaceId);
        const row = waits
          ? await selectUnverified(tx, workspaceId)
          : await upsertProvider(tx, written);
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
        return { ...presentProvider(row), waits, ...(byHand && { receiptUrl: url }) };
      });
    } catch (error) {
      throw sqlState(error) === "23503" ? unknown : error;
    }
  },
);

/**
 * Discards the account that waits for its test; the verified one keeps sending. Throws NOT_FOUND when none waits.
 */
export const discardProvider = write(
  "sms_provider.discard",
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock">,
    workspaceId: string,
  ): Promise<void> => {
    await context.db.transaction(async (tx) => {
      const waiting = isId(workspaceId) ? await selectUnverified(tx, workspaceId) : undefined;
      if (!waiting || !(await deleteNext(tx, workspaceId)))
        throw new AppError("NOT_FOUND", { explanation: "no SMS account waits for its test" });
      await audit(actor, context, tx, workspaceId, {
        action: "sms_provider.discarded",
        subject: waiting.id,
        facts: { provider: waiting.provider },
      });
    });
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
  if (!isId(workspaceId)) return input;
  const given = (name: string) => (input[name] ?? "").trim();
  const stored = [
    await selectUnverified(context.db, workspaceId),
    await selectByWorkspace(context.db, workspaceId),
  ];
  // The one that waits for its test was entered last.
  const former = stored.find(
    (row) => row?.provider === input.provider && given("apiUrl") === (row.apiUrl ?? ""),
  );
  if (former === undefined) return input;
  const { fields, addressIn } = smsProviderFor(former.provider);
  if (addressIn && given("url") !== "") return input;
  const { secrets } = openAccount(context, former);
  const kept = Object.keys(fields)
    .filter((name) => fields[name]?.goesTo === "secrets" && given(name) === "")
    .map((name) => [name, secrets[name]]);
  return { ...input, ...Object.fromEntries(kept) };
}
