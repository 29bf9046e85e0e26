"use strict";
// npm test: every test on one throw-away PostgreSQL, with types, lint and format beside it. npm run test:long: the same
// with all the cases that a release needs. npm test -- FILE...: those tests alone, without the rest.
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { install } = require("./install.cjs");
const { writeGroups, readTimes, timesFile, readFailed, failedFile } = require("./test-groups.cjs");

const root = path.join(__dirname, "..");
const long = process.argv.includes("--long");
const files = process.argv.slice(2).filter((one) => one !== "--long");
const sources = ["apps", "packages", "bench"].filter((name) =>
  fs.existsSync(path.join(root, name)),
);
/**
 * A file of the short suite may take this many seconds of processor time: its own process and those that it started, a
 * browser too. The time on the clock is no measure, because four files share two cores, and other work shares the
 * machine. Files that start servers and commands may take more, those with a browser most; and one walks over all calls
 * of the dashboard as every role.
 */
function limitOf(file) {
  if (/\/browser\/|-in-browser\./.test(file)) return 100;
  if (/\/dashboard\/faces\.test/.test(file)) return 30;
  return /\/(crash|process|black-box|guides)\//.test(file) ? 40 : 15;
}

/** Cores that share their parts count up to twice as much on a busy machine. What takes this many times its limit fails the run. */
const MARGIN = 3;

const CHECKS = [
  // The linter reads every type anyhow: it checks them in the same pass, in two thirds of the time of both.
  [
    "types and lint",
    ["node_modules/oxlint/bin/oxlint", "--type-aware", "--type-check", ...sources],
  ],
  ["format", ["node_modules/oxfmt/bin/oxfmt", "--check", ...sources]],
];

/**
 * Four at a time, on two cores too: many wait for processes that start, and with three a quarter of the two was idle.
 * With the launcher's own 8 MB for young memory an eighth of a test's time went to collecting it.
 */
const tests = (list) => [
  "--max-semi-space-size=32",
  "--test",
  "--test-global-setup=apps/server/test/global-setup.ts",
  "--test-concurrency=4",
  // A process that hangs ends the run with its name instead of holding it for ever.
  `--test-timeout=${long ? 3_600_000 : 1_800_000}`,
  "--test-reporter=spec",
  "--test-reporter-destination=stdout",
  "--test-reporter=./scripts/failed-reporter.mjs",
  `--test-reporter-destination=${failedFile(root)}`,
  ...list,
];

/**
 * The temporary files of tests are in memory where there is plenty: of a database that is made and dropped for a file
 * the disk's bookkeeping takes 100 to 500 ms of processor time, in memory 30, and there are some three hundred of them.
 */
function temporary() {
  const memory = "/dev/shm";
  try {
    const mount = fs
      .readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .find((line) => line.split(" ")[1] === memory);
    const { bavail, bsize } = fs.statfsSync(memory);
    const plenty = Math.min(bavail * bsize, os.freemem()) > 4e9;
    if (plenty && mount && !/\bnoexec\b/.test(mount)) return { TMPDIR: memory };
  } catch {
    // Another system, or a container without it.
  }
  return {};
}

const running = new Set();
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
  });

/** Runs one step on the pinned Node. `quiet`: behind the tests, and what it printed is shown in one piece at its end. */
async function run(name, parameters, { quiet = false } = {}) {
  const begun = Date.now();
  const child = spawn(process.execPath, [path.join(__dirname, "run.cjs"), ...parameters], {
    cwd: root,
    stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit",
    env: {
      ...process.env,
      NODE_ENV: "test",
      // The checker of types is written in Go: with fewer collections of memory it takes a tenth less, and as much room.
      GOGC: process.env.GOGC ?? "400",
      PARLEY_TEST_TIMES: timesFile(root),
      ...(long && { PARLEY_TEST_LONG: "1" }),
      ...temporary(),
    },
  });
  running.add(child);
  if (quiet) os.setPriority(child.pid, 10);
  const printed = [];
  for (const stream of quiet ? [child.stdout, child.stderr] : [])
    stream.on("data", (data) => printed.push(data));
  const [status, signal] = await new Promise((resolve) =>
    child.on("close", (...end) => resolve(end)),
  );
  running.delete(child);
  const passed = status === 0;
  if (quiet && !passed) console.log(`\n— ${name}\n${Buffer.concat(printed).toString()}`);
  return {
    name,
    passed,
    seconds: (Date.now() - begun) / 1000,
    interrupted: signal !== null || status > 128,
  };
}

