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
  readonly note: string;
  readonly judged: boolean;
}

const MOST_MEGABYTES = 400;
const MOST_RATIO = 2;
const KINDS = ["list", "search", "create", "reply"];

/** The stages beside the first of them, in which nothing else was done. */
export function printStages(stages: readonly Stage[], write: (line: string) => void): void {
  const [alone] = stages;
  if (!alone) return;
  const ratioOf = (stage: Stage, kind: string) =>
    (stage.others.get(kind)?.p99Ms ?? Number.NaN) / (alone.others.get(kind)?.p99Ms ?? Number.NaN);
  const head = ["stage", "s", "/s", "server MB", "command MB", "temp MB", "cores pg + node"];
  const lines = stages.map((stage) => {
    const { serverMegabytes: server, commandMegabytes: command } = stage;
    const ratios = KINDS.map((kind) => ratioOf(stage, kind));
    const inMemory = Math.max(server ?? 0, command ?? 0) <= MOST_MEGABYTES;
    const met = inMemory && ratios.every((ratio) => !(ratio > MOST_RATIO));
    return [
      stage.name,
      stage.seconds.toFixed(0),
      stage.perSecond === null ? "–" : Math.round(stage.perSecond).toLocaleString("en"),
      String(server ?? "–"),
      String(command ?? "–"),
      String(stage.temporaryMegabytes),
      stage.cores?.map((one) => one.toFixed(2)).join(" + ") ?? "–",
      ...KINDS.map((kind, at) => {
        const ms = stage.others.get(kind)?.p99Ms.toFixed(1) ?? "–";
        return stage === alone ? `${ms} ms` : `${ms} ms (${ratios[at]?.toFixed(2) ?? "–"})`;
      }),
      stage.judged ? (met ? "met" : "MISSED") : "–",
      stage.note,
    ];
  });
  const p99s = KINDS.map((kind) => `p99 ${kind}`);
  columns(
    [[...head, ...p99s, `≤ ${MOST_MEGABYTES} MB, ≤ ${MOST_RATIO} times`, ""], ...lines],
    write,
  );
}
