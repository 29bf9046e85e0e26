import { keyMark, textTerm } from "../apps/server/src/contacts/attributes/attribute-terms.ts";
import type { Db } from "../apps/server/src/db/database.ts";
import { Sql, sql } from "../apps/server/src/db/sql.ts";

/** The lowest block of the totals starts here. */

/**
 * The id of number `index` of workspace `prefix`, as SQL: the shape of UUIDv7 without its randomness, in the order of
 * the numbers and older than every real one.
 */
export const idText = (prefix: string, index: string): string =>
  `(lpad(to_hex((${prefix})::int), 4, '0') || lpad(to_hex((${index})::int), 8, '0') || '70008000000000000000')::uuid`;

/** The same here. */
export function idAt(prefix: number, index: number): string {
  const low = index.toString(16).padStart(8, "0");
  return `${prefix.toString(16).padStart(4, "0")}${low.slice(0, 4)}-${low.slice(4)}-7000-8000-000000000000`;
}

const text = (raw: string): Sql => new Sql([raw], []);
const id = (index: string): Sql => text(idText("p", index));

const workspaces = (first: number, last: number): Sql =>
  sql`generate_series(${first}::int, ${last}::int) p`;

/** The number that makes a workspace's own id, beside which its contacts count from 1. */
export const WORKSPACE = 0;

export interface Seed {
  /** Workspaces `first` to `last`, each with so many contacts, conversations and keys. */
  readonly first: number;
  readonly last: number;
  readonly contacts: number;
  readonly keys: number;
}

/**
 * Fills workspaces straight in SQL, totals and blocks included, as if all had come by the API. One contact in a
 * thousand carries the word "needle": the term of the search case. The allowance is high but there: it is reserved.
 */
export async function seedWorkspaces(
  db: Db,
  seed: Seed,
  tell: (done: number) => void,
): Promise<void> {
  const { first, last, contacts, keys } = seed;
  const each = workspaces(first, last);
  await db.query(sql`
    insert into workspace (id, name, plan, limits, created_at)
    select ${id("0")}, 'Bench ' || p, 'business', '{"messages": 1000000000}', now() from ${each}`);
  await db.query(sql`
    insert into usage_month (workspace_id, month)
    select ${id("0")}, date_trunc('month', now() at time zone 'UTC')::date from ${each}`);
  await db.query(sql`
    insert into api_key (workspace_id, id, name, public_key, secret_hash, created_at)
    select ${id("0")}, ${id("i")}, 'bench', 'pk_' || p || '_' || i, sha256(convert_to('sk_' || p || '_' || i, 'UTF8')), now()
    from ${each}, generate_series(1, ${keys}::int) i`);
  const step = 20_000;
  for (let from = 1; from <= contacts; from += step) {
    tell(from - 1);
    await db.query(sql`
      insert into contact (workspace_id, id, name, email, phone, tags, attributes, attribute_terms, created_at, updated_at,
        search)
      select ${id("0")}, ${id("i")}, name, email, phone, array['lead'],
        json_build_object('city', 'Kuwait', 'n', i),
        array_to_tsvector(array[${keyMark("city") + textTerm("Kuwait")}::text, ${`${keyMark("n")}t`}::text || i,
          ${`${keyMark("n")}n6`}::text || (length(i::text) + 40) || rtrim(i::text, '0')]), now(), now(),
        name || chr(31) || email || chr(31) || phone
      from ${each}, generate_series(${from}::int, ${Math.min(from + step - 1, contacts)}::int) i,
        lateral (select case when i % 1000 = 0 then 'needle ' else '' end || 'contact ' || md5(i::text) as name,
          'person' || i || '@example.com' as email, (96500000000 + i)::text as phone) person`);
  }
  await db.query(sql`
    insert into contact_total (workspace_id, total) select ${id("0")}, ${contacts} from ${each}`);
}

/** With the open window of somebody who has just written, on the workspace's one channel. */
export async function seedConversations(
  db: Db,
  first: number,
  last: number,
  count: number,
): Promise<void> {
  const each = workspaces(first, last);
  // As a first message leaves a contact: the next ones have nothing to fill in.
  await db.query(sql`
    update contact c set channel_type = 'WHATSAPP', external_id = c.phone, last_seen_at = c.created_at
    from ${each} where c.workspace_id = ${id("0")} and c.id between ${id("1")} and ${id(String(count))}`);
  await db.query(sql`
    insert into contact_identity (workspace_id, channel_id, external_id, contact_id, is_number, created_at)
    select ${id("0")}, c.id, (96500000000 + i)::text, ${id("i")}, true, now()
    from ${each} join channel c on c.workspace_id = ${id("0")}, generate_series(1, ${count}::int) i
    on conflict do nothing`);
  await db.query(sql`
    insert into conversation (workspace_id, id, contact_id, channel_id, channel_type, external_id, window_expires_at,
      last_message_at, created_at)
    select ${id("0")}, ${id("i")}, ${id("i")}, c.id, 'WHATSAPP', (96500000000 + i)::text, now() + interval '30 days',
      now(), now()
    from ${each} join channel c on c.workspace_id = ${id("0")}, generate_series(1, ${count}::int) i
    on conflict do nothing`);
}
