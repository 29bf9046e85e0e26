import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import { isCalendarDay } from "../../lib/calendar-day.ts";
import { botReports } from "../../operations/bot-report.ts";
import { dayOf } from "../../usage/month.ts";
import { costOfAssists } from "../assist/assist-store.ts";
import type { RunOutcome } from "../../wire/words.ts";
import { perform } from "../../write.ts";
import {
  selectRunGroups,
  selectSuggestionGroups,
  selectTurnGroups,
  type RunGroup,
  type TurnGroup,
} from "./report-store.ts";

const NOTHING = { money: 0, tokens: 0 } as const;
const DAY_MS = 86_400_000;
const DAYS = 30;
/** The longest time that one report counts. */
const MOST_DAYS = 366;

/**
 * What bots did in a time: runs that began, turns and suggestions that were made then. Each table is read once. Throws
 * VALIDATION_FAILED for days that are none, in the wrong order, or more than a year apart.
 */
export const botReport = perform(
  botReports.botReport,
  async (
    _actor,
    context: Pick<Context, "db" | "clock">,
    workspaceId,
    { bot, channel, ...days },
  ) => {
    const to = days.to ?? dayOf(context.clock.now());
    const last = startOf("to", to);
    const from = days.from ?? dayOf(new Date(last - (DAYS - 1) * DAY_MS));
    const first = startOf("from", from);
    if (first > last) throw invalid("from", "must not be after `to`");
    if (last - first >= MOST_DAYS * DAY_MS)
      throw invalid("from", `must be at most ${MOST_DAYS} days before \`to\``);
    const of = { from, to, ...(bot && { bot }), ...(channel && { channel }) };
    const [runs, turns, made, assists] = await Promise.all([
      selectRunGroups(context.db, workspaceId, of),
      selectTurnGroups(context.db, workspaceId, of),
      selectSuggestionGroups(context.db, workspaceId, of),
      // What members ask a model for is of no bot and of no channel.
      bot || channel ? NOTHING : costOfAssists(context.db, workspaceId, of),
    ]);
    const stated = (state: (typeof made)[number]["state"]) =>
      made.find((one) => one.state === state)?.n ?? 0;
    return {
      from,
      to,
      runs: sumOf(runs, ({ runs: n }) => n),
      outcomes: outcomesOf(runs),
      reasons: byRuns(
        runs.filter(({ outcome }) => outcome === "handed_over"),
        (one) => one.reason,
      ).map(([reason, n]) => ({ reason, runs: n })),
      topics: byRuns(runs, (one) => one.topic).map(([topic, n]) => ({ topic, runs: n })),
      languages: languagesOf(turns),
      suggestions: {
        used: stated("used"),
        edited: stated("edited"),
        discarded: stated("discarded"),
        open: stated("open"),
      },
      ratings: { good: sumOf(turns, ({ good }) => good), bad: sumOf(turns, ({ bad }) => bad) },
      cost: costOfDays(turns, assists),
    };
  },
);

function startOf(path: string, day: string): number {
  if (!isCalendarDay(day)) throw invalid(path, "must be a day such as 2026-11-30");
  return Date.parse(`${day}T00:00:00Z`);
}

const sumOf = <T>(items: readonly T[], of: (one: T) => number): number =>
  items.reduce((sum, one) => sum + of(one), 0);

function outcomesOf(groups: readonly RunGroup[]) {
  const ended = (outcome: RunOutcome | null) =>
    sumOf(
      groups.filter((one) => one.outcome === outcome),
      ({ runs }) => runs,
    );
  return {
    resolved: ended("resolved"),
    assisted: ended("assisted"),
    handed_over: ended("handed_over"),
    abandoned: ended("abandoned"),
    open: ended(null),
    reopened: sumOf(groups, ({ reopened }) => reopened),
  };
}

/** The groups summed by one of their members, the most frequent first. */
function byRuns(
  groups: readonly RunGroup[],
  of: (group: RunGroup) => string | null,
): [value: string | null, runs: number][] {
  const sums = new Map<string | null, number>();
  for (const group of groups) sums.set(of(group), (sums.get(of(group)) ?? 0) + group.runs);
  return [...sums].sort(([, a], [, b]) => b - a);
}

function languagesOf(groups: readonly TurnGroup[]) {
  const sums = new Map<string | null, number>();
  for (const { language, sent } of groups)
    if (sent > 0) sums.set(language, (sums.get(language) ?? 0) + sent);
  return [...sums]
    .sort(([, a], [, b]) => b - a)
    .map(([language, answers]) => ({ language, answers }));
}

function costOfDays(
  groups: readonly TurnGroup[],
  members: { readonly money: number; readonly tokens: number },
) {
  const days = [...new Set(groups.map(({ day }) => day))].map((day) => {
    const own = groups.filter((one) => one.day === day);
    return {
      day,
      money: sumOf(own, ({ money }) => money),
      tokens: sumOf(own, ({ tokens }) => tokens),
    };
  });
  return {
    money: sumOf(days, ({ money }) => money),
    tokens: sumOf(days, ({ tokens }) => tokens),
    days,
    bots: [...new Set(groups.map(({ bot }) => bot))].map((bot) => {
      const own = groups.filter((one) => one.bot === bot);
      return {
        bot,
        money: sumOf(own, ({ money }) => money),
        tokens: sumOf(own, ({ tokens }) => tokens),
      };
    }),
    members,
  };
}
