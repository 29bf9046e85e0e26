import type { Context } from "../../context.ts";
import type { InboundEvent } from "../../channels/adapter.ts";
import type { Tx } from "../../db/database.ts";
import type { Settled } from "../../lib/group-commit.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { partCorrelation } from "../send/message-part.ts";
import type { InboundItem } from "./receive-events.ts";
import { settleMessages, type Settlement } from "../record/settle-messages.ts";
import { selectCovered, type Watermark } from "./watermark-store.ts";

export type ReceivedWatermark = InboundItem<Extract<InboundEvent, { kind: "watermark" }>>;

/**
 * Settles what platforms tell by watermark: every message of ours in that conversation that the platform had taken by
 * that time is delivered or read. A message that is still on its way to the platform is not covered. A watermark may
 * name a message that we do not know yet; the report about that message waits for it.
 */
export async function receiveWatermarks(
  context: Context,
  tx: Tx,
  items: readonly ReceivedWatermark[],
): Promise<Settled<void>[]> {
  const marks = items.map(({ account: { workspaceId, channelId }, event }): Watermark => ({
    workspaceId,
    channelId,
    customerExternalId: event.customerExternalId,
    status: event.status,
    at: event.occurredAt,
    providerMessageId: event.externalMessageId,
  }));
  const settlement = (
    { workspaceId, channelId, status, at }: Watermark,
    messageId: string | null,
    providerMessageId: string | null,
  ): Settlement => ({
    workspaceId,
    channelId,
    messageId,
    providerMessageId,
    status,
    at,
    errorCode: null,
    errorMessage: null,
  });
  const covered = (await selectCovered(tx, marks)).flatMap(({ index, messageId, part }) => {
    const mark = marks[index];
    const id = part === null ? messageId : partCorrelation(messageId, part);
    return mark ? [settlement(mark, id, null)] : [];
  });
  const named = marks.flatMap((mark) =>
    mark.providerMessageId === null ? [] : [settlement(mark, null, mark.providerMessageId)],
  );
  await emitEvents(context, tx, await settleMessages(context, tx, [...covered, ...named]));
  return items.map(() => ({ ok: true, value: undefined }));
}
