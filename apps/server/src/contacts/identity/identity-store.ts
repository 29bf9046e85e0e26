import type { Queryable, Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { Sighting } from "./match-contacts.ts";
import { spellingsOf } from "./other-spelling.ts";
import {
  add,
  emailKey,
  idsOf,
  identityKey,
  mailKey,
  People,
  phoneKey,
  type CandidateContact,
} from "./people.ts";

interface FoundRow {
  kind: "identity" | "phone" | "email";
  workspace_id: string;
  channel_id: string | null;
  key: string;
  is_number: boolean;
  since: Date;
  retired_at: Date | null;
  contact_id: string;
  phone: string | null;
  email: string | null;
  opted_out: boolean;
  named: boolean;
  placed: boolean;
  /**
   * The ids in force of the contact, as [channel, id, whether it is a number]. Not read when looked up by identity
   * alone.
   */
  held?: [string, string, boolean][] | null;
}

// A number or address that more contacts share than this identifies nobody.
const MOST_ALIKE = 20;

/**
 * Looks the sightings up by identity alone. That is enough for sightings that an identity settles (`isSettled`),
 * as it does for almost every message, and costs a third of `readPeople`.
 */
export async function readPeopleById(tx: Tx, sightings: readonly Sighting[]): Promise<People> {
  const ids = sightings.flatMap((s) => idsOf(s).map((id) => ({ s, id })));
  const rows = await tx.query<FoundRow>(sql`
    select 'identity' as kind, i.workspace_id, i.channel_id, i.external_id as key, i.is_number, i.created_at as since,
      i.retired_at, i.contact_id, c.phone, c.email, c.opted_out_at is not null as opted_out,
      c.name is not null as named, c.channel_type is not null as placed
    from (select distinct * from unnest(${ids.map(({ s }) => s.workspaceId)}::uuid[],
      ${ids.map(({ s }) => s.channelId)}::uuid[], ${ids.map(({ id }) => id)}::text[])
      as u (workspace_id, channel_id, external_id)) w
    cross join lateral (select * from contact_identity where workspace_id = w.workspace_id
      and channel_id = w.channel_id and external_id = w.external_id limit 1) i
    cross join lateral (select phone, email, opted_out_at, name, channel_type from contact
      where workspace_id = i.workspace_id and id = i.contact_id limit 1) c
    order by i.contact_id`);
  return assemble(rows);
}

/** Looks the sightings up by identity, by phone and by verified e-mail, in one statement. */
export async function readPeople(tx: Tx, sightings: readonly Sighting[]): Promise<People> {
  const ids = sightings.flatMap((s) => idsOf(s).map((id) => ({ s, id })));
  const phones = sightings.flatMap(({ workspaceId, phone }) =>
    phone === null ? [] : spellingsOf(phone).map((spelling) => ({ workspaceId, spelling })),
  );
  // folded() takes more letters as equal than identities do, so Node compares these.
  const mails = sightings.flatMap((s) =>
    s.verifiedEmail ? [{ s, key: emailKey(s.verifiedEmail) }] : [],
  );
  const rows = await tx.query<FoundRow>(sql`
    with hit as (
      select 'identity' as kind, i.workspace_id, i.channel_id, i.external_id as key, i.is_number,
        i.created_at as since, i.retired_at, i.contact_id
      from (select distinct * from unnest(${ids.map(({ s }) => s.workspaceId)}::uuid[],
        ${ids.map(({ s }) => s.channelId)}::uuid[], ${ids.map(({ id }) => id)}::text[])
        as u (workspace_id, channel_id, external_id)) w
      cross join lateral (select * from contact_identity where workspace_id = w.workspace_id
        and channel_id = w.channel_id and external_id = w.external_id limit 1) i
      union all
      select 'phone', w.workspace_id, null, w.phone, false, c.created_at, null, c.id
      from (select distinct * from unnest(${phones.map((s) => s.workspaceId)}::uuid[],
        ${phones.map((s) => s.spelling)}::text[]) as u (workspace_id, phone)) w
      cross join lateral (select id, created_at from contact
        where workspace_id = w.workspace_id and phone = w.phone order by id limit ${MOST_ALIKE}) as c
      union all
      select 'email', w.workspace_id, null, w.email, false, c.created_at, null, c.id
      from (select distinct * from unnest(${mails.map(({ s }) => s.workspaceId)}::uuid[],
        ${mails.map(({ key }) => key)}::text[]) as u (workspace_id, email)) w
      cross join lateral (select id, created_at from contact where workspace_id = w.workspace_id
        and email is not null and folded(email) = folded(w.email) order by id limit ${MOST_ALIKE}) as c
    )
    select h.*, c.phone, c.email, c.opted_out_at is not null as opted_out,
      c.name is not null as named, c.channel_type is not null as placed,
      (select json_agg(json_build_array(i.channel_id, i.external_id, i.is_number)) from contact_identity i
        where i.workspace_id = h.workspace_id and i.contact_id = h.contact_id
          and i.retired_at is null) as held
    from hit h cross join lateral (select phone, email, opted_out_at, name, channel_type from contact
      where workspace_id = h.workspace_id and id = h.contact_id limit 1) c
    order by h.contact_id`);
  return assemble(rows);
}

function assemble(rows: readonly FoundRow[]): People {
  const people = new People();
  const known = new Map<string, CandidateContact>();
  const mailed = new Set<string>();
  for (const row of rows) {
    const { contact_id: contactId, opted_out: optedOut, phone, email } = row;
    let person = known.get(contactId);
    if (!person) {
      const lacks = { name: !row.named, phone: phone === null, channel: !row.placed };
      person = { contactId, optedOut, phone, email, lacks, users: new Map(), numbers: new Map() };
      for (const [channel, id, isNumber] of row.held ?? [])
        add(isNumber ? person.numbers : person.users, channel, id);
      known.set(contactId, person);
    }
    if (row.kind === "phone") people.addPhone(phoneKey(row.workspace_id, row.key), person);
    else if (row.kind === "email") {
      if (email === null || mailed.has(contactId)) continue;
      mailed.add(contactId);
      people.addMail(mailKey(row.workspace_id, email), person);
    } else
      people.hold(
        identityKey({ workspaceId: row.workspace_id, channelId: row.channel_id ?? "" }, row.key),
        { person, isNumber: row.is_number, since: row.since, retiredAt: row.retired_at },
      );
  }
  return people;
}

/**
 * Makes transactions that see the same unknown people take turns, until commit: a row cannot be locked before it
 * exists. Everything that looks for a contact before it creates one (messages, notices, imports) locks in this
 * order: an import's turn, then all keys in one statement by their hash, then rows of contacts by id. A
 * transaction that holds a row takes no more keys, so transactions never wait for each other in a ring.
 */
export async function lockPeople(
  tx: Tx,
  sightings: readonly Pick<
    Sighting,
    "workspaceId" | "channelId" | "externalId" | "alternateId" | "phone" | "verifiedEmail"
  >[],
): Promise<void> {
  const keys = sightings.flatMap((s) => [
    ...idsOf(s).map((id) => identityKey(s, id)),
    ...(s.phone === null ? [] : spellingsOf(s.phone).map((one) => phoneKey(s.workspaceId, one))),
    ...(s.verifiedEmail ? [mailKey(s.workspaceId, s.verifiedEmail)] : []),
  ]);
  await lockKeys(tx, keys);
}

/**
 * As `lockPeople`, in the same order, for people named by their addresses, and by what other systems call them (`refs`,
 * as [system, value]).
 */
export async function lockAddresses(
  tx: Tx,
  workspaceId: string,
  people: readonly {
    readonly phone: string | null;
    readonly email: string | null;
    readonly refs?: readonly (readonly [system: string, value: string])[];
  }[],
): Promise<void> {
  const keys = people.flatMap(({ phone, email, refs = [] }) => [
    ...(phone === null ? [] : spellingsOf(phone).map((one) => phoneKey(workspaceId, one))),
    ...(email === null ? [] : [mailKey(workspaceId, email)]),
    ...refs.map(([system, value]) => JSON.stringify([workspaceId, "ref", system, value])),
  ]);
  if (keys.length > 0) await lockKeys(tx, keys);
}

async function lockKeys(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx.query(sql`
    select pg_advisory_xact_lock(k)
    from (select distinct hashtextextended(key, 0) as k from unnest(${keys}::text[]) as u(key) order by 1) as ordered`);
}

export interface NewIdentity {
  readonly workspaceId: string;
  readonly channelId: string;
  readonly externalId: string;
  readonly contactId: string;
  readonly isNumber: boolean;
  readonly at: Date;
}

/**
 * Adds ids by which contacts are known on a channel from now on. With `takeOver` a number passes to another
 * contact.
 */
export async function addIdentities(
  tx: Tx,
  items: readonly NewIdentity[],
  options: { readonly takeOver: boolean },
): Promise<void> {
  if (items.length === 0) return;
  // Only the last entry of a batch for each id: one statement cannot write a row twice.
  const last = [...new Map(items.map((i) => [identityKey(i, i.externalId), i])).values()];
  await tx.query(sql`
    insert into contact_identity as i (workspace_id, channel_id, external_id, contact_id, is_number, created_at)
    select * from unnest(${last.map((i) => i.workspaceId)}::uuid[],
      ${last.map((i) => i.channelId)}::uuid[], ${last.map((i) => i.externalId)}::text[],
      ${last.map((i) => i.contactId)}::uuid[], ${last.map((i) => i.isNumber)}::boolean[],
      ${last.map((i) => i.at)}::timestamptz[])
    on conflict (workspace_id, channel_id, external_id) do update
      set contact_id = excluded.contact_id, created_at = excluded.created_at, retired_at = null
      where ${options.takeOver} and i.is_number and i.created_at <= excluded.created_at`);
}

/**
 * Adds ids that no contact has to contacts that exist. `userId` is the platform's own id among the ids that were
 * told together: a contact that has another such id on the channel is another person and gets none. A contact also
 * gets none when the id told `beside` belongs to another contact and this one has a number of its own: these are
 * two people. Rows are written in the order of the ids, so that two transactions that add the same ids do not wait
 * for each other in a ring. Gives the contacts that got an id.
 */
export async function addFreeIdentities(
  tx: Tx,
  items: readonly (NewIdentity & {
    readonly userId: string | null;
    readonly beside: string | null;
  })[],
): Promise<{ workspaceId: string; id: string }[]> {
  if (items.length === 0) return [];
  return tx.query(sql`
    insert into contact_identity (workspace_id, channel_id, external_id, contact_id, is_number, created_at)
    select n.workspace_id, n.channel_id, n.external_id, c.id, n.is_number, n.at
    from unnest(${items.map((i) => i.workspaceId)}::uuid[], ${items.map((i) => i.channelId)}::uuid[],
      ${items.map((i) => i.externalId)}::text[], ${items.map((i) => i.contactId)}::uuid[],
      ${items.map((i) => i.isNumber)}::boolean[], ${items.map((i) => i.userId)}::text[],
      ${items.map((i) => i.beside)}::text[], ${items.map((i) => i.at)}::timestamptz[])
      as n (workspace_id, channel_id, external_id, contact_id, is_number, user_id, beside, at)
    cross join lateral (select id, phone from contact
      where workspace_id = n.workspace_id and id = n.contact_id limit 1) c
    where (select true from contact_identity i where i.workspace_id = n.workspace_id and i.contact_id = n.contact_id
      and i.channel_id = n.channel_id and not i.is_number and i.retired_at is null
      and i.external_id <> n.user_id limit 1) is null
      and (coalesce((select i.contact_id from contact_identity i where i.workspace_id = n.workspace_id
          and i.channel_id = n.channel_id and i.external_id = n.beside and i.retired_at is null limit 1), c.id) = c.id
        or (select true from contact_identity i where i.workspace_id = n.workspace_id and i.contact_id = c.id
          and i.channel_id = n.channel_id and i.is_number and i.retired_at is null
          and i.external_id not in (n.external_id, n.beside) limit 1) is null
        and coalesce(one_spelling(c.phone) in (one_spelling(n.external_id), one_spelling(n.beside)), true))
    order by n.workspace_id, n.channel_id, n.external_id
    on conflict do nothing
    returning workspace_id as "workspaceId", contact_id as id`);
}

/** Retires all ids of a contact on a channel except `except`. Gives the ids that were the contact's until now. */
export async function retireIdentities(
  tx: Tx,
  key: { readonly workspaceId: string; readonly channelId: string; readonly contactId: string },
  except: readonly string[],
  at: Date,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    update contact_identity set retired_at = ${at}
    where workspace_id = ${key.workspaceId} and contact_id = ${key.contactId} and channel_id = ${key.channelId}
      and external_id <> all (${except}::text[]) and retired_at is null and created_at <= ${at}
    returning external_id as id`);
  return rows.map(({ id }) => id);
}

/** The platform's own id of the contact on a channel, if one is in force. */
export async function userIdOn(
  db: Queryable,
  key: { readonly workspaceId: string; readonly channelId: string; readonly contactId: string },
): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(sql`
    select external_id as id from contact_identity
    where workspace_id = ${key.workspaceId} and contact_id = ${key.contactId} and channel_id = ${key.channelId}
      and not is_number and retired_at is null order by created_at desc limit 1`);
  return row?.id ?? null;
}

/** Two contacts of one person, to be merged soon. */
export async function dueMerge(
  tx: Tx,
  pairs: readonly { readonly workspaceId: string; readonly ids: readonly [string, string] }[],
  at: Date,
): Promise<void> {
  if (pairs.length === 0) return;
  // The older contact is kept: others know it by its id.
  const ordered = pairs.map(({ workspaceId, ids }) => ({ workspaceId, ids: ids.toSorted() }));
  await tx.query(sql`
    insert into contact_merge_due (workspace_id, keep_id, merged_id, created_at)
    select w, k, m, ${at}::timestamptz from unnest(${ordered.map((one) => one.workspaceId)}::uuid[],
      ${ordered.map((one) => one.ids[0])}::uuid[], ${ordered.map((one) => one.ids[1])}::uuid[]) as p (w, k, m)
    on conflict do nothing`);
}
