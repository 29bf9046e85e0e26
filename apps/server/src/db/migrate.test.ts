import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { test } from "node:test";
import pg from "pg";
import { freePort } from "../../test/free-port.ts";
import { LONG } from "../../test/group.ts";
import { createTestDatabase, startTestApp } from "../../test/harness.ts";
import { foldText } from "../contacts/record/contact.ts";
import { readCatalogue } from "./catalogue.ts";
import { openDatabase } from "./database.ts";
import { migrate, newerMigrations } from "./migrate.ts";
import { expectedCatalogue, listMigrations, oldestBeside } from "./migrations.ts";
import { Sql, sql } from "./sql.ts";
import { VERSION } from "../version.ts";
import { textIndexWarning } from "./text-index.ts";

/** Runs `work` with the address of a database after these `statements` were run in it. */
async function prepared(
  statements: readonly string[],
  work: (url: string) => Promise<void>,
): Promise<void> {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
    await work(database.url);
  } finally {
    await client.end();
    await database.drop();
  }
}

test("a PostgreSQL that is too old is named with what is needed, before anything is made", async () => {
  // What an older server says about itself. This function is found before the true one.
  const older = `create schema older; create function older.current_setting(text) returns text language sql as $$
    select case $1 when 'server_version_num' then '140012' when 'server_version' then '14.12'
      else pg_catalog.current_setting($1) end $$`;
  await prepared([older], async (url) => {
    const pretending = `${url}&options=${encodeURIComponent("-c search_path=older,pg_catalog,public")}`;
    await assert.rejects(migrate(pretending), {
      message: "it is PostgreSQL 14.12, and 15 or newer is needed",
    });
  });
});

test("a database in another encoding is refused with the statement that makes one that fits", async () => {
  const name = "other_ascii";
  const make = `create database ${name} encoding 'SQL_ASCII' template template0 locale_provider libc lc_collate 'C' lc_ctype 'C'`;
  await prepared([make], async (url) => {
    const other = url.replace(/\/t_[0-9a-f]+\?/, `/${name}?`);
    await assert.rejects(migrate(other), {
      message: `its encoding is SQL_ASCII, and UTF8 is needed: create database ${name} encoding 'UTF8' template template0`,
    });
  });
});

/**
 * Runs `work` with a new database, made with `options`, after these `statements` were run in it. It is not migrated.
 */
async function made(
  options: string,
  statements: readonly string[],
  work: (url: string, client: pg.Client) => Promise<void>,
): Promise<void> {
  const name = `made_${randomBytes(8).toString("hex")}`;
  const make = `create database ${name} template template0 encoding 'UTF8' ${options}`;
  await prepared([make], async (url) => {
    const own = url.replace(/\/t_[0-9a-f]+\?/, `/${name}?`);
    const client = new pg.Client({ connectionString: own });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
      await work(own, client);
    } finally {
      await client.end();
    }
  });
}

test("in a Turkish database with its extensions in another schema, letters get their usual lower case, in an index too", async () => {
  const elsewhere = ["pg_trgm", "btree_gin"].map((one) => `create extension ${one} schema tools`);
  const turkish = "locale_provider icu icu_locale 'tr-TR' lc_ctype 'C'";
  await made(turkish, ["create schema tools", ...elsewhere], async (url, client) => {
    await migrate(url);
    const told =
      "INFO IŞIK İZMİR ÉCOLE СОНЯ ΝΙΚΟΣ Straße أحمد E\u0301 I\u0307 i\u0307 ا\u0654 \u0651\u064e";
    const { rows } = await client.query("select folded($1) as folded", [told]);
    assert.deepEqual(rows, [{ folded: foldText(told) }]);
    await client.query("set enable_seqscan = off");
    const plan = await client.query<{ "QUERY PLAN": string }>(
      "explain select from contact where workspace_id = '0198a000-0000-7000-8000-000000000000' and folded(email) = folded('A@b.co') and email is not null",
    );
    assert.match(plan.rows.map((row) => row["QUERY PLAN"]).join("\n"), /contact_by_email/);
    const db = openDatabase({ connectionString: url });
    const warning = await textIndexWarning(db);
    await db.close();
    assert.match(warning ?? "", /LC_CTYPE is C: searches/);
    // The extensions' schema is outside the search_path, so names in the catalogue are qualified.
    const far = `${url}&options=${encodeURIComponent("-c search_path=public,information_schema -c quote_all_identifiers=off")}`;
    assert.deepEqual(await migrate(far), []);
  });
});

