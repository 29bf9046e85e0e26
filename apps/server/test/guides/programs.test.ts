import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { blocksIn } from "./blocks.ts";
import { PAGES, ROOT } from "./reader.ts";
import { RUNS, runPages } from "./run-programs.ts";

const run = promisify(execFile);

const pages = (await readdir(PAGES)).map((name) => path.basename(name, ".md"));

// The pages that are not here are in programs-served.test.ts.
test("each page of a program is run", () => {
  assert.deepEqual(
    pages.toSorted(),
    [
      ...Object.keys(RUNS),
      "assistant",
      "bot",
      "files",
      "otp-login",
      "start",
      "webhooks",
    ].toSorted(),
  );
});

runPages(["campaign", "deploy"]);

test("the programs in TypeScript compile in the strictest way", async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), "parley-types-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(path.join(folder, "node_modules/@parley"), { recursive: true });
  await symlink(path.join(ROOT, "packages/sdk"), path.join(folder, "node_modules/@parley/sdk"));
  const files: string[] = [];
  for (const page of pages) {
    const file = path.join(PAGES, `${page}.md`);
    for (const { language, words, code } of blocksIn(file)) {
      const [kind = ""] = words;
      if (language !== "ts" || !["program", "receiver"].includes(kind)) continue;
      files.push(`${page}-${kind}.mts`);
      await writeFile(path.join(folder, `${page}-${kind}.mts`), code);
    }
  }
  const types = ["--typeRoots", path.join(ROOT, "node_modules/@types"), "--types", "node"];
  const strict = ["--noEmit", "--strict", "--target", "es2023", "--module", "nodenext", ...types];
  const tsc = path.join(ROOT, "node_modules/typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [tsc, ...strict, ...files], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  assert.equal(stdout, "");
});
