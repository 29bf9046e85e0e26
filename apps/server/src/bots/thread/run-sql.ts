import { conversationAt } from "../../conversations/conversation-sql.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { isCalendarDay } from "../../lib/calendar-day.ts";
import { isId, NIL_ID } from "../../lib/ids.ts";
import type { ResultsFilter } from "../../wire/in-view.ts";

const idOr = (value: string): string => (isId(value) ? value : NIL_ID);

/** When something of the results was made: on these days of UTC, both within. What is no day is not asked. */
export const madeWithin = (at: Sql, { from, to }: ResultsFilter): Sql => sql`
  ${from !== undefined && isCalendarDay(from) ? sql`and ${at} >= ${new Date(`${from}T00:00:00Z`)}::timestamptz` : sql``}
  ${to !== undefined && isCalendarDay(to) ? sql`and ${at} < ${dayAfter(to)}::timestamptz` : sql``}`;

const dayAfter = (day: string): Date => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000);

/** Whether the bot of a column is the one that is asked for. */
export const ofBot = (column: Sql, { bot }: ResultsFilter): Sql =>
  bot === undefined ? sql`` : sql`and ${column} = ${idOr(bot)}::uuid`;

/** Whether the conversation of a column is on the channel that is asked for. */
export const atChannel = (workspaceId: string, column: Sql, { channel }: ResultsFilter): Sql =>
  channel === undefined
    ? sql``
    : sql`and exists (select 1 from ${conversationAt(workspaceId, column)} oc
        where oc.channel_id = ${idOr(channel)}::uuid)`;

/** What results are counted by: `open` goes on, `reopened` was resolved and written in again within seven days. */
const outcomeIs = (outcome: string | undefined): Sql => {
  if (outcome === undefined) return sql``;
  if (outcome === "open") return sql`and r.outcome is null`;
  if (outcome === "reopened") return sql`and r.reopened_at is not null`;
  return sql`and r.outcome = ${outcome}`;
};

/** The conditions on a run `r` that results ask for, after `where`. */
const runsOf = (workspaceId: string, of: ResultsFilter): Sql => sql`
  r.workspace_id = ${workspaceId} ${madeWithin(sql`r.began_at`, of)} ${ofBot(sql`r.bot_id`, of)}
  ${atChannel(workspaceId, sql`r.conversation_id`, of)} ${outcomeIs(of.outcome)}
  ${of.reason === undefined ? sql`` : sql`and r.reason = ${of.reason}`}
  ${of.topic === undefined ? sql`` : sql`and r.topic = ${of.topic}`}`;

/** The conversations of such runs, each once, to stand after `from`. */
export const conversationsOfRuns = (workspaceId: string, of: ResultsFilter): Sql =>
  sql`(select distinct r.conversation_id from bot_run r where ${runsOf(workspaceId, of)})`;

/** Such runs, to stand after `from`. */
export const runsFound = (workspaceId: string, of: ResultsFilter): Sql =>
  sql`(select r.* from bot_run r where ${runsOf(workspaceId, of)})`;

/** Since when a bot's run has been due; null: none is. */
export const oldestDueRun = (now: Date): Sql =>
  sql`(select min(due_at) from bot_run where state <> 'ended' and due_at <= ${now}::timestamptz)`;
