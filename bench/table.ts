import os from "node:os";
import type { Row } from "./rounds.ts";
import type { Size } from "./world.ts";

const whole = (value: number | null): string =>
  value === null
    ? "–"
    : value >= 100
      ? Math.round(value).toLocaleString("en")
      : value.toPrecision(3);

const cells = (row: Row): string[] => [
  row.name,
  whole(row.floor),
  whole(row.product),
  row.ratio === null ? "–" : row.ratio.toFixed(2),
  row.p99Ms === null ? "–" : `${row.p99Ms.toFixed(1)} ms`,
  row.cpu ? row.cpu.map((one) => Math.round(one)).join(" + ") : "–",
  row.goal,
  row.met === null
    ? (row.note ?? "–")
    : `${row.met ? "met" : "MISSED"}${row.note ? ` (${row.note})` : ""}`,
];

/** As Markdown, so that it can be kept. */
export function printTable(rows: readonly Row[], size: Size): void {
  const head = ["case", "floor/s", "product/s", "ratio", "p99", "CPU µs, pg + node", "goal", "met"];
  const lines = [head, ...rows.map(cells)];
  columns(lines, (line) => process.stdout.write(line));
  process.stdout.write(
    `\n${size.contacts.toLocaleString("en")} contacts; medians of ${size.rounds} rounds, floor and product in turn; ` +
      `${os.availableParallelism()} cores shared by PostgreSQL, the product and the load; Node ${process.versions.node}.\n`,
  );
}

/** Lines of Markdown, the first of them the head. */
export function columns(
  lines: readonly (readonly string[])[],
  write: (line: string) => void,
): void {
  const [head = []] = lines;
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const print = (line: readonly string[]) =>
    write(`| ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |\n`);
  print(head);
  print(widths.map((width) => "-".repeat(width)));
  for (const line of lines.slice(1)) print(line);
}
