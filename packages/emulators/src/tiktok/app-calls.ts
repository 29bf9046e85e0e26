import type { Answer, Call } from "../core/server.ts";
import { success, TikTokRefusal } from "./answer.ts";
import type { TikTokEmulator } from "./emulator.ts";
import { parseObject, string } from "./validate.ts";

const EVENTS = "DIRECT_MESSAGE";

/** The app's own calls: its id and secret are in the body or the query, and no token is needed. */
export function appCall(emulator: TikTokEmulator, call: Call, path: string): Answer | null {
  const at = emulator.clock.now();
  switch (path) {
    case "POST /business/webhook/update/": {
      const body = parseObject(call.body);
      const url = string(body["callback_url"], "callback_url");
      const app = readApp(emulator, body);
      if (!URL.canParse(url)) throw new TikTokRefusal(40002, "callback_url: must be an address.");
      emulator.setWebhook(app.id, url);
      return success(at, { app_id: app.id, event_type: EVENTS, callback_url: url });
    }
    case "GET /business/webhook/list/": {
      const { id } = readApp(emulator, Object.fromEntries(call.query));
      const url = emulator.webhookOf(id);
      // Without a subscription the address is left out.
      return success(at, { app_id: id, event_type: EVENTS, ...(url && { callback_url: url }) });
    }
    case "POST /business/webhook/delete/": {
      const { id } = readApp(emulator, parseObject(call.body));
      emulator.setWebhook(id, null);
      return success(at, { app_id: id, event_type: EVENTS });
    }
    case "POST /tt_user/oauth2/refresh_token/": {
      const body = parseObject(call.body);
      const app = {
        id: string(body["client_id"], "client_id"),
        secret: string(body["client_secret"], "client_secret"),
      };
      if (body["grant_type"] !== "refresh_token")
        throw new TikTokRefusal(40002, "grant_type: must be refresh_token.");
      const token = string(body["refresh_token"], "refresh_token");
      return success(at, emulator.tokens.renew(emulator.businesses, app, token, at));
    }
    default:
      return null;
  }
}

function readApp(
  emulator: TikTokEmulator,
  given: Readonly<Record<string, unknown>>,
): { readonly id: string } {
  const id = string(given["app_id"], "app_id");
  const secret = string(given["secret"], "secret");
  if (given["event_type"] !== EVENTS)
    throw new TikTokRefusal(40002, `event_type: must be ${EVENTS}.`);
  if (!emulator.hasApp(id, secret))
    throw new TikTokRefusal(40001, "The app id and the secret do not belong together.");
  return { id };
}
