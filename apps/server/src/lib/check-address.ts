import { invalid } from "../errors.ts";
import { AddressRefused, createAddressGuard } from "./address-guard.ts";
import { NameUnresolved } from "./resolve-name.ts";

/** What decides about an address: the setting, and whether the operator set the address (`Context`). */
interface Admission {
  readonly config: { readonly outboundAllow: readonly string[] };
  readonly operator: boolean;
}

/**
 * The address as it will be called. Its host must be public or in PARLEY_OUTBOUND_ALLOW; otherwise throws
 * VALIDATION_FAILED for `field` with the reason. Asks the name server, for 3 seconds at most.
 */
export async function checkAddress(
  context: Pick<Admission, "config">,
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
 * Whether calls to a platform's base address go through the address guard. They do not when nobody set one (null: the
 * platform's own address), nor when the operator set it. Every other address is checked here: throws VALIDATION_FAILED
 * for `apiUrl`.
 */
export async function isGuarded(context: Admission, apiUrl: string | null): Promise<boolean> {
  if (apiUrl === null || context.operator) return false;
  // The guard knows http and https only. Of an SMPP address, host and port are judged.
  await checkAddress(context, apiUrl.replace(/^smpps?:/, "https:"), "apiUrl");
  return true;
}

/** The HTTP client for an account: the guarded one when a workspace set the account's address. */
export function httpFor<H>(
  clients: { readonly providerHttp: H; readonly guardedHttp: H },
  account: { readonly guarded?: boolean },
): H {
  return account.guarded === true ? clients.guardedHttp : clients.providerHttp;
}
