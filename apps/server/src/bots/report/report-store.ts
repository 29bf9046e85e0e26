import type { Queryable } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { suggestionsFound } from "../../inbox/suggestion-sql.ts";
import type { ResultsFilter } from "../../wire/in-view.ts";
import { runsFound } from "../thread/run-sql.ts";
import { turnsFound } from "../turn/turn-sql.ts";

/** Runs that agree in what they are counted by. */
export interface RunGroup {
  readonly outcome: string | null;
  readonly reason: string | null;
  readonly topic: string | null;
  readonly runs: number;
  readonly reopened: number;
}

/** Runs of a time, by outcome, reason and topic. */
export function selectRunGroups(
  db: Queryable,
  workspaceId: string,
  of: ResultsFilter,
): Promise<RunGroup[]> {
  return db.query<RunGroup>(sql`
    select r.outcome, r.reason, r.topic, count(*)::int as runs, count(r.reopened_at)::int as reopened
    from ${runsFound(workspaceId, of)} r group by 1, 2, 3`);
}

/** Turns of a bot on a day, in one language. */
export interface TurnGroup {
  readonly bot: string;
  readonly day: string;
  readonly language: string | null;
  readonly sent: number;
  readonly good: number;
  readonly bad: number;
  readonly money: number;
  readonly tokens: number;
}

/** Turns of a time, by bot, day and language. */
export function selectTurnGroups(
  db: Queryable,
  workspaceId: string,
  of: ResultsFilter,
): Promise<TurnGroup[]> {
  return db.query<TurnGroup>(sql`
    select a.bot_id as bot, to_char(a.created_at at time zone 'UTC', 'YYYY-MM-DD') as day, a.answer ->> 'language' as language,
      (count(*) filter (where a.status = 'sent'))::int as sent,
      (count(*) filter (where a.rated_good))::int as good, (count(*) filter (where not a.rated_good))::int as bad,
      sum(a.cost)::float8 as money, sum(a.tokens)::int as tokens
    from ${turnsFound(workspaceId, of)} a group by 1, 2, 3 order by 2, 3, 1`);
}

/** Suggestions of bots in a time, by what members did with them. */
export function selectSuggestionGroups(
  db: Queryable,
  workspaceId: string,
  of: ResultsFilter,
): Promise<{ readonly state: "used" | "edited" | "discarded" | "open"; readonly n: number }[]> {
  return db.query(sql`
    select s.state, count(*)::int as n from ${suggestionsFound(workspaceId, of)} s group by 1`);
}
