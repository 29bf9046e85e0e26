"use strict";
// npm test [-- FILE...]: every test, or the named files, on one throw-away PostgreSQL.
const { spawnSync } = require("node:child_process");
const path = require("node:path");

const root = path.join(__dirname, "..");
const files = process.argv.slice(2);
const patterns = files.length ? files : ["apps/*/{src,test}/**/*.test.ts", "packages/*/{src,test}/**/*.test.ts"];
const result = spawnSync(
  process.execPath,
  [
    path.join(__dirname, "run.cjs"),
    "--test",
    "--test-global-setup=apps/server/test/global-setup.ts",
    ...(process.env.CI ? [] : []),
    ...patterns,
  ],
  { cwd: root, stdio: "inherit", env: { ...process.env, NODE_ENV: "test" } },
);
process.exit(result.status ?? 1);
