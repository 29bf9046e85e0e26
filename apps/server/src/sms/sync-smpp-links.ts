import type { Context } from "../context.ts";
import { peerOf } from "./providers/smpp/smpp.ts";
import { openAccount } from "./sms-provider.ts";
import { selectVerified } from "./sms-provider-store.ts";

/** Keeps the links of all verified SMPP accounts bound, so that their receipts come in, and closes the others. */
export async function syncSmppLinks(
  context: Pick<Context, "db" | "sealer" | "config" | "smpp">,
): Promise<void> {
  const rows = await selectVerified(context.db, "smpp");
  context.smpp.keep(rows.map((row) => peerOf(openAccount(context, row))));
}
