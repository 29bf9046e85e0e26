import { personRecipients, type PersonRecipient } from "../broadcasts/audience/erase-recipients.ts";
import { consentPage } from "../contacts/consent/consent-history.ts";
import type { ContactJson } from "../wire/contact.ts";
import { personHistory, type PersonHistory } from "../contacts/record/person-history.ts";
import type { Person } from "../contacts/record/person.ts";
import { contactChanges } from "../contacts/record/write-changes.ts";
import type { Context } from "../context.ts";
import type { PersonThread } from "../conversations/person-threads.ts";
import { AppError, invalid } from "../errors.ts";
import { MAX_ID } from "../lib/ids.ts";
import {
  messagesById,
  newestMessages,
  type PersonMessage,
} from "../messages/record/person-messages.ts";
import { personPasscodes } from "../otp/person-passcodes.ts";
import { auditOf } from "../workspaces/list-audit.ts";
import { belowId, isMark, markOf, markOfId } from "./timeline-mark.ts";
import { MOST_CAMPAIGNS, identifyPerson } from "./identify-person.ts";

/** One event in the history of a person. `facts` depend on the kind. */
export interface TimelineItem {
  readonly at: string;
  readonly kind: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface Timeline {
  readonly contactId: string;
  readonly items: readonly TimelineItem[];
  /** Where the next page begins; null: that was all. */
  readonly next: string | null;
}

/** An item with its place. Places are unique, and later items have greater ones. */
interface Placed {
  readonly mark: string;
  readonly item: TimelineItem;
  /** Of a campaign: its message, whose words the page adds. */
  readonly messageId?: string | null;
}

const MOST = 200;

/**
 * Everything that happened to a person, newest first (docs/privacy.md lists the kinds): `limit` (up to 200) items
 * after the place of an earlier page. Of messages, consent, changes, passcodes and the audit only as many rows are read
 * from their indexes as a page takes; lists that are short for one person are read whole (1,000 campaigns take 10 ms).
 * Follows merged contacts. Throws NOT_FOUND, VALIDATION_FAILED.
 */
export async function contactTimeline(
  context: Pick<Context, "db" | "sealer">,
  workspaceId: string,
  contactId: string,
  page: { readonly after?: string | undefined; readonly limit?: number | undefined } = {},
): Promise<Timeline> {
  const after = page.after ?? null;
  if (after !== null && !isMark(after)) throw invalid("after", "must be `next` of a page before");
  const { limit = 50 } = page;
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
    throw invalid("limit", `must be 1 to ${MOST}`);
  const found = await identifyPerson(context.db, workspaceId, contactId);
  if (!found) throw new AppError("NOT_FOUND", { explanation: "there is no such contact" });
  const { person, threads } = found;
  const parts = await Promise.all([
    ofRecord(context, person),
    ofConsent(context, person, after, limit + 1),
    ofChanges(context, person, after, limit + 1),
    ofCampaigns(context, person),
    ofMessages(context, person, threads, after, limit + 1),
    ofPasscodes(context, person, after, limit + 1),
    ofAudit(context, person, threads, after, limit + 1),
  ]);
  const placed = [...parts.flat(), ...threads.map(opened)]
    .filter((one) => after === null || one.mark < after)
    .toSorted((a, b) => (a.mark < b.mark ? 1 : -1));
  const shown = placed.slice(0, limit);
  return {
    contactId: person.contactId,
    items: await withWords(context, workspaceId, shown),
    next: placed.length > limit ? (shown.at(-1)?.mark ?? null) : null,
  };
}

/** The items, each campaign with the words, files and state of its message: the message is no item of its own. */
async function withWords(
  { db }: Pick<Context, "db">,
  workspaceId: string,
  shown: readonly Placed[],
): Promise<TimelineItem[]> {
  const ids = shown.flatMap(({ messageId }) => messageId ?? []);
  const rows = ids.length === 0 ? [] : await messagesById(db, workspaceId, ids);
  const messages = new Map(rows.map((row) => [row.id, row]));
  return shown.map(({ item, messageId }) => {
    const message = messages.get(messageId ?? "");
    if (!message) return item;
    const { conversationId, text, status: messageStatus } = message;
    const facts = { ...item.facts, conversationId, text, files: filesOf(message), messageStatus };
    return { ...item, facts };
  });
}

/** What was said of a message (`quote`, `forwarded`, a reaction …) is no file. */
const filesOf = ({ attachments }: PersonMessage): number =>
  attachments.filter(({ type }) => MEDIA_TYPES.has(type)).length;
const MEDIA_TYPES: ReadonlySet<string> = new Set([
  "image",
  "audio",
  "video",
  "document",
  "sticker",
]);

function place(
  kind: string,
  at: Date | string,
  key: string,
  facts: Readonly<Record<string, unknown>>,
): Placed {
  const time = new Date(at);
  return { mark: markOf(time, kind, key), item: { at: time.toISOString(), kind, facts } };
}

async function ofRecord(context: Pick<Context, "db">, person: Person): Promise<Placed[]> {
  const history = await personHistory(context.db, person);
  return [
    ...made(history, person),
    ...history.merged.flatMap(({ id, mergedAt, contact }) => [
      place("merged", mergedAt, id, { mergedId: id, name: contact.name }),
      place("created", contact.createdAt, id, {
        contactId: id,
        by: firstSeenBy(person, history, contact),
      }),
    ]),
    ...person.identities.flatMap((one) => {
      const { channelId, externalId, isNumber, since, retiredAt } = one;
      const facts = { channelId, externalId, isNumber };
      return [
        place("identity", since, `${channelId}/${externalId}`, facts),
        ...(retiredAt
          ? [place("identity_retired", retiredAt, `${channelId}/${externalId}`, facts)]
          : []),
      ];
    }),
  ];
}

function made(history: PersonHistory, person: Person): Placed[] {
  const { contact } = history;
  if (contact === null) return [];
  const by = firstSeenBy(person, history, contact);
  return [place("created", contact.createdAt, contact.id, { contactId: contact.id, by })];
}

/**
 * A channel knows a contact that a message created since that message; it does not know yet one created by API,
 * import or hand. Among merged records an id belongs to the first one created after the id was seen.
 */
function firstSeenBy(person: Person, history: PersonHistory, record: ContactJson): string {
  const others = [history.contact, ...history.merged.map((one) => one.contact)];
  const brought = person.identities.some(({ since }) => {
    const seen = since.toISOString();
    const isFirst = others.every(
      (one) => one === null || one.createdAt < seen || one.createdAt >= record.createdAt,
    );
    return seen <= record.createdAt && isFirst;
  });
  return brought && record.channelType !== null ? "message" : "record";
}

/** An entry stands where it came into the ledger: a word to stop that came late stands above its message. */
async function ofConsent(
  context: Pick<Context, "db" | "sealer">,
  { workspaceId, contactId }: Person,
  after: string | null,
  limit: number,
): Promise<Placed[]> {
  const below = belowId(after, "opted");
  const entries = await consentPage(context, workspaceId, contactId, below, limit);
  return entries.map(({ id, at, optedOut, source, channelType, channelId, detail }) => ({
    mark: markOfId("opted", id),
    item: {
      at,
      kind: optedOut ? "opted_out" : "opted_in",
      facts: { source, channelType, channelId, detail },
    },
  }));
}

async function ofChanges(
  context: Pick<Context, "db">,
  { workspaceId, ids }: Person,
  after: string | null,
  limit: number,
): Promise<Placed[]> {
  const below = belowId(after, "changed");
  const rows = await contactChanges(context.db, workspaceId, ids, below, limit);
  return rows.map(({ id, source, ref, changes, createdAt }) => ({
    mark: markOfId("changed", id),
    item: { at: createdAt.toISOString(), kind: "changed", facts: { source, ref, changes } },
  }));
}

async function ofCampaigns(context: Pick<Context, "db">, person: Person): Promise<Placed[]> {
  const { workspaceId, ids } = person;
  const rows = await personRecipients(context.db, workspaceId, ids, MAX_ID, MOST_CAMPAIGNS);
  return rows.flatMap((row): Placed[] => {
    const { broadcastId, repliedAt } = row;
    const at = row.calledAt ?? row.settledAt ?? row.startedAt;
    return [
      ...(at
        ? [
            {
              ...place("campaign", at, broadcastId, campaignFacts(row)),
              messageId: row.messageId,
            },
          ]
        : []),
      ...(repliedAt ? [place("campaign_replied", repliedAt, broadcastId, { broadcastId })] : []),
    ];
  });
}

const campaignFacts = ({
  broadcastId,
  name,
  status,
  reason,
  detail,
  messageId,
  variant,
}: PersonRecipient) => ({
  broadcastId,
  name,
  status,
  reason,
  detail,
  messageId,
  ...(variant !== null && { variant }),
});

function opened({ id, channelId, channelType, status, createdAt }: PersonThread): Placed {
  return place("conversation_opened", createdAt, id, {
    conversationId: id,
    channelId,
    channelType,
    status,
  });
}

async function ofMessages(
  context: Pick<Context, "db">,
  { workspaceId }: Person,
  threads: readonly PersonThread[],
  after: string | null,
  limit: number,
): Promise<Placed[]> {
  const typeOf = new Map(threads.map((thread) => [thread.id, thread.channelType]));
  const ids = [...typeOf.keys()];
  const below = belowId(after, "message");
  const rows = await newestMessages(context.db, workspaceId, ids, below, limit);
  return rows.map((row) => ({
    mark: markOfId("message", row.id),
    item: {
      at: row.createdAt.toISOString(),
      kind: "message",
      facts: {
        messageId: row.id,
        conversationId: row.conversationId,
        channelType: typeOf.get(row.conversationId ?? "") ?? null,
        direction: row.direction,
        type: row.type,
        text: row.text,
        files: filesOf(row),
        status: row.status,
        errorCode: row.errorCode,
        source: row.source,
        broadcastId: row.broadcastId,
      },
    },
  }));
}

async function ofPasscodes(
  context: Pick<Context, "db">,
  { workspaceId, phones }: Person,
  after: string | null,
  limit: number,
): Promise<Placed[]> {
  const below = belowId(after, "passcode");
  const rows = await personPasscodes(context.db, workspaceId, phones, below, limit);
  return rows.map(({ id, provider, segments, status, errorCode, createdAt }) => ({
    mark: markOfId("passcode", id),
    item: {
      at: createdAt.toISOString(),
      kind: "passcode",
      facts: { requestId: id, provider, segments, status, errorCode },
    },
  }));
}

async function ofAudit(
  context: Pick<Context, "db">,
  { workspaceId, ids }: Person,
  threads: readonly PersonThread[],
  after: string | null,
  limit: number,
): Promise<Placed[]> {
  const subjects = [...ids, ...threads.map((thread) => thread.id)];
  const rows = await auditOf(context.db, workspaceId, subjects, belowId(after, "noted"), limit);
  return rows
    .filter((row) => row.action !== "contact.merged")
    .map(({ id, action, actor, subject, facts, createdAt }) => ({
      mark: markOfId("noted", id),
      item: {
        at: createdAt.toISOString(),
        kind: "noted",
        facts: { action, actor, subject, ...facts },
      },
    }));
}