for (const table of ["migration (version int)", "workspace (title text)"])
  test(`a database with another application's table ${table} is refused and left alone`, async () => {
    await made("locale 'C'", [`create table ${table}`], async (url) => {
      await assert.rejects(
        migrate(url),
        /^Error: it has tables of another application; give Parley a database, or a schema, of its own/,
      );
    });
  });

test("a database of a newer Parley is refused with the version that is to be started", async () => {
  const made = ["9998", "9999"].map(
    (number, index) =>
      `insert into migration (name, version) values ('${number}_later.sql', '9.${index}.0')`,
  );
  await prepared(made, async (url) => {
    await assert.rejects(migrate(url), {
      message: `the database was migrated by Parley 9.1.0 (9999_later.sql), and this is Parley ${VERSION}; start Parley 9.1.0`,
    });
  });
});

const underscored = VERSION.replaceAll(".", "_");

test("a newer Parley's database is served by one that it names as old enough to run beside it", async () => {
  const insert = (name: string) =>
    `insert into migration (name, hash, version) values ('${name}', 'ab', '9.1.0')`;
  const statements = [
    insert(`9998_note_beside_${underscored}.sql`),
    insert("9999_more_beside_0_9_12.sql"),
    "alter table contact add column vip boolean",
  ];
  await prepared(statements, async (url) => {
    assert.deepEqual(await migrate(url), []);
    const db = openDatabase({ connectionString: url, poolSize: 1 });
    try {
      assert.deepEqual(await newerMigrations(db), {
        names: [`9998_note_beside_${underscored}.sql`, "9999_more_beside_0_9_12.sql"],
        version: "9.1.0",
      });
      await db.query(
        sql`update migration set hash = '00' where name = '0003_guarded_addresses.sql'`,
      );
      await assert.rejects(migrate(url), /0003_guarded_addresses\.sql had other contents/);
    } finally {
      await db.close();
    }
  });
});

test("a Parley older than what the newer one runs beside is refused, and so is one with a migration of its own", async () => {
  const insert = (name: string) =>
    `insert into migration (name, version) values ('${name}', '9.1.0')`;
  const gone = ["9997_a_beside_0_1_0.sql", "9998_b_beside_99_10_0.sql", "9999_c_beside_0_1_0.sql"];
  await prepared(gone.map(insert), async (url) => {
    await assert.rejects(migrate(url), {
      message: `the database was migrated by Parley 9.1.0 (9998_b_beside_99_10_0.sql), beside which Parley 99.10.0 and newer can run, and this is Parley ${VERSION}; start Parley 9.1.0`,
    });
  });
  const own = { name: "9996_own.sql", text: "create table own ()", hash: "00", changes: [] };
  await prepared([insert("9999_c_beside_0_1_0.sql")], async (url) => {
    await assert.rejects(migrate(url, undefined, { known: [...listMigrations(), own] }), {
      message: `the database was migrated by Parley 9.1.0 (9999_c_beside_0_1_0.sql), and this is Parley ${VERSION}; start Parley 9.1.0`,
    });
  });
});

test("no migration says that it runs beside a version that is not there yet", () => {
  assert.deepEqual(
    listMigrations()
      .map(({ name }) => oldestBeside(name))
      .filter(
        (oldest) => oldest !== null && oldest.localeCompare(VERSION, "en", { numeric: true }) > 0,
      ),
    [],
  );
});

test("each migration from then on says which Parley applied it", async () => {
  await prepared([], async (url) => {
    const db = openDatabase({ connectionString: url, poolSize: 1 });
    try {
      const rows = await db.query<{ name: string; version: string | null }>(
        sql`select name, version from migration order by name`,
      );
      assert.deepEqual(
        rows.map(({ version }) => version),
        rows.map(({ name }) => (name < "0045" ? null : VERSION)),
      );
    } finally {
      await db.close();
    }
  });
});

for (const [name, whose] of [
  ["9999_later.sql", "a newer Parley"],
  ["0000_before.sql", "another version of Parley"],
])
  test(`a database that ${whose} migrated is left alone`, async () => {
    const made = `insert into migration (name) values ('${name}')`;
    await prepared([made], async (url) => {
      await assert.rejects(migrate(url), {
        message: `the database was migrated by ${whose} (${name}); start that version`,
      });
    });
  });

