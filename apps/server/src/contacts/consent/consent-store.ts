import type { ConsentEntry } from "./consent-history.ts";
import type { Context } from "../../context.ts";
import type { Queryable, Tx } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { beginningOf } from "../../lib/beginning-of.ts";
import type { ContactRow } from "../record/contact.ts";
import { numberForms } from "../identity/erased-number.ts";
import { hashUnownedLedger, revealNumbers } from "../identity/erased-number-store.ts";
import { SPELLINGS, spellingsOf } from "../identity/other-spelling.ts";
import type { ConsentChange } from "./set-consent.ts";

export interface ChangedConsent {
  readonly workspaceId: string;
  readonly document: string;
  /** The change that brought it about. */
  readonly change: ConsentChange;
}

interface LockedRow {
  workspace_id: string;
  id: string;
  phone: string | null;
  opted_out_at: Date | null;
  asked: number;
}

interface Target {
  readonly workspaceId: string;
  readonly phone: string | null;
  readonly change: ConsentChange;
}

/**
 * One round of changes in the same direction, each contact or number once. Gives the contacts whose state changed.
 * Contacts are locked before numbers.
 */
export async function applyConsent(
  context: Pick<Context, "ids" | "clock" | "sealer">,
  tx: Tx,
  changes: readonly ConsentChange[],
): Promise<ChangedConsent[]> {
  const optedOut = changes[0]?.optedOut;
  if (optedOut === undefined) return [];
  let locked = await lockAffected(tx, changes);
  const asked = new Set(locked.map((row) => row.asked));
  // A contact that was merged while we waited has another id by now.
  if (changes.some((change, index) => change.contactId !== null && !asked.has(index + 1)))
    locked = await lockAffected(tx, changes);
  const due = locked.flatMap((row) => {
    const change = changes[row.asked - 1];
    return change && moves(row.opted_out_at, change)
      ? [{ workspaceId: row.workspace_id, id: row.id, phone: row.phone, change }]
      : [];
  });
  const numbers = new Map<string, Target & { phone: string }>();
  const reach = [
    ...locked.map((row) => ({ phone: row.phone, change: changes[row.asked - 1] })),
    ...changes.map((change) => ({ phone: change.phone ?? null, change })),
  ];
  for (const { phone, change } of reach) {
    if (!change || phone === null) continue;
    const { workspaceId } = change;
    for (const spelling of spellingsOf(phone))
      numbers.set(JSON.stringify([workspaceId, spelling]), {
        workspaceId,
        phone: spelling,
        change,
      });
  }
  const had = new Set(locked.map((row) => JSON.stringify([row.workspace_id, row.phone])));
  const moved = await moveNumbers(context, tx, [...numbers.values()], optedOut, had);
  const told = new Set(due.map((row) => JSON.stringify([row.workspaceId, row.phone])));
  await writeEntries(context, tx, [
    ...due,
    // A number that no contact has: the ledger says so, there is nobody to tell about.
    ...[...numbers].flatMap(([key, one]) => {
      const phone = moved.get(key);
      return phone === undefined || told.has(key) ? [] : [{ ...one, phone, id: null }];
    }),
  ]);
  // What is lifted leaves no row that would be looked at again.
  const lifted = optedOut ? [] : [...numbers].filter(([key]) => moved.has(key) && !had.has(key));
  await hashUnownedLedger(
    tx,
    lifted.map(([, one]) => numberForms(context, one.workspaceId, one.phone)),
  );
  if (due.length === 0) return [];
  const rows = await tx.query<{ workspace_id: string; id: string; document: string }>(sql`
    update contact c set opted_out_at = case when ${optedOut} then d.at end, updated_at = d.at
    from unnest(${due.map((row) => row.workspaceId)}::uuid[], ${due.map((row) => row.id)}::uuid[],
      ${due.map((row) => row.change.at)}::timestamptz[]) as d (workspace_id, id, at)
    where c.workspace_id = d.workspace_id and c.id = d.id
    returning c.workspace_id, c.id, c.document`);
  const changeOf = new Map(due.map((row) => [row.id, row.change]));
  return rows.flatMap((row) => {
    const change = changeOf.get(row.id);
    return change ? [{ workspaceId: row.workspace_id, document: row.document, change }] : [];
  });
}

