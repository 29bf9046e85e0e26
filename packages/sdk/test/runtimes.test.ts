import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { freePort } from "../../../apps/server/test/free-port.ts";
import { startStand, type Stand } from "../../../apps/server/test/guides/stand.ts";

const run = promisify(execFile);
const SEEN = [
  "created 96550000001",
  "listed 2",
  "refused true CONTACT_NEEDS_IDENTITY",
  "streamed 2",
  "left enough",
  "late TIMED_OUT",
  "rate 120",
  "verified endpoint.test",
  "forged true WRONG_SIGNATURE",
];

let stand: Stand;
let folder = "";
before(async () => {
  stand = await startStand();
  folder = await mkdtemp(path.join(tmpdir(), "parley-runtimes-"));
  await run("npm", ["pack", "--pack-destination", folder], { cwd: path.join(import.meta.dirname, "..") }); // oxfmt-ignore
  const [archive = ""] = await readdir(folder);
  await writeFile(path.join(folder, "package.json"), '{"private":true,"type":"module"}');
  // Unpacked as npm does it (installed.test.ts), in a tenth of the time.
  const home = path.join(folder, "node_modules/@parley/sdk");
  await mkdir(home, { recursive: true });
  await run("tar", ["-xzf", archive, "-C", home, "--strip-components=1"], { cwd: folder });
  await cp(
    path.join(import.meta.dirname, "runtimes/program.mjs"),
    path.join(folder, "program.mjs"),
  );
  await writeFile(path.join(folder, "main.mjs"), MAIN);
  await writeFile(path.join(folder, "worker.mjs"), WORKER);
});
after(async () => {
  await rm(folder, { recursive: true, force: true });
  await stand[Symbol.asyncDispose]();
});

const MAIN = `
import { program } from "./program.mjs";
const [url, key] = globalThis.Deno ? Deno.args : process.argv.slice(2);
console.log((await program(url, key)).join("\\n"));
`;
const WORKER = `
import { program } from "./program.mjs";
export default {
  fetch: async (request) => new Response((await program(...(await request.json()))).join("\\n")),
};
`;

const there = (command: string) => spawnSync(command, ["--version"]).status === 0;
const absent = (command: string) => `${command} is not installed: the package is not run in it`;

// What is installed runs it; the README names the versions in which it was last seen.
const RUNTIMES: [command: string, parameters: readonly string[]][] = [
  [process.execPath, []],
  // The system's own, which is another.
  ["/usr/bin/node", []],
  ["deno", ["run", "--allow-net", "--no-lock"]],
  ["bun", []],
];
for (const [command, parameters] of RUNTIMES)
  test(`${command === process.execPath ? `Node ${process.version}` : command}: the packed client calls, pages, streams, gives up and verifies`, async (t) => {
    if (!there(command)) return t.skip(absent(command));
    const input = ["main.mjs", stand.baseUrl, await stand.api.key()];
    const { stdout } = await run(command, [...parameters, ...input], {
      cwd: folder,
      timeout: 300_000,
    });
    assert.deepEqual(stdout.trim().split("\n"), SEEN);
  });

const configuration = (port: number) => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .program),
    (name = "internet", network = (allow = ["public", "private", "local"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
const program :Workerd.Worker = (
  modules = [
    (name = "worker.mjs", esModule = embed "worker.mjs"),
    (name = "program.mjs", esModule = embed "program.mjs"),
    (name = "@parley/sdk", esModule = embed "node_modules/@parley/sdk/dist/index.js")
  ],
  compatibilityDate = "2026-01-01"
);`;

test("workerd: the packed client calls, pages, streams, gives up and verifies", async (t) => {
  if (!there("workerd")) return t.skip(absent("workerd"));
  const port = await freePort();
  await writeFile(path.join(folder, "config.capnp"), configuration(port));
  const child = spawn("workerd", ["serve", "config.capnp", "--control-fd=3"], {
    cwd: folder,
    stdio: ["ignore", "inherit", "inherit", "pipe"],
  });
  const [, , , control] = child.stdio;
  const ended = once(child, "exit");
  try {
    assert.ok(control);
    // Its first word on the control line: it listens.
    await Promise.race([once(control, "data"), ended]);
    assert.equal(child.exitCode, null, "it ended");
    const body = JSON.stringify([stand.baseUrl, await stand.api.key()]);
    const answer = await fetch(`http://127.0.0.1:${port}`, { method: "POST", body });
    assert.deepEqual((await answer.text()).split("\n"), SEEN);
  } finally {
    child.kill();
    await ended;
  }
});
