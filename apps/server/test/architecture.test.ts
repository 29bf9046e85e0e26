import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const SOURCE = path.join(import.meta.dirname, "../src");

/**
 * The walls of the server, low to high: a folder may import itself and what stands before it. Folders of one line
 * of the list do not know each other, but for the first, the ground floor.
 */
const ORDER: readonly (readonly string[])[] = [
  ["lib", "db", "wire", "operations", "errors.ts", "config.ts", "actor.ts", "version.ts"],
  ["policies.ts", "unfit-item.ts"],
  ["write.ts", "read-json.ts"],
  ["context.ts"],
  ["logins"],
  ["workspaces"],
  ["hours"],
  ["sessions"],
  ["api-keys"],
  ["webhooks"],
  ["usage"],
  ["models"],
  ["contacts"],
  ["segments"],
  ["channels"],
  ["sms"],
  ["media"],
  ["templates"],
  ["imports"],
  ["desk"],
  ["conversations"],
  ["sending"],
  ["messages"],
  ["chat"],
  ["otp"],
  ["broadcasts"],
  ["inbox"],
  ["knowledge"],
  ["bots"],
  ["persons", "removal"],
  ["master-key"],
  ["workers", "sandbox"],
  ["open-context.ts"],
  ["app.ts"],
  ["http"],
  ["cli"],
  ["main.ts"],
];

/** What is imported from above: the type of an event. */
const ALLOWED_UP = new Set(["context.ts -> webhooks/event.ts"]);
/** Below the rooms with tables: they name no columns. */
const GROUND = new Set([
  "lib",
  "db",
  "wire",
  "operations",
  "policies.ts",
  "read-json.ts",
  "write.ts",
  "context.ts",
]);

/**
 * A `*-sql.ts` holds pieces of SQL that name the columns of its room's tables. A join crosses rooms, so each room with
 * tables may read them. They do nothing: what changes a table, and what decides, stays behind the walls.
 */
const isPieceOfSql = (from: string, to: string): boolean =>
  to.endsWith("-sql.ts") && !GROUND.has(from);

/** Code that runs in production; tests and their fixtures stand beside it. */
const runs = (entry: string): boolean =>
  entry.endsWith(".ts") && !/\.(test|fixture)\.ts$/.test(entry);

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

function imports(): Import[] {
  const found: Import[] = [];
  for (const entry of readdirSync(SOURCE, { recursive: true, encoding: "utf8" })) {
    if (!runs(entry)) continue;
    const text = readFileSync(path.join(SOURCE, entry), "utf8");
    const pattern =
      /(?:^|\n)\s*(import|export)(\s+type)?[^;]*?from\s+"([^"]+)"|import\("([^"]+)"\)/g;
    for (const [, , type, target, dynamic] of text.matchAll(pattern)) {
      const specifier = target ?? dynamic ?? "";
      const to = specifier.startsWith(".")
        ? path.relative(SOURCE, path.resolve(path.dirname(path.join(SOURCE, entry)), specifier))
        : specifier;
      found.push({ from: entry, to, typeOnly: type !== undefined });
    }
  }
  return found;
}

const folderOf = (file: string): string => file.split(path.sep)[0] ?? file;
const rankOf = (folder: string): number => ORDER.findIndex((line) => line.includes(folder));

test("every file stands in a folder that the order knows", () => {
  const strangers = imports()
    .map(({ from }) => folderOf(from))
    .filter((folder) => rankOf(folder) < 0);
  assert.deepEqual([...new Set(strangers)], []);
});

test("a folder imports only itself and folders below it", () => {
  const wrong = imports().filter(({ from, to }) => {
    if (!to.endsWith(".ts") || to.startsWith("..")) return false;
    const [a, b] = [folderOf(from), folderOf(to)];
    if (a === b || ALLOWED_UP.has(`${a} -> ${to}`) || isPieceOfSql(a, to)) return false;
    return rankOf(b) > rankOf(a) || (rankOf(b) === rankOf(a) && rankOf(a) > 0);
  });
  assert.deepEqual(
    wrong.map(({ from, to }) => `${from} imports ${to}`),
    [],
  );
});

test("pieces of SQL wait for nothing: no function of theirs is async, none takes the database", () => {
  const wrong = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .filter((entry) => entry.endsWith("-sql.ts"))
    .filter((entry) =>
      /\basync\b|\bawait\b|\b(Db|Tx|Queryable)\b/.test(
        readFileSync(path.join(SOURCE, entry), "utf8"),
      ),
    );
  assert.deepEqual(wrong, []);
});

test("nothing that runs imports a test or a fixture", () => {
  const wrong = imports().filter(
    ({ to }) => (to.endsWith(".ts") && !runs(to)) || to.startsWith(".."),
  );
  assert.deepEqual(
    wrong.map(({ from, to }) => `${from} imports ${to}`),
    [],
  );
});

