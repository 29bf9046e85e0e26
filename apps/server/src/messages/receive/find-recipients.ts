import type { Queryable } from "../../db/database.ts";
import { isId } from "../../lib/ids.ts";
import { providerKeyOf, selectByProviderId, selectContacts } from "../record/message-store.ts";

/** Names a message of ours as a platform or gateway does: by our id, by its own id, or by both. */
export interface ReportKey {
  readonly workspaceId: string;
  /** Null: SMS. */
  readonly channelId: string | null;
  readonly correlationId: string | null;
  readonly externalMessageId: string;
}

/** The contact that each of our messages went to, in the order of `keys`. Null for an unknown message. */
export async function findRecipients(
  db: Queryable,
  keys: readonly ReportKey[],
): Promise<(string | null)[]> {
  const named = keys.map((key) => ({ ...key, providerMessageId: key.externalMessageId }));
  const known = await selectByProviderId(db, named);
  const ours = await selectContacts(
    db,
    keys.flatMap(({ workspaceId, correlationId: id }) =>
      id !== null && isId(id) ? [{ workspaceId, id }] : [],
    ),
  );
  return named.map(
    (key) =>
      ours.get(`${key.workspaceId}/${key.correlationId}`) ??
      known.get(providerKeyOf(key))?.contactId ??
      null,
  );
}
