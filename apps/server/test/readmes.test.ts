import assert from "node:assert/strict";
import { globSync, readdirSync, readFileSync, existsSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const ROOT = path.join(import.meta.dirname, "../../..");
const SOURCES = ["apps/server/src", "apps/dashboard/src"];

const rooms = SOURCES.flatMap((source) =>
  readdirSync(path.join(ROOT, source), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${source}/${name}`),
);

/** Every file of the repository that people edit, as `/apps/server/src/lib/wake.ts`. */
const FILES = [
  ...globSync("{apps,packages,bench,scripts,docs}/**/*.{ts,tsx,css,cjs,md,json,sql}", {
    cwd: ROOT,
    exclude: (name) => /(?:^|\/)(?:node_modules|dist|data|\.cache)$/.test(name),
  }),
].map((file) => `/${file}`);

test("every room says in a README of its own what it owns", () => {
  const without = rooms.filter((room) => !existsSync(path.join(ROOT, room, "README.md")));
  assert.deepEqual(without, []);
});

test("every file that a README of a room or docs/architecture.md names exists", () => {
  assert.ok(FILES.length > 1000, `only ${FILES.length} files were found`);
  const texts = [...rooms.map((room) => `${room}/README.md`), "docs/architecture.md"];
  const lost = texts.flatMap((file) => {
    const named = readFileSync(path.join(ROOT, file), "utf8").matchAll(
      /`([\w./-]+\.(?:tsx?|css|cjs))`/g,
    );
    return [...named]
      .map(([, name = ""]) => path.normalize(name).replace(/^(?:\.\.\/)+/, ""))
      .filter((name) => !FILES.some((one) => one.endsWith(`/${name}`)))
      .map((name) => `${file} names ${name}`);
  });
  assert.deepEqual(lost, []);
});

test("docs/architecture.md is read in ten minutes", () => {
  const text = readFileSync(path.join(ROOT, "docs/architecture.md"), "utf8");
  const words = text.split(/\s+/).length;
  // Its walks are read, its tree and tables are looked through.
  assert.ok(words < 3_550, `${words} words`);
});
