import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { ALLOWED } from "./data/habits.ts";

// Habits of wording that make readers stop. The right-hand word is what to write instead.

const HABITS: readonly (readonly [habit: RegExp, instead: string])[] = [
  [/\b(?:told|tells)\b/i, "emit, send, record, show"],
  [/\b(?:comes|came)\b/i, "receive, arrive"],
  [/\bby (?:itself|themselves)\b/i, "automatically"],
  [/\banew\b/i, "again"],
  // In quotes it is the code of an import.
  [/(?<!["`])\bgone\b(?!["`])/i, "deleted, no longer there"],
  [/\btaken in\b/i, "stored, accepted"],
  [/\bstands\b/i, "is"],
  [/\bwhom\b/i, "who, which person"],
  [/\bbecame of\b/i, "the status of"],
  [/\ball the same\b/i, "nevertheless"],
  // In quotes it is the name of a handler: `nobody`, `bot`, `person`.
  [/(?<!["`])\bnobody\b(?!["`])/i, "no one, none"],
];

const ROOT = path.join(import.meta.dirname, "../../..");

/** What people read: documents whole, of programs their comments, of the command line and the pages their texts too. */
function linesToRead(file: string, text: string): readonly string[] {
  const lines = text.split("\n");
  if (file.endsWith(".md") || /\/text\/areas\/.*\.en\.ts$/.test(file)) return lines;
  const shown = /^apps\/server\/src\/(?:cli|wire|http\/v1)\//.test(file);
  return lines.filter(
    (line) => /^\s*(?:\/\*|\*|\/\/)|\s\/\/ /.test(line) || (shown && /["`]/.test(line)),
  );
}

function habitsIn(file: string): readonly string[] {
  const text = readFileSync(path.join(ROOT, file), "utf8");
  return linesToRead(file, text).flatMap((line) =>
    HABITS.filter(([habit]) => habit.test(line)).map(
      ([habit, instead]) =>
        `${file}: "${habit.exec(line)?.[0] ?? ""}" (better: ${instead}) in: ${line.trim()}`,
    ),
  );
}

function filesToRead(): readonly string[] {
  const below = (folder: string): string[] =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) =>
      path.posix.join(folder, name.split(path.sep).join("/")),
    );
  return [
    "apps/server/src",
    "apps/dashboard/src",
    "packages/widget/src",
    "packages/sdk/src",
    "docs",
  ]
    .flatMap(below)
    .filter(
      (file) => /\.(?:md|tsx?)$/.test(file) && !/\.(?:test|fixture)\.ts$|\/generated\//.test(file),
    );
}

test("no file gains a habit of wording; the list of those that still have some only shrinks", () => {
  const files = filesToRead();
  assert.ok(files.length > 1_000, `${files.length} files were read`);
  const gained = files.flatMap((file) => {
    const found = habitsIn(file);
    const allowed = ALLOWED[file] ?? 0;
    return found.length > allowed ? [`${found.length} instead of ${allowed}`, ...found] : [];
  });
  assert.deepEqual(gained, []);
});

test("the list of files with habits names only files that have some", () => {
  const clean = Object.keys(ALLOWED).filter((file) => {
    try {
      return habitsIn(file).length === 0;
    } catch {
      return true;
    }
  });
  assert.deepEqual(clean, [], "take these out of test/data/habits.ts");
});