/**
 * An opt-out always counts. An opt-in that is older than the opt-out it would lift came late: it is not the last
 * word. Platforms tell seconds, so that is what is compared.
 */
function moves(optedOutAt: Date | null, change: ConsentChange): boolean {
  if (change.optedOut) return optedOutAt === null;
  return optedOutAt !== null && seconds(change.at) >= seconds(optedOutAt);
}
const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);

const PATTERNS = SPELLINGS.flatMap(({ head, digit, rest }) => [
  { pattern: `^(${head})${digit}(${rest})$`, other: "\\1\\2" },
  { pattern: `^(${head})(${rest})$`, other: `\\1${digit}\\2` },
]);
/** `otherSpelling` of a column `phone`. */
const otherSpelling = sql`(select regexp_replace(phone, pattern, other)
  from unnest(${PATTERNS.map((one) => one.pattern)}::text[], ${PATTERNS.map((one) => one.other)}::text[]) as f (pattern, other)
  where phone ~ pattern limit 1)`;

/**
 * The contacts that are asked for, by id (a merged one's too) or by number, and all that share a number with them. By
 * laterals, which the planner cannot turn into joins (one with an order it leaves as it is): before the first statistics
 * it went through all contacts of the workspace for each (913 pages a change among 4,000, now 36).
 */
function lockAffected(tx: Tx, changes: readonly ConsentChange[]): Promise<LockedRow[]> {
  return tx.query<LockedRow>(sql`
    with given as materialized (
      select g.workspace_id, coalesce(a.contact_id, g.id) as id, g.phone, g.n
      from unnest(${changes.map((c) => c.workspaceId)}::uuid[], ${changes.map((c) => c.contactId)}::uuid[],
        ${changes.map((c) => c.phone ?? null)}::text[]) with ordinality as g (workspace_id, id, phone, n)
      left join lateral (select contact_id from contact_alias
        where workspace_id = g.workspace_id and id = g.id limit 1) a on true
    ), asked as materialized (
      select c.workspace_id, c.id, c.phone, g.n from given g
      cross join lateral (select workspace_id, id, phone from contact
        where workspace_id = g.workspace_id and id = g.id limit 1) c
    ), number as materialized (
      select workspace_id, spelling as phone, min(n) as n from (
        select workspace_id, phone, n from asked union all select workspace_id, phone, n from given) as both_ways
      cross join lateral (values (phone), (${otherSpelling})) as s (spelling)
      where spelling is not null group by workspace_id, spelling
    ), affected as materialized (
      select workspace_id, id, min(n) as n from (
        select workspace_id, id, n from asked
        union all
        select u.workspace_id, c.id, u.n from number u
        cross join lateral (select id from contact where workspace_id = u.workspace_id
          and phone = u.phone order by phone) c
      ) as both_ways group by workspace_id, id
    )
    select c.workspace_id, c.id, c.phone, c.opted_out_at, a.n::int as asked
    from (select * from affected order by workspace_id, id) a
    cross join lateral (select * from contact where workspace_id = a.workspace_id and id = a.id for update) c`);
}

/**
 * Gives the numbers whose state changed, as `[workspaceId, phone]` in JSON, and in which form they stand: a number that
 * stands as its hash, because its person was erased, comes back in digits only when somebody has it again. One that no
 * contact has (`had`) is marked: `hashUnownedNumbers` makes it a hash.
 */
