import { join, sql, type Sql } from "../db/sql.ts";
import { isId, NIL_ID } from "../lib/ids.ts";
import { WINDOW_CLOSING_MS, type ViewTerms } from "../wire/in-view.ts";
import { conversationsOfRuns } from "../bots/thread/run-sql.ts";
import { conversationsOfTurns } from "../bots/turn/turn-sql.ts";
import { conversationsOfSuggestions } from "../inbox/suggestion-sql.ts";
import { answeredByBots, handedOverThreads } from "../conversations/conversation-sql.ts";
import { messageAt } from "../messages/record/message-sql.ts";
import type { DeskView, ViewRule } from "../wire/desk-shapes.ts";

/**
 * Whether our last message failed to arrive, of a row `d`. Read from the message, because sending it writes no row
 * of the inbox.
 */
export const hasFailed: Sql = sql`coalesce((select o.status = 'failed'
  from ${messageAt(sql`d.workspace_id`, sql`d.last_outbound_id`)} o), d.failed)`;

/** How many messages of a row `d` a member need not look at, by their own part `r`: those that were seen or answered. */
export const SEEN: Sql = sql`case when r.kept_unread then r.seen else greatest(r.seen, d.answered_inbound) end`;

/** The member who looks at a view, and the time. The member may be a column, when a statement asks for many members. */
export interface DeskLooker {
  readonly workspaceId: string;
  readonly memberId: string | Sql;
  readonly now: Date;
}

/** Whether a view holds other conversations for one member than for another. */
export function isPersonal(terms: ViewTerms): boolean {
  if (terms.kind === "built-in") return terms.view === "mine" || terms.view === "mentions";
  return (
    terms.kind === "own" &&
    terms.filter.all
      .flat()
      .some(
        (rule) => rule.field === "unread" || (rule.field === "assignee" && rule.any.includes("me")),
      )
  );
}

/** The text after `from` for a view. `d` is the row of the inbox; the order is read from `place`. */
export interface ViewSource {
  readonly from: Sql;
  readonly where: Sql;
  /** The alias of the table that has an index over `desk_at` and `conversation_id`. */
  readonly place: Sql;
}

/** The SQL for what `inView` says of one row. */
export function viewSource(terms: ViewTerms, looker: DeskLooker): ViewSource {
  const { workspaceId, memberId } = looker;
  const row = (place: Sql) => sql`cross join lateral (select * from desk_conversation
    where workspace_id = ${workspaceId} and conversation_id = ${place}.conversation_id limit 1) d`;
  if (terms.kind === "label")
    return {
      from: sql`desk_label l ${row(sql`l`)}`,
      where: sql`l.workspace_id = ${workspaceId} and l.label = ${terms.label} and l.status = 'open'`,
      place: sql`l`,
    };
  if (terms.kind === "built-in" && terms.view === "mentions")
    return {
      from: sql`desk_read m ${row(sql`m`)}`,
      where: sql`m.workspace_id = ${workspaceId} and m.member_id = ${memberId} and m.mentioned`,
      place: sql`d`,
    };
  if (terms.kind === "built-in" && (terms.view === "bot" || terms.view === "handed")) {
    const threads =
      terms.view === "bot" ? answeredByBots(workspaceId) : handedOverThreads(workspaceId);
    return { from: sql`${threads} b ${row(sql`b`)}`, where: sql`d.status = 'open'`, place: sql`d` };
  }
  if (terms.kind === "results") {
    const { of } = terms;
    const found =
      of.suggestion !== undefined
        ? conversationsOfSuggestions(workspaceId, of)
        : of.rating !== undefined || of.language !== undefined
          ? conversationsOfTurns(workspaceId, of)
          : conversationsOfRuns(workspaceId, of);
    return { from: sql`${found} b ${row(sql`b`)}`, where: sql`true`, place: sql`d` };
  }
  return {
    from: sql`desk_conversation d`,
    where: sql`d.workspace_id = ${workspaceId} and ${conditionOf(terms, looker)}`,
    place: sql`d`,
  };
}

function conditionOf(terms: ViewTerms, looker: DeskLooker): Sql {
  switch (terms.kind) {
    case "built-in":
      return builtIn(terms.view, looker);
    case "channel":
      return sql`d.status = 'open' and d.channel_id = ${isId(terms.channelId) ? terms.channelId : NIL_ID}::uuid`;
    case "label":
      return sql`d.status = 'open' and ${terms.label} = any (d.labels)`;
    case "results":
      // Read from what bots did: `viewSource`.
      return sql`false`;
    case "own":
      return join(
        [
          sql`true`,
          ...terms.filter.all.map(
            (group) =>
              sql`(${join([sql`false`, ...group.map((rule) => ruleOf(rule, looker))], " or ")})`,
          ),
        ],
        " and ",
      );
  }
}

function builtIn(view: DeskView, { memberId, now }: DeskLooker): Sql {
  switch (view) {
    case "mine":
      return sql`d.status = 'open' and d.assignee_id = ${memberId}::uuid`;
    case "unassigned":
      return sql`d.status = 'open' and d.assignee_id is null`;
    case "unanswered":
      return sql`d.status = 'open' and d.waiting_since is not null`;
    case "window":
      return sql`d.status = 'open' and d.window_expires_at > ${now}::timestamptz
        and d.window_expires_at <= ${new Date(now.getTime() + WINDOW_CLOSING_MS)}::timestamptz`;
    case "bot":
    case "handed":
    case "mentions":
      // Read from who answers, and from the member's own part: `viewSource`.
      return sql`false`;
    case "all":
      return sql`d.status = 'open'`;
    case "snoozed":
      return sql`d.status = 'snoozed'`;
    case "resolved":
      return sql`d.status = 'resolved'`;
  }
}

function ruleOf(rule: ViewRule, { workspaceId, memberId, now }: DeskLooker): Sql {
  switch (rule.field) {
    case "status":
      return sql`d.status = any (${rule.any}::text[])`;
    case "channel":
      return sql`d.channel_id::text = any (${rule.any}::text[])`;
    case "label":
      return sql`d.labels && ${rule.any}::text[]`;
    case "assignee": {
      const named = rule.any.filter((one) => one !== "nobody" && one !== "me");
      const nobody = rule.any.includes("nobody") ? sql`d.assignee_id is null` : sql`false`;
      const me = rule.any.includes("me") ? sql`d.assignee_id = ${memberId}::uuid` : sql`false`;
      return sql`(${nobody} or d.assignee_id is not null and (${me} or d.assignee_id::text = any (${named}::text[])))`;
    }
    case "unanswered":
      return sql`(d.waiting_since is not null) = ${rule.is}::boolean`;
    case "failed":
      return sql`${hasFailed} = ${rule.is}::boolean`;
    case "unread":
      return sql`(d.inbound_count > coalesce((select ${SEEN} from desk_read r where workspace_id = ${workspaceId}
        and member_id = ${memberId} and conversation_id = d.conversation_id limit 1), d.answered_inbound))
        = ${rule.is}::boolean`;
    case "waiting":
      return sql`d.waiting_since < ${new Date(now.getTime() - rule.minutes * 60_000)}::timestamptz`;
  }
}
