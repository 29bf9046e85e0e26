import { apart, cases } from "./cases/all.ts";
import { runPages } from "./pages/run-pages.ts";
import { runRetention } from "./retention/run-retention.ts";
import { printTable } from "./table.ts";
import type { Row } from "./rounds.ts";
import { FULL, makeWorld, QUICK } from "./world.ts";

/** The dashboard in a browser, with a database of its own. */
const PAGES = "pages";
/** A month of messages deleted beside calls, with a database of its own. */
const RETENTION = "retention";
const USAGE = `npm run bench [-- [--quick] [CASE…]]
  --quick   100,000 contacts and short rounds: to see that it runs, not for figures
  CASE      ${cases.map((one) => one.name).join(", ")}; or by itself: ${apart.name}, ${RETENTION}, ${PAGES} (needs Chromium)`;

const words = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith("--"));
const unknown = [
  ...words.filter((word) => word.startsWith("--") && word !== "--quick"),
  ...names.filter(
    (name) =>
      !cases.some((one) => one.name === name) &&
      !([apart.name, PAGES, RETENTION].includes(name) && names.length === 1),
  ),
];
if (unknown.length > 0) {
  process.stderr.write(`bench: ${unknown[0]} is unknown\n${USAGE}\n`);
  process.exit(words.includes("--help") ? 0 : 2);
}
const alone = names.length === 1 && names[0] === apart.name;
const given = words.includes("--quick") ? QUICK : FULL;
const size = alone ? { ...given, asInstalled: true as const } : given;
const wanted = alone
  ? [apart]
  : cases.filter((one) => names.length === 0 || names.includes(one.name));

const begun = performance.now();
/** Progress goes to stderr, on one line where that is a terminal. */
function tell(line: string): void {
  const stamp = `${Math.round((performance.now() - begun) / 1_000)} s`.padStart(6);
  process.stderr.write(
    process.stderr.isTTY ? `\r\u001b[K${stamp}  ${line}` : `${stamp}  ${line}\n`,
  );
}

if (names[0] === PAGES) {
  await runPages(words.includes("--quick"), tell);
  process.exit();
}
if (names[0] === RETENTION) {
  await runRetention(words.includes("--quick"), tell);
  process.exit();
}
const rows: Row[] = [];
{
  await using world = await makeWorld(size, tell);
  if (!world.pgbench && !alone)
    tell(
      "pgbench is not installed: the ratios to PostgreSQL are left out (Debian: postgresql-contrib)\n",
    );
  for (const one of wanted) {
    const say = (line: string) => tell(`${one.name}: ${line}`);
    say("prepares");
    try {
      rows.push(...(await one.run(world, say)));
    } catch (error) {
      process.stderr.write(`\nbench: ${one.name} broke off: ${String(error)}\n`);
      process.exitCode = 1;
    }
  }
  tell("stops\n");
  if (!world.pgbench && !alone)
    process.stdout.write("pgbench is not installed: ratios to PostgreSQL are left out\n");
}
if (!alone) printTable(rows, size);
process.exit();
