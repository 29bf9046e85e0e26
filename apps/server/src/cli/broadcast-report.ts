import { OPERATOR } from "../actor.ts";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Option, type Command } from "commander";
import { broadcastBreakdown } from "../broadcasts/report/broadcast-breakdown.ts";
import { broadcastTimeline, type ChartStep } from "../broadcasts/record/broadcast-timeline.ts";
import {
  compareVariants,
  METRICS,
  type SplitResult,
} from "../broadcasts/report/compare-variants.ts";
import { exportRecipients } from "../broadcasts/report/export-recipients.ts";
import { listRecipients } from "../broadcasts/report/list-recipients.ts";
import { SKIP_REASONS } from "../broadcasts/audience/recipient.ts";
import { RECIPIENT_STATUSES, type RecipientStatus } from "../wire/words.ts";
import { print, wholeNumber, type Run } from "./command-line.ts";
import { inBackground, withApp } from "./open-app.ts";
import { workspaceOf } from "./workspace-of.ts";

interface Json {
  readonly json?: boolean;
}

interface Filter {
  readonly status?: RecipientStatus;
  readonly reason?: string;
}

const statusOption = () =>
  new Option("--status <status>", "only recipients with this status").choices([
    ...RECIPIENT_STATUSES,
  ]);
const REASON = `only recipients who were skipped for this reason (${SKIP_REASONS.join(", ")}) or failed with this code`;

/** `parley broadcast recipients|export|timeline|breakdown|compare` */
export function registerBroadcastReport(group: Command, run: Run): void {
  group
    .command("recipients <id>")
    .description("its recipients and the outcome for each, a page at a time")
    .addOption(statusOption())
    .option("--reason <reason>", REASON)
    .option("--after <contact>", "the page after this contact")
    .option("--limit <n>", "how many, up to 1,000", wholeNumber)
    .option("--json", "print one JSON document")
    .action((id: string, options: Json & Filter & { after?: string; limit?: number }) =>
      run(options, async (app) => {
        const page = await listRecipients(
          app,
          await workspaceOf(app, "broadcast", id),
          id,
          options,
        );
        if (!options.json && page.next !== null)
          process.stderr.write(`more: --after ${page.next}\n`);
        return options.json ? page : page.items;
      }),
    );
  group
    .command("export <id>")
    .description("write every recipient as CSV to standard output")
    .addOption(statusOption())
    .option("--reason <reason>", REASON)
    .option("--bom", "begin with a byte order mark, for Excel")
    .action((id: string, options: Filter & { bom?: boolean }) =>
      inBackground(async (app) => {
        const workspaceId = await workspaceOf(app, "broadcast", id);
        const mark = options.bom === true;
        const rows = exportRecipients(OPERATOR, app, workspaceId, id, { ...options, mark });
        await pipeline(Readable.from(rows), process.stdout, { end: false });
      }),
    );
  group
    .command("timeline <id>")
    .description("every start, pause and its cause, change of pace and wait; counts over time")
    .addOption(
      new Option("--by <step>", "counts by").choices(["minute", "hour", "day"]).default("minute"),
    )
    .option("--json", "print one JSON document")
    .action((id: string, options: Json & { by: ChartStep }) =>
      run(options, async (app) => {
        const workspaceId = await workspaceOf(app, "broadcast", id);
        const timeline = await broadcastTimeline(app, workspaceId, id, options.by);
        return options.json ? timeline : [...timeline.entries, ...timeline.chart];
      }),
    );
  group
    .command("breakdown <id>")
    .description("how far recipients came, by a tag or an attribute of theirs")
    .requiredOption("--by <what>", "tag or attribute.KEY")
    .option("--json", "print one JSON document")
    .action((id: string, options: Json & { by: string }) =>
      run(options, async (app) => {
        const workspaceId = await workspaceOf(app, "broadcast", id);
        const found = await broadcastBreakdown(app, workspaceId, id, options.by);
        if (options.json) return found;
        return [...found.values, ...(found.other ? [{ value: "(other)", ...found.other }] : [])];
      }),
    );
  group
    .command("compare <id>")
    .description("the variants of an A/B campaign side by side")
    .option("--json", "print one JSON document")
    .action((id: string, options: Json) =>
      withApp(async (app) => {
        const found = await compareVariants(app, await workspaceOf(app, "broadcast", id), id);
        if (options.json) print(options, found);
        else process.stdout.write(comparisonTable(found));
      }),
    );
}

const percent = (part: number): string => `${(part * 100).toFixed(1)} %`;
const points = (part: number): string =>
  `${part < 0 ? "−" : "+"}${(Math.abs(part) * 100).toFixed(1)}`;

/** The comparison as text for people: a line per variant, a line per comparison, and the warnings. */
export function comparisonTable(result: SplitResult): string {
  const rows = [["variant", "assigned", "sent", ...METRICS.map((metric) => `${metric} (95 %)`)]];
  for (const one of result.variants)
    rows.push([
      one.name,
      String(one.total),
      String(one.sent),
      ...METRICS.map((metric) => {
        const { count, rate, low, high } = one.rates[metric];
        return one.sent === 0
          ? "0"
          : `${count}: ${percent(rate)} (${percent(low)}–${percent(high)})`;
      }),
    ]);
  if (result.holdout.share > 0) rows.push(["(hold-out)", String(result.holdout.count), "0"]);
  const widths = rows[0]?.map((_, n) => Math.max(...rows.map((row) => row[n]?.length ?? 0))) ?? [];
  const table = rows.map((row) =>
    row
      .map((cell, n) => cell.padEnd(widths[n] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const compared = result.comparisons.map(
    ({ metric, variant, against, difference, low, high, verdict }) =>
      `${metric}: ${variant} − ${against} = ${points(difference)} points (${points(low)} to ${points(high)}): ${verdict}`,
  );
  const warnings = result.warnings.map((words) => `! ${words}`);
  return [...table, "", ...compared, "", ...warnings].join("\n").trimEnd() + "\n";
}
