import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { blocksOf } from "./blocks.ts";

const run = promisify(execFile);

/** `--offline` is there since systemd 250. */
const help = spawnSync("systemd-analyze", ["--help"], { encoding: "utf8" });
const skip = help.stdout?.includes("--offline") ? false : "no systemd-analyze with --offline here";

test("the service of the guide is exposed no more than 3.5 of 10", { skip }, async (t) => {
  const found = blocksOf("self-hosting.md").find(({ words }) => words[0] === "parley.service");
  const unit = found?.code;
  assert.ok(unit, "the guide has a unit");
  const folder = await mkdtemp(path.join(tmpdir(), "parley-unit-"));
  try {
    const file = path.join(folder, "parley.service");
    await writeFile(file, unit);
    const options = ["security", "--no-pager", "--offline=yes", "--threshold=35", file];
    const { stdout } = await run("systemd-analyze", options);
    const [level] = /Overall exposure level for .*/.exec(stdout) ?? [];
    t.diagnostic(String(level));
    assert.ok(level);
    // What one's own compiler and database need.
    assert.doesNotMatch(unit, /MemoryDenyWriteExecute|RemoveIPC/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
