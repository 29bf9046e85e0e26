import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import { bareWorkspace, emitSome } from "../../test/webhook-receiver.ts";
import { haltEverything } from "../cli/halt-everything.ts";
import { sql } from "../db/sql.ts";
import { deskNews, moveDeskFollow } from "./desk-news.ts";
import { lastSequences, readFeed } from "./read-feed.ts";

test("after a restore events get numbers that no reader has seen, and a reader who was ahead of the backup is told of a gap", async () => {
  await using t = await startTestApp();
  const { app } = t;
  const id = await bareWorkspace(t);
  await emitSome(t, id, 5);
  // The backup was made after the third event.
  await app.db.query(sql`delete from event where workspace_id = ${id} and sequence > 3`);
  await app.db.query(sql`update event_sequence set last = 3 where workspace_id = ${id}`);
  await app.db.transaction((tx) => haltEverything(app, tx));
  const read = async (after: number) => {
    const { events, ...page } = await readFeed(app, id, { after, limit: 2, types: null });
    return { ...page, sequences: events.map(({ sequence }) => sequence) };
  };
  const start = (await lastSequences(app, [id])).get(id) ?? 0;
  assert.equal((await read(5)).gap, true, "nothing happened since");
  assert.equal((await read(start)).gap, false);
  assert.equal((await read(0)).gap, false);

  // As many events as the reader had read beyond the backup, and one more.
  await emitSome(t, id, 3);
  const first = await read(5);
  assert.deepEqual([first.gap, first.sequences], [true, [start + 1, start + 2]]);
  const next = await read(first.nextAfter);
  assert.deepEqual([next.gap, next.sequences], [false, [start + 3]]);
  assert.equal((await read(3)).gap, true, "its last event is the backup's last one");
  assert.equal((await read(start)).gap, false);

  // Where the numbers jump and nothing has happened, the inbox has nothing to follow.
  const followed = await deskNews(app.db, 10, 10);
  assert.deepEqual(
    followed.map(({ scanned }) => scanned),
    [start + 3],
  );
  await moveDeskFollow(app.db, followed);
  await app.db.transaction((tx) => haltEverything(app, tx));
  assert.deepEqual(await deskNews(app.db, 10, 10), []);
});
