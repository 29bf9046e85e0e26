import assert from "node:assert/strict";
import { execFile, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { LONG } from "../group.ts";
import { createTestDatabase } from "../harness.ts";
import { freePort } from "../free-port.ts";
import { readContainerfile, ROOT } from "./containerfile.ts";
import {
  execInRoot,
  makeImageRoot,
  noNamespace,
  placeOfTree,
  processIn,
  startInRoot,
} from "./image-root.ts";

/**
 * The tree of the image: what is in it, how large it is, and that a server starts from it as a container does, where
 * nothing but its volume and /tmp can be written.
 */
const run = promisify(execFile);
const skip = LONG ? false : "a case of the long suite";
const image = readContainerfile();
const folder = mkdtempSync(path.join(tmpdir(), "parley-image-"));
const tree = placeOfTree(folder, image);

/** What the image may take, and what its base (debian:13-slim) takes of that: 83 MB where it was measured. */
const MOST_MB = 350;
const BASE_MB = 85;

before(async () => {
  if (skip) return;
  const script = ["scripts/run.cjs", "scripts/production-tree.mjs", tree];
  await run(process.execPath, script, { cwd: ROOT });
});
after(() => rmSync(folder, { recursive: true, force: true }));

const filesOf = (at: string) =>
  readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => path.join(one.parentPath, one.name));

test(
  "the image's tree has no package of developers, no test, no source of the pages",
  { skip },
  () => {
    const lock: { packages: Record<string, { dev?: boolean; link?: boolean }> } = JSON.parse(
      readFileSync(path.join(ROOT, "package-lock.json"), "utf8"),
    );
    const packages = globSync("node_modules/{*,@*/*}/package.json", { cwd: tree }).map(
      path.dirname,
    );
    assert.ok(packages.length > 100, `${packages.length} packages`);
    assert.deepEqual(
      packages.filter((name) => lock.packages[name]?.dev === true),
      [],
    );
    for (const name of ["react", "vite", "typescript", "npm"])
      assert.ok(!existsSync(path.join(tree, "node_modules", name)), name);
    assert.deepEqual(globSync("{apps,packages}/**/*.test.ts", { cwd: tree }), []);
    assert.deepEqual(readdirSync(path.join(tree, "apps/dashboard")), ["dist"]);
  },
);

test("the image takes 350 MB at the most", { skip }, async (t) => {
  // In blocks of the disk, as an engine counts.
  const { stdout } = await run("du", ["-sm", tree]);
  const megabytes = Number(stdout.split("\t")[0]);
  t.diagnostic(`the tree takes ${megabytes} MB, the image some ${megabytes + BASE_MB}`);
  assert.ok(filesOf(tree).length > 1_000);
  assert.ok(megabytes + BASE_MB <= MOST_MB, `${megabytes} MB beside a base of ${BASE_MB}`);
});

