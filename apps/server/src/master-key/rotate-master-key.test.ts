import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { test } from "node:test";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { OPERATOR } from "../actor.ts";
import { optedOutNumbers } from "../contacts/consent/opted-out-store.ts";
import { erasedNumber } from "../contacts/identity/erased-number.ts";
import { checkMasterKey } from "../db/check-master-key.ts";
import { selectMasterKey } from "../db/master-keys.ts";
import { Sql, sql } from "../db/sql.ts";
import { KEY_PURPOSES, isKeyPurpose, type KeyPurpose } from "../lib/key-purposes.ts";
import { createSealer, hashesThrough, masterKeyMark, type Keyring } from "../lib/seal.ts";
import { recoveryHash } from "../logins/two-factor.ts";
import { createWorkspace } from "../workspaces/create-workspace.ts";
import { pruneKeptKeys } from "./prune-kept-keys.ts";
import { rotateMasterKey, type Rotation } from "./rotate-master-key.ts";
import { KEYED_COLUMNS, type HashedColumn, type SealedColumn } from "./sealed-columns.ts";

const raw = (text: string): Sql => new Sql([text], []);
const COLUMNS: readonly (readonly [string, SealedColumn | HashedColumn])[] =
  Object.entries(KEYED_COLUMNS);
const WAITS = { patienceMs: 5_000, commandsMs: 0 };

test("every column of sealed bytes has its line, and every line its column and key", async () => {
  await using t = await startTestApp();
  const found = await t.app.db.query<{ name: string }>(sql`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = current_schema() and column_name ~ 'sealed'`);
  assert.ok(found.length > 8);
  const sealed = COLUMNS.filter(([, one]) => one.holds === "sealed" && !("after" in one));
  assert.deepEqual(found.map((one) => one.name).sort(), sealed.map(([name]) => name).sort());
  for (const [name, { key }] of COLUMNS) {
    const [table = "", column = ""] = name.split(".");
    const parts = await t.app.db.query<{ name: string; type: string }>(sql`
      select a.attname as name, format_type(a.atttypid, null) as type
      from pg_index i cross join unnest(i.indkey) with ordinality as k (number, place)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
      where i.indrelid = ${table}::regclass and i.indisprimary order by k.place`);
    assert.deepEqual(Object.fromEntries(parts.map((one) => [one.name, one.type])), key, name);
    assert.equal(
      (
        await t.app.db.query(sql`select 1 from information_schema.columns
        where table_schema = current_schema() and table_name = ${table} and column_name = ${column}`)
      ).length,
      1,
      name,
    );
  }
});

