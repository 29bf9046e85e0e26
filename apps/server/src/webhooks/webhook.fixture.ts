import { startTestApp, type TestApp } from "../../test/harness.ts";
import { startReceiver, type Receiver } from "../../test/webhook-receiver.ts";
import { sql } from "../db/sql.ts";

/** What the tests of deliveries share: an app and a receiver that answers as each test wants it. */
export interface WebhookStand extends AsyncDisposable {
  readonly t: TestApp;
  readonly receiver: Receiver;
  /** Before each test: what an earlier one left waiting is not sent into it, and the receiver has forgotten all. */
  calm(): Promise<void>;
}

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
