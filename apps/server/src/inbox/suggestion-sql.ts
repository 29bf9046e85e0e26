import { madeWithin, atChannel } from "../bots/thread/run-sql.ts";
import { sql, type Sql } from "../db/sql.ts";
import type { ResultsFilter } from "../wire/in-view.ts";

/** The conditions on a bot's suggestion `s` that results ask for, after `where`. */
const suggestionsOfBots = (workspaceId: string, of: ResultsFilter): Sql => sql`
  s.workspace_id = ${workspaceId} and s.author like 'bot:%' ${madeWithin(sql`s.created_at`, of)}
  ${of.bot === undefined ? sql`` : sql`and s.author = ${`bot:${of.bot}`}`}
  ${atChannel(workspaceId, sql`s.conversation_id`, of)}
  ${of.suggestion === undefined ? sql`` : sql`and s.state = ${of.suggestion}`}`;

/** The conversations of such suggestions, each once, to stand after `from`. */
export const conversationsOfSuggestions = (workspaceId: string, of: ResultsFilter): Sql =>
  sql`(select distinct s.conversation_id from suggestion s where ${suggestionsOfBots(workspaceId, of)})`;

/** Such suggestions, to stand after `from`. */
export const suggestionsFound = (workspaceId: string, of: ResultsFilter): Sql =>
  sql`(select s.* from suggestion s where ${suggestionsOfBots(workspaceId, of)})`;
