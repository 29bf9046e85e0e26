import type { Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { foldText } from "./contact.ts";

/** What is stored of a known contact that was seen. */
export interface Touch {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly contactId: string;
  readonly channelType: string;
  readonly externalId: string;
  readonly name: string | null;
  /** The number that the platform vouches for; for a contact that has none. */
  readonly phone: string | null;
  readonly at: Date;
}

/** Moves last_seen_at forward for contacts that lack nothing a touch could fill. Locks them in order. */
export async function moveLastSeen(
  tx: Tx,
  touches: readonly Pick<Touch, "workspaceId" | "contactId" | "at">[],
): Promise<void> {
  await tx.query(sql`
    with locked as (
      select c.workspace_id, c.id, t.at
      from (select * from unnest(${touches.map((t) => t.workspaceId)}::uuid[],
        ${touches.map((t) => t.contactId)}::uuid[], ${touches.map((t) => t.at)}::timestamptz[])
        as u (workspace_id, id, at) order by workspace_id, id) t
      cross join lateral (select workspace_id, id from contact where workspace_id = t.workspace_id and id = t.id
        and (last_seen_at is null or last_seen_at < t.at) for no key update) c
    )
    update contact c set last_seen_at = l.at
    from locked l where c.workspace_id = l.workspace_id and c.id = l.id`);
}

/** A contact in which a touch filled something, and which of these fields were empty before. */
export interface FilledContact {
  readonly workspaceId: string;
  readonly document: string;
  readonly lacked: {
    readonly named: boolean;
    readonly numbered: boolean;
    readonly placed: boolean;
    /** The id, for a contact that no channel knew before. */
    readonly formerId: string | null;
  };
}

/**
 * Moves last_seen_at forward and fills what is missing (name, phone, channel), one touch per contact. Locks the
 * contacts in order. Gives the contacts in which something was filled.
 */
export async function touchContacts(tx: Tx, touches: readonly Touch[]): Promise<FilledContact[]> {
  if (touches.length === 0) return [];
  const rows = await tx.query<{
    workspace_id: string;
    document: string;
    filled: boolean;
    named: boolean;
    numbered: boolean;
    placed: boolean;
    formerId: string | null;
  }>(sql`
    with touch as (
      select * from unnest(${touches.map((t) => t.workspaceId)}::uuid[], ${touches.map((t) => t.contactId)}::uuid[],
        ${touches.map((t) => t.channelType)}::text[], ${touches.map((t) => t.externalId)}::text[],
        ${touches.map((t) => t.name)}::text[], ${touches.map((t) => foldText(t.name ?? ""))}::text[],
        ${touches.map((t) => t.phone)}::text[],
        ${touches.map((t) => t.at)}::timestamptz[]) as t(workspace_id, id, channel_type, external_id, name, folded, phone, at)
    ), locked as (
      select c.workspace_id, c.id, c.channel_type is null or (c.name is null and t.name is not null)
        or (c.phone is null and t.phone is not null) as filled,
        c.name is null as named, c.phone is null as numbered, c.channel_type is null as placed,
        c.external_id as former_id
      from contact c join touch t using (workspace_id, id)
      where c.last_seen_at is null or c.last_seen_at < t.at or c.channel_type is null
        or (c.name is null and t.name is not null) or (c.phone is null and t.phone is not null)
      order by c.workspace_id, c.id for no key update of c
    )
    update contact c set
      last_seen_at = greatest(c.last_seen_at, t.at),
      channel_type = coalesce(c.channel_type, t.channel_type),
      external_id = case when c.channel_type is null then t.external_id else c.external_id end,
      name = coalesce(c.name, t.name),
      phone = coalesce(c.phone, t.phone),
      -- the name comes first in the search text and the phone last, and each is empty there when it is missing
      search = case when c.name is null then t.folded else '' end || c.search
        || case when c.phone is null then coalesce(t.phone, '') else '' end,
      updated_at = case when locked.filled then t.at else c.updated_at end
    from locked join touch t using (workspace_id, id)
    where c.workspace_id = locked.workspace_id and c.id = locked.id
    returning c.workspace_id, c.document, locked.filled, locked.named, locked.numbered, locked.placed,
      locked.former_id as "formerId"`);
  return rows.flatMap(({ workspace_id: workspaceId, document, filled, ...lacked }) =>
    filled ? [{ workspaceId, document, lacked }] : [],
  );
}
