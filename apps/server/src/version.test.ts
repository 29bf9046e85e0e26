import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { startApi } from "../test/v1/api.ts";
import { VERSION } from "./version.ts";

const ROOT = path.join(import.meta.dirname, "../../..");
const read = (name: string): string => readFileSync(path.join(ROOT, name), "utf8");

test("the newest entry of the changelog and the lockfile name the version that runs", () => {
  const [newest] = /(?<=^## )\d+\.\d+\.\d+/m.exec(read("CHANGELOG.md")) ?? [];
  assert.equal(newest, VERSION);
  const lock: { version: string } = JSON.parse(read("package-lock.json"));
  assert.equal(lock.version, VERSION);
});

test("readiness and a metric name the version", async () => {
  await using api = await startApi();
  const ready = await api.http.inject({ url: "/readyz" });
  assert.deepEqual(ready.json(), { ready: true, faults: [], version: VERSION });
  const metrics = await api.http.inject({ url: "/metrics", headers: { host: "localhost" } });
  assert.match(
    metrics.body,
    new RegExp(`^parley_build_info\\{version="${VERSION}",node="[^"]+"\\} 1$`, "m"),
  );
});
