import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { buildApp, type App } from "../../src/app.ts";
import { loadAccounts } from "../../src/channels/load-accounts.ts";
import { createWorkspace } from "../../src/workspaces/create-workspace.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { BARE } from "../process/launch.ts";
import { startSession, type Session } from "./command-session.ts";

const MAIN = path.resolve(import.meta.dirname, "../../src/cli/main.ts");
const folder = mkdtempSync(path.join(os.tmpdir(), "parley-secrets-"));
let t: TestApp;
/** With the commands' master key. */
let app: App;
let env: Record<string, string>;
let session: Session;
let workspaceId: string;

before(async () => {
  t = await startTestApp();
  const masterKey = randomBytes(32);
  app = await buildApp(t.app.config, { masterKey });
  env = {
    DATABASE_URL: t.databaseUrl,
    PARLEY_MASTER_KEY: masterKey.toString("base64"),
    PARLEY_DATA_DIR: folder,
  };
  session = startSession(env);
  workspaceId = (await createWorkspace(OPERATOR, app, { name: "A", plan: "business" })).id;
});
after(async () => {
  await session[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
  await t[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const connect = (phone: string, access: string, secret: string, verify: string): string[] => [
  ..."channel connect whatsapp --json --waba-id 1 --name N --workspace".split(" "),
  workspaceId,
  "--phone-number-id",
  phone,
  "--access-token",
  access,
  "--app-secret",
  secret,
  "--verify-token",
  verify,
];

async function stored(stdout: string): Promise<unknown> {
  const { id } = JSON.parse(stdout) as { id: string };
  const accounts = await loadAccounts(app, [{ workspaceId, channelId: id }]);
  const { accessToken, appSecret, verifyToken } = accounts.get(id)?.secrets ?? {};
  return [accessToken, appSecret, verifyToken];
}

test("a secret is read from a file, from standard input, or given as it is", async () => {
  const file = path.join(folder, "token");
  writeFileSync(file, "from-a-file\r\n");
  const child = spawn(process.execPath, [MAIN, ...connect("1", `@${file}`, "-", "@@as-it-is")], {
    env: { ...BARE, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end("from-standard-input\n");
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  assert.equal(stderr, "");
  assert.deepEqual(await stored(stdout), ["from-a-file", "from-standard-input", "@as-it-is"]);
  const plain = await session.run(...connect("2", "a@b", "--", "-x"));
  assert.deepEqual(await stored(plain.stdout), ["a@b", "--", "-x"], "as ever");
});

test("a secret that cannot be read is one line, and nothing is stored", async () => {
  writeFileSync(path.join(folder, "empty"), "\n");
  const before = await session.run("channel", "list", "--workspace", workspaceId, "--json");
  for (const [access, secret, said] of [
    [
      `@${folder}/none`,
      "x",
      `--access-token: ${folder}/none cannot be read (ENOENT); a secret that begins with @ is written with @@`,
    ],
    [`@${folder}/empty`, "x", `--access-token: ${folder}/empty is empty`],
  ] as const) {
    const { code, stdout, stderr } = await session.run(...connect("3", access, secret, "x"));
    assert.deepEqual([code, stdout, stderr], [2, "", `parley: ${said}\n`]);
  }
  const child = spawn(process.execPath, [MAIN, ...connect("3", "-", "-", "x")], {
    env: { ...BARE, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end("one");
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  assert.equal(
    said,
    "parley: --app-secret: standard input holds one secret; give this one as @FILE\n",
  );
  assert.equal(code, 2);
  const after = await session.run("channel", "list", "--workspace", workspaceId, "--json");
  assert.equal(after.stdout, before.stdout);
});