async function moveNumbers(
  context: Pick<Context, "clock" | "sealer">,
  tx: Tx,
  numbers: readonly (Target & { readonly phone: string })[],
  optedOut: boolean,
  had: ReadonlySet<string>,
): Promise<Map<string, string>> {
  if (numbers.length === 0) return new Map();
  const now = context.clock.now();
  // What comes as a hash already (a late receipt) is nobody's digits.
  const nobodysSince = ({ workspaceId, phone }: { workspaceId: string; phone: string }) =>
    phone.startsWith("#") || had.has(JSON.stringify([workspaceId, phone])) ? null : now;
  const forms = numbers.map((one) => numberForms(context, one.workspaceId, one.phone));
  const given = sql`unnest(${forms.map((one) => one.workspaceId)}::uuid[],
    ${forms.map((one) => one.phone)}::text[], ${forms.map((one) => one.erased)}::text[],
    ${numbers.map((one) => one.change.at)}::timestamptz[], ${numbers.map(nobodysSince)}::timestamptz[])
    as n (workspace_id, phone, erased, at, nobodys_since)`;
  // In the order of the insert below: a number has two spellings, and another wish may begin with the other one.
  if (!optedOut)
    tx.later(
      tx.query(sql`select 1 from ${given} join opted_out_phone o on o.workspace_id = n.workspace_id
        and o.phone in (n.phone, n.erased) order by o.workspace_id, o.phone for update of o`),
    );
  const rows = await tx.query<{ workspace_id: string; phone: string; stored: string }>(
    optedOut
      ? sql`insert into opted_out_phone (workspace_id, phone, since, nobodys_since)
          select workspace_id, phone, at, nobodys_since from ${given}
          where not exists (select 1 from opted_out_phone e where e.workspace_id = n.workspace_id and e.phone = n.erased)
          order by workspace_id, phone
          on conflict (workspace_id, phone) do nothing returning workspace_id, phone, phone as stored`
      : sql`delete from opted_out_phone o using ${given}
          where o.workspace_id = n.workspace_id and o.phone in (n.phone, n.erased)
            and date_trunc('second', o.since) <= date_trunc('second', n.at)
          returning n.workspace_id, n.phone, o.phone as stored`,
  );
  return new Map(rows.map((row) => [JSON.stringify([row.workspace_id, row.phone]), row.stored]));
}

async function writeEntries(
  context: Pick<Context, "ids">,
  tx: Tx,
  rows: readonly (Target & { readonly id: string | null })[],
): Promise<void> {
  if (rows.length === 0) return;
  const of = rows.map((row) => row.change);
  await tx.query(sql`
    insert into consent_entry (workspace_id, id, contact_id, phone, opted_out, source, channel_type, channel_id,
      detail, created_at)
    select * from unnest(${rows.map((row) => row.workspaceId)}::uuid[], ${rows.map(() => context.ids.next())}::uuid[],
      ${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.phone)}::text[],
      ${of.map((change) => change.optedOut)}::boolean[], ${of.map((change) => change.source)}::text[],
      ${of.map((change) => change.channelType ?? null)}::text[], ${of.map((change) => change.channelId ?? null)}::uuid[],
      ${of.map((change) => (change.detail ? beginningOf(change.detail, 200) : null))}::text[], ${of.map((change) => change.at)}::timestamptz[])`);
}

/** A number that is opted out: in digits, and `key`, the form it stands in. */
interface OptedOutNumber {
  readonly workspaceId: string;
  readonly phone: string;
  readonly key: string;
  readonly since: Date;
}

/** Those of the numbers that are opted out, also of a former person who was erased. */
export async function optedOutNumbers(
  context: Pick<Context, "sealer">,
  tx: Tx,
  numbers: readonly { readonly workspaceId: string; readonly phone: string }[],
): Promise<readonly OptedOutNumber[]> {
  if (numbers.length === 0) return [];
  const keys = numbers.flatMap(({ workspaceId, phone }) => {
    const one = numberForms(context, workspaceId, phone);
    return [
      { ...one, key: one.phone },
      { ...one, key: one.erased },
    ];
  });
  return tx.query<OptedOutNumber>(sql`
    select k.workspace_id as "workspaceId", k.phone, k.key, o.since
    from (select distinct * from unnest(${keys.map((one) => one.workspaceId)}::uuid[],
      ${keys.map((one) => one.phone)}::text[], ${keys.map((one) => one.key)}::text[])
      as u (workspace_id, phone, key)) k
    join opted_out_phone o on o.workspace_id = k.workspace_id and o.phone = k.key`);
}

