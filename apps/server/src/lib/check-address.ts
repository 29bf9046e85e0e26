import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import { AddressRefused, createAddressGuard } from "./address-guard.ts";
import { NameUnresolved } from "./resolve-name.ts";

/**
 * The address as it will be called, when its host is public or in PARLEY_OUTBOUND_ALLOW. Asks the name server (3 s at
 * most); throws VALIDATION_FAILED for `field` with the reason.
 */
export async function checkAddress(
  context: Pick<Context, "config">,
  text: string,
  field: string,
): Promise<URL> {
  try {
    const guard = createAddressGuard({ allow: context.config.outboundAllow });
    return await guard.check(text);
  } catch (error) {
    throw error instanceof AddressRefused || error instanceof NameUnresolved
      ? invalid(field, error.message)
      : error;
  }
}

/**
 * Whether calls to a base address that was just set go through the address guard: not when nobody set one (null: the
 * platform's own), nor when the operator did. Another one is checked here; throws VALIDATION_FAILED for `apiUrl`.
 */
export async function isGuarded(
  context: Pick<Context, "config" | "operator">,
  apiUrl: string | null,
): Promise<boolean> {
  if (apiUrl === null || context.operator) return false;
  // The guard knows the web's schemes: what counts of an SMPP address is its host and port.
  await checkAddress(context, apiUrl.replace(/^smpps?:/, "https:"), "apiUrl");
  return true;
}

/** The client for an account: the guarded one when a workspace set its address. */
export function httpFor<H>(
  clients: { readonly providerHttp: H; readonly guardedHttp: H },
  account: { readonly guarded?: boolean },
): H {
  return account.guarded === true ? clients.guardedHttp : clients.providerHttp;
}
