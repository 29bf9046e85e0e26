import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { LONG } from "../../../test/group.ts";
import { startSandboxStand, type SandboxStand } from "../../../test/sandbox-stand.ts";
import { MEMBER_ROLES, OPERATOR, type MemberRole } from "../../actor.ts";
import { exportContacts } from "../../contacts/record/export-contacts.ts";
import { Sql, sql } from "../../db/sql.ts";
import type { AppFace } from "./contract/face.ts";
import {
  ENTRIES,
  FACES,
  kindsIn,
  StockedWorkspace,
  type Answer,
  type Asking,
  type Entry,
  type Stock,
} from "./faces.fixture.ts";

// Every face, asked by every role: with its own workspace's ids, and with those of another one in each place.

const MARK = "Zubaida";
let stand: SandboxStand;
let ours: StockedWorkspace;
let theirs: StockedWorkspace;
before(async () => {
  stand = await startSandboxStand();
  theirs = await StockedWorkspace.open(stand, MARK);
  ours = await StockedWorkspace.open(stand, "Ours");
});
after(async () => {
  await stand[Symbol.asyncDispose]();
});

const faces: readonly (readonly [string, AppFace, Entry | "for anybody"])[] = Object.entries(
  ENTRIES,
).map(([name, entry]) => {
  const face: AppFace | undefined = new Map<string, AppFace>(Object.entries(FACES)).get(name);
  assert.ok(face, name);
  return [name, face, entry];
});

/** What stands in every table of a workspace: how many rows, and their sum. */
async function digest({ id }: StockedWorkspace): Promise<Record<string, unknown>> {
  const { db } = stand.t.app;
  const tables = await db.query<{ name: string }>(
    sql`select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'workspace_id' order by table_name`,
  );
  const sums: Record<string, unknown> = {};
  for (const { name } of tables) {
    const [row] = await db.query(sql`select count(*)::int as n,
      md5(coalesce(string_agg(md5(t::text), '' order by md5(t::text)), '')) as sum
      from ${new Sql([`"${name}"`], [])} t where workspace_id = ${id}`);
    sums[name] = row;
  }
  [sums["workspace"]] = await db.query(
    sql`select md5(w::text) as sum from workspace w where id = ${id}`,
  );
  sums["login"] = await db.query(sql`select md5(l::text) as sum from login l
    where id in (select login_id from member where workspace_id = ${id}) order by id`);
  return sums;
}

test("every face has an entry", () => {
  assert.deepEqual(Object.keys(ENTRIES).sort(), Object.keys(FACES).sort());
  for (const [name, face, entry] of faces)
    assert.equal(entry === "for anybody", face.who === "anybody", name);
});

test("an id of another workspace leads nowhere, in whatever place of whatever face, and changes nothing there", async () => {
  const before = await digest(theirs);
  assert.ok(Object.values(before).length > 40);
  const faults: string[] = [];
  let asked = 0;
  for (const [turn, [name, face, entry]] of faces.entries()) {
    if (entry === "for anybody") continue;
    // In the short suite one role asks for each face, and each role for a share of the faces.
    const roles = MEMBER_ROLES.filter((role) => face.who.includes(role));
    for (const role of LONG ? roles : roles.slice(turn % roles.length).slice(0, 1)) {
      const [own, foreign] = [ours.stock[role], theirs.stock[role]];
      for (const kind of kindsIn(entry, own, role)) {
        const asWith = async (id: string) => {
          const mixed: Stock = { ...own, [kind]: id };
          return ours.ask(role, face, entry.ask(mixed, role));
        };
        const { status, code, text } = await asWith(foreign[kind]);
        const unknown = await asWith(crypto.randomUUID());
        asked++;
        const right = entry.choosing?.includes(kind)
          ? status < 300 || status === 404 || status === 400
          : status === 404 || status === 400;
        if (!right) faults.push(`${name} as ${role} with their ${kind}: ${status} ${code}`);
        if (status !== unknown.status || code !== unknown.code)
          faults.push(`${name} as ${role} tells their ${kind} from an id that nobody has`);
        if (text.includes(MARK)) faults.push(`${name} as ${role} with their ${kind}: ${text}`);
      }
    }
  }
  assert.deepEqual(faults, []);
  assert.ok(asked > (LONG ? 200 : 80), `only ${asked} requests`);
  assert.deepEqual(await digest(theirs), before);
});

