import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const read = (name: string) =>
  readFileSync(new URL(`../../../../${name}`, import.meta.url), "utf8");

const dependenciesOf = (manifest: string) =>
  Object.keys(
    (JSON.parse(read(manifest)) as { dependencies: Record<string, string> }).dependencies,
  );
const listedIn = (section = "") =>
  [...section.matchAll(/^\| `([^`]+)` \| \S/gm)].map(([, name = ""]) => name);
const [ofServer, ofDashboard] = read("docs/dependencies.md").split("## The dashboard");

test("docs/dependencies.md has a line for each package that the server loads, and for no other", () => {
  assert.deepEqual(listedIn(ofServer), dependenciesOf("apps/server/package.json").sort());
});

test("docs/dependencies.md has a line for each package of the dashboard, and for no other", () => {
  const listed = listedIn(ofDashboard).sort();
  assert.deepEqual(listed, dependenciesOf("apps/dashboard/package.json").sort());
});
