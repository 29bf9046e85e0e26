import type { InboundContent } from "../../channels/adapter.ts";
import { adapterFor } from "../../channels/registry.ts";
import type { Tx } from "../../db/database.ts";
import { providerKeyOf, selectByProviderId, selectQuoted } from "../record/message-store.ts";
import type { InboundAccount } from "../receive/receive-events.ts";
import { customersThreads, newestProviderIds } from "../record/thread-store.ts";

type Attachments = InboundContent["attachments"];

/** A message that is about to be stored, with its conversation and the attachments that may refer to other messages. */
interface Referring {
  readonly account: InboundAccount;
  readonly conversationId: string | null;
  readonly attachments: Attachments;
}

/**
 * Gives the attachments of each message. A quote or a reaction then names its message by the id under which we stored
 * it. A platform may have several ids for one message (`messageToken`). A message that is not among the newest of the
 * conversation keeps the id that the platform told. A quote also names its message by our own id.
 */
export async function nameReferences(
  tx: Tx,
  referring: readonly Referring[],
): Promise<Attachments[]> {
  const asked = referring.flatMap(({ account, conversationId, attachments }) =>
    attachments.flatMap((one) => {
      const told = referenceOf(one);
      const token = told === null ? null : tokenOf(account, told);
      if (conversationId === null || told === null || token === null) return [];
      return [{ ...account, conversationId, providerMessageId: told, token }];
    }),
  );
  const known = await selectByProviderId(tx, asked);
  const strangers = asked.filter((one) => !known.has(providerKeyOf(one)));
  const stored = new Map<string, string>();
  for (const { conversationId, providerMessageId } of await newestProviderIds(tx, strangers))
    for (const one of strangers)
      if (one.conversationId === conversationId && tokenOf(one, providerMessageId) === one.token)
        stored.set(JSON.stringify([conversationId, one.providerMessageId]), providerMessageId);
  const named = referring.map((one) => ({
    ...one,
    attachments: one.attachments.map((attachment) => {
      const messageId = stored.get(JSON.stringify([one.conversationId, referenceOf(attachment)]));
      return messageId === undefined ? attachment : { ...attachment, messageId };
    }),
  }));
  return withOwnIds(tx, named);
}

/** Quotes with the id that their message has here, when it is a message of the same conversation. */
async function withOwnIds(tx: Tx, referring: readonly Referring[]): Promise<Attachments[]> {
  const asked = referring.flatMap(({ account, conversationId, attachments }) =>
    attachments.flatMap(({ type, messageId }) =>
      type === "quote" && typeof messageId === "string" && conversationId !== null
        ? [{ ...account, conversationId, providerMessageId: messageId }]
        : [],
    ),
  );
  if (asked.length === 0) return referring.map(({ attachments }) => attachments);
  const known = new Map(
    (await selectQuoted(tx, asked)).map((one) => [
      JSON.stringify([one.conversationId, one.providerMessageId]),
      one.id,
    ]),
  );
  return referring.map(({ conversationId, attachments }) =>
    attachments.map((one) => {
      const replyTo = known.get(JSON.stringify([conversationId, one["messageId"]]));
      return one["type"] !== "quote" || replyTo === undefined ? one : { ...one, replyTo };
    }),
  );
}

/**
 * Finds a message of these customers that we stored under another of its platform ids than `told`. Gives the stored id,
 * or null.
 */
export async function storedIdOf(
  tx: Tx,
  account: InboundAccount,
  told: string,
  customers: readonly string[],
): Promise<string | null> {
  const token = customers.length === 0 ? null : tokenOf(account, told);
  if (token === null) return null;
  const threads = await customersThreads(tx, account, customers);
  const ids = await newestProviderIds(tx, threads);
  const found = ids.find((one) => tokenOf(account, one.providerMessageId) === token);
  return found?.providerMessageId ?? null;
}

const tokenOf = ({ channelType }: Pick<InboundAccount, "channelType">, id: string): string | null =>
  adapterFor(channelType).messageToken?.(id) ?? null;

function referenceOf({ type, messageId }: Attachments[number]): string | null {
  const refers = type === "quote" || type === "reaction";
  return refers && typeof messageId === "string" ? messageId : null;
}
