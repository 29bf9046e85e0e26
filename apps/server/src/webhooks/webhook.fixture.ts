import { startTestApp, type TestApp } from "../../test/harness.ts";
import { startReceiver, type Receiver } from "../../test/webhook-receiver.ts";
import { sql } from "../db/sql.ts";

/** An app for tests of deliveries, and a receiver that answers as each test wants. */
export interface WebhookStand extends AsyncDisposable {
  readonly t: TestApp;
  readonly receiver: Receiver;
  /**
   * Call it before each test. Deliveries that an earlier test left waiting are then not sent, and the receiver forgets
   * all requests.
   */
  calm(): Promise<void>;
}

/** Starts the app and the receiver. */
export async function startWebhookStand(): Promise<WebhookStand> {
  const [t, receiver] = await Promise.all([startTestApp(), startReceiver()]);
  return {
    t,
    receiver,
    async calm() {
      await t.app.db.query(
        sql`update endpoint set disabled_at = created_at where disabled_at is null`,
      );
      receiver.clear();
    },
    async [Symbol.asyncDispose]() {
      receiver.close();
      await t[Symbol.asyncDispose]();
    },
  };
}
