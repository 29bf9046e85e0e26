import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const KIT = path.join(import.meta.dirname, "../kit");

test("the page of parts shows every part of the kit", () => {
  const shown = globSync("*.tsx", { cwd: import.meta.dirname })
    .map((file) => readFileSync(path.join(import.meta.dirname, file), "utf8"))
    .join("\n");
  const parts = globSync("*.tsx", { cwd: KIT }).flatMap((file) =>
    [
      ...readFileSync(path.join(KIT, file), "utf8").matchAll(
        /^export (?:function|const) ([A-Z][a-z]\w*)/gm,
      ),
    ].map(([, name = ""]) => name),
  );
  assert.ok(parts.length > 25, `only ${parts.length} parts were found`);
  assert.deepEqual(
    parts.filter((name) => !new RegExp(`<${name}\\b`).test(shown)),
    [],
  );
});
