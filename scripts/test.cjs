"use strict";
// npm test: types, lint, format, then every test on one throw-away PostgreSQL. npm test -- FILE...: those tests alone.
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const root = path.join(__dirname, "..");
const files = process.argv.slice(2);
const sources = ["apps", "packages", "bench"].filter((name) => fs.existsSync(path.join(root, name)));

const tests = [
  "--test",
  "--test-global-setup=apps/server/test/global-setup.ts",
  // Two at a time: the files share the machine with the PostgreSQL they talk to.
  "--test-concurrency=2",
];
const everything = ["apps/*/{src,test}/**/*.test.ts", "packages/*/{src,test}/**/*.test.ts"];
const steps = files.length
  ? [["tests", [...tests, ...files]]]
  : [
      ["types", ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"]],
      ["types of the widget", ["node_modules/typescript/bin/tsc", "-p", "packages/widget/tsconfig.json"]],
      ["lint", ["node_modules/oxlint/bin/oxlint", "--type-aware", ...sources]],
      ["format", ["node_modules/oxfmt/bin/oxfmt", "--check", ...sources]],
      ["tests", [...tests, ...everything]],
    ];

const results = [];
for (const [name, parameters] of steps) {
  const begun = Date.now();
  if (!files.length) console.log(`\n— ${name}`);
  const { status, signal } = spawnSync(
    process.execPath,
    [path.join(__dirname, "run.cjs"), ...parameters],
    { cwd: root, stdio: "inherit", env: { ...process.env, NODE_ENV: "test" } },
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
}
process.exit(results.length === steps.length && results.every(({ passed }) => passed) ? 0 : 1);

function chromium() {
  const named = process.env.PARLEY_CHROMIUM;
  if (named) return fs.existsSync(named);
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  return folders.some((folder) => names.some((name) => fs.existsSync(path.join(folder, name))));
}