test("what only higher roles may do within a face is refused to the others", async () => {
  const { owner, admin, agent } = ours.stock;
  const id = async (role: MemberRole) =>
    /"id":"([^"]+)"/.exec((await ours.ask(role, FACES.readSignedIn, {})).text)?.[1] ?? "";
  const [ownerId, adminId] = [await id("owner"), await id("admin")];
  const filter = { all: [] };
  const shared = { name: "All of us", filter, shared: true };
  const view = await ours.ask("owner", FACES.createView, { body: shared });
  const reply = { shortcut: "all", title: "All", text: "All", shared: true };
  const saved = await ours.ask("owner", FACES.createSavedReply, { body: reply });
  const idIn = ({ text }: Answer) => ({ id: /"id":"([^"]+)"/.exec(text)?.[1] ?? "" });
  const refused: readonly (readonly [MemberRole, keyof typeof FACES, Asking])[] = [
    ["agent", "changeConsent", { params: { id: agent.contact }, body: { optedOut: false } }],
    ["agent", "createView", { body: shared }],
    ["agent", "updateView", { params: idIn(view), body: { name: "Mine" } }],
    ["agent", "deleteView", { params: idIn(view) }],
    ["agent", "createSavedReply", { body: { ...reply, shortcut: "mine" } }],
    ["agent", "updateSavedReply", { params: idIn(saved), body: { title: "Mine" } }],
    ["agent", "deleteSavedReply", { params: idIn(saved) }],
    ["agent", "changeNote", { params: { id: owner.note }, body: { text: "Not what I said" } }],
    ["agent", "removeNote", { params: { id: owner.note } }],
    ["admin", "inviteMember", { body: { email: "boss@example.com", role: "owner" } }],
    ["admin", "changeMember", { params: { id: admin.colleague }, body: { role: "owner" } }],
    ["admin", "changeMember", { params: { id: ownerId }, body: { role: "agent" } }],
    ["admin", "changeMember", { params: { id: ownerId }, body: { disabled: true } }],
    ["admin", "makeResetLink", { params: { id: ownerId } }],
    ["admin", "endMemberSessions", { params: { id: ownerId } }],
    ["admin", "resetTwoFactor", { params: { id: ownerId } }],
    ["admin", "resetTwoFactor", { params: { id: adminId } }],
  ];
  const answers: string[] = [];
  for (const [role, name, asking] of refused) {
    const { code } = await ours.ask(role, FACES[name], asking);
    if (code !== "FORBIDDEN") answers.push(`${name} as ${role}: ${code}`);
  }
  assert.deepEqual(answers, []);
});

test("a change to more than 200 conversations is for admins, and one to 200 for everybody", async () => {
  const { db } = stand.t.app;
  const workspaceId = ours.id;
  const { channel } = ours.stock.owner;
  await db.query(sql`
    with many as (select uuidv7() as id, n from generate_series(1, 201) n),
      people as (insert into contact (workspace_id, id, name, search, created_at, updated_at)
        select ${workspaceId}, id, 'Many', 'many', now(), now() from many returning id),
      threads as (insert into conversation (workspace_id, id, contact_id, channel_id, channel_type, external_id, status,
          created_at)
        select ${workspaceId}, id, id, ${channel}, 'WHATSAPP', (96560000000 + n)::text, 'resolved', now()
        from many join people using (id) returning id)
    insert into desk_conversation (workspace_id, conversation_id, channel_id, status, desk_at, change)
    select ${workspaceId}, id, ${channel}, 'resolved', now(), n from many join threads using (id)`);
  const before = await digest(theirs);
  const labelled = async (label: string) => {
    const [row] = await db.query<{ n: number }>(sql`select count(*)::int as n from conversation
      where workspace_id = ${workspaceId} and ${label} = any (labels)`);
    return row?.n;
  };
  const ask = async (role: MemberRole | null, which: object, label: string) => {
    const body = { which, addLabels: [label] };
    const { status, code, text } = await ours.ask(role, FACES.changeConversations, { body });
    return [code ?? status, /"changed":(\d+)/.exec(text)?.[1], await labelled(label)];
  };
  const whole = { view: "resolved" };
  assert.deepEqual(await ask(null, whole, "by nobody"), ["UNAUTHENTICATED", undefined, 0]);
  assert.deepEqual(await ask("agent", whole, "by agent"), ["FORBIDDEN", undefined, 0]);
  assert.deepEqual(await ask("admin", whole, "by admin"), [200, "201", 201]);
  assert.deepEqual(await ask("owner", whole, "by owner"), [200, "201", 201]);
  const written = await db.query<{ actor: string; n: number }>(sql`
    select actor, count(*)::int as n from audit_entry
    where workspace_id = ${workspaceId} and facts::text like '%"by owner"%' group by actor`);
  assert.deepEqual([written.length, written[0]?.n], [1, 201], JSON.stringify(written));
  const [one] = await db.query<{
    id: string;
  }>(sql`select conversation_id as id from desk_conversation
    where workspace_id = ${workspaceId} and status = 'resolved' limit 1`);
  const reopen = { which: { ids: [one?.id] }, status: "open" };
  await ours.ask("agent", FACES.changeConversations, { body: reopen });
  assert.deepEqual(await ask("agent", whole, "by agent"), [200, "200", 200]);
  assert.deepEqual(await digest(theirs), before);
});

