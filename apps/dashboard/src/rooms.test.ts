import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const SOURCE = import.meta.dirname;

/**
 * The walls of the dashboard, low to high: a room may import itself and the rooms listed before it. Rooms of one line do
 * not know each other. `.` are the files that join the rooms; `parts`, the kit's page in development, is imported by
 * none of them.
 */
const ORDER: readonly (readonly string[])[] = [
  ["text"],
  ["api"],
  ["kit"],
  ["live"],
  ["desk"],
  ["shell"],
  ["bots", "channels", "knowledge", "sandbox", "start", "templates", "usage"],
  ["inbox"],
  ["contacts"],
  ["campaigns", "imports", "search", "segments"],
  ["settings"],
  ["sign-in"],
  [".", "parts"],
];

/** What travels up, each with its reason. */
const ALLOWED_UP = new Set<string>([]);

/**
 * What the browser shares with the server: the calls and their shapes, words and codes that both know, and rules that
 * both run. None of it loads what only a server has.
 */
const SHARED = [
  /^http\/dashboard\/contract\//,
  /^wire\//,
  /^operations\//,
  // Types only.
  /^actor\.ts$/,
  /^workspaces\/audit-actions\.ts$/,
  // Codes of faults, for which the pages have words.
  /^contacts\/import\/column-fault-codes\.ts$/,
  /^segments\/rule-fault-codes\.ts$/,
  // Rules that pages run before they send.
  /^channels\/template-draft\.ts$/,
  /^media\/(?:media-fit|type-names)\.ts$/,
  /^sms\/segments\.ts$/,
];

const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((file) =>
  /\.(?:tsx?|css)$/.test(file),
);
const read = (file: string): string => readFileSync(path.join(SOURCE, file), "utf8");
/** What is in the pages; tests stand beside it. */
const isPage = (file: string): boolean => /(?<!\.test)\.tsx?$/.test(file);
const roomOf = (file: string): string => {
  const [room = "", ...rest] = file.split(path.sep);
  return rest.length === 0 ? "." : room;
};
const rankOf = (room: string): number => ORDER.findIndex((line) => line.includes(room));
/** Whether a room may use what another one owns. */
const reaches = (from: string, to: string): boolean => from === to || rankOf(to) < rankOf(from);

interface Import {
  readonly from: string;
  /** Below `src/`, or outside it with `../`. */
  readonly to: string;
}

/** Imports of every form: of values, types and styles, at once and on demand. */
function importsOf(file: string): Import[] {
  const found = read(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g);
  return [...found].map(([, target = ""]) => ({
    from: file,
    to: path.normalize(path.join(path.dirname(file), target)),
  }));
}
const imports = files.filter(isPage).flatMap(importsOf);
const worded = (list: readonly Import[]): string[] =>
  list.map(({ from, to }) => `${from} imports ${to}`);

test("every file of the dashboard stands in a room that the order knows", () => {
  const strangers = files.map(roomOf).filter((room) => rankOf(room) < 0);
  assert.deepEqual([...new Set(strangers)], []);
});

test("a room of the dashboard imports only itself and rooms below it", () => {
  assert.ok(imports.length > 1500, `only ${imports.length} imports were found`);
  const wrong = imports.filter(
    ({ from, to }) =>
      !to.startsWith("..") &&
      !reaches(roomOf(from), roomOf(to)) &&
      !ALLOWED_UP.has(`${from} -> ${to}`),
  );
  assert.deepEqual(worded(wrong), []);
  const known = new Set(imports.map(({ from, to }) => `${from} -> ${to}`));
  assert.deepEqual(
    [...ALLOWED_UP].filter((one) => !known.has(one)),
    [],
    "exceptions without an import",
  );
});

test("what a write or the stream says is kept by `keepAnswer`, so that an older read does not undo it", () => {
  const wrong = files.filter(
    (file) => isPage(file) && roomOf(file) !== "api" && read(file).includes(".setQueryData("),
  );
  assert.deepEqual(wrong, []);
});

test("a query that cannot be read again leaves the page as it is: it says `failsPage`, not `true`", () => {
  const wrong = files.filter(
    (file) => isPage(file) && roomOf(file) !== "live" && /\bthrowOnError: true\b/.test(read(file)),
  );
  assert.deepEqual(wrong, []);
});

test("what holds a name does not say `dir=auto`: that does not look into the name's own element, so a long Arabic name lost its beginning", () => {
  const wrong = files.filter(
    (file) => isPage(file) && /\bdir(?:=|: )"auto"[^<>]*>\s*<(?:bdi|PersonName)\b/.test(read(file)),
  );
  assert.deepEqual(wrong, []);
});

