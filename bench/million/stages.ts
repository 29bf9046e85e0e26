import type { Pulse } from "../pulse.ts";
import type { Times } from "../steady.ts";
import { columns } from "../table.ts";

/** What happened while one thing was done with the big workspace. */
export interface Stage {
  readonly name: string;
  readonly seconds: number;
  readonly perSecond: number | null;
  readonly serverMegabytes: number | null;
  readonly commandMegabytes: number | null;
  readonly temporaryMegabytes: number;
  /** Cores kept busy by PostgreSQL and by the server. */
  readonly cores: readonly [number, number] | null;
  readonly others: ReadonlyMap<string, Times>;
  readonly pulse: Pulse;
  readonly note: string;
}

/** The name of stages in which nothing was done beside the others. */
export const ALONE = "alone";

const MOST_MEGABYTES = 400;
const MOST_RATIO = 2;
const KINDS = ["list", "search", "create", "reply"];

/** The stages, beside the median of those in which nothing was done. */
export function printStages(stages: readonly Stage[], write: (line: string) => void): void {
  const quiet = stages.filter((stage) => stage.name === ALONE);
  const p99Of = (stage: Stage, kind: string) => stage.others.get(kind)?.p99Ms ?? Number.NaN;
  const base = new Map(
    KINDS.map((kind) => [kind, spreadOf(quiet.map((stage) => p99Of(stage, kind)))]),
  );
  const head = ["stage", "s", "/s", "server MB", "command MB", "temp MB", "cores pg + node"];
  // Of the machine, not of the product: what a page takes to the disk, and how late an idle process gets its turn.
  const machine = ({ pulse }: Stage) =>
    `disk ${pulse.diskP99Ms.toFixed(0)} ≤ ${pulse.diskMostMs.toFixed(0)}, late ${pulse.lateP99Ms.toFixed(1)} ≤ ${pulse.lateMostMs.toFixed(0)}`;
  const alone = [
    `${ALONE}, median of ${quiet.length}`,
    ...head.slice(1).map(() => "–"),
    ...KINDS.map((kind) => `${base.get(kind)?.median.toFixed(1) ?? "–"} ms`),
    "–",
    quiet.map(machine).join("; "),
    KINDS.map((kind) => {
      const { least, most } = base.get(kind) ?? spreadOf([]);
      return `${kind} ${least.toFixed(1)} to ${most.toFixed(1)}`;
    }).join(", "),
  ];
  const done = stages.filter((stage) => stage.name !== ALONE);
  const lines = done.map((stage) => {
    const { serverMegabytes: server, commandMegabytes: command } = stage;
    const ratios = KINDS.map((kind) => p99Of(stage, kind) / (base.get(kind)?.median ?? Number.NaN));
    const inMemory = Math.max(server ?? 0, command ?? 0) <= MOST_MEGABYTES;
    const met = inMemory && ratios.every((ratio) => ratio <= MOST_RATIO);
    return [
      stage.name,
      stage.seconds.toFixed(0),
      stage.perSecond === null ? "–" : Math.round(stage.perSecond).toLocaleString("en"),
      String(server ?? "–"),
      String(command ?? "–"),
      String(stage.temporaryMegabytes),
      stage.cores?.map((one) => one.toFixed(2)).join(" + ") ?? "–",
      ...KINDS.map((kind, at) => `${p99Of(stage, kind).toFixed(1)} ms (${ratios[at]?.toFixed(2)})`),
      met ? "met" : "MISSED",
      machine(stage),
      stage.note,
    ];
  });
  const p99s = KINDS.map((kind) => `p99 ${kind}`);
  columns(
    [
      [
        ...head,
        ...p99s,
        `≤ ${MOST_MEGABYTES} MB, ≤ ${MOST_RATIO} times`,
        "machine, p99 ≤ most, ms",
        "",
      ],
      alone,
      ...lines,
    ],
    write,
  );
}

function spreadOf(values: readonly number[]): { least: number; median: number; most: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (place: number) => sorted[place] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    least: at(0),
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    most: at(sorted.length - 1),
  };
}
