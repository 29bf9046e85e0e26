/**
 * One line that cannot move a terminal's cursor or colour it. What others wrote (a receiver's answer, a name) may hold
 * such characters. Joiners stay: Persian words and many emoji are written with them.
 */
export function plain(text: string): string {
  return text.replaceAll(/[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\u200c\u200d]]+/gv, " ").trim();
}

/** Columns with their names above, as wide as their contents. `none` when there are no rows. */
export function table(names: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "none\n";
  const all = [names.map((name) => name.toUpperCase()), ...rows.map((row) => row.map(plain))];
  const widths = names.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd() + "\n")
    .join("");
} // oxfmt-ignore

/** A time to the second, in UTC. */
export function instant(at: Date | string): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}
