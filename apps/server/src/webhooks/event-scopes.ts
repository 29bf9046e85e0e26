import { mayUse, type Principal } from "../api-keys/api-key.ts";
import type { Scope } from "../wire/words.ts";
import { AppError } from "../errors.ts";
import { EVENT_KINDS, type EventKind } from "../wire/words.ts";

/**
 * The scope that a key needs to read events of a kind (contract §5, Scopes of events). Null: the contract names none,
 * so only a key with full access reads it.
 */
const SCOPE_OF_KIND = {
  "message.status": "messages:read",
  "message.received": "messages:read",
  "message.created": "messages:read",
  "message.updated": "messages:read",
  "message.deleted": "messages:read",
  "media.stored": "messages:read",
  "note.created": "messages:read",
  "note.updated": "messages:read",
  "note.deleted": "messages:read",
  "suggestion.settled": "messages:read",
  "conversation.created": "messages:read",
  "conversation.updated": "messages:read",
  "channel.status": "messages:read",
  "contact.created": "contacts:read",
  "contact.updated": "contacts:read",
  "contact.opted_out": "contacts:read",
  "contact.opted_in": "contacts:read",
  "contact.merged": "contacts:read",
  "contact.deleted": "contacts:read",
  "broadcast.status": "broadcasts:read",
  "broadcast.recipient": "broadcasts:read",
  "template.status": "templates:read",
  "usage.threshold": "usage:read",
  "otp.status": "otp:send",
  "bot.handed_over": "messages:read",
  "bot.finished": "messages:read",
  "webhook.disabled": "webhooks:read",
  "endpoint.test": null,
} as const satisfies Record<EventKind, Scope | null>;

/** Every scope that opens the feed of events, `messages:read` first. */
export const EVENT_SCOPES: readonly Scope[] = [
  ...new Set(Object.values(SCOPE_OF_KIND).filter((scope) => scope !== null)),
];

/**
 * The kinds among `asked` that a key may read. An empty `asked` means all kinds. The result null means every kind.
 * Throws MISSING_SCOPE when the key lacks the scope of a kind in `asked`, so that nobody waits for events that never
 * come.
 */
export function readableKinds(
  principal: Principal,
  asked: readonly EventKind[] = [],
): readonly EventKind[] | null {
  for (const kind of asked) {
    const scope = SCOPE_OF_KIND[kind];
    if (scope !== null && !mayUse(principal, scope)) throw new AppError(`MISSING_SCOPE:${scope}`);
  }
  const all = principal.scopes.length === 0;
  if (asked.length === 0 && all) return null;
  return (asked.length === 0 ? EVENT_KINDS : asked).filter((kind) => {
    const scope = SCOPE_OF_KIND[kind];
    return scope === null ? all : mayUse(principal, scope);
  });
}
