import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { texts as desk } from "./desk.en.ts";
import { texts as first } from "./first.en.ts";
import { texts as rest } from "./rest.en.ts";
import type { TextPart } from "./parts.ts";

const SOURCE = path.join(import.meta.dirname, "..");
const PART_OF = new Map<string, TextPart>([
  ...Object.keys(first).map((key) => [key, "first"] as const),
  ...Object.keys(desk).map((key) => [key, "desk"] as const),
  ...Object.keys(rest).map((key) => [key, "rest"] as const),
]);
const isPart = (word: string): word is TextPart =>
  word === "first" || word === "desk" || word === "rest";

/** The keys that a module names, whole or by their beginning. */
function keysIn(text: string): string[] {
  const whole = [...text.matchAll(/"([\w.]+)"/g)].map(([, key]) => key ?? "");
  const begun = [...text.matchAll(/\bt\(\s*`([\w.]+)\$\{/g)].map(([, start]) => start ?? "");
  const keys = [...PART_OF.keys()];
  return [
    ...whole.filter((key) => PART_OF.has(key)),
    ...begun.flatMap((start) => keys.filter((key) => key.startsWith(start))),
  ];
}

test("a page is shown only with all of its texts: what it imports names keys of the parts that are loaded with it", () => {
  const faults = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string, loaded: ReadonlySet<TextPart>): void => {
    const visited = `${file} ${[...loaded].sort().join()}`;
    if (seen.has(visited) || !existsSync(file) || /\/(text|api)\//.test(file)) return;
    seen.add(visited);
    const text = readFileSync(file, "utf8");
    for (const key of keysIn(text)) {
      const part = PART_OF.get(key);
      if (part !== undefined && !loaded.has(part))
        faults.add(`${path.relative(SOURCE, file)}: ${key} is of the part "${part}"`);
    }
    const at = (name: string): string => path.join(path.dirname(file), name);
    for (const [, name] of text.matchAll(/^(?:import|export) (?!type\b)[^;]*?"(\.[^"]+)";/gm))
      visit(at(name ?? ""), loaded);
    const later = /(withTexts\(\s*)?import\(\s*"(\.[^"]+)",?\s*\)((?:,\s*"\w+")*)/g;
    for (const [, with_, name, named] of text.matchAll(later)) {
      const parts = [...(named ?? "").matchAll(/"(\w+)"/g)].map(([, part]) => part ?? "");
      const more: readonly TextPart[] =
        with_ === undefined ? [] : parts.length === 0 ? ["desk", "rest"] : parts.filter(isPart);
      visit(at(name ?? ""), new Set([...loaded, ...more]));
    }
  };
  visit(path.join(SOURCE, "main.tsx"), new Set(["first"]));
  assert.ok(seen.size > 100, `the walk ended after ${seen.size} modules`);
  assert.deepEqual([...faults].sort(), []);
});
