import { join, sql, type Sql } from "../../db/sql.ts";
import { NIL_ID } from "../../lib/ids.ts";
import type { Broadcast } from "../record/broadcast.ts";
import { CONTACT_ZONES, usesZones } from "./send-times.ts";
import { BLANKS } from "../text/placeholders.ts";
import type { Fact, Rendering } from "../text/rendering.ts";
import { drawVariant, HOLDOUT } from "./split-draw.ts";
import type { SplitRendering } from "./split.ts";

/**
 * When the reply window of contact `c` on the channel ends. A scalar and no join: with old statistics the planner
 * joined every conversation of the channel to every contact (293 ms for 256 recipients and 1,800 conversations, 4 ms so).
 */
export const windowEndColumn = (
  channelId: string,
) => sql`(select v.window_expires_at from conversation v
  where v.workspace_id = c.workspace_id and v.channel_id = ${channelId} and v.contact_id = c.id limit 1)`;

/**
 * `c` is a contact. Consent follows the number (docs/identities.md), so who opted out under one record has opted out
 * under all. The look-up is a scalar with a limit and no `exists`, which the planner answers by hashing every number
 * of the workspace for each batch.
 */
export const optedOut = sql`(c.opted_out_at is not null or coalesce((select true from opted_out_phone o
  where o.workspace_id = c.workspace_id and o.phone = c.phone limit 1), false))`;

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
  const address = addressOf(broadcast);
  const windowOpen =
    broadcast.kind === "TEXT" && broadcast.channelType === "WHATSAPP"
      ? sql`coalesce(${windowEndColumn(channelId ?? "")} > ${options.now}, false)`
      : sql`true`;
  return sql`
    select id, nullif(address, '') as address, shown, zone, nullif(v.variant, ${HOLDOUT}::smallint) as variant,
      case when opted_out then 'opted_out' when coalesce(address, '') = '' then 'no_address'
        when not window_open then 'window_closed' when v.variant = ${HOLDOUT} then 'holdout'
        when ${missingOf(rendering.needs)} then 'missing_variable' end as skip
    from (
      select c.id, ${address} as address, ${windowOpen} as window_open, ${optedOut} as opted_out,
        ${valuesOf(rendering.facts)} as shown, ${zoneOf(broadcast)} as zone
      from contact c
      where c.workspace_id = ${workspaceId} and c.id > ${options.after ?? NIL_ID}
        and (${segment})
      order by c.id limit ${options.limit}
    ) candidate cross join lateral (select ${drawVariant(broadcast)} as variant) v`;
}

/**
 * Where the campaign reaches contact `c`. On WhatsApp a customer who shows no number is written to by the platform's own
 * id of the person (channels.md §2.5); the number counts where there is one, because other records may have it too.
 */
function addressOf({ kind, channelType, channelId }: Broadcast): Sql {
  if (kind === "SMS") return sql`c.phone`;
  const id = sql`(select i.external_id from contact_identity i where i.workspace_id = c.workspace_id
    and i.contact_id = c.id and i.channel_id = ${channelId} and not i.is_number and i.retired_at is null
    order by i.created_at desc limit 1)`;
  return channelType === "TELEGRAM" ? id : sql`coalesce(c.phone, ${id})`;
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