async function runChecks() {
  const results = [];
  for (const [name, parameters] of CHECKS) {
    const result = await run(name, parameters, { quiet: true });
    results.push(result);
    if (result.interrupted) break;
  }
  return results;
}

/** Prints the slowest files, and which of them take longer than they may. Gives whether none is far beyond its limit. */
function judgeTimes() {
  const times = readTimes(root);
  console.log("\nThe twenty slowest files: seconds of processor time, and by the clock");
  for (const { file, processor, clock } of times.slice(0, 20))
    console.log(`  ${processor.toFixed(1).padStart(6)} ${clock.toFixed(1).padStart(7)}  ${file}`);
  const slow = long ? [] : times.filter(({ file, processor }) => processor > limitOf(file));
  const tooSlow = slow.filter(({ file, processor }) => processor > MARGIN * limitOf(file));
  for (const one of slow)
    console.log(
      `  ${tooSlow.includes(one) ? "TOO SLOW, which fails the run" : "slow"}: ${one.file} takes more than ${limitOf(one.file)} s of processor time`,
    );
  return tooSlow.length === 0;
}

/** Names each test that failed, with the beginning of what it said: the reader may have the end of the run alone. */
function printFailed() {
  const failed = readFailed(root);
  for (const { file, test, error } of failed.slice(0, 20)) {
    console.log(`\n  FAILED  ${path.relative(root, file)}: ${test}`);
    for (const line of error.split("\n").slice(0, 6)) console.log(`          ${line.slice(0, 200)}`);
  }
  if (failed.length > 20) console.log(`\n  and ${failed.length - 20} more that failed`);
}

async function main() {
  await install({ tools: true });
  fs.mkdirSync(path.dirname(failedFile(root)), { recursive: true });
  if (files.length) {
    const { passed } = await run("tests", tests(files));
    process.exit(passed ? 0 : 1);
  }
  const groups = writeGroups(root);
  const [tested, checks] = await Promise.all([
    run(long ? "the long suite" : "tests", tests(groups)),
    runChecks(),
  ]);
  const results = [...checks, tested];
  const inTime = judgeTimes();
  console.log("\nSummary");
  for (const { name, passed, seconds } of results)
    console.log(
      `  ${passed ? "passed" : "FAILED"}  ${name}${seconds === undefined ? "" : ` (${seconds.toFixed(1)} s)`}`,
    );
  if (!long) console.log("  left out: the cases of the long suite (npm run test:long)");
  if (!chromium())
    console.log(
      "  left out: tests in a browser (no Chromium found; install it or set PARLEY_CHROMIUM)",
    );
  const without = ["php", "ruby", "go", "python3"].filter((name) => !found(name));
  if (without.length)
    console.log(
      `  left out: the webhook guide's receivers that need ${without.join(", ")} (not installed)`,
    );
  printFailed();
  process.exit(
    checks.length === CHECKS.length && results.every(({ passed }) => passed) && inTime ? 0 : 1,
  );
}

function chromium() {
  const named = process.env.PARLEY_CHROMIUM;
  if (named) return fs.existsSync(named);
  return [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
  ].some(found);
}

function found(name) {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  return folders.some((folder) => fs.existsSync(path.join(folder, name)));
}

main().catch((error) => {
  console.error(`npm test: ${error.message}`);
  process.exit(1);
});
