import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { BARE } from "./launch.ts";

const SOURCE = path.resolve(import.meta.dirname, "../../src");

/** Written to a file by the command itself when it ends: every file that it loaded. A pipe would take only a part at once. */
const HOOK = `
import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
const loaded = [];
registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
process.on("exit", () => writeFileSync(process.env.LOADED, JSON.stringify(loaded)));
`;

/** What `parley WORDS` loads: files of the server by their path below `src`, packages by their name. */
const loadedBy = (...words: string[]): string[] =>
  loadedWith(path.join(SOURCE, "cli/main.ts"), ...words);

function loadedWith(...program: string[]): string[] {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "parley-loads-")), "loaded.json");
  const { stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(HOOK)}`, ...program],
    // Nobody listens there: a command that needs the database has loaded all that it uses by the time it says so.
    {
      encoding: "utf8",
      env: {
        ...BARE,
        LOADED: file,
        DATABASE_URL: "postgres://127.0.0.1:1/none",
        PARLEY_MASTER_KEY: "A".repeat(43) + "=",
      },
    },
  );
  assert.ok(existsSync(file), stderr);
  const urls = JSON.parse(readFileSync(file, "utf8")) as string[];
  rmSync(path.dirname(file), { recursive: true });
  return urls.map((url) => {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
    return name ?? url.replace(/^.*\/apps\/server\/src\//, "");
  });
}

const startingWith = (loaded: readonly string[], ...beginnings: string[]): string[] =>
  loaded.filter((one) => beginnings.some((beginning) => one.startsWith(beginning)));

test("help loads neither the database nor a noun's commands", () => {
  const loaded = loadedBy("--help");
  assert.ok(loaded.includes("cli/nouns.ts"));
  assert.deepEqual(startingWith(loaded, "db/", "pg", "undici", "workspaces/", "app.ts"), []);
});

test("a command loads its own noun and no part that only a server runs", () => {
  const loaded = loadedBy("workspace", "list");
  assert.ok(loaded.includes("db/database.ts"));
  assert.deepEqual(startingWith(loaded, "cli/broadcast", "cli/contacts", "cli/channel"), []);
  assert.deepEqual(
    startingWith(loaded, "app.ts", "workers/", "http/", "sandbox/", "fastify", "ioredis"),
    [],
  );
});

test("a server loads no emulator before it runs the sandbox, and of undici its pools alone", () => {
  const files = ["app.ts", "http/server.ts", "sandbox/demo.ts", "sandbox/sandbox-keeper.ts"];
  const urls = files.map((file) => JSON.stringify(pathToFileURL(path.join(SOURCE, file)).href));
  const imports = urls.map((url) => `import ${url};`).join("");
  const loaded = loadedWith("--input-type=module", "--eval", imports);
  assert.ok(loaded.includes("fastify"));
  assert.deepEqual(
    loaded.filter((one) => one.includes("packages/emulators")),
    [],
  );
  // Its index loads 109 files: fetch, the mocks and the caches too.
  const parts = loaded.filter((one) => one === "undici").length;
  assert.ok(parts > 0 && parts < 60, `${parts} files of undici`);
});
