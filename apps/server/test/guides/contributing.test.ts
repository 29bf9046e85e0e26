import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const ROOT = path.join(import.meta.dirname, "../../../..");

test("every file and folder that CONTRIBUTING.md names exists", () => {
  const text = readFileSync(path.join(ROOT, "CONTRIBUTING.md"), "utf8");
  const named = [...text.matchAll(/`((?:apps|packages|docs)\/[\w./-]+)`|\]\((docs\/[^)]+)\)/g)]
    .map(([, code, link]) => code ?? link ?? "")
    .filter((file) => !file.includes("NNNN"));
  assert.ok(named.length > 20, "the page names files");
  assert.deepEqual(
    named.filter((file) => !existsSync(path.join(ROOT, file))),
    [],
  );
});
