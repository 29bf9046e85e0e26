import type { InboundEvent } from "../../adapter.ts";
import { idOrNull, record } from "./json.ts";
import type { Item } from "./messaging-parse.ts";

/**
 * Delivery and read marks. A delivery names the messages, or without names covers all up to its watermark. A read
 * covers all up to its watermark (Messenger) or up to the message that it names (Instagram). The customer is the
 * sender of both.
 */
export function readMarks(item: Item): InboundEvent[] {
  const { value, accountExternalId, senderId: customerExternalId, occurredAt, timeOf } = item;
  if (customerExternalId === null || customerExternalId === accountExternalId) return [];
  const upTo = (
    status: "delivered" | "read",
    mark: unknown,
    externalMessageId: string | null,
  ): InboundEvent[] => {
    if (mark === undefined && externalMessageId === null) return [];
    const at = mark === undefined ? occurredAt : timeOf(mark);
    return [
      {
        kind: "watermark",
        accountExternalId,
        customerExternalId,
        status,
        occurredAt: at,
        externalMessageId,
      },
    ];
  };
  const delivery = record(value["delivery"]);
  const mids = Array.isArray(delivery["mids"]) ? delivery["mids"].map(idOrNull) : [];
  const named = mids.filter((mid) => mid !== null);
  const delivered: InboundEvent[] = named.map((externalMessageId) => ({
    kind: "status",
    accountExternalId,
    externalMessageId,
    correlationId: null,
    status: "delivered",
    occurredAt: delivery["watermark"] === undefined ? occurredAt : timeOf(delivery["watermark"]),
    errorCode: null,
    errorDetail: null,
  }));
  const read = record(value["read"]);
  return [
    ...(named.length > 0 ? delivered : upTo("delivered", delivery["watermark"], null)),
    ...upTo("read", read["watermark"], idOrNull(read["mid"])),
  ];
}
