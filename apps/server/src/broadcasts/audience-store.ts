import type { Tx } from "../db/database.ts";
import { join, sql, type Sql } from "../db/sql.ts";
import type { Broadcast } from "./broadcast.ts";
import { CONTACT_ZONES, usesZones } from "./send-times.ts";
import { BLANKS, type Fact, type Rendering } from "./rendering.ts";
import { drawVariant, HOLDOUT } from "./split-draw.ts";
import type { SplitRendering } from "./split.ts";

/**
 * When the reply window of contact `c` on the channel ends. A scalar and no join: with old statistics the planner
 * joined every conversation of the channel to every contact (293 ms for 256 recipients and 1,800 conversations, 4 ms so).
 */
export const windowEnd = (channelId: string) => sql`(select v.window_expires_at from conversation v
  where v.workspace_id = c.workspace_id and v.channel_id = ${channelId} and v.contact_id = c.id limit 1)`;

/**
 * `c` is a contact. Consent follows the number (docs/identities.md), so who opted out under one record has opted out
 * under all. The look-up is a scalar with a limit and no `exists`, which the planner answers by hashing every number
 * of the workspace for each batch.
 */
export const optedOut = sql`(c.opted_out_at is not null or coalesce((select true from opted_out_phone o
  where o.workspace_id = c.workspace_id and o.phone = c.phone limit 1), false))`;

/** One chunk of an audience. */
export interface StoredChunk {
  /** Contacts that became recipients or were recorded as skipped; fewer than the limit: it was the last. */
  readonly count: number;
}

/**
 * Stores the next contacts of the audience in the order of their ids, who waits and who is skipped and why, moves the
 * counts and the cursor, all in one statement inside the database: a million contacts do not travel to be written
 * back. An address that the campaign has already, in this chunk or an earlier one, is stored as skipped: the unique
 * index decides. Only the attributes that the text names are read: a contact can carry 16 KiB of them.
 */
export async function insertAudience(
  tx: Tx,
  broadcast: Broadcast,
  segment: Sql,
  rendering: Pick<SplitRendering, "facts" | "needs">,
  options: { readonly after: string | null; readonly limit: number; readonly now: Date },
): Promise<StoredChunk> {
  const { workspaceId, id } = broadcast;
  const [stored] = await tx.query<StoredChunk>(sql`
    with item as materialized (${audienceItems(broadcast, segment, rendering, options)}
    ), kept as (
      insert into broadcast_recipient (workspace_id, broadcast_id, contact_id, address, content, variant, zone, status)
      select ${workspaceId}, ${id}, id, address, to_jsonb(shown), variant, zone, 'pending' from item i where skip is null
        -- Nor whom the campaign has under the id of a contact that was merged into this one.
        and not exists (select 1 from contact_alias a join broadcast_recipient r on r.workspace_id = a.workspace_id
          and r.broadcast_id = ${id} and r.contact_id = a.id and r.status <> 'skipped'
          where a.workspace_id = ${workspaceId} and a.contact_id = i.id)
      on conflict (workspace_id, broadcast_id, address) where status <> 'skipped' do nothing
      returning contact_id, zone
    ), skipped as (
      insert into broadcast_recipient (workspace_id, broadcast_id, contact_id, address, status, reason)
      select ${workspaceId}, ${id}, i.id, i.address, 'skipped', coalesce(i.skip, 'duplicate_address')
      from item i where i.skip is not null or i.id not in (select contact_id from kept)
      returning 1
    ), total as (select count(*) as count, max(id::text)::uuid as last from item)
    update broadcast set total_count = total_count + t.count,
      skipped_count = skipped_count + (select count(*) from skipped), audience_cursor = coalesce(t.last, audience_cursor),
      zones = case when exists (select 1 from kept where zone <> all (broadcast.zones))
        then array(select unnest(broadcast.zones) union select zone from kept) else broadcast.zones end
    from total t where workspace_id = ${workspaceId} and id = ${id}
    returning t.count::int as count`);
  if (!stored) throw new Error("the campaign vanished while its audience was stored");
  return stored;
}

