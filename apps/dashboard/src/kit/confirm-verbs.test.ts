import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { texts as arDesk } from "../text/desk.ar.ts";
import { texts as arFirst } from "../text/first.ar.ts";
import { texts as arRest } from "../text/rest.ar.ts";
import { texts as enDesk } from "../text/desk.en.ts";
import { texts as enFirst } from "../text/first.en.ts";
import { texts as enRest } from "../text/rest.en.ts";

const LANGUAGES: readonly Readonly<Record<string, string>>[] = [
  { ...enFirst, ...enDesk, ...enRest },
  { ...arFirst, ...arDesk, ...arRest },
];
const SOURCES = path.join(import.meta.dirname, "..");

test("no dialog asks with two buttons that both say Cancel", () => {
  const asked = globSync("**/*.tsx", { cwd: SOURCES }).flatMap((file) =>
    [...readFileSync(path.join(SOURCES, file), "utf8").matchAll(/<ConfirmDialog\b([^]*?)>\n/g)].map(
      ([, props = ""]) => ({ file, props, verb: /verb=\{t\("([^"]+)"/.exec(props)?.[1] }),
    ),
  );
  assert.ok(asked.length > 20, "the dialogs are found");
  const wrong = asked.filter(
    ({ verb, props }) =>
      verb !== undefined &&
      !/\bkeeps\b/.test(props) &&
      LANGUAGES.some((texts) => texts[verb]?.startsWith(texts["kit.cancel"] ?? "?")),
  );
  assert.deepEqual(
    wrong.map(({ file, verb }) => `${file}: ${verb}`),
    [],
  );
});
