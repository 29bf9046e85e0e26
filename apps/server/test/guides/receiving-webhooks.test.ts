import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import { after, before, test } from "node:test";
import { createEndpoint } from "../../src/webhooks/create-endpoint.ts";
import { newSecret, signatureHeaders } from "../../src/webhooks/sign.ts";
import { startTestApp } from "../harness.ts";
import { bareWorkspace, emitSome, startReceiver } from "../webhook-receiver.ts";
import { blocksOf, type Block } from "./blocks.ts";
import { freePort } from "../free-port.ts";
import { makeProject, startProgram } from "./project.ts";

interface Delivery {
  readonly headers: Record<string, string>;
  readonly body: string;
}

let genuine: Delivery;
let secret = "";
let project: Awaited<ReturnType<typeof makeProject>>;

/** One delivery as the server really sent it. */
before(async () => {
  await using t = await startTestApp();
  const receiver = await startReceiver();
  const workspaceId = await bareWorkspace(t);
  const endpoint = await createEndpoint(OPERATOR, t.app, workspaceId, {
    url: `${receiver.base}/x`,
  });
  secret = endpoint.secret;
  await emitSome(t, workspaceId);
  await t.app.drain();
  receiver.close();
  const [received] = receiver.received;
  assert.ok(received);
  const headers = Object.fromEntries(
    Object.entries(received.headers).flatMap(([name, value]) =>
      typeof value === "string" && !/^(host|connection|content-length|transfer-encoding)$/.test(name)
        ? [[name, value]]
        : [],
    ),
  ); // oxfmt-ignore
  genuine = { headers, body: received.body };
  project = await makeProject();
});
after(() => project[Symbol.asyncDispose]());

/** The file a block is saved as, and what runs it. */
interface Program {
  readonly file: string;
  readonly interpreter: string;
  readonly build?: readonly string[];
  readonly run: (port: string) => readonly string[];
}
const PROGRAMS: Record<string, Program> = {
  js: { file: "main.mjs", interpreter: process.execPath, run: () => [process.execPath, "main.mjs"] },
  next: { file: "main.mjs", interpreter: process.execPath, run: () => [process.execPath, "next.mjs"] },
  python: { file: "main.py", interpreter: "python3", run: () => ["python3", "main.py"] },
  php: { file: "main.php", interpreter: "php", run: (port) => ["php", "-S", `127.0.0.1:${port}`, "main.php"] },
  laravel: { file: "controller.php", interpreter: "php", run: (port) => ["php", "-S", `127.0.0.1:${port}`, "laravel.php"] },
  go: { file: "main.go", interpreter: "go", build: ["go", "build", "-o", "receiver", "main.go"], run: () => ["./receiver"] },
  ruby: { file: "main.rb", interpreter: "ruby", run: () => ["ruby", "main.rb"] },
}; // oxfmt-ignore

const signed = (by: string, ageSeconds: number): Delivery => {
  const at = new Date(Date.now() - ageSeconds * 1_000);
  const id = genuine.headers["webhook-id"] ?? "";
  const headers = signatureHeaders({ id, body: Buffer.from(genuine.body), at }, [by]);
  return { body: genuine.body, headers: { ...genuine.headers, ...headers } };
};
const without = (name: string): Delivery => ({
  body: genuine.body,
  headers: Object.fromEntries(
    Object.entries(genuine.headers).filter(([key]) => key !== name && !key.startsWith("webhook-")),
  ),
});

const withHeader = (value: string): Delivery => {
  const { headers, body } = without("x-service-signature");
  return { body, headers: { ...headers, "x-service-signature": value } };
};

