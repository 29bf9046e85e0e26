import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const read = (name: string) =>
  readFileSync(new URL(`../../../../${name}`, import.meta.url), "utf8");

test("docs/dependencies.md has a line for each package that the server loads, and for no other", () => {
  const { dependencies } = JSON.parse(read("apps/server/package.json")) as {
    dependencies: Record<string, string>;
  };
  const listed = [...read("docs/dependencies.md").matchAll(/^\| `([^`]+)` \| \S/gm)];
  assert.deepEqual(
    listed.map(([, name]) => name),
    Object.keys(dependencies).sort(),
  );
});
