import type { AnswerOf } from "../api/call.ts";
import { RESULTS_FIELDS, type ResultsFilter } from "../api/shapes.ts";

type Report = AnswerOf<"botReport">;

export const PERIODS = ["7", "30", "90", "month"] as const;
export type Period = (typeof PERIODS)[number];

const DAY_MS = 86_400_000;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The first and the last day of a period that ends now, of UTC, as the meter counts. */
export function daysOf(
  period: Period,
  now: number,
): { readonly from: string; readonly to: string } {
  const to = dayOf(now);
  if (period === "month") return { from: `${to.slice(0, 7)}-01`, to };
  return { from: dayOf(now - (Number(period) - 1) * DAY_MS), to };
}

/** Where the conversations behind a number are. */
export function conversationsHref(of: ResultsFilter): string {
  const query = new URLSearchParams();
  for (const name of RESULTS_FIELDS) {
    const value = of[name];
    if (value !== undefined && value !== "") query.set(name, value);
  }
  return `/inbox/all?${query.toString()}`;
}

/** The report as a file of a spreadsheet: a line for each number. */
export function csvOf({ from, to, ...report }: Report): string {
  const { outcomes, reasons, topics, languages, suggestions, ratings, cost } = report;
  const lines: (readonly [string, string, number])[] = [
    ["runs", "", report.runs],
    ...Object.entries(outcomes).map(([name, n]) => ["outcome", name, n] as const),
    ...reasons.map(({ reason, runs }) => ["reason", reason ?? "", runs] as const),
    ...topics.map(({ topic, runs }) => ["topic", topic ?? "", runs] as const),
    ...languages.map(({ language, answers }) => ["language", language ?? "", answers] as const),
    ...Object.entries(suggestions).map(([name, n]) => ["suggestions", name, n] as const),
    ...Object.entries(ratings).map(([name, n]) => ["rating", name, n] as const),
    ["cost", "money", cost.money],
    ["cost", "tokens", cost.tokens],
    ...cost.days.map(({ day, money }) => ["money", day, money] as const),
  ];
  const rows = lines.map(([figure, of, n]) => [figure, of, String(n), from, to]);
  return [["figure", "of", "value", "from", "to"], ...rows]
    .map((row) => row.map(field).join(","))
    .join("\r\n");
}

/** A field that a spreadsheet reads as text, whatever it begins with. */
function field(text: string): string {
  // Also in the full-width form that East Asian editions read, and behind apostrophes: as the server's files.
  const safe = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
