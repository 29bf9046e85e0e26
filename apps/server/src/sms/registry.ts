import type { SmsProvider, SmsProviderName } from "./provider.ts";
import { twilio } from "./providers/twilio.ts";
import { vonage } from "./providers/vonage.ts";

const PROVIDERS = { twilio, vonage } satisfies Record<SmsProviderName, SmsProvider>;

export function smsProviderFor(name: SmsProviderName): SmsProvider {
  return PROVIDERS[name];
}