const catalogueOf = async (url: string): Promise<string[]> => {
  const db = openDatabase({ connectionString: url, poolSize: 1 });
  try {
    return await readCatalogue(db);
  } finally {
    await db.close();
  }
};

test("0001_core.sql is frozen: every database has what this file made", () => {
  const [first] = listMigrations();
  assert.deepEqual(
    [first?.name, first?.hash],
    ["0001_core.sql", "53ea361c2187f797b15050fdfefe36cce9259f85fddd27035cb845cd729e90f0"],
  );
});

test("the file in catalogue/ holds what each migration changes, whatever the name of the schema", async () => {
  // One name needs quotes, and the other is the end of table names.
  for (const schema of ["Al Noor", "t"])
    await made("locale 'C'", [`create schema "${schema}"`], async (url) => {
      const own = `${url}&options=${encodeURIComponent(`-c search_path="${schema.replace(" ", "\\ ")}"`)}`;
      const known = listMigrations();
      // No released migration changes, so the short suite goes step by step through the last few alone.
      for (let count = LONG ? 1 : known.length - 2; count <= known.length; count++) {
        const upTo = known.slice(0, count);
        await migrate(own, undefined, { known: upTo });
        assert.deepEqual(
          await catalogueOf(own),
          expectedCatalogue(upTo),
          "a migration has no file in catalogue/ that says what it changes: npm run catalogue",
        );
      }
    });
});

test("the hash of every migration is stored when it is applied", async () => {
  await prepared([], async (url) => {
    const db = openDatabase({ connectionString: url, poolSize: 1 });
    try {
      assert.deepEqual(
        await db.query(sql`select name, hash from migration order by name`),
        listMigrations().map(({ name, hash }) => ({ name, hash })),
      );
    } finally {
      await db.close();
    }
  });
});

const WHAT_TO_DO =
  "start the version of Parley that made it, or put back what was changed by hand, or restore a backup into an empty database";

for (const [statement, difference] of [
  ["alter table broadcast drop column status_reason", "column broadcast.status_reason is missing"],
  [
    "alter table broadcast alter name drop not null",
    'column broadcast.name is "text" instead of "text not null"',
  ],
  [
    "alter table broadcast alter reply_days set default 4",
    'column broadcast.reply_days is "smallint not null default 4" instead of "smallint not null default 3"',
  ],
  ["alter table contact add column vip boolean", "column contact.vip is not of this version"],
  ["drop index contact_by_email", "index contact.contact_by_email is missing"],
  [
    "alter table contact add constraint short check (length(name) < 9)",
    "constraint contact.short is not of this version",
  ],
  ["drop table master_key", "table master_key is missing"],
  [
    "update migration set hash = '00' where name = '0001_core.sql'",
    "migration 0001_core.sql had other contents when it was applied",
  ],
] as const)
  test(`a start refuses a database in which ${difference.slice(0, 60)}, and readiness says so`, async () => {
    await using t = await startTestApp();
    await t.app.db.query(new Sql([statement], []));
    const message = `the schema is not the one that this version makes: ${difference}; ${WHAT_TO_DO}`;
    await assert.rejects(migrate(t.databaseUrl), { message });
    assert.deepEqual(await t.app.readiness(), { ready: false, faults: [message] });
  });

test("what an operator adds beside our tables is no difference, and neither is another index", async () => {
  const added = [
    "create table heartbeat (at timestamptz)",
    "create view names as select name from contact",
    "create index names_of_an_operator on contact (name)",
    "create function two() returns int language sql return 2",
    "alter table contact set (fillfactor = 80)",
    "alter table contact add column of_another int",
    "alter table contact drop column of_another",
  ];
  await prepared(added, async (url) => assert.deepEqual(await migrate(url), []));
});

test("a database that an older 0001 made is refused before anything is applied to it", async () => {
  await made("locale 'C'", [], async (url, client) => {
    const known = listMigrations();
    await migrate(url, undefined, { known: known.slice(0, 1) });
    await client.query("alter table contact drop column notes cascade");
    await assert.rejects(migrate(url), {
      message: `the schema is not the one that this version makes: column contact.document is missing (and 1 more: parley doctor names them); ${WHAT_TO_DO}`,
    });
    const { rows } = await client.query("select * from migration");
    assert.deepEqual([rows.length, rows[0].hash], [1, undefined]);
  });
});

