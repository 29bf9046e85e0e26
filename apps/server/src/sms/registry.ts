import type { SmsProvider, SmsProviderName } from "./provider.ts";
import { twilio } from "./providers/twilio.ts";

const PROVIDERS = { twilio } satisfies Record<SmsProviderName, SmsProvider>;

export function smsProviderFor(name: SmsProviderName): SmsProvider {
  return PROVIDERS[name];
}
