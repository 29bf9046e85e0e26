import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { httpFor } from "../lib/check-address.ts";
import type { AccountFault, ChannelAccount } from "./adapter.ts";
import { adapterFor } from "./registry.ts";

type Asked = Omit<ChannelAccount, "apiUrl"> & {
  /** Null: the platform's own address. */
  readonly apiUrl: string | null;
};
type Ways = Pick<Context, "providerHttp" | "guardedHttp">;

/**
 * Asks the platform about an account's values. Null: it accepts them, has no way to ask, or could not be asked,
 * which says nothing of the account. A fault names the value.
 */
export async function accountFault(
  context: Ways,
  account: Asked,
): Promise<(AccountFault & { readonly field: string }) | null> {
  const adapter = adapterFor(account.type);
  const fault = await adapter.check?.(httpFor(context, account), {
    ...account,
    apiUrl: account.apiUrl ?? adapter.defaultApiUrl,
  });
  if (fault?.reason !== "misconfigured") return null;
  const token = account.type === "TELEGRAM" ? "botToken" : "accessToken";
  return { ...fault, field: fault.field ?? token };
}

/** Refuses an account with the name of the value that its platform refuses: VALIDATION_FAILED. */
export async function checkAtPlatform(context: Ways, account: Asked): Promise<void> {
  const fault = await accountFault(context, account);
  if (fault === null) return;
  const { field, orField, code, detail } = fault;
  const message = `is refused by the platform (${code}: ${detail})`;
  const fields = orField === undefined ? [field] : [field, orField];
  throw new AppError("VALIDATION_FAILED", {
    details: fields.map((path) => ({ path, message })),
  });
}