test("a link to a page is a `Link`; only what repairs a broken page loads the whole dashboard again", () => {
  const wrong = files.filter(
    (file) =>
      isPage(file) &&
      file !== "shell/page-failed.tsx" &&
      /<a\s[^<>]*href=(?:"\/(?!api\/|docs\/)|\{ref\})/.test(read(file)),
  );
  assert.deepEqual(wrong, []);
});

test("of the server the dashboard imports only what the two share", () => {
  const server = "../../server/src/";
  const wrong = imports.filter(
    ({ to }) =>
      to.startsWith("..") &&
      !(to.startsWith(server) && SHARED.some((one) => one.test(to.slice(server.length)))),
  );
  assert.deepEqual(worded(wrong), []);
});

/** The selectors of a style sheet, each with the classes that it names, without those of React Aria. */
function selectorsOf(sheet: string): { readonly text: string; readonly classes: string[] }[] {
  const rules = sheet.replaceAll(/\/\*[\s\S]*?\*\//g, "").matchAll(/([^{};]+)\{/g);
  return [...rules]
    .map(([, prelude = ""]) => prelude.trim())
    .filter((prelude) => !/^(?:@|from\b|to\b|\d+%)/.test(prelude))
    .flatMap((prelude) => prelude.split(/,(?![^(]*\))/))
    .map((text) => ({
      text: text.trim().replaceAll(/\s+/g, " "),
      classes: [...text.matchAll(/\.(-?[a-z_][\w-]*)/gi)]
        .map(([, name = ""]) => name)
        .filter((name) => !name.startsWith("react-aria-")),
    }));
}

const sheets = files
  .filter((file) => file.endsWith(".css"))
  .map((file) => ({ file, selectors: selectorsOf(read(file)) }));

/** Each class with the rooms that style it on its own. Without such a rule: those that name it at all. */
function owners(): Map<string, Set<string>> {
  const alone = new Map<string, Set<string>>();
  const named = new Map<string, Set<string>>();
  const put = (map: Map<string, Set<string>>, name: string, room: string): void =>
    void map.set(name, (map.get(name) ?? new Set()).add(room));
  for (const { file, selectors } of sheets)
    for (const { classes } of selectors) {
      for (const name of classes) put(named, name, roomOf(file));
      const [only] = classes;
      if (only !== undefined && new Set(classes).size === 1) put(alone, only, roomOf(file));
    }
  return new Map([...named, ...alone]);
}
const OWNERS = owners();

test("a class is styled on its own by one room only: all pages share one document", () => {
  const lent = sheets.flatMap(({ file, selectors }) =>
    selectors
      .filter(({ classes }) => new Set(classes).size === 1)
      .flatMap(({ classes: [name = ""] }) => name)
      .filter((name) => (OWNERS.get(name)?.size ?? 0) > 1)
      .map((name) => `.${name} in ${file}`),
  );
  assert.deepEqual([...new Set(lent)], []);
});

test("a room styles what is another's only within a class of its own", () => {
  const wrong = sheets.flatMap(({ file, selectors }) =>
    selectors
      .filter(
        ({ classes }) =>
          classes.length > 0 && !classes.some((name) => OWNERS.get(name)?.has(roomOf(file))),
      )
      .map(({ text }) => `${file}: ${text}`),
  );
  assert.deepEqual(wrong, []);
});

test("a page uses classes of its own room and of rooms below it, whose styles are loaded with it", () => {
  let used = 0;
  const wrong = files
    .filter((file) => file.endsWith(".tsx"))
    .flatMap((file) => {
      const given = read(file).matchAll(/\w*[cC]lassName=(?:"([^"]*)"|\{([^}]*)\})/g);
      const words = [...given].flatMap(([, plain, code = ""]) =>
        plain === undefined
          ? [...code.matchAll(/["`]([^"`]*)["`]/g)].map(([, one = ""]) => one)
          : [plain],
      );
      const names = words.flatMap((one) => one.split(/\s+/)).filter((name) => OWNERS.has(name));
      used += names.length;
      return names
        .filter(
          (name) => ![...(OWNERS.get(name) ?? [])].some((room) => reaches(roomOf(file), room)),
        )
        .map((name) => `${file} uses .${name} of ${[...(OWNERS.get(name) ?? [])].join(", ")}`);
    });
  assert.ok(used > 500, `only ${used} uses were found`);
  assert.deepEqual(wrong, []);
});
