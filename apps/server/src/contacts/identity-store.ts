import type { Tx } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { foldText } from "./contact.ts";
import type { Sighting } from "./match-contacts.ts";

export interface Person {
  readonly contactId: string;
  readonly optedOut: boolean;
}

const identityKey = (s: Sighting, externalId: string): string =>
  JSON.stringify([s.workspaceId, s.channelId, externalId]);
const phoneKey = (s: Sighting): string => JSON.stringify([s.workspaceId, s.phone]);
const idsOf = (s: Sighting): string[] =>
  s.alternateId === undefined ? [s.externalId] : [s.externalId, s.alternateId];

/** What is known of the people of a batch; learns as the batch goes on. */
export class People {
  readonly #identities = new Map<string, Person>();
  readonly #phones = new Map<string, Person>();
  addIdentity(key: string, person: Person): void {
    this.#identities.set(key, person);
  }
  addPhone(key: string, person: Person): void {
    this.#phones.set(key, person);
  }
  byIdentity(sighting: Sighting): Person | undefined {
    for (const id of idsOf(sighting)) {
      const person = this.#identities.get(identityKey(sighting, id));
      if (person) return person;
    }
    return undefined;
  }
  byPhone(sighting: Sighting): Person | undefined {
    return sighting.phone === null ? undefined : this.#phones.get(phoneKey(sighting));
  }
  /** Remembers who a sighting is; gives its ids on the channel that were not known before. */
  learn(sighting: Sighting, person: Person): string[] {
    if (sighting.phone !== null && !this.#phones.has(phoneKey(sighting)))
      this.#phones.set(phoneKey(sighting), person);
    return idsOf(sighting).filter((id) => {
      const key = identityKey(sighting, id);
      if (this.#identities.has(key)) return false;
      this.#identities.set(key, person);
      return true;
    });
  }
}

interface FoundRow {
  kind: "identity" | "phone";
  workspace_id: string;
  channel_id: string | null;
  key: string;
  contact_id: string;
  opted_out: boolean;
}

/** Looks the sightings up by identity and by phone, in one statement. */
export async function readPeople(tx: Tx, sightings: readonly Sighting[]): Promise<People> {
  const people = new People();
  const ids = sightings.flatMap((s) => idsOf(s).map((id) => ({ s, id })));
  const phones = sightings.filter((s) => s.phone !== null);
  const rows = await tx.query<FoundRow>(sql`
    select 'identity' as kind, i.workspace_id, i.channel_id, i.external_id as key, i.contact_id,
      c.opted_out_at is not null as opted_out
    from unnest(${ids.map(({ s }) => s.workspaceId)}::uuid[], ${ids.map(({ s }) => s.channelId)}::uuid[],
      ${ids.map(({ id }) => id)}::text[]) as w(workspace_id, channel_id, external_id)
    join contact_identity i using (workspace_id, channel_id, external_id)
    join contact c on c.workspace_id = i.workspace_id and c.id = i.contact_id
    union all
    select 'phone', w.workspace_id, null, w.phone, c.id, c.opted_out_at is not null
    from unnest(${phones.map((s) => s.workspaceId)}::uuid[], ${phones.map((s) => s.phone)}::text[]) as w(workspace_id, phone)
    cross join lateral (
      select id, opted_out_at from contact where workspace_id = w.workspace_id and phone = w.phone
      order by id limit 1) as c`);
  for (const row of rows) {
    const person = { contactId: row.contact_id, optedOut: row.opted_out };
    if (row.kind === "identity") {
      people.addIdentity(JSON.stringify([row.workspace_id, row.channel_id, row.key]), person);
    } else people.addPhone(JSON.stringify([row.workspace_id, row.key]), person);
  }
  return people;
}

/**
 * Takes turns with other transactions that meet the same unknown people, until commit: a key cannot be locked
 * before its row exists. In one order, so that two batches never wait for each other in a ring.
 */
export async function lockPeople(tx: Tx, sightings: readonly Sighting[]): Promise<void> {
  const keys = sightings.flatMap((s) => [
    ...idsOf(s).map((id) => identityKey(s, id)),
    ...(s.phone === null ? [] : [phoneKey(s)]),
  ]);
  await tx.query(sql`
    select pg_advisory_xact_lock(k)
    from (select distinct hashtextextended(key, 0) as k from unnest(${keys}::text[]) as u(key) order by 1) as ordered`);
}

/** Adds the ids under which contacts are known on a channel from now on. */
export async function addIdentities(
  tx: Tx,
  items: readonly {
    workspaceId: string;
    channelId: string;
    externalId: string;
    contactId: string;
    at: Date;
  }[],
): Promise<void> {
  if (items.length === 0) return;
  await tx.query(sql`
    insert into contact_identity (workspace_id, channel_id, external_id, contact_id, created_at)
    select * from unnest(${items.map((i) => i.workspaceId)}::uuid[],
      ${items.map((i) => i.channelId)}::uuid[], ${items.map((i) => i.externalId)}::text[],
      ${items.map((i) => i.contactId)}::uuid[], ${items.map((i) => i.at)}::timestamptz[])
    on conflict (workspace_id, channel_id, external_id) do nothing`);
}

/** What a known contact learns from having been seen. */
export interface Touch {
  readonly workspaceId: string;
  readonly contactId: string;
  readonly channelType: string;
  readonly externalId: string;
  readonly name: string | null;
  readonly at: Date;
}

/**
 * Moves last_seen_at forward and fills what is missing (name, channel), one touch per contact, locking the contacts
 * in order. Gives the contacts that had something filled in.
 */
export async function touchContacts(
  tx: Tx,
  touches: readonly Touch[],
): Promise<{ workspaceId: string; document: string }[]> {
  if (touches.length === 0) return [];
  const rows = await tx.query<{ workspace_id: string; document: string; filled: boolean }>(sql`
    with touch as (
      select * from unnest(${touches.map((t) => t.workspaceId)}::uuid[], ${touches.map((t) => t.contactId)}::uuid[],
        ${touches.map((t) => t.channelType)}::text[], ${touches.map((t) => t.externalId)}::text[],
        ${touches.map((t) => t.name)}::text[], ${touches.map((t) => foldText(t.name ?? ""))}::text[],
        ${touches.map((t) => t.at)}::timestamptz[]) as t(workspace_id, id, channel_type, external_id, name, folded, at)
    ), locked as (
      select c.workspace_id, c.id, c.channel_type is null or (c.name is null and t.name is not null) as filled
      from contact c join touch t using (workspace_id, id)
      where c.last_seen_at is null or c.last_seen_at < t.at or c.channel_type is null
        or (c.name is null and t.name is not null)
      order by c.workspace_id, c.id for update of c
    )
    update contact c set
      last_seen_at = greatest(c.last_seen_at, t.at),
      channel_type = coalesce(c.channel_type, t.channel_type),
      external_id = case when c.channel_type is null then t.external_id else c.external_id end,
      name = coalesce(c.name, t.name),
      -- the name comes first in the search text, and is empty there when it is missing
      search = case when c.name is null then t.folded || c.search else c.search end,
      updated_at = case when locked.filled then t.at else c.updated_at end
    from locked join touch t using (workspace_id, id)
    where c.workspace_id = locked.workspace_id and c.id = locked.id
    returning c.workspace_id, c.document, locked.filled`);
  return rows.flatMap((row) =>
    row.filled ? [{ workspaceId: row.workspace_id, document: row.document }] : [],
  );
}
