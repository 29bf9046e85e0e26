import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import type { Tx } from "../../db/database.ts";
import { sql, type Sql } from "../../db/sql.ts";
import { storeBatch } from "./import-batch.ts";
import { importContacts } from "./import-contacts.ts";
import type { ImportedContact } from "./import-rows.ts";
import { matchContacts, type Sighting } from "../identity/match-contacts.ts";

let t: TestApp;
before(async () => void (t = await startTestApp()));
after(() => t[Symbol.asyncDispose]());

type Address = { readonly phone: string } | { readonly email: string };

const row = (address: Address) => ({
  line: 2,
  record: [],
  contact: {
    name: null,
    email: null,
    phone: null,
    notes: null,
    tags: ["from the file"],
    attributes: {},
    id: null,
    channelType: null,
    externalId: null,
    done: [],
    optedOut: null,
    ...address,
  } satisfies ImportedContact,
});
const imports = (tx: Tx, w: string, ...addresses: Address[]) =>
  storeBatch(t.app, tx, w, addresses.map(row), { allowOptIn: false, match: "any" }, null);

const sighting = (workspaceId: string, address: Address, externalId: string): Sighting => ({
  workspaceId,
  channelId: "0190c0de-0000-7000-8000-000000000001",
  channelType: "phone" in address ? "WHATSAPP" : "WEB",
  externalId,
  phone: "phone" in address ? address.phone : null,
  verifiedEmail: "email" in address ? address.email : null,
  name: null,
  at: t.clock.now(),
  seen: true,
});
const receives = (tx: Tx, w: string, ...addresses: Address[]) =>
  matchContacts(
    t.app,
    tx,
    addresses.map((one, n) => sighting(w, one, "phone" in one ? one.phone : `user:${n}`)),
  );

const WAITING = sql`select 1 from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

/** Does `first` and keeps its transaction open until `second`, in another one, waits for it or is done. */
async function oneWithinTheOther(
  first: (tx: Tx) => Promise<unknown>,
  second: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  const { promise: enough, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: done, resolve: didIt } = Promise.withResolvers<void>();
  const holder = t.app.db.transaction(async (tx) => {
    await first(tx);
    didIt();
    await enough;
  });
  await done;
  let over = false;
  const other = t.app.db.transaction(second).finally(() => (over = true));
  while (!over && (await t.app.db.query(WAITING)).length === 0);
  letGo();
  await Promise.all([holder, other]);
}

const people = (w: string) =>
  t.app.db.query<{ tags: string[]; channel: string | null }>(
    sql`select tags, channel_type as channel from contact where workspace_id = ${w}`,
  );

const phone = { phone: "96550000001" };

test("a contact that an import and a first message name by one number at one moment is created once: the import first", async () => {
  const w = t.app.ids.next();
  await oneWithinTheOther(
    (tx) => imports(tx, w, phone),
    (tx) => receives(tx, w, phone),
  );
  assert.deepEqual(await people(w), [{ tags: ["from the file"], channel: "WHATSAPP" }]);
});

test("a contact that an import and a first message name by one number at one moment is created once: the message first", async () => {
  const w = t.app.ids.next();
  await oneWithinTheOther(
    (tx) => receives(tx, w, phone),
    (tx) => imports(tx, w, phone),
  );
  assert.deepEqual(await people(w), [{ tags: ["from the file"], channel: "WHATSAPP" }]);
});

test("a contact that an import creates while its first message comes is found by the message's e-mail address", async () => {
  const w = t.app.ids.next();
  await oneWithinTheOther(
    (tx) => imports(tx, w, { email: "Sara@example.com" }),
    (tx) => receives(tx, w, { email: "sara@EXAMPLE.com" }),
  );
  assert.deepEqual(await people(w), [{ tags: ["from the file"], channel: "WEB" }]);
});

test("imports and messages that name the same hundred people, in any order, create a hundred", async () => {
  const w = t.app.ids.next();
  const numbers = Array.from({ length: 100 }, (_, n) => ({ phone: `9655${1_000_000 + n}` }));
  async function* file(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(["phone", ...numbers.map(({ phone }) => phone)].join("\n"));
  }
  await Promise.all([
    importContacts(t.app, w, file(), { format: "csv" }),
    ...[numbers, numbers.toReversed(), numbers.slice(40), numbers.slice(0, 60).toReversed()].map(
      (some) => t.app.db.transaction((tx) => receives(tx, w, ...some)),
    ),
  ]);
  assert.equal((await people(w)).length, 100);
});

test("an import gives up with a reason when every contact it finds is gone when locked", async () => {
  const w = t.app.ids.next();
  await t.app.db.transaction((tx) => imports(tx, w, phone));
  let looks = 0;
  const giveUp = t.app.db.transaction((tx) => {
    const gone: Tx = {
      ...tx,
      query<Row extends object>(statement: Sql): Promise<Row[]> {
        if (!/from contact where .* for update$/s.test(statement.text)) return tx.query(statement);
        looks += 1;
        return Promise.resolve([]);
      },
    };
    return imports(gone, w, phone);
  });
  await assert.rejects(giveUp, { code: "CONFLICT", message: /merged or deleted again and again/ });
  assert.equal(looks, 10);
  assert.equal((await people(w)).length, 1);
});