test("every face whose answer is a file leaves an entry of the audit with its count and filter, without what was searched for", async () => {
  const { db } = stand.t.app;
  const written = () =>
    db.query<{ action: string; facts: object }>(sql`
      select action, facts from audit_entry
      where workspace_id = ${ours.id} and action like '%.exported' order by id`);
  let known = (await written()).length;
  const left: Record<string, unknown> = {};
  const lines: Record<string, number> = {};
  for (const [name, face, entry] of faces) {
    // A file of a message is looked at in its conversation; it is no export.
    if (entry === "for anybody" || face.method !== "GET" || name === "memberFile") continue;
    const { isFile, text } = await ours.ask("owner", face, entry.ask(ours.stock.owner, "owner"));
    const entries = (await written()).slice(known);
    known += entries.length;
    if (isFile || entries.length > 0)
      left[name] = entries.map(({ action, facts }) => ({ action, ...facts }));
    // Without the header.
    if (isFile) lines[name] = text.trimEnd().split("\r\n").length - 1;
  }
  const { refusedRows = 0, recipientsFile = 0, contactExport = 0 } = lines;
  assert.ok(Math.min(refusedRows, recipientsFile, contactExport) > 0);
  const { segment } = ours.stock.owner;
  const complete = true;
  assert.deepEqual(left, {
    refusedRows: [{ action: "import_file.exported", count: refusedRows, complete }],
    recipientsFile: [{ action: "broadcast.exported", count: recipientsFile, complete }],
    contactExport: [
      { action: "contacts.exported", count: contactExport, segment, fields: ["name"], complete },
    ],
    personExport: [{ action: "contact.exported", count: 1, complete }],
  });
  await ours.ask("owner", FACES.contactExport, { query: { search: "Huda" } });
  // A reader who breaks off after the first line.
  for await (const _ of exportContacts(OPERATOR, stand.t.app, ours.id)) break;
  assert.deepEqual(
    (await written()).slice(known).map(({ facts }) => facts),
    [
      { count: 1, fields: ["name", "email"], complete: true },
      { count: 0, complete: false },
    ],
  );
});

test("every face answers each role, and nobody without a session", async () => {
  const before = await digest(theirs);
  const faults: string[] = [];
  const worked = new Set<string>();
  const said = new Map<string, string>();
  for (const role of [...MEMBER_ROLES].toReversed()) {
    // A new minute: what the tests before asked counts for its limit no more.
    stand.t.clock.advance(61_000);
    for (const [name, face, entry] of faces) {
      if (entry === "for anybody") continue;
      const asking = entry.ask(ours.stock[role], role);
      const without = role === "owner" ? await ours.ask(null, face, asking) : null;
      if (without && without.status !== 401)
        faults.push(`${name} without a session: ${without.status}`);
      const { status, code, text } = await ours.ask(role, face, asking);
      const allowed = face.who.includes(role);
      if (allowed ? status === 403 || status === 401 : status !== 403 || code !== "FORBIDDEN")
        faults.push(`${name} as ${role}: ${status} ${code}`);
      if (allowed && (status < 300 || code === entry.own)) worked.add(name);
      else said.set(name, `${said.get(name) ?? ""} ${role}: ${status} ${text}`);
      if (text.includes(MARK)) faults.push(`${name} as ${role} tells: ${text}`);
    }
  }
  // Else the requests with another workspace's ids were wrong for other reasons, and proved nothing.
  for (const [name, , entry] of faces)
    if (entry !== "for anybody" && !worked.has(name))
      faults.push(`${name} worked for nobody: ${said.get(name)}`);
  assert.deepEqual(faults, []);
  assert.deepEqual(await digest(theirs), before);
});

test("every POST answers a repeated Idempotency-Key with its first answer, and another body under it with 422", async () => {
  const house = await StockedWorkspace.open(stand, "Once");
  const posts = faces.filter(([, { method }]) => method === "POST");
  let repeated = 0;
  for (const [name, face, entry] of posts) {
    if (entry === "for anybody") continue;
    const asking = entry.ask(house.stock.owner, "owner");
    const headers = { "idempotency-key": name };
    const first = await house.ask("owner", face, { ...asking, headers });
    // What was refused may be asked again with a better body.
    if (first.status >= 300) continue;
    // Its session has ended.
    if (name === "signOut") continue;
    const again = await house.ask("owner", face, { ...asking, headers });
    assert.deepEqual(
      [again.status, again.text, again.replayed],
      [first.status, first.text, true],
      name,
    );
    repeated++;
    const file = typeof asking.body === "string";
    // A face without a body reads none, and an empty object has one form.
    if ((face.body === undefined && !file) || JSON.stringify(asking.body) === "{}") continue;
    const body = file ? `${String(asking.body)} more` : asking.body;
    const changed = { ...asking, headers, indent: 1, ...(body !== undefined && { body }) };
    const other = await house.ask("owner", face, changed);
    assert.deepEqual([other.status, other.code], [422, "IDEMPOTENCY_KEY_REUSED"], name);
  }
  assert.ok(repeated > 30, `${repeated} of ${posts.length}`);
  const secret = posts.flatMap(([name, face]) => (face.secret ? [name] : []));
  const kept = await stand.t.app.db.query<{ key: string; body: string }>(
    sql`select key, body from idempotency_key where workspace_id = ${house.id} and status_code < 300`,
  );
  for (const { key, body } of kept)
    assert.equal(body.startsWith("sealed "), secret.includes(key), key);
});