/** A row of every column that a master key made: its other columns are of no concern here. */
class Stock {
  readonly #t: TestApp;
  readonly #rows: {
    name: string;
    column: SealedColumn | HashedColumn;
    key: Record<string, string>;
  }[] = [];
  readonly #providerId: string;
  constructor(t: TestApp) {
    this.#t = t;
    this.#providerId = t.app.ids.next();
  }

  static async fill(t: TestApp, columns = COLUMNS): Promise<Stock> {
    const stock = new Stock(t);
    for (const table of new Set(columns.map(([name]) => name.split(".")[0] ?? "")))
      await stock.#loosen(table);
    for (const [name, column] of columns) await stock.#insert(name, column);
    return stock;
  }

  /** Takes away what a row of this test need not have. */
  async #loosen(table: string): Promise<void> {
    const { db } = this.#t.app;
    const rules = await db.query<{ name: string }>(sql`
      select quote_ident(conname) as name from pg_constraint where conrelid = ${table}::regclass and contype in ('c', 'f')`);
    for (const { name } of rules)
      await db.query(raw(`alter table ${table} drop constraint ${name} cascade`));
    const columns = await db.query<{ name: string }>(sql`
      select quote_ident(attname) as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0
        and attnotnull and not attisdropped and attnum <> all (
          (select indkey from pg_index where indrelid = ${table}::regclass and indisprimary)::smallint[])`);
    for (const { name } of columns)
      await db.query(raw(`alter table ${table} alter column ${name} drop not null`));
  }

  async #insert(name: string, column: SealedColumn | HashedColumn): Promise<void> {
    const { db, ids, sealer } = this.#t.app;
    const [table = "", field = ""] = name.split(".");
    const key = Object.fromEntries(
      Object.entries(column.key).map(([one, type]) => [
        one,
        type === "uuid" ? ids.next() : "a text",
      ]),
    );
    if (name === "sms_provider.secrets_sealed") key["id"] = this.#providerId;
    if (name === "sms_provider_next.secrets_sealed") {
      key["workspace_id"] =
        this.#rows.find((one) => one.name.startsWith("sms_provider."))?.key["workspace_id"] ?? "";
      key["provider_id"] = this.#providerId;
    }
    const value = storedFor(sealer, name, column, key);
    if (column.holds === "hash" && field in column.key) delete key[field];
    this.#rows.push({ name, column, key });
    const columns = Object.keys(column.key).filter((one) => one !== field);
    const values = columns.map((one) => sql`${key[one] ?? ""}::${raw(column.key[one] ?? "text")}`);
    const all = values.reduce((some, one) => sql`${some}, ${one}`);
    await db.query(sql`
      insert into ${raw(table)} (${raw([...columns, field].join(", "))}) values (${all}, ${value})`);
  }

  /** The values as they stand, by column. */
  async #values(): Promise<
    {
      name: string;
      column: SealedColumn | HashedColumn;
      key: Record<string, string>;
      value: Buffer | string;
    }[]
  > {
    const found = [];
    for (const { name, column, key } of this.#rows) {
      const [table = "", field = ""] = name.split(".");
      const [first = ""] = Object.keys(column.key);
      const rows = await this.#t.app.db.query<{ value: Buffer | string }>(sql`
        select ${raw(field)} as value from ${raw(table)}
        where ${raw(first)} = ${key[first] ?? ""} and ${raw(field)} is not null`);
      assert.equal(rows.length, 1, name);
      found.push({ name, column, key, value: rows[0]?.value ?? "" });
    }
    return found;
  }

  /** How many of them a sealer reads. */
  async readBy(sealer: Keyring): Promise<number> {
    return (await this.#values()).filter(({ name, column, key, value }) => {
      if (column.holds === "hash") {
        const text =
          typeof value === "string" ? value.slice(column.begins.length) : recoveryHash.read(value);
        return hashesOf(sealer, column.purpose).includes(text);
      }
      try {
        const bytes =
          typeof value === "string"
            ? Buffer.from(value.slice(column.after?.length), "base64")
            : value;
        return sealer.open(bytes, column.place(key)) === name;
      } catch {
        return false;
      }
    }).length;
  }
}

const hashesOf = (sealer: Keyring, purpose: KeyPurpose): string[] =>
  hashesThrough(sealer, purpose, (key) => createHmac("sha256", key).update("what").digest());

function storedFor(
  sealer: Keyring,
  name: string,
  column: SealedColumn | HashedColumn,
  key: Record<string, string>,
): Buffer | string {
  if (column.holds === "hash") {
    const [hash = ""] = hashesOf(sealer, column.purpose);
    return column.bytes ? column.bytes.write(hash) : column.begins + hash;
  }
  const sealed = sealer.seal(name, column.place(key));
  return column.after === undefined ? sealed : column.after + sealed.toString("base64");
}

/** A workspace, so that the master key is fixed, and the keyring of the server that runs. */
async function installation(masterKey: Buffer) {
  const t = await startTestApp({ masterKey });
  await checkMasterKey(t.app.db, t.app.sealer);
  await createWorkspace(OPERATOR, t.app, { name: "W", plan: "free" });
  return t;
}

/** A command that was started with a key. */
async function command(t: TestApp, key: Buffer, given: Partial<Rotation> & { next: Buffer }) {
  const sealer = createSealer(key);
  await checkMasterKey(t.app.db, sealer, { rotates: true });
  return rotateMasterKey(
    { db: t.app.db, clock: t.app.clock, sealer },
    {
      key: () => given.next,
      install: () => {},
      leaked: false,
      report: () => {},
      waits: WAITS,
      ...given,
    },
  );
}

async function keyringOf(t: TestApp, key: Buffer): Promise<Keyring> {
  const sealer = createSealer(key);
  await checkMasterKey(t.app.db, sealer);
  return sealer;
}

async function follow(t: TestApp): Promise<void> {
  const row = await selectMasterKey(t.app.db);
  assert.ok(row);
  t.app.sealer.follow(row);
}

/** A server that runs has a row; it follows as soon as it looks. */
async function runningServer(t: TestApp): Promise<void> {
  await t.app.db.query(sql`
    insert into process (id, seen_at, role, machine, address, key_step)
    values (${t.app.ids.next()}, clock_timestamp() + interval '1 hour', 'all', 'here', 'http://x', 1000)`);
}

const [OLD, NEW, THIRD] = [randomBytes(32), randomBytes(32), randomBytes(32)];

test("after a rotation the new key and the running servers read every column, and the old key reads nothing", async () => {
  await using t = await installation(OLD);
  const stock = await Stock.fill(t);
  await runningServer(t);
  const all = COLUMNS.length;
  assert.equal(await stock.readBy(t.app.sealer), all);
  const done = await command(t, OLD, { next: NEW });
  assert.deepEqual(done, {
    from: masterKeyMark(OLD),
    to: masterKeyMark(NEW),
    rewritten: all,
    unreadable: {},
  });
  assert.equal(await stock.readBy(createSealer(OLD)), 0);
  assert.equal(await stock.readBy(await keyringOf(t, NEW)), all);
  const words = /was rotated at 20.*put the new one \(mark [0-9a-f]{16}\) into PARLEY_MASTER_KEY/;
  await assert.rejects(keyringOf(t, OLD), words);
  // The old key unwraps nothing of what is kept either.
  const row = await selectMasterKey(t.app.db);
  assert.ok(row);
  assert.deepEqual([...new Set(row.kept.map(({ under }) => under))], [masterKeyMark(NEW)]);
  assert.equal(row.nextWrapped, null);

  await command(t, NEW, { next: THIRD });
  const third = await keyringOf(t, THIRD);
  assert.equal(await stock.readBy(third), all);
  assert.equal(await stock.readBy(createSealer(NEW)), 0);
  await assert.rejects(command(t, THIRD, { next: THIRD }), /is the master key in use/);
});

test("a server that runs opens, seals and knows numbers in every phase, whatever the others seal with", async () => {
  await using t = await installation(OLD);
  await runningServer(t);
  const [w = ""] = (await t.app.db.query<{ id: string }>(sql`select id from workspace`)).map(
    ({ id }) => id,
  );
  const phone = "96590000001";
  await t.app.db.query(sql`insert into opted_out_phone (workspace_id, phone, since)
    values (${w}, ${erasedNumber(t.app, w, phone)}, now())`);
  const optedOut = () =>
    t.app.db.transaction((tx) => optedOutNumbers(t.app, tx, [{ workspaceId: w, phone }]));
  const place = "channel:x";
  const before = t.app.sealer.seal("before", place);
  let late: Buffer = Buffer.alloc(0);
  let looks = 0;
  const look = async () => {
    const had = t.app.sealer.seal("late", place);
    await follow(t);
    looks++;
    late = t.app.sealer.seal("follows", place);
    assert.equal(t.app.sealer.open(had, place), "late");
    assert.equal(t.app.sealer.open(before, place), "before");
    assert.equal((await optedOut()).length, 1);
  };
  const checks: Promise<void>[] = [];
  await command(t, OLD, { next: NEW, report: () => checks.push(look()) });
  await Promise.all(checks);
  assert.ok(looks >= 3);
  await look();
  const fresh = await keyringOf(t, NEW);
  assert.equal(fresh.open(late, place), "follows");
  assert.equal(t.app.sealer.open(fresh.seal("fresh", place), place), "fresh");
});

/** One of each kind: the first test has them all. */
const FEW = COLUMNS.filter(([name]) =>
  ["letter.sealed", "recovery_code.hash", "idempotency_key.body"].includes(name),
);

test("interrupted at any step, with either key, it goes on and loses nothing", async () => {
  for (const server of [true, false])
    // The servers matter up to the phase in which all seal with the new key.
    for (let step = 0, ended = false; !ended && (server || step < 2); step++) {
      await using t = await installation(OLD);
      const stock = await Stock.fill(t, FEW);
      if (server) await runningServer(t);
      let steps = 0;
      const dies = () => {
        if (steps++ === step) throw new Error("killed");
      };
      ended = await command(t, OLD, { next: NEW, report: dies, install: dies }).then(
        () => true,
        (error: unknown) => {
          assert.match(String(error), /killed/);
          return false;
        },
      );
      if (!ended) {
        // A server that is started meanwhile: with the old key only where the next one can be learned from it.
        assert.equal(await stock.readBy(await keyringOf(t, NEW)), FEW.length);
        if (server) assert.equal(await stock.readBy(await keyringOf(t, OLD)), FEW.length);
        else await assert.rejects(keyringOf(t, OLD), /began while no server ran.*rotate-master/);
        await assert.rejects(
          command(t, server ? THIRD : OLD, { next: THIRD }),
          /another master key|and this is another key/,
        );
        await command(t, step % 2 === 0 ? NEW : OLD, { next: NEW });
      }
      assert.equal(await stock.readBy(await keyringOf(t, NEW)), FEW.length);
      assert.equal(await stock.readBy(createSealer(OLD)), 0);
    }
});

test("a server that does not follow stops the rotation with its name", async () => {
  await using t = await installation(OLD);
  await t.app.db.query(sql`
    insert into process (id, seen_at, role, machine, address)
    values (${t.app.ids.next()}, clock_timestamp() + interval '1 hour', 'api', 'there', 'http://there:1')`);
  await assert.rejects(
    command(t, OLD, { next: NEW, waits: { patienceMs: 0, commandsMs: 0 } }),
    /do not follow the rotation: api at http:\/\/there:1 on there\. Stop them/,
  );
  assert.equal((await selectMasterKey(t.app.db))?.phase, "announced");
  await t.app.db.query(sql`delete from process`);
  await command(t, OLD, { next: NEW });
});

test("what is accepted of the old key ends as key-purposes.ts says, and after a leak nothing that it could forge", async () => {
  for (const leaked of [false, true]) {
    await using t = await installation(OLD);
    await command(t, OLD, { next: NEW, leaked });
    const row = await selectMasterKey(t.app.db);
    const kept = new Map(row?.kept.map((one) => [one.purpose, one.until]));
    for (const [purpose, keeping] of Object.entries(KEY_PURPOSES)) {
      if (keeping.kind === "nothing" || (leaked && "forgeable" in keeping && keeping.forgeable))
        assert.ok(!kept.has(purpose), purpose);
      else if ("ms" in keeping)
        assert.equal(kept.get(purpose)?.getTime(), t.clock.now().getTime() + keeping.ms, purpose);
      else assert.equal(kept.get(purpose), null, purpose);
      assert.ok(isKeyPurpose(purpose));
      const accepted = (await keyringOf(t, NEW)).accepted(purpose);
      assert.equal(accepted.length, kept.has(purpose) ? 2 : 1, purpose);
    }
    await t.app.db.query(
      sql`update kept_key set until = now() - interval '1 s' where until is not null`,
    );
    const ended = (await keyringOf(t, NEW)).accepted("idempotency");
    assert.equal(ended.length, 1);
    await follow(t);
    const stayed = [...kept.values()].filter((until) => until === null).length;
    assert.equal(await pruneKeptKeys(t.app), kept.size - stayed);
    assert.equal((await selectMasterKey(t.app.db))?.kept.length, stayed);
  }
});