test("an older Parley keeps running when a newer one has migrated further", async () => {
  await using t = await startTestApp();
  await t.app.db.query(sql`alter table contact add column vip boolean`);
  await t.app.db.query(sql`insert into migration (name) values ('9999_vip.sql')`);
  assert.deepEqual(await t.app.readiness(), { ready: true, faults: [] });
});

test("a migration waits two seconds for a lock, lets the others go on, and tries again a limited number of times", async () => {
  const text = "alter table contact add column vip boolean";
  const vip = { name: "9999_vip.sql", text, hash: "00", changes: ["+ column contact.vip boolean"] };
  const known = [...listMigrations(), vip];
  await prepared([], async (url) => {
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    try {
      await holder.query("begin; lock table contact in access share mode");
      const begun = performance.now();
      const once = { attempts: 1, pause: () => assert.fail() };
      await assert.rejects(migrate(url, undefined, { known, locks: once }), {
        message:
          "migration 9999_vip.sql did not get its lock in time, again and again: a long transaction, a backup or another program holds a table; end it (see pg_stat_activity) and start again; nothing of this migration was applied",
      });
      assert.ok(performance.now() - begun > 1_900);
      const pause = async () => void (await holder.query("commit"));
      const locks = { attempts: 2, pause };
      assert.deepEqual(await migrate(url, undefined, { known, locks }), ["9999_vip.sql"]);
    } finally {
      await holder.end();
    }
  });
});

/** A PostgreSQL that refuses each connection: once with each of these codes, then by hanging up. */
function turnsAway(codes: string[]): Server {
  return createServer((socket) => {
    socket.once("data", () => {
      const code = codes.shift() ?? "";
      if (code === "") return socket.destroy();
      const fields = `SFATAL\0C${code}\0Mas told\0\0`;
      const size = Buffer.alloc(5, "E");
      size.writeInt32BE(4 + fields.length, 1);
      return socket.end(Buffer.concat([size, Buffer.from(fields)]));
    });
  });
}

async function listens(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

const urlOf = (port: number) => `postgres://parley:p@127.0.0.1:${port}/parley`;

test("a start waits for a PostgreSQL that is just starting, and not for one that cannot serve", async () => {
  const codes = ["57P03", "57P03", "28P01"];
  const server = turnsAway(codes);
  try {
    const url = urlOf(await listens(server));
    let waited = 0;
    await assert.rejects(migrate(url, { unreachableMs: 0, waits: () => waited++ }), {
      code: "28P01",
    });
    assert.deepEqual([codes, waited], [[], 1]);
  } finally {
    server.close();
  }
});

test("a start waits for a PostgreSQL that comes up later, reports it once, and waits no longer than allowed", async () => {
  const codes = ["57P03", "3D000"];
  const server = turnsAway(codes);
  const port = await freePort();
  const refused = { code: "ECONNREFUSED" };
  await assert.rejects(migrate(urlOf(port)), refused, "nobody asked to wait");
  await assert.rejects(migrate(urlOf(port), { unreachableMs: 1, waits: () => {} }), refused);
  const met: unknown[] = [];
  const waits = (fault: unknown) => {
    met.push(String(fault));
    server.listen(port, "127.0.0.1");
  };
  try {
    // A missing database stays missing: the start fails at once.
    await assert.rejects(migrate(urlOf(port), { unreachableMs: 60_000, waits }), { code: "3D000" });
    assert.deepEqual([codes, met], [[], [`Error: connect ECONNREFUSED 127.0.0.1:${port}`]]);
  } finally {
    server.close();
  }
});

test("a start waits for a pooler that hangs up, and not for one that knows no such user", async () => {
  const codes = ["", "08P01"];
  const server = turnsAway(codes);
  let waited = 0;
  try {
    const url = urlOf(await listens(server));
    await assert.rejects(migrate(url, { unreachableMs: 60_000, waits: () => waited++ }), {
      code: "08P01",
    });
    assert.deepEqual([codes, waited], [[], 1]);
  } finally {
    server.close();
  }
});
