import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const SOURCE = path.join(import.meta.dirname, "..");

test("every field shows its fault in the line that is kept for it", () => {
  const wrong: string[] = [];
  let feet = 0;
  for (const file of readdirSync(SOURCE, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".tsx") || file === path.join("kit", "field-foot.tsx")) continue;
    const text = readFileSync(path.join(SOURCE, file), "utf8");
    if (text.includes("<FieldFoot")) feet += 1;
    if (/<FieldError\b/.test(text)) wrong.push(`${file}: <FieldError> grows when a fault appears`);
    if (/<TextField\b[^>]*\b(isRequired|validate)\b/.test(text) && !text.includes("<FieldFoot"))
      wrong.push(`${file}: a field that is judged has no <FieldFoot>`);
  }
  assert.deepEqual(wrong, []);
  assert.ok(feet >= 3, "the walk found the fields");
});