/** Headers that anybody may send. */
const HOSTILE = [
  "t",
  "t=,v1=",
  ",,=,",
  "v1=00",
  `t=${"9".repeat(5_000)},v1=${"0".repeat(64)}`,
  `t=-1,v1=${"0".repeat(64)}`,
  `t=1e9,v1=${"0".repeat(64)}`,
  `t=${Math.floor(Date.now() / 1_000)},v1=${"z".repeat(64)}`,
  `t=${Math.floor(Date.now() / 1_000)},v1=${"\u00e9".repeat(64)}`,
  `t=${Math.floor(Date.now() / 1_000)},v1=${"0".repeat(63)}`,
  `t=${Math.floor(Date.now() / 1_000)}${",v1=00".repeat(500)}`,
];

/** Sends half of what it announces, and is gone. */
async function hangUp(port: string): Promise<void> {
  const socket = connect(Number(port), "127.0.0.1");
  await once(socket, "connect");
  const head = "POST /webhooks/parley HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n";
  socket.write(`${head}content-length: 999\r\n\r\n{"half":`, () => socket.resetAndDestroy());
  await once(socket, "close");
}

async function check(block: Block): Promise<void> {
  const program = PROGRAMS[block.words[1] ?? ""] ?? PROGRAMS[block.language];
  assert.ok(program, `nothing runs ${block.language}`);
  await writeFile(path.join(project.folder, program.file), block.code);
  if (program.build) {
    const [command = "", ...parameters] = program.build;
    const built = spawnSync(command, parameters, { cwd: project.folder, encoding: "utf8" });
    assert.equal(built.status, 0, built.stderr);
  }
  const port = String(await freePort());
  await using running = await startProgram(program.run(port), {
    cwd: project.folder,
    env: { PORT: port, WEBHOOK_SECRET: secret },
  });
  const post = async ({ headers, body }: Delivery) => {
    const url = `http://127.0.0.1:${port}/webhooks/parley`;
    return (await fetch(url, { method: "POST", headers, body })).status;
  };
  await hangUp(port);
  assert.equal(await post(genuine), 204, running.output());
  for (const header of HOSTILE) assert.equal(await post(withHeader(header)), 400, header);
  assert.equal(await post(signed(secret, 290)), 204, "four minutes old");
  assert.equal(await post(signed(secret, 310)), 400, "stale");
  assert.equal(await post(signed(secret, -310)), 400, "from the future");
  assert.equal(await post(signed(newSecret(), 0)), 400, "forged with another secret");
  assert.equal(await post({ ...genuine, body: `${genuine.body} ` }), 400, "another body");
  assert.equal(await post(without("x-service-signature")), 400, "unsigned");
  const rotated = signatureHeaders(
    { id: "x", body: Buffer.from(genuine.body), at: new Date() },
    [secret, newSecret()],
  ); // oxfmt-ignore
  const both = { ...genuine.headers, ...rotated };
  assert.equal(await post({ ...genuine, headers: both }), 204, "while the secret is replaced");
  assert.match(running.output(), /usage\.threshold [0-9a-f-]{36}/);
  if (block.words[1] !== "laravel") return;
  // It came four times by now; this receiver keeps the ids and works once.
  assert.equal([...running.output().matchAll(/usage\.threshold /g)].length, 1, running.output());
}

const blocks = blocksOf("receiving-webhooks.md");

test("every language of the guide has its receiver", () => {
  const names = blocks.map((block) => block.words[1] ?? block.language);
  const wanted = ["express", "fastify", "next", "node", "python", "php", "laravel", "go", "ruby"];
  assert.deepEqual(names, wanted);
});

for (const block of blocks) {
  const name = block.words[1] ?? block.language;
  const note =
    name === "next"
      ? " (Next.js played by a stand-in)"
      : name === "laravel"
        ? " (the controller alone, on stand-ins for Laravel's classes)"
        : "";
  test(`${name}${note}: takes what Parley sends; refuses forged, changed, stale and unsigned`, async (t) => {
    const interpreter = PROGRAMS[block.language]?.interpreter ?? "";
    const there = spawnSync(interpreter, [block.language === "go" ? "version" : "--version"]);
    if (there.status !== 0)
      return t.skip(`${interpreter} is not installed: the snippet is not run`);
    await check(block);
  });
}
