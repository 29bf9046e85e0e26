import type { BroadcastKey } from "../record/broadcast-store.ts";
import { join, sql, type Sql } from "../../db/sql.ts";
import { NIL_ID } from "../../lib/ids.ts";
import type { Broadcast } from "../record/broadcast.ts";
import { contactZones, usesZones } from "./send-times.ts";
import { BLANKS } from "../text/placeholders.ts";
import type { Fact, Rendering } from "../text/rendering.ts";
import { drawVariant, HOLDOUT } from "./split-draw.ts";
import type { SplitRendering } from "./split.ts";
import { optedOut, optedOutPhones } from "../../contacts/consent/consent-sql.ts";
import { contactsOf, aliasesOf, formerIds } from "../../contacts/record/contact-sql.ts";
import { platformId, platformIds } from "../../contacts/identity/identity-sql.ts";
import { threadOf } from "../../conversations/conversation-sql.ts";
import { OUTCOME_UNKNOWN } from "../../sending/give-up-lost.ts";

/**
 * When the reply window of contact `c` on the channel ends. A scalar and no join: with old statistics the planner
 * joined every conversation of the channel to every contact (293 ms for 256 recipients and 1,800 conversations;
 * now 4 ms).
 */
export const windowEndColumn = (channelId: string) => sql`(select v.window_expires_at
  from ${threadOf(sql`c.workspace_id`, channelId, sql`c.id`)} v)`;

/**
 * The next contacts of the audience in the order of their ids: `id, address, shown, zone, variant, skip` (the
 * reason why it is skipped; null: it is not). Addresses that other contacts of the audience share are not looked
 * for here. Without a limit it is the whole audience in no order, for counting: opt-outs are then joined as a whole.
 */
export function audienceItems(
  broadcast: Broadcast,
  segment: Sql,
  rendering: Pick<SplitRendering, "facts" | "needs">,
  options: { readonly after: string | null; readonly limit: number | null; readonly now: Date },
): Sql {
  const { workspaceId, channelId } = broadcast;
  const { after, limit, now } = options;
  const consent =
    limit === null
      ? {
          optedOut: sql`(c.opted_out_at is not null or o.phone is not null)`,
          numbers: sql`left join ${optedOutPhones(workspaceId)} o on o.phone = c.phone`,
        }
      : { optedOut, numbers: sql`` };
  // Of a segment, which may be small, each contact's id is looked up.
  const address =
    limit === null && isEveryone(broadcast) && byPlatformId(broadcast)
      ? {
          column: sql`p.external_id`,
          ids: sql`left join ${platformIds(workspaceId, channelId)} p on p.contact_id = c.id`,
        }
      : { column: addressOf(broadcast), ids: sql`` };
  // Without the offset the planner would put the address, which may be a look-up, into each place that names it.
  const part = limit === null ? sql`offset 0` : sql`order by c.id limit ${limit}`;
  const windowOpen =
    broadcast.kind === "TEXT" && broadcast.channelType === "WHATSAPP"
      ? sql`coalesce(${windowEndColumn(channelId ?? "")} > ${now}, false)`
      : sql`true`;
  return sql`
    select id, nullif(address, '') as address, shown, zone, nullif(v.variant, ${HOLDOUT}::smallint) as variant,
      case when opted_out then 'opted_out' when coalesce(address, '') = '' then 'no_address'
        when not window_open then 'window_closed' when v.variant = ${HOLDOUT} then 'holdout'
        when ${missingOf(rendering.needs)} then 'missing_variable' end as skip
    from (
      select c.id, ${address.column} as address, ${windowOpen} as window_open, ${consent.optedOut} as opted_out,
        ${valuesOf(rendering.facts)} as shown, ${zoneOf(broadcast)} as zone
      from ${contactsOf(workspaceId)} c ${consent.numbers} ${address.ids}
      where c.id > ${after ?? NIL_ID} and (${segment})
      ${part}
    ) candidate cross join lateral (select ${drawVariant(broadcast)} as variant) v`;
}

/**
 * The address at which the campaign reaches contact `c`. On WhatsApp a customer without a visible number is
 * addressed by the platform's own id of the person (channels.md §2.5). If there is a number, it is used, because
 * other contacts may have it too.
 */
function addressOf(broadcast: Broadcast): Sql {
  if (broadcast.kind === "SMS") return sql`c.phone`;
  const id = platformId(sql`c.workspace_id`, broadcast.channelId, sql`c.id`);
  return byPlatformId(broadcast) ? id : sql`coalesce(c.phone, ${id})`;
}

/** Whether everybody is addressed by the platform's own id, whatever numbers there are. */
const byPlatformId = ({ kind, channelType }: Broadcast): boolean =>
  kind !== "SMS" && channelType === "TELEGRAM";

const isEveryone = ({ contactIds, parentId, segmentId }: Broadcast): boolean =>
  contactIds === null && parentId === null && segmentId === null;

/** The contact's own zone, if the campaign uses it and it is valid. */
function zoneOf(broadcast: Broadcast): Sql {
  if (!usesZones(broadcast)) return sql`''`;
  const own = sql`c.attributes ->> 'timezone'`;
  return sql`case when ${own} = any (${contactZones()}::text[]) then ${own} else '' end`;
}

/** The facts of contact `c` that the text shows, as an array of texts; null when it shows none. */
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
        // Text, numbers and booleans are shown. Lists and objects have no form that a customer should read.
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
 * True when a text would be empty for the candidate. A plain ASCII first letter, which most texts have, settles
 * it; trimming by 25 letters costs as much as reading the contact.
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

/**
 * A condition over contact `c`: it failed in a campaign, also under the id of a contact that was merged since,
 * with none of the codes in `without`, and no other resend of it (`others`) has the message or waits for it. In a
 * campaign of `over` nobody waits; in one of `asked` an unknown outcome does not count.
 */
export function failedBefore(
  { workspaceId, id }: BroadcastKey,
  facts: {
    readonly after: string;
    readonly without: readonly string[];
    readonly others: readonly string[];
    readonly over: readonly string[];
    readonly asked: readonly string[];
  },
): Sql {
  const { after, without, others, over, asked } = facts;
  const person = sql`any (array(select c.id union all ${formerIds(workspaceId, sql`c.id`)}))`;
  // The candidates come from the index of failures and from merged contacts: without this, all contacts of the
  // workspace were read for a few that failed. Each candidate is then looked up by the key, as scalars with a
  // limit, and its reason in a case: right after a campaign the planner estimated one failed recipient or none,
  // and read all of them for each contact.
  return sql`c.id = any (array(select contact_id from broadcast_recipient where workspace_id = ${workspaceId}
      and broadcast_id = ${id} and trouble = 'failed' and contact_id > ${after}
      union all select contact_id from ${aliasesOf(workspaceId)} a where contact_id > ${after}))
    and (select true from broadcast_recipient p where p.workspace_id = ${workspaceId}
    and p.broadcast_id = ${id} and p.contact_id = ${person}
    and case when p.status = 'failed' then p.reason <> all (${without}::text[]) end limit 1) is not null
    and (select true from broadcast_recipient g where g.workspace_id = ${workspaceId}
      and g.broadcast_id = any (${others}::uuid[]) and g.contact_id = ${person}
      and case g.status when 'pending' then g.broadcast_id <> all (${over}::uuid[])
        when 'failed' then g.reason = ${OUTCOME_UNKNOWN} and g.broadcast_id <> all (${asked}::uuid[])
        else g.status <> 'skipped' end limit 1) is null`;
}
