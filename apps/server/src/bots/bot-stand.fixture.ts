import { createModelEmulator, type ModelEmulator } from "@parley/emulators";
import { startMessaging, type Messaging } from "../../test/messaging.ts";
import { startReceiver, type Answer, type Receiver } from "../../test/webhook-receiver.ts";
import type { Context } from "../context.ts";
import { createProviderHttp } from "../lib/outbound-http.ts";

/** Messaging with a model, and a system that bots call. */
export interface BotStand extends AsyncDisposable {
  readonly m: Messaging;
  readonly shop: Receiver;
  readonly model: ModelEmulator;
  /** The app, whose calls of models are real: the platforms of `startMessaging` answer every call. */
  readonly context: Context;
}

export async function startBotStand(): Promise<BotStand> {
  const m = await startMessaging();
  const shop = await startReceiver();
  const model = await createModelEmulator();
  return {
    m,
    shop,
    model,
    context: { ...m.t.app, providerHttp: createProviderHttp() },
    async [Symbol.asyncDispose]() {
      shop.close();
      await model.close();
      await m[Symbol.asyncDispose]();
    },
  };
}

/** What the called system answers. */
export const json =
  (body: unknown, status = 200): Answer =>
  (response) =>
    response.writeHead(status).end(JSON.stringify(body));
