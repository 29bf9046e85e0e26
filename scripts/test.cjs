"use strict";
// npm test: types, lint, format, then every test on one throw-away PostgreSQL. npm test -- FILE...: those tests alone.
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const root = path.join(__dirname, "..");
const files = process.argv.slice(2);
const sources = ["apps", "packages", "bench"].filter((name) => fs.existsSync(path.join(root, name)));

/** So many files at a time. With the launcher's own 8 MB an eighth of a test's time went to collecting young memory. */
const run = (files, atOnce) => [
  "--max-semi-space-size=32",
  "--test",
  "--test-global-setup=apps/server/test/global-setup.ts",
  `--test-concurrency=${atOnce}`,
  ...files,
];
/** Each starts a server with the dashboard's pages, and a browser. */
const DASHBOARD = /^apps\/server\/test\/browser\/(inbox|templates)\//;
const steps = files.length
  ? [["tests", () => run(files, 3)]]
  : [
      ["types", () => ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"]],
      ["types of the widget", () => ["node_modules/typescript/bin/tsc", "-p", "packages/widget/tsconfig.json"]],
      ["types of the dashboard", () => ["node_modules/typescript/bin/tsc", "-p", "apps/dashboard/tsconfig.json"]],
      ["lint", () => ["node_modules/oxlint/bin/oxlint", "--type-aware", ...sources]],
      ["format", () => ["node_modules/oxfmt/bin/oxfmt", "--check", ...sources]],
      // Written only now: the first step may have installed everything anew. A file that is not there would be left out
      // by the runner without a word.
      // Three at a time, on two cores too: many wait for processes that start, and all share the machine with PostgreSQL.
      ["tests", () => run(everything((file) => !DASHBOARD.test(file), "tests"), 3)],
      // Two at a time: a browser and its server keep two cores busy, and what a person would wait for is waited for.
      ["tests of the dashboard in a browser", () => run(everything((file) => DASHBOARD.test(file), "browser-tests"), 2)],
    ];

/**
 * What the runner is given: files of a few neighbours each, because a process of its own costs every file as much as
 * its tests do (the whole took 14 minutes so, 9 in groups). Each file is a suite, so that its hooks are its own. Files
 * that need a process to themselves say `// alone` in their first line; whole folders of them are named here.
 */
function everything(wanted, name) {
  const alone = /^apps\/server\/test\/(crash|process|browser)\//;
  const found = ["apps", "packages"]
    .flatMap((top) => fs.readdirSync(path.join(root, top), { withFileTypes: true }).map((one) => `${top}/${one.name}`))
    .flatMap((workspace) => [`${workspace}/src`, `${workspace}/test`])
    .filter((folder) => fs.existsSync(path.join(root, folder)))
    .flatMap((folder) =>
      fs.readdirSync(path.join(root, folder), { recursive: true }).map((file) => `${folder}/${file.split(path.sep).join("/")}`),
    )
    .filter((file) => file.endsWith(".test.ts") && wanted(file))
    .sort();
  const single = [];
  const shared = [];
  for (const file of found) {
    const own = alone.test(file) || fs.readFileSync(path.join(root, file), "utf8").startsWith("// alone");
    (own ? single : shared).push(file);
  }
  const folder = path.join(root, "node_modules/.cache", name);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const groups = [];
  for (let from = 0; from < shared.length; from += 18) groups.push(shared.slice(from, from + 18));
  // Those by themselves wait most of their time: the longest begin, so that none of them runs alone at the end, and a
  // group keeps the processors busy beside each. The runner takes files in the order of their names.
  const longest = ["/crash/kill", "/crash/", "/process/process", "/process/"];
  const rank = (file) => [...longest, ""].findIndex((part) => file.includes(part));
  single.sort((a, b) => rank(a) - rank(b));
  const written = [];
  const write = (text) => {
    const name = path.join(folder, `${String(written.length + 1).padStart(2, "0")}.test.mjs`);
    fs.writeFileSync(name, `import { pathToFileURL } from "node:url";\n${text}`);
    written.push(name);
  };
  const absolute = (file) => JSON.stringify(path.join(root, file));
  while (single.length + groups.length > 0) {
    const [alone, group] = [single.shift(), groups.shift()];
    if (alone) write(`await import(pathToFileURL(${absolute(alone)}).href);\n`);
    if (group)
      write(
        `import { describe } from "node:test";\n` +
          group
            .map((file) => `describe("${file}", async () => void (await import(pathToFileURL(${absolute(file)}).href)));\n`)
            .join(""),
      );
  }
  return written;
}

/**
 * The temporary files of tests are in memory where there is plenty: of a database that is made and dropped for a file
 * the disk's bookkeeping takes 100 to 500 ms of processor time, in memory 30, and there are some three hundred of them.
 */
function temporary() {
  const memory = "/dev/shm";
  try {
    const mount = fs.readFileSync("/proc/mounts", "utf8").split("\n").find((line) => line.split(" ")[1] === memory);
    const { bavail, bsize } = fs.statfsSync(memory);
    const plenty = Math.min(bavail * bsize, os.freemem()) > 4e9;
    if (plenty && mount && !/\bnoexec\b/.test(mount)) return { TMPDIR: memory };
  } catch {
    // Another system, or a container without it.
  }
  return {};
}

const results = [];
for (const [name, parameters] of steps) {
  const begun = Date.now();
  if (!files.length) console.log(`\n— ${name}`);
  const { status, signal } = spawnSync(
    process.execPath,
    [path.join(__dirname, "run.cjs"), ...parameters()],
    { cwd: root, stdio: "inherit", env: { ...process.env, NODE_ENV: "test", ...temporary() } },
  );
  results.push({ name, passed: status === 0, seconds: (Date.now() - begun) / 1000 });
  if (signal) break;
}

if (!files.length) {
  console.log("\nSummary");
  for (const { name, passed, seconds } of results)
    console.log(`  ${passed ? "passed" : "FAILED"}  ${name} (${seconds.toFixed(1)} s)`);
  if (!chromium())
    console.log("  left out: tests in a browser (no Chromium found; install it or set PARLEY_CHROMIUM)");
  const without = ["php", "ruby", "go", "python3"].filter((name) => !found(name));
  if (without.length) console.log(`  left out: the webhook guide's receivers that need ${without.join(", ")} (not installed)`);
}
process.exit(results.length === steps.length && results.every(({ passed }) => passed) ? 0 : 1);

function chromium() {
  const named = process.env.PARLEY_CHROMIUM;
  if (named) return fs.existsSync(named);
  return ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].some(found);
}

function found(name) {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  return folders.some((folder) => fs.existsSync(path.join(folder, name)));
}
