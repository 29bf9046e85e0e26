import { AppError, invalid } from "../errors.ts";
import { checkAddress } from "../lib/check-address.ts";
import type { Context } from "../context.ts";
import { isEventKind, type NewEvent } from "./event.ts";
import { EVENT_KINDS, type EventKind } from "../wire/words.ts";

/** A receiver's address for events. Its secret is shown only at creation and rotation. */
export interface Endpoint {
  readonly id: string;
  readonly workspaceId: string;
  /** The name by which programs find it; one endpoint of a name. */
  readonly name: string | null;
  /** What may be shown of the address (`shownAddress`): parts that could be a token are shortened. */
  readonly url: string;
  /** Empty: all kinds. */
  readonly events: readonly EventKind[];
  /** Failed attempts in a row, across deliveries. */
  readonly consecutiveFailures: number;
  readonly disabledAt: Date | null;
  readonly disabledReason: string | null;
  /** After a rotation: when the new secret takes over. Until then the one before it signs. */
  readonly secretTakesOverAt: Date | null;
  readonly createdAt: Date;
}

/** The stored reason of an endpoint that somebody disabled. Any other one: its attempts failed. */
export const DISABLED_BY_HAND = "disabled by hand";

/** The event of an endpoint that was disabled at a time. */
export const disabledEvent = (
  { id, workspaceId, name, url, disabledReason }: Endpoint,
  at: Date,
): NewEvent => ({
  workspaceId,
  type: "webhook.disabled",
  data: {
    endpointId: id,
    name,
    url,
    disabledBy: disabledReason === DISABLED_BY_HAND ? "hand" : "failures",
    occurredAt: at.toISOString(),
  },
});

/** How long after a rotation the new secret takes over. */
export const TAKE_OVER_MS = 24 * 60 * 60 * 1_000;
/** How long events and deliveries are kept and can be sent again. */
export const KEEP_EVENTS_MS = 30 * 24 * 60 * 60 * 1_000;

/** The place of an endpoint's secret, for the sealer. */
export function secretPlace(workspaceId: string, endpointId: string): string {
  return `endpoint:${workspaceId}:${endpointId}`;
}

/** The place of an endpoint's address, for the sealer. */
export function addressPlace(workspaceId: string, endpointId: string): string {
  return `endpoint_url:${workspaceId}:${endpointId}`;
}

export const endpointNotFound = (): AppError =>
  new AppError("NOT_FOUND", { explanation: "there is no such webhook endpoint" });

/** The kinds without repeats. Throws VALIDATION_FAILED that names the first unknown one. */
export function checkKinds(kinds: readonly string[]): EventKind[] {
  const checked: EventKind[] = [];
  for (const kind of new Set(kinds)) {
    if (!isEventKind(kind))
      throw invalid("events", `${kind} is not an event; there are ${EVENT_KINDS.join(", ")}`);
    checked.push(kind);
  }
  return checked;
}

/** The most endpoints of a workspace. Each event is stored with a delivery for each: with 500, that takes 30 ms. */
export const MOST_ENDPOINTS = 500;

/** The longest name of an endpoint, in characters. */
export const MOST_NAME = 80;

/** A name without blanks around it; null for none. Throws VALIDATION_FAILED. */
export function checkName(name: string | null): string | null {
  const trimmed = name?.trim() ?? "";
  if (Array.from(trimmed).length > MOST_NAME)
    throw invalid("name", `must have at most ${MOST_NAME} characters`);
  return trimmed === "" ? null : trimmed;
}

/** NAME_TAKEN: another endpoint of the workspace has the name. */
export const nameTaken = () =>
  new AppError("NAME_TAKEN", {
    details: [{ path: "name", message: "another endpoint has this name" }],
  });

/**
 * The URL as it will be called. Asks the name server, for 3 seconds at most. Throws VALIDATION_FAILED with the reason.
 */
export async function checkEndpointUrl(
  context: Pick<Context, "config">,
  text: string,
): Promise<string> {
  return (await checkAddress(context, text.trim(), "url")).href;
}
