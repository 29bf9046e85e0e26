import { personRecipients } from "../broadcasts/audience/erase-recipients.ts";
import { consentPage } from "../contacts/consent/consent-history.ts";
import { findPerson } from "../contacts/record/person.ts";
import type { Context } from "../context.ts";
import { personThreads } from "../conversations/person-threads.ts";
import { deskRows } from "../desk/read-desk.ts";
import { MAX_ID } from "../lib/ids.ts";
import { CHANNEL_TYPES, type ChannelType } from "../wire/words.ts";

/** One line of a person's history on all channels. */
export interface AcrossEntry {
  readonly kind: "conversation" | "campaign" | "consent";
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly channelType: ChannelType | null;
  /** A conversation's preview, a campaign's name, `opted_in` or `opted_out`. */
  readonly text: string;
}

const MOST = 30;

/**
 * A person's conversations, newest campaigns and changes of consent, newest first, at most 30: the first page of
 * the timeline, which tells more. Follows merged contacts. Empty for an unknown contact.
 */
export async function contactAcross(
  context: Pick<Context, "db" | "sealer">,
  workspaceId: string,
  contactId: string,
): Promise<readonly AcrossEntry[]> {
  const person = await findPerson(context.db, workspaceId, contactId);
  if (!person) return [];
  const [threads, campaigns, consent] = await Promise.all([
    personThreads(context.db, workspaceId, person.ids),
    personRecipients(context.db, workspaceId, person.ids, MAX_ID, MOST),
    consentPage(context, workspaceId, contactId, MAX_ID, MOST),
  ]);
  const rows = await deskRows(
    context.db,
    workspaceId,
    threads.map(({ id }) => id),
  );
  const previews = new Map(rows.map((row) => [row.id, row.preview]));
  const lines: AcrossEntry[] = [
    ...threads.map(({ id, channelType, lastMessageAt, createdAt }) => ({
      kind: "conversation" as const,
      id,
      at: (lastMessageAt ?? createdAt).toISOString(),
      channelType: typeOf(channelType),
      text: previews.get(id) ?? "",
    })),
    ...campaigns.flatMap(({ broadcastId, name, calledAt, startedAt, status }) => {
      const at = calledAt ?? startedAt;
      if (at === null || status === "skipped") return [];
      const line = { kind: "campaign", id: broadcastId, channelType: null, text: name } as const;
      return [{ ...line, at: at.toISOString() }];
    }),
    ...consent.map(({ at, optedOut, channelType }) => ({
      kind: "consent" as const,
      id: contactId,
      at,
      channelType: typeOf(channelType),
      text: optedOut ? "opted_out" : "opted_in",
    })),
  ];
  return lines.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, MOST);
}

const typeOf = (name: string | null): ChannelType | null =>
  CHANNEL_TYPES.find((type) => type === name) ?? null;