/**
 * The same contacts, those whose number is opted out as opted out from then on. A number whose former person was erased
 * counts too, and stands in digits again: the rows are about to be stored.
 */
export async function withNumberConsent<Row extends ContactRow>(
  context: Pick<Context, "sealer">,
  tx: Tx,
  rows: readonly Row[],
): Promise<Row[]> {
  const asked = rows.flatMap(({ workspaceId, phone, optedOutAt }) =>
    phone === null || optedOutAt !== null ? [] : [{ workspaceId, phone }],
  );
  const found = await optedOutNumbers(context, tx, asked);
  if (found.length === 0) return [...rows];
  await revealNumbers(
    tx,
    found.flatMap((one) => (one.key === one.phone ? [] : [{ ...one, erased: one.key }])),
  );
  const since = new Map(found.map((o) => [JSON.stringify([o.workspaceId, o.phone]), o.since]));
  return rows.map((row) => ({
    ...row,
    optedOutAt: row.optedOutAt ?? since.get(JSON.stringify([row.workspaceId, row.phone])) ?? null,
  }));
}

/** Contacts whose state and whose number's differ: somebody got a number, or both were made at the same moment. */
export function selectUneven(
  db: Queryable,
  where: { readonly workspaceId: string; readonly contactIds: readonly string[] },
): Promise<{ id: string }[]> {
  return db.query(sql`
    select c.id from contact c
    left join opted_out_phone o on o.workspace_id = c.workspace_id and o.phone = c.phone
    where c.workspace_id = ${where.workspaceId} and c.id = any(${where.contactIds}::uuid[])
      and c.phone is not null and (c.opted_out_at is null) <> (o.phone is null)
    order by c.id`);
}

/** Contacts that are not opted out though their number is, since `since`. */
export function selectMissed(
  db: Queryable,
  since: Date,
  limit: number,
): Promise<{ workspaceId: string; id: string }[]> {
  return db.query(sql`
    select c.workspace_id as "workspaceId", c.id
    from opted_out_phone o cross join lateral (select workspace_id, id from contact
      where workspace_id = o.workspace_id and phone = o.phone and opted_out_at is null
      order by phone) c
    where o.since >= ${since} limit ${limit}`);
}

/**
 * The ledger of a contact and of its number, oldest first. `erased`: forms of the number that it has in entries of people
 * who were erased.
 */
export function selectConsentHistory(
  db: Queryable,
  workspaceId: string,
  id: string | null,
  phone: string | null,
  erased: readonly string[],
): Promise<ConsentEntry[]> {
  return db.query<ConsentEntry>(sql`
    with person as (
      select coalesce((select contact_id from contact_alias where workspace_id = ${workspaceId} and id = ${id}::uuid),
        ${id}::uuid) as id
    ), known as (
      select id from person where id is not null
      union select a.id from contact_alias a join person p on a.workspace_id = ${workspaceId} and a.contact_id = p.id
    ), number as (
      select ${phone}::text as phone
      union select * from unnest(${erased}::text[])
      union select c.phone from contact c join person p on c.workspace_id = ${workspaceId} and c.id = p.id
    )
    select iso(e.created_at) as at, e.opted_out as "optedOut", e.source, e.channel_type as "channelType",
      e.channel_id as "channelId", e.detail, e.contact_id as "contactId", e.phone
    from (
      select x.* from known k cross join lateral (select * from consent_entry
        where workspace_id = ${workspaceId} and contact_id = k.id order by id desc) x
      union
      select x.* from number n cross join lateral (select * from consent_entry
        where workspace_id = ${workspaceId} and phone = n.phone order by id desc) x
    ) e
    order by e.id`);
}
