import { numberForms } from "../contacts/identity/erased-number.ts";
import type { Context } from "../context.ts";
import type { Queryable, Tx } from "../db/database.ts";
import { blankRecords, hasCalling, selectOfNumbers } from "./erasure-store.ts";
import type { OtpRecord } from "./otp-record.ts";

/**
 * Takes the number, the gateway's words and its id from the log of passcodes; what is left is counted and paid for.
 * The hash stands for the number, so that a late receipt still counts when it says that the person opted out. A
 * passcode whose call is under way is left alone. Gives how many, at most `limit`.
 */
export function erasePasscodes(
  context: Pick<Context, "sealer">,
  tx: Tx,
  workspaceId: string,
  phones: readonly string[],
  limit: number,
): Promise<number> {
  if (phones.length === 0) return Promise.resolve(0);
  const forms = phones.map((phone) => numberForms(context, workspaceId, phone));
  return blankRecords(tx, workspaceId, forms, limit);
}

/** Whether a call to the gateway for one of the numbers is under way. */
export function passcodesInTheAir(
  db: Queryable,
  workspaceId: string,
  phones: readonly string[],
): Promise<boolean> {
  return phones.length === 0 ? Promise.resolve(false) : hasCalling(db, workspaceId, phones);
}

/** Passcodes to numbers, newest first, with ids below `below`. No text: none is kept. */
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