test(
  "a server starts from the tree with a read-only root, no capability and no root user, to a first reply",
  { skip: skip || noNamespace() },
  async (t) => {
    const database = await createTestDatabase("template0");
    const root = makeImageRoot(folder, image);
    const wire = await listenFor(database.url);
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const env = {
      DATABASE_URL: wire.url,
      PARLEY_MASTER_KEY: randomBytes(32).toString("base64"),
      PARLEY_PUBLIC_URL: address,
      PORT: String(port),
    };
    const begun = performance.now();
    const server = startInRoot(root, image, env);
    const said = Promise.all([collect(server.stdout), collect(server.stderr)]);
    try {
      await serves(server, said, `${address}/readyz`);
      t.diagnostic(`ready after ${Math.round(performance.now() - begun)} ms`);
      const pid = processIn(server);
      const exec = (...words: string[]) => end(execInRoot(pid, image, words, env));
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      for (const name of ["CapEff", "CapPrm", "CapBnd", "CapAmb"])
        assert.match(status, new RegExp(`^${name}:\\t0+$`, "m"));
      assert.match(status, /^NoNewPrivs:\t1$/m);
      assert.match(status, new RegExp(`^Uid:\\t${image.user.uid}\\t${image.user.uid}\\t`, "m"));
      assert.match(status, /^NSpid:\t\d+\t1$/m, "the program itself is the container's process 1");
      const write = "fs.writeFileSync(process.argv[1], '')";
      for (const file of [`${image.folder}/x`, "/etc/x"])
        assert.match((await exec("node", "-e", write, file)).stderr, /EROFS/);
      assert.equal((await exec("node", "-e", write, `${image.volume}/x`)).code, 0);
      assert.deepEqual(await exec(...image.healthcheck), { code: 0, stdout: "", stderr: "" });

      const page = await fetch(`${address}/setup`, { headers: { accept: "text/html" } });
      assert.match(await page.text(), /<script type="module"[^>]+src="\/assets\//, "the pages");
      const command = async <T>(...words: string[]): Promise<T> => {
        const ended = await exec("node", "bin/parley", ...words, "--json");
        assert.equal(ended.code, 0, ended.stderr);
        return JSON.parse(ended.stdout) as T;
      };
      const workspace = await command<{ id: string }>("workspace", "create", "--name", "Shop");
      const { bearer } = await command<{ bearer: string }>(
        "key",
        "create",
        "--workspace",
        workspace.id,
      );
      const of = ["--workspace", workspace.id];
      const channel = await command<{ id: string }>("sandbox", "add", "WHATSAPP", ...of);
      const from = ["--channel", channel.id, "--from", "96550001234", "--name", "Sara"];
      const { conversationId } = await command<{ conversationId: string }>(
        "sandbox",
        "say",
        "Hello",
        ...from,
      );
      const call = async <T>(method: string, where: string, body?: object): Promise<T> => {
        const answer = await fetch(`${address}/api/v1${where}`, {
          method,
          headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
          ...(body && { body: JSON.stringify(body) }),
        });
        assert.ok(answer.ok, `${method} ${where}: ${answer.status}`);
        return (await answer.json()) as T;
      };
      const reply = { conversationId, text: "Yes" };
      const { id } = await call<{ id: string }>("POST", "/messages", reply);
      for (let state = ""; state !== "delivered" && state !== "read";)
        ({ status: state } = await call<{ status: string }>("GET", `/messages/${id}`));
      t.diagnostic(`first reply delivered after ${Math.round(performance.now() - begun)} ms`);

      process.kill(pid, "SIGTERM");
      const [code] = (await once(server, "close")) as [number | null];
      assert.equal(code, 0, (await said).join(""));
    } finally {
      server.kill("SIGKILL");
      if (server.exitCode === null && server.signalCode === null) await once(server, "close");
      wire.server.close();
      await database.drop();
    }
  },
);

/** The database at a port, as a container has it: its socket is in a folder that no other user may enter. */
async function listenFor(url: string) {
  const folderOf = new URLSearchParams(url.slice(url.indexOf("?"))).get("host") ?? "";
  const server = net.createServer((client) => {
    const there = net.connect(`${folderOf}/.s.PGSQL.5432`);
    for (const one of [client, there]) one.on("error", () => one.destroy());
    client.pipe(there).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  return { server, url: url.replace(/@\/(\w+)\?.*/, `@127.0.0.1:${port}/$1`) };
}

const collect = (stream: ChildProcess["stdout"]) => (stream ? text(stream) : Promise.resolve(""));

async function end(child: ChildProcess) {
  const words = [collect(child.stdout), collect(child.stderr)];
  const [code] = (await once(child, "close")) as [number | null];
  const [stdout = "", stderr = ""] = await Promise.all(words);
  return { code, stdout, stderr };
}

/** Waits until an address answers 200; throws when the program ends first. */
async function serves(
  child: ChildProcess,
  said: Promise<string[]>,
  address: string,
): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) assert.fail((await said).join(""));
    const answer = await fetch(address).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
