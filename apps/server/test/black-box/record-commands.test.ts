import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { openDatabase, type Db } from "../../src/db/database.ts";
import { sql, Sql } from "../../src/db/sql.ts";
import { verifyPassword } from "../../src/logins/password.ts";
import { listWorkspaceTables } from "../../src/removal/removal-store.ts";
import { createTestDatabase } from "../harness.ts";
import { BARE } from "../process/launch.ts";
import { startSession, type Session } from "./command-session.ts";

/** What an operator reads and changes one record at a time: people, contacts, conversations, templates, audit, notices, a whole workspace. */
const folder = mkdtempSync(path.join(os.tmpdir(), "parley-records-"));
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let environment: Record<string, string>;
let session: Session;
let db: Db;
before(async () => {
  database = await createTestDatabase();
  environment = {
    DATABASE_URL: database.url,
    PARLEY_MASTER_KEY: randomBytes(32).toString("base64"),
    PARLEY_DATA_DIR: folder,
    PARLEY_DEMO: "off",
    PARLEY_OUTBOUND_ALLOW: "127.0.0.0/8",
  };
  session = startSession(environment);
  db = openDatabase({ connectionString: database.url, onError: () => {} });
});
after(async () => {
  await session[Symbol.asyncDispose]();
  await db.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

type Json = Record<string, unknown>;
async function ok<T = Json>(...words: string[]): Promise<T> {
  const { code, stdout, stderr } = await session.run(...words, "--json");
  assert.deepEqual([code, stderr], [0, ""], words.join(" "));
  return JSON.parse(stdout) as T;
}
async function mistake(words: string[], wanted: RegExp): Promise<void> {
  const { code, stdout, stderr } = await session.run(...words, "--json");
  assert.deepEqual([code, stdout], [2, ""], words.join(" "));
  assert.match(stderr, wanted);
  assert.equal(stderr.trimEnd().split("\n").length, 1);
}
async function openWorkspace(name = "Shop"): Promise<string> {
  return String((await ok("workspace", "create", "--name", name, "--plan", "growth")).id);
}
const person = (workspace: string, email: string, role: string) =>
  ok(
    "user",
    "create",
    "--workspace",
    workspace,
    "--email",
    email,
    "--name",
    "Sara",
    "--role",
    role,
  );

test("a person is changed, and the last owner stays one", async () => {
  const workspace = await openWorkspace();
  const owner = String((await person(workspace, "owner@shop.example", "owner")).id);
  const agent = String((await person(workspace, "agent@shop.example", "agent")).id);
  const at = ["--workspace", workspace];
  const changed = await ok("user", "update", agent, ...at, "--name", "Mona", "--role", "admin");
  assert.deepEqual(
    [changed["name"], changed["role"], changed["email"]],
    ["Mona", "admin", "agent@shop.example"],
  );
  await mistake(
    ["user", "update", agent, ...at, "--email", "Owner@shop.example"],
    /already a member/,
  );
  await mistake(["user", "update", agent, ...at], /nothing to change was given/);
  await mistake(["user", "update", owner, ...at, "--role", "agent"], /needs an owner/);
  await mistake(["user", "remove", owner, ...at], /needs an owner/);
  const other = await openWorkspace("Other");
  await mistake(["user", "update", agent, "--workspace", other, "--name", "X"], /no member/);
  await ok("user", "update", agent, ...at, "--role", "owner");
  await ok("user", "remove", owner, ...at);
  const left = await ok<Json[]>("user", "list", ...at);
  assert.deepEqual(
    left.map((one) => one["id"]),
    [agent],
  );
});

test("a removed person's conversations are unassigned, and events tell so", async () => {
  const workspace = await openWorkspace();
  await person(workspace, "owner@shop.example", "owner");
  const agent = String((await person(workspace, "agent@shop.example", "agent")).id);
  const contact = String(
    (await ok("contact", "create", "--workspace", workspace, "--phone", "+96551110001")).id,
  );
  const channel = String(
    (await ok("channel", "connect", "web", "--workspace", workspace, "--name", "Site")).id,
  );
  const id = "0190a000-0000-7000-8000-000000000001";
  await db.query(sql`insert into conversation
      (workspace_id, id, contact_id, channel_id, channel_type, external_id, created_at, assignee_id)
    values (${workspace}, ${id}, ${contact}, ${channel}, 'WEB', 'browser', now(), ${agent})`);
  await ok("user", "remove", agent, "--workspace", workspace);
  const { conversation, messages } = await ok<{ conversation: Json; messages: Json[] }>(
    "conversation",
    "show",
    id,
  );
  assert.deepEqual([conversation["assigneeId"], messages], [null, []]);
  const events = await db.query<{ type: string }>(
    sql`select type from event where workspace_id = ${workspace} and type = 'conversation.updated'`,
  );
  assert.equal(events.length, 1);
  const listed = await ok<{ items: Json[] }>(
    "conversation",
    "list",
    "--workspace",
    workspace,
    "--contact",
    contact,
  );
  assert.deepEqual(
    listed.items.map((one) => one["id"]),
    [id],
  );
  const none = await ok<{ items: Json[] }>(
    "conversation",
    "list",
    "--workspace",
    workspace,
    "--status",
    "resolved",
  );
  assert.deepEqual(none.items, []);
});

test("a password is read from standard input and never printed", async () => {
  const workspace = await openWorkspace();
  // An address of its own: once its password is chosen, another workspace's command asks for --existing-login.
  const owner = String((await person(workspace, "chooser@shop.example", "owner")).id);
  const words = ["user", "reset-password", owner, "--workspace", workspace, "--password-stdin"];
  const reset = async (password: string) => {
    const child = spawn(
      process.execPath,
      [path.join(import.meta.dirname, "../../src/cli/main.ts"), ...words],
      { env: { ...BARE, ...environment }, stdio: ["pipe", "pipe", "pipe"] },
    );
    let said = "";
    child.stdout.on("data", (data: Buffer) => (said += data.toString()));
    child.stderr.on("data", (data: Buffer) => (said += data.toString()));
    child.stdin.end(`${password}\n`);
    const [code] = (await once(child, "close")) as [number];
    return { code, said };
  };
  const short = await reset("short");
  assert.equal(short.code, 2);
  assert.match(short.said, /at least|10 to 1000/);
  const done = await reset("correct horse battery");
  assert.equal(done.code, 0);
  assert.ok(!done.said.includes("correct horse"));
  const [row] = await db.query<{ hash: string }>(
    sql`select login.password_hash as hash from login join member on login_id = login.id where workspace_id = ${workspace} and member.id = ${owner}`,
  );
  assert.ok(await verifyPassword(row?.hash ?? "", "correct horse battery"));
  const other = await openWorkspace("Other");
  const again = ["user", "create", "--workspace", other, "--email", "chooser@shop.example"];
  const rest = ["--name", "Sara", "--role", "owner"];
  await mistake([...again, ...rest], /repeat the command with --existing-login/);
  await ok(...again, ...rest, "--existing-login");
});

test("a contact is made, changed and shown", async () => {
  const workspace = await openWorkspace();
  const at = ["--workspace", workspace];
  await mistake(["contact", "create", ...at, "--name", "Sara"], /CONTACT_NEEDS_IDENTITY/);
  const made = await ok(
    "contact",
    "create",
    ...at,
    "--name",
    "Sara",
    "--phone",
    "+965 5111 0001",
    "--tag",
    "VIP",
    "--attribute",
    "city=Kuwait",
    "--attribute",
    "orders=3",
  );
  assert.deepEqual(
    [made["phone"], made["tags"], made["attributes"]],
    ["96551110001", ["vip"], { city: "Kuwait", orders: 3 }],
  );
  const id = String(made["id"]);
  const after = await ok("contact", "update", id, ...at, "--notes", "likes tea", "--opt-out");
  assert.deepEqual([after["notes"], after["optedOut"], after["name"]], ["likes tea", true, "Sara"]);
  assert.equal(
    (await ok("contact", "update", id, ...at, "--name", "", "--opt-in"))["optedOut"],
    false,
  );
  assert.equal((await ok("contact", "show", id, ...at))["name"], null);
  await mistake(["contact", "update", id, ...at], /nothing to change was given/);
  await mistake(["contact", "update", id, ...at, "--opt-in", "--opt-out"], /cannot both/);
  await mistake(["contact", "show", id, "--workspace", await openWorkspace("Other")], /no contact/);
});

test("the audit is filtered and read page by page", async () => {
  const workspace = await openWorkspace();
  const at = ["--workspace", workspace];
  const owner = String((await person(workspace, "owner@shop.example", "owner")).id);
  await ok("user", "update", owner, ...at, "--name", "Mona");
  const list = (...words: string[]) =>
    ok<{ entries: { action: string; subject: string }[]; nextCursor: string | null }>(
      "audit",
      "list",
      ...at,
      ...words,
    );
  const all = await list();
  assert.deepEqual(
    all.entries.map((one) => one.action),
    ["member.updated", "member.created", "workspace.created"],
  );
  assert.deepEqual((await list("--action", "member")).entries.length, 2);
  assert.deepEqual(
    (await list("--subject", workspace)).entries.map((one) => one.action),
    ["workspace.created"],
  );
  assert.deepEqual((await list("--actor", "nobody")).entries, []);
  assert.deepEqual((await list("--since", "2100-01-01T00:00:00Z")).entries, []);
  const first = await list("--limit", "2");
  const second = await list("--limit", "2", "--cursor", String(first.nextCursor));
  assert.deepEqual(
    [...first.entries, ...second.entries].map((one) => one.action),
    all.entries.map((one) => one.action),
  );
  assert.equal(second.nextCursor, null);
  const people = await session.run("audit", "list", ...at);
  assert.match(people.stdout, /^TIME +ACTOR +ACTION/);
});

test("notices and templates are listed, and an empty list says none", async () => {
  const workspace = await openWorkspace();
  const at = ["--workspace", workspace];
  for (const noun of ["notice", "template"]) {
    assert.deepEqual(await ok(noun, "list", ...at), []);
    assert.equal((await session.run(noun, "list", ...at)).stdout, "none\n");
  }
  await db.query(sql`insert into notice (workspace_id, id, kind, subject, body, dedupe, created_at)
    values (${workspace}, '0190a000-0000-7000-8000-000000000002', 'endpoint.disabled', 'An endpoint was disabled', 'It failed.', 'x', now())`);
  const [notice] = await ok<Json[]>("notice", "list", ...at);
  assert.deepEqual(
    [notice?.["subject"], notice?.["mailWaits"]],
    ["An endpoint was disabled", false],
  );
  for (const noun of ["notice", "template", "audit", "conversation"])
    await mistake(
      [noun, "list", "--workspace", "0190a000-0000-7000-8000-00000000dead"],
      /no workspace/,
    );
});

test("a workspace is deleted with its rows and files when its name is given, and others keep theirs", async () => {
  const [kept, gone] = [await openWorkspace("Kept"), await openWorkspace("Gone")];
  const file = path.join(folder, "hello.txt");
  writeFileSync(file, "hello");
  for (const workspace of [kept, gone]) {
    await person(workspace, "owner@shop.example", "owner");
    await ok("key", "create", "--workspace", workspace);
    await ok("webhook", "create", "--workspace", workspace, "--url", "http://127.0.0.1:9/hook");
    const channel = String(
      (await ok("channel", "connect", "web", "--workspace", workspace, "--name", "Site")).id,
    );
    const contact = String(
      (await ok("contact", "create", "--workspace", workspace, "--phone", "+96551110001")).id,
    );
    const id = `0190a000-0000-7000-8000-0000000001${workspace === kept ? "01" : "02"}`;
    await db.query(sql`insert into conversation
        (workspace_id, id, contact_id, channel_id, channel_type, external_id, created_at, window_expires_at)
      values (${workspace}, ${id}, ${contact}, ${channel}, 'WEB', 'browser', now(), null)`);
    await ok("message", "send", "--conversation", id, "--text", "hello", "--attach", file);
  }
  const files = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile() && one.parentPath.includes(gone))
      .map((one) => one.name);
  assert.ok(files().length > 0, "the message's file is stored");
  const rowsOf = async (workspace: string): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {};
    for (const table of await listWorkspaceTables(db)) {
      const [row] = await db.query<{ n: number }>(
        new Sql(
          [`select count(*)::int as n from ${table} where workspace_id = `, "::uuid"],
          [workspace],
        ),
      );
      if (row && row.n > 0) counts[table] = row.n;
    }
    return counts;
  };
  const before = await rowsOf(kept);
  assert.ok(Object.keys(await rowsOf(gone)).length > 10);
  await mistake(["workspace", "delete", gone], /--name is needed/);
  await mistake(
    ["workspace", "delete", gone, "--name", "Kept"],
    /is not the name of this workspace/,
  );
  const { code, stdout, stderr } = await session.run(
    "workspace",
    "delete",
    gone,
    "--name",
    "Gone",
    "--json",
  );
  assert.equal(code, 0, stderr);
  const removed = JSON.parse(stdout) as Json;
  assert.deepEqual([removed["id"], removed["files"]], [gone, 1]);
  assert.deepEqual(await rowsOf(gone), {});
  assert.deepEqual(files(), []);
  assert.deepEqual(await rowsOf(kept), before);
  const left = await ok<Json[]>("workspace", "list");
  assert.ok(left.every((one) => one["id"] !== gone));
  await mistake(["workspace", "delete", gone, "--name", "Gone"], /no workspace/);
});

test("an unknown word is named, also beside --help", async () => {
  for (const words of [["nonsense"], ["nonsense", "--help"], ["workspace", "nonsense", "--help"]]) {
    const { code, stdout, stderr } = await session.run(...words);
    assert.deepEqual([code, stdout], [2, ""], words.join(" "));
    assert.match(stderr, /unknown command 'nonsense'/);
  }
});