test("the API's JSON is a leaf that a browser can read: it imports itself and typebox, and its words nothing", () => {
  const wrong = imports().filter(
    ({ from, to }) =>
      folderOf(from) === "wire" &&
      (from.endsWith("words.ts") || (to !== "typebox" && folderOf(to) !== "wire")),
  );
  assert.deepEqual(
    wrong.map(({ from, to }) => `${from} imports ${to}`),
    [],
  );
});

test("nobody reads another folder's store", () => {
  const wrong = imports().filter(
    ({ from, to }) =>
      to.endsWith("-store.ts") &&
      path.dirname(from) !== path.dirname(to) &&
      folderOf(from) !== folderOf(to),
  );
  assert.deepEqual(
    wrong.map(({ from, to }) => `${from} imports ${to}`),
    [],
  );
});

test("adapters know the adapter contract and lib only", () => {
  const allowed = /^(lib\/|channels\/adapter\.ts$|channels\/adapters\/)/;
  const wrong = imports().filter(
    ({ from, to }) =>
      from.startsWith(path.join("channels", "adapters")) && to.endsWith(".ts") && !allowed.test(to),
  );
  assert.deepEqual(
    wrong.map(({ from, to }) => `${from} imports ${to}`),
    [],
  );
});

test("the edge knows no door: neither a room of one nor whose credentials it proves", () => {
  const edge = path.join("http", "edge");
  const wrong = imports().filter(
    ({ from, to }) =>
      path.dirname(from) === edge &&
      to.endsWith(".ts") &&
      ((folderOf(to) === "http" && path.dirname(to) !== edge) ||
        (folderOf(to) === "api-keys" && to !== path.join("api-keys", "kept-answers.ts"))),
  );
  assert.deepEqual(
    wrong.map(({ from, to }) => `${from} imports ${to}`),
    [],
  );
});

test("only the sandbox imports the emulators", () => {
  const wrong = imports().filter(
    ({ from, to }) => to.startsWith("@parley/emulators") && folderOf(from) !== "sandbox",
  );
  assert.deepEqual(
    wrong.map(({ from, to }) => `${from} imports ${to}`),
    [],
  );
});

test("the environment is read in one file, and time and ids come through the context", () => {
  const wrong: string[] = [];
  for (const entry of readdirSync(SOURCE, { recursive: true, encoding: "utf8" })) {
    if (!runs(entry)) continue;
    const text = readFileSync(path.join(SOURCE, entry), "utf8");
    if (/process\.env/.test(text) && entry !== "config.ts")
      wrong.push(`${entry} reads process.env`);
    const edge = ["lib", "db", "cli", "main.ts", "sandbox"].includes(folderOf(entry));
    if (!edge && /Date\.now\(\)|new Date\(\)|randomUUID/.test(text))
      wrong.push(`${entry} makes its own time or ids`);
  }
  assert.deepEqual(wrong, []);
});

test("code that calls an account's address gets its client from `httpFor`, never by itself", () => {
  const own = [
    "sandbox/sandbox-client.ts",
    "sandbox/emulated-model.ts",
    "media/storage-fault.ts",
  ].map(path.normalize);
  const wrong = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter(
    (entry) =>
      runs(entry) &&
      !own.includes(entry) &&
      /\b\w+\.providerHttp\b/.test(readFileSync(path.join(SOURCE, entry), "utf8")),
  );
  assert.deepEqual(wrong.sort(), ["lib/check-address.ts", "open-context.ts"].map(path.normalize));
});

test("what the server depends on lies at the root, where a copy of the tree has it too", () => {
  const text = readFileSync(path.join(SOURCE, "../../../package-lock.json"), "utf8");
  const { packages } = JSON.parse(text) as { packages: Record<string, unknown> };
  const inner = Object.keys(packages).filter((place) =>
    place.startsWith("apps/server/node_modules/"),
  );
  // Another version at the root: name ours in the root's own package.json too.
  assert.deepEqual(inner, []);
});

test("no statement has a filter that may be absent: it would have one plan for both, which reads every row", () => {
  const optional = /\}::\w+(\[\])? is null or|= coalesce\(\$\{[^}]*\}(::\w+)?, \w+\)(?! as)/;
  const found = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter(
    (entry) =>
      runs(entry) &&
      readFileSync(path.join(SOURCE, entry), "utf8")
        .split("\n")
        .some((line) => /\b(where|and|or)\b/.test(line) && optional.test(line)),
  );
  assert.deepEqual(
    found,
    [],
    "let the filter stand in the statement only when it is given: ifGiven (db/sql.ts)",
  );
});
