import { numberForms } from "../contacts/identity/erased-number.ts";
import type { Context } from "../context.ts";
import type { Queryable, Tx } from "../db/database.ts";
import { blankRecords, hasCalling, selectOfNumbers } from "./erasure-store.ts";
import type { OtpRecord } from "./otp-record.ts";
import { deleteOfNumbers } from "./verification-store.ts";

/**
 * Takes the number, the gateway's words and the gateway's id out of the log of passcodes. The rest stays, because it
 * was counted and paid for. A hash stands in place of the number, so that a late receipt can still tell that the person
 * opted out. A passcode whose call is under way stays as it is. Verifications are deleted. Gives how many, at most `limit`
 * of each.
 */
export async function erasePasscodes(
  context: Pick<Context, "sealer">,
  tx: Tx,
  workspaceId: string,
  phones: readonly string[],
  limit: number,
): Promise<number> {
  if (phones.length === 0) return 0;
  const forms = phones.map((phone) => numberForms(context, workspaceId, phone));
  const deleted = await deleteOfNumbers(tx, workspaceId, phones, limit);
  return deleted + (await blankRecords(tx, workspaceId, forms, limit));
}

/** Whether a call to the gateway for one of these numbers is under way. */
export function passcodesInTheAir(
  db: Queryable,
  workspaceId: string,
  phones: readonly string[],
): Promise<boolean> {
  return phones.length === 0 ? Promise.resolve(false) : hasCalling(db, workspaceId, phones);
}

/** Passcodes to these numbers with ids below `below`, newest first, at most `limit`. Their texts are stored nowhere. */
export function personPasscodes(
  db: Queryable,
  workspaceId: string,
  phones: readonly string[],
  below: string,
  limit: number,
): Promise<OtpRecord[]> {
  return phones.length === 0
    ? Promise.resolve([])
    : selectOfNumbers(db, workspaceId, phones, below, limit);
}
