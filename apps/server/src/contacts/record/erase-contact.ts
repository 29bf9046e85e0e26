import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { hashLedger, hashNumbers, numbersInUse } from "../consent/opted-out-store.ts";
import { lockContacts, removeContacts } from "./contact-store.ts";
import { moveTotals } from "./contact-total-store.ts";
import type { Person } from "./person.ts";
import { deleteTraces } from "./person-store.ts";
import { setConsent } from "../consent/set-consent.ts";

/**
 * Removes a person's contact: record, identities, merged ids and pending questions to a platform. A message that
 * comes after the commit creates a new contact. An opt-out stays with the hash of the number (`erasedNumber`), and
 * so does the ledger. Other contacts with the number keep it. When it is run again, it removes what came since.
 * Gives how many contacts were removed.
 */
export async function eraseContact(
  context: Pick<Context, "ids" | "clock" | "sealer">,
  tx: Tx,
  person: Person,
): Promise<number> {
  const { workspaceId, ids } = person;
  const rows = await lockContacts(tx, workspaceId, ids);
  // The opt-out outlives the record: it must be stored for the number before the record is removed.
  const at = context.clock.now();
  await setConsent(
    context,
    tx,
    rows.flatMap(({ phone, optedOutAt }) =>
      phone === null || optedOutAt === null || !person.phones.includes(phone)
        ? []
        : [{ workspaceId, contactId: null, phone, optedOut: true, source: "number", at }],
    ),
  );
  const gone = await removeContacts(tx, workspaceId, ids);
  await deleteTraces(tx, workspaceId, ids);
  await eraseNumbers(context, tx, person);
  moveTotals(tx, [{ workspaceId, by: -gone.length }]);
  return gone.length;
}

/**
 * Replaces each number by its hash, in opt-outs and in the ledger. When somebody else has the number now, only the
 * ledger's rows of the erased person change.
 */
async function eraseNumbers(
  context: Pick<Context, "sealer">,
  tx: Tx,
  {
    workspaceId,
    ids,
    phones,
    pastPhones,
  }: Pick<Person, "workspaceId" | "ids" | "phones" | "pastPhones">,
): Promise<void> {
  const numbers = (list: readonly string[]) => list.map((phone) => ({ workspaceId, phone }));
  const taken = await numbersInUse(tx, workspaceId, phones);
  const free = phones.filter((phone) => !taken.includes(phone));
  await hashNumbers(context, tx, numbers(free));
  await hashLedger(
    context,
    tx,
    workspaceId,
    ids,
    numbers(free),
    numbers([...pastPhones, ...taken]),
  );
}
