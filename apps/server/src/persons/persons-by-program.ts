import type { Actor } from "../actor.ts";
import { DUPLICATES_PATIENCE_MS, findDuplicates } from "../contacts/identity/find-duplicates.ts";
import { previewMerge } from "../contacts/identity/merge-contacts.ts";
import type { Context } from "../context.ts";
import { badCursor } from "../lib/cut-page.ts";
import { PAGE_ITEMS } from "../operations/page.ts";
import { personOperations } from "../operations/persons.ts";
import { opens } from "../policies.ts";
import { CONVERSATION_STATUSES } from "../wire/words.ts";
import { perform } from "../write.ts";
import { readPerson } from "./read-person.ts";
import { contactTimeline, type TimelineItem } from "./timeline.ts";
import { isMark } from "./timeline-mark.ts";

type Reading = Pick<Context, "db">;
const MOST = 200;

/** As `contactTimeline`; the words of messages are for keys that may read messages. */
export const timelineByProgram = perform(
  personOperations.listContactTimeline,
  async (
    actor,
    context: Pick<Context, "db" | "sealer">,
    workspaceId,
    { id, cursor, limit = PAGE_ITEMS },
  ) => {
    if (cursor !== undefined && !isMark(cursor)) throw badCursor();
    const page = { after: cursor, limit: Math.min(limit, MOST) };
    const { items, next } = await contactTimeline(context, workspaceId, id, page);
    return { items: readsMessages(actor) ? items : items.map(withoutWords), nextCursor: next };
  },
);

const readsMessages = (actor: Actor): boolean =>
  actor.kind !== "key" || opens(actor.scopes, "messages:read");

const withoutWords = (item: TimelineItem): TimelineItem =>
  "text" in item.facts ? { ...item, facts: { ...item.facts, text: null } } : item;

/** As `readPerson`, without words of messages. */
export const identitiesByProgram = perform(
  personOperations.readContactIdentities,
  async (_actor, context: Reading, workspaceId, { id }) => {
    const person = await readPerson(context, workspaceId, id);
    return {
      contactId: person.contact.id,
      identities: person.identities.map(
        ({ channelId, externalId, isNumber, since, retiredAt }) => ({
          channelId,
          externalId,
          isNumber,
          since: since.toISOString(),
          retiredAt: retiredAt?.toISOString() ?? null,
        }),
      ),
      refs: person.refs,
      merged: person.merged.map(({ id: mergedId, mergedAt, contact }) => ({
        id: mergedId,
        name: contact.name,
        mergedAt: mergedAt.toISOString(),
      })),
      alike: person.alike,
      conversations: person.threads.map((one) => ({
        id: one.id,
        channelId: one.channelId,
        channelType: one.channelType,
        status: CONVERSATION_STATUSES.find((status) => status === one.status) ?? "open",
        lastMessageAt: one.lastMessageAt?.toISOString() ?? null,
      })),
    };
  },
);

/** As `previewMerge`. */
export const previewMergeByProgram = perform(
  personOperations.previewContactMerge,
  (_actor, context: Reading, workspaceId, { id, mergedId }) =>
    previewMerge(context, workspaceId, id, mergedId),
);

/** As `findDuplicates`, for a second at most. */
export const duplicatesByProgram = perform(
  personOperations.listContactDuplicates,
  async (_actor, context: Reading, workspaceId, { by = "phone", cursor, limit = PAGE_ITEMS }) => {
    if (cursor?.isWellFormed() === false) throw badCursor();
    const patienceMs = DUPLICATES_PATIENCE_MS;
    const page = { by, after: cursor, limit: Math.min(limit, MOST), patienceMs };
    const { groups, next } = await findDuplicates(context, workspaceId, page);
    return { items: groups, nextCursor: next };
  },
);
