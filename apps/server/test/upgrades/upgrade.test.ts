import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import pg from "pg";
import { checkMasterKey } from "../../src/db/check-master-key.ts";
import { migrate } from "../../src/db/migrate.ts";
import { readCatalogue } from "../../src/db/catalogue.ts";
import { listMigrations } from "../../src/db/migrations.ts";
import { openDatabase } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { createBroadcast } from "../../src/broadcasts/record/create-broadcast.ts";
import { Outside, parrot } from "../../src/persons/outside.fixture.ts";
import { createTestDatabase, TestClock } from "../harness.ts";
import { json } from "../messaging.ts";
import { startApi, type Api } from "../v1/api.ts";

/** What `0001.sql` says of itself. */
const BEARER = "pk_FkPhL5Tg3ygOnHdxX4_imw:sk_O1cYHgrCTQ0zk5yyEX7LiIXjJ3RbdovpjquULs1mLN0";
const MASTER_KEY = Buffer.alloc(32, 7);
const MADE_AT = new Date("2026-11-23T14:52:00.047Z");

/** The platform as it was when the dump was made, with ids that it had not given by then. */
class Platform extends Outside {
  #given = 0;
  override accepted() {
    return json(200, { messages: [{ id: `wamid.later.${++this.#given}` }] });
  }
}

/** Tables whose rows a migration changes by intention, and how. */
const CHANGED: Readonly<Record<string, string>> = { migration: "a row for each migration" };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: pg.Client;
let tables: Map<string, { readonly columns: string; readonly rows: readonly string[] }>;
let kept: Map<string, readonly string[]>;
let applied: readonly string[];
let upgraded: readonly string[];
let api: Api;
before(async () => {
  database = await createTestDatabase("template0");
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(await readFile(path.join(import.meta.dirname, "0001.sql"), "utf8"));
  tables = await readRows();
  applied = await migrate(database.url);
  upgraded = await catalogueOf(database.url);
  kept = new Map();
  for (const [name, { columns }] of tables) kept.set(name, await rowsOf(name, columns));
  const clock = new TestClock();
  clock.set(new Date(MADE_AT.getTime() + 1_000));
  api = await startApi({
    clock,
    masterKey: MASTER_KEY,
    config: { databaseUrl: database.url },
    overrides: { providerHttp: new Platform(), guardedHttp: parrot },
  });
});
after(async () => {
  await api[Symbol.asyncDispose]();
  await client.end();
  await database.drop();
});

/** Of each table its columns, and its rows as text. */
async function readRows() {
  const { rows } = await client.query<{ name: string; columns: string }>(`
    select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1 order by 1`);
  const found: typeof tables = new Map();
  for (const { name, columns } of rows)
    found.set(name, { columns, rows: await rowsOf(name, columns) });
  return found;
}

async function rowsOf(table: string, columns: string): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    `select row_to_json(held)::text as text from (select ${columns} from ${table}) as held order by 1`,
  );
  return rows.map(({ text }) => text);
}

const call = async (method: "GET" | "POST" | "PATCH", url: string, json?: object) => {
  const answer = await api.call(method, url, { bearer: BEARER, ...(json && { json }) });
  return { status: answer.status, body: answer.body as unknown };
};
/** The answer of success: its body. */
const ok = async <T>(method: "GET" | "POST" | "PATCH", url: string, json?: object): Promise<T> => {
  const { status, body } = await call(method, url, json);
  assert.ok(status < 300, `${method} ${url} answered ${status} ${JSON.stringify(body)}`);
  return body as T;
};

test("the fixture has a row in every table", () => {
  const empty = [...tables].filter(([, { rows }]) => rows.length === 0).map(([name]) => name);
  assert.deepEqual(empty, []);
});