/**
 * The next contacts of the audience in the order of their ids: `id, address, shown, zone, variant, skip` (why it is
 * skipped; null: it is not). An address that another contact of the audience has too is not looked for here.
 */
export function audienceItems(
  broadcast: Broadcast,
  segment: Sql,
  rendering: Pick<SplitRendering, "facts" | "needs">,
  options: { readonly after: string | null; readonly limit: number | null; readonly now: Date },
): Sql {
  const { workspaceId, channelId } = broadcast;
  const address =
    broadcast.channelType === "TELEGRAM"
      ? sql`(select i.external_id from contact_identity i where i.workspace_id = c.workspace_id
          and i.contact_id = c.id and i.channel_id = ${channelId} order by i.created_at desc limit 1)`
      : sql`c.phone`;
  const windowOpen =
    broadcast.kind === "TEXT" && broadcast.channelType === "WHATSAPP"
      ? sql`coalesce(${windowEnd(channelId ?? "")} > ${options.now}, false)`
      : sql`true`;
  return sql`
    with candidate as materialized (
      select c.id, ${address} as address, ${windowOpen} as window_open, ${optedOut} as opted_out,
        ${valuesOf(rendering.facts)} as shown, ${zoneOf(broadcast)} as zone
      from contact c
      where c.workspace_id = ${workspaceId} and c.id > ${options.after ?? "00000000-0000-0000-0000-000000000000"}
        and (${segment})
      order by c.id limit ${options.limit}
    )
      select id, nullif(address, '') as address, shown, zone, nullif(v.variant, ${HOLDOUT}::smallint) as variant,
        case when opted_out then 'opted_out' when coalesce(address, '') = '' then 'no_address'
          when not window_open then 'window_closed' when v.variant = ${HOLDOUT} then 'holdout'
          when ${missingOf(rendering.needs)} then 'missing_variable' end as skip
      from candidate cross join lateral (select ${drawVariant(broadcast)} as variant) v`;
}

/** The contact's own zone, when the campaign looks at it and it is one. */
function zoneOf(broadcast: Broadcast): Sql {
  if (!usesZones(broadcast)) return sql`''`;
  const own = sql`c.attributes ->> 'timezone'`;
  return sql`case when ${own} = any (${CONTACT_ZONES}::text[]) then ${own} else '' end`;
}

/** What the text shows of contact `c`, as an array of texts; null when it shows nothing of anybody. */
function valuesOf(facts: readonly Fact[]): Sql {
  if (facts.length === 0) return sql`null::text[]`;
  const values = facts.map((fact): Sql => {
    switch (fact.kind) {
      case "name":
        return sql`c.name`;
      case "phone":
        return sql`c.phone`;
      case "email":
        return sql`c.email`;
      case "attribute":
        // Text, numbers and booleans show; lists and objects have no form a customer should read.
        return sql`case when json_typeof(c.attributes -> ${fact.key}::text) in ('string', 'number', 'boolean')
          then c.attributes ->> ${fact.key}::text end`;
    }
  });
  return sql`array[${join(values, ", ")}]`;
}

/** True when the text of the candidate's variant would be empty for it. */
function missingOf(needs: SplitRendering["needs"]): Sql {
  const [only = []] = needs;
  if (needs.length <= 1) return missing(only);
  const arms = needs.map(
    (one, place) => sql`(v.variant = ${place}::smallint and (${missing(one)}))`,
  );
  return join(arms, " or ");
}

/**
 * True when a text would be empty for the candidate. A first letter that is plain ASCII, as most are, settles it;
 * trimming by 25 letters costs as much as reading the contact.
 */
function missing(needs: Rendering["needs"]): Sql {
  const empty = needs.map((places): Sql => {
    if (places.length === 0) return sql`true`;
    const shown = places.map((place) => sql`shown[${place + 1}::int]`);
    const text = sql`concat(${join(shown, ", ")})`;
    return sql`(ascii(${text}) not between 33 and 126 and btrim(${text}, ${BLANKS}::text) = '')`;
  });
  return empty.length === 0 ? sql`false` : join(empty, " or ");
}
