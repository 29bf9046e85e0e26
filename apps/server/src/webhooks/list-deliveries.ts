import type { Context } from "../context.ts";
import { AppError, invalid } from "../errors.ts";
import { isId } from "../lib/ids.ts";
import {
  DELIVERY_STATES,
  selectDeliveries,
  selectDelivery,
  selectDeliveryWindowEnd,
  type DeliveryRow,
} from "./delivery-log-store.ts";
import { isEventKind } from "./event.ts";
import { EVENT_KINDS } from "../wire/words.ts";
import { findEndpoint } from "./list-endpoints.ts";

export type Delivery = DeliveryRow;

export interface DeliveryFilter {
  readonly state?: string | undefined;
  readonly type?: string | undefined;
  /** For the next page: the sequence of the last delivery on the page before. */
  readonly before?: number | undefined;
  /** 1 to 200, default 50. */
  readonly limit?: number | undefined;
}

export interface DeliveryPage {
  readonly items: readonly Delivery[];
  /** Pass it as `before` to get the next page; null on the last page. */
  readonly next: number | null;
}

const MOST = 200;
/**
 * How many deliveries one page may look at. Among millions, a rare kind of event would not be found within a minute.
 */
const WINDOW = 20_000;

/**
 * The deliveries of an endpoint, newest first, each with its attempts (answer, duration, kind of failure). A page may
 * have fewer than `limit` items and yet not be the last. Throws NOT_FOUND, VALIDATION_FAILED.
 */
export async function listDeliveries(
  context: Pick<Context, "db">,
  workspaceId: string,
  endpointId: string,
  filter: DeliveryFilter = {},
): Promise<DeliveryPage> {
  const endpoint = await findEndpoint(context, workspaceId, endpointId);
  const state = DELIVERY_STATES.find((one) => one === filter.state) ?? null;
  if (filter.state !== undefined && state === null) {
    throw invalid("state", `must be one of ${DELIVERY_STATES.join(", ")}`);
  }
  if (filter.type !== undefined && !isEventKind(filter.type)) {
    throw invalid("type", `must be one of ${EVENT_KINDS.join(", ")}`);
  }
  const { limit = 50 } = filter;
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
    throw invalid("limit", `must be 1 to ${MOST}`);
  const { db } = context;
  const its = { id: endpointId, disabled: endpoint.disabledAt !== null };
  const chosen = { state, type: filter.type ?? null, before: filter.before ?? null };
  const items = await selectDeliveries(db, workspaceId, its, { ...chosen, limit }, WINDOW);
  const next =
    items.length < limit
      ? await selectDeliveryWindowEnd(db, workspaceId, its, chosen, WINDOW)
      : (items.at(-1)?.sequence ?? null);
  return { items, next };
}

/** One delivery with its request. Each attempt has a new time and signature, but always the same body. */
export interface DeliveryDetails extends Delivery {
  readonly request: {
    readonly method: "POST";
    /** What may be shown of the endpoint's present address. */
    readonly url: string;
    readonly body: string;
  };
}

/** The delivery of an event (by its id, the `webhook-id`) to an endpoint. Throws NOT_FOUND. */
export async function findDelivery(
  context: Pick<Context, "db">,
  workspaceId: string,
  endpointId: string,
  eventId: string,
): Promise<DeliveryDetails> {
  const { url, disabledAt } = await findEndpoint(context, workspaceId, endpointId);
  const endpoint = { id: endpointId, disabled: disabledAt !== null };
  const row = isId(eventId)
    ? await selectDelivery(context.db, workspaceId, endpoint, eventId)
    : undefined;
  if (!row) throw noDelivery();
  const { body, ...delivery } = row;
  return { ...delivery, request: { method: "POST", url, body } };
}

/** The error for an event without a delivery here: NOT_FOUND. */
export const noDelivery = (): AppError =>
  new AppError("NOT_FOUND", {
    explanation: "this endpoint has no delivery of such an event; events are kept for 30 days",
  });
