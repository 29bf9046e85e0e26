import { sql, type Sql } from "../../db/sql.ts";
import type { ResultsFilter } from "../../wire/in-view.ts";
import { madeWithin, ofBot, atChannel } from "../thread/run-sql.ts";

/** The turn whose answer a message is; null: none, or it was deleted after its 30 days. */
export const turnOfMessage = (workspaceId: Sql | string, messageId: Sql): Sql =>
  sql`(select id from ai_turn where workspace_id = ${workspaceId} and message_id = ${messageId} limit 1)`;

/** The conditions on a turn `a` that results ask for, after `where`. */
const turnsMade = (workspaceId: string, of: ResultsFilter): Sql => sql`
  a.workspace_id = ${workspaceId} ${madeWithin(sql`a.created_at`, of)} ${ofBot(sql`a.bot_id`, of)}
  ${atChannel(workspaceId, sql`a.conversation_id`, of)}
  ${of.rating === undefined ? sql`` : sql`and a.rated_good = ${of.rating === "good"}::boolean`}
  ${of.language === undefined ? sql`` : sql`and a.status = 'sent' and a.answer ->> 'language' = ${of.language}`}`;

/** The conversations of such turns, each once, to stand after `from`. */
export const conversationsOfTurns = (workspaceId: string, of: ResultsFilter): Sql =>
  sql`(select distinct a.conversation_id from ai_turn a where ${turnsMade(workspaceId, of)})`;

/** Such turns, to stand after `from`. */
export const turnsFound = (workspaceId: string, of: ResultsFilter): Sql =>
  sql`(select a.* from ai_turn a where ${turnsMade(workspaceId, of)})`;
