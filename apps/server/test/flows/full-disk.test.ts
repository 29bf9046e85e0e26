import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/db/sql.ts";
import { VERSION } from "../../src/version.ts";
import { startApi } from "../v1/api.ts";

const READY = { ready: true, faults: [] };
const FULL = { ready: false, faults: ["the database's disk is full: writes fail"] };

for (const [where, sharedDatabase] of [
  ["in this process", false],
  ["in PostgreSQL", true],
] as const)
  test(`the disk is full: /readyz says so until a write succeeds, and 503 does not spend a key's calls (${where})`, async () => {
    await using api = await startApi({ config: { sharedDatabase } });
    const { db } = api.app;
    // What PostgreSQL says when it finds no room: of a row, and of a new table.
    await db.query(sql`
      create function no_room() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`);
    await db.query(sql`
      create function no_room_for_tables() returns event_trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`);
    await db.query(
      sql`create trigger full_disk before insert on contact for each row execute function no_room()`,
    );
    await db.query(sql`
      create event trigger full_disk on ddl_command_start when tag in ('CREATE TABLE AS')
      execute function no_room_for_tables()`);
    assert.deepEqual(await api.app.readiness(), READY, "nobody has written yet");

    const write = () =>
      api.call("POST", "/contacts", { json: { name: "Sara", email: "sara@example.com" } });
    for (let n = 0; n < 3; n++) {
      const { status, headers } = await write();
      assert.deepEqual([status, headers["ratelimit-remaining"]], [503, "120"]);
      // It is given back beside the answer.
      const counted = sql`select 1 from rate_window where key like 'key:%' and stamps <> '{}'`;
      while ((await db.query(counted)).length > 0);
    }
    const probe = await api.http.inject({ url: "/readyz" });
    assert.deepEqual([probe.statusCode, probe.json()], [503, { ...FULL, version: VERSION }]);
    assert.equal((await api.call("GET", "/contacts")).status, 200, "reading goes on");

    await db.query(sql`drop event trigger full_disk`);
    await db.query(sql`drop trigger full_disk on contact`);
    assert.deepEqual(await api.app.readiness(), READY);
    const { status, headers } = await write();
    assert.deepEqual([status, headers["ratelimit-remaining"]], [201, "118"]);
  });