test("an old database is brought to the schema of a new one, and has all its rows", async () => {
  assert.deepEqual(
    applied,
    listMigrations()
      .slice(1)
      .map(({ name }) => name),
  );
  const fresh = await createTestDatabase();
  try {
    assert.deepEqual(upgraded, await catalogueOf(fresh.url));
  } finally {
    await fresh.drop();
  }
  for (const [name, { rows }] of tables)
    if (CHANGED[name] === undefined) assert.deepEqual(kept.get(name), rows, name);
  assert.deepEqual(await api.app.readiness(), { ready: true, faults: [] });
  await checkMasterKey(api.app.db, api.app.sealer);
});

interface Page {
  readonly items: readonly { readonly id: string; readonly name?: string | null }[];
}

test("rows are written without a search_path, as when a dump of PostgreSQL's own is read back", async () => {
  await client.query("begin; set local search_path = ''");
  const { rowCount } = await client.query("update public.contact set notes = 'restored'");
  assert.equal(rowCount, 2);
  await client.query("rollback");
});

test("what the old database holds is read through every address of the API", async () => {
  const contacts = await ok<Page>("GET", "/contacts?search=sara");
  assert.deepEqual(
    contacts.items.map(({ name }) => name),
    ["Name sara"],
  );
  await ok("GET", `/contacts/${contacts.items[0]?.id}`);
  const conversations = await ok<Page>("GET", "/conversations");
  for (const { id } of conversations.items) {
    await ok("GET", `/conversations/${id}`);
    const messages = await ok<Page>("GET", `/conversations/${id}/messages`);
    for (const message of messages.items) await ok("GET", `/messages/${message.id}`);
  }
  const broadcasts = await ok<Page["items"]>("GET", "/broadcasts");
  assert.equal(broadcasts.length, 2);
  for (const { id } of broadcasts) {
    await ok("GET", `/broadcasts/${id}`);
    await ok("GET", `/broadcasts/${id}/recipients`);
  }
  for (const url of ["/templates", "/segments", "/usage", "/events"]) await ok("GET", url);
});

test("what the old database holds is written to, and its workers go on with it", async () => {
  const { app, clock } = api;
  const [{ workspace = "", contact = "", conversation = "", template = "", channel = "" } = {}] =
    await app.db.query<Record<string, string>>(sql`
      select c.workspace_id as workspace, c.id as contact, t.id as template, t.channel_id as channel,
        v.id as conversation
      from contact c
      join conversation v on v.workspace_id = c.workspace_id and v.contact_id = c.id
      join template t on t.workspace_id = c.workspace_id and t.channel_id = v.channel_id
      where c.name = 'Name sara'`);
  await ok("POST", "/contacts", { name: "New", phone: "96550004444" });
  await ok("PATCH", `/contacts/${contact}`, { notes: "after the upgrade" });
  const { id } = await ok<{ id: string }>("POST", "/messages", {
    conversationId: conversation,
    text: "after the upgrade",
  });
  const made = await createBroadcast(OPERATOR, app, workspace, {
    name: "After",
    kind: "WHATSAPP_TEMPLATE",
    channelId: channel,
    templateId: template,
    variables: { "1": "{{name}}" },
  });
  // The account asked for an hour's rest when the dump was made.
  await app.db.query(sql`update channel set throttled_until = null`);
  await ok("POST", `/broadcasts/${made.id}/start`);
  await app.drain();
  clock.advance(60_000);
  await app.drain();
  const counts = await app.db.query<Record<string, number>>(sql`
    select (select count(*) from message_outbox where workspace_id = ${workspace}) as outbox,
      (select count(*) from message where id = ${id} and provider_message_id is not null) as sent,
      (select count(*) from broadcast_recipient where broadcast_id = ${made.id} and status = 'sent') as reached,
      (select count(*) from person_erasure where state <> 'done') as erasures`);
  assert.deepEqual(counts, [{ outbox: 0, sent: 1, reached: 3, erasures: 0 }]);
});

async function catalogueOf(url: string): Promise<string[]> {
  const db = openDatabase({ connectionString: url, poolSize: 1 });
  try {
    return await readCatalogue(db);
  } finally {
    await db.close();
  }
}
