import type { SmsProviderName } from "../wire/words.ts";
import type { SmsProvider } from "./provider.ts";
import { http } from "./providers/http/http.ts";
import { infobip } from "./providers/infobip.ts";
import { kwtsms } from "./providers/kwtsms.ts";
import { smpp } from "./providers/smpp/smpp.ts";
import { twilio } from "./providers/twilio.ts";
import { unifonic } from "./providers/unifonic.ts";
import { vonage } from "./providers/vonage.ts";

const PROVIDERS = { twilio, vonage, infobip, unifonic, kwtsms, http, smpp } satisfies Record<
  SmsProviderName,
  SmsProvider
>;

/** The gateway of that name. */
export function smsProviderFor(name: SmsProviderName): SmsProvider {
  return PROVIDERS[name];
}
