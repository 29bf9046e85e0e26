import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../db/sql.ts";
import { NIL_ID } from "../lib/ids.ts";
import { AppError } from "../errors.ts";
import { readS3Address } from "../lib/s3-address.ts";
import { receiveEvents } from "../messages/receive/receive-events.ts";
import { eraseMedia, nextErasedMedia } from "./erase-media.ts";
import { createFetcher } from "./fetch-media.ts";
import {
  claimFetches,
  markFailed,
  markStored,
  postponeFetch,
  type ClaimedMedia,
} from "./fetch-store.ts";
import { retainUpload } from "./retain-upload.ts";
import { bareSource, MediaGround, PNG } from "./media.fixture.ts";
import { insertUpload } from "./media-store.ts";
import { findMedia, nextStoredFiles, openMedia } from "./open-media.ts";
import { spool } from "./spool.ts";
import { storageOf } from "./storage-of.ts";
import { copyUploads } from "./copy-uploads.ts";
import { storageKey } from "./media.ts";
import { sweepMedia } from "./sweep-media.ts";
import { uploadMedia } from "./upload-media.ts";
import { settleAttachment } from "../messages/record/settle-attachment.ts";

const HOUR = 3_600_000;
const ANY = { limit: 9, perChannel: 9, inAir: new Map<string, number>() };
let ground: MediaGround;
before(async () => {
  ground = await MediaGround.open({ mediaMaxBytes: 1_000 });
});
after(() => ground[Symbol.asyncDispose]());

async function* once(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes;
}
const upload = (bytes = PNG, fileName = "a.png") =>
  uploadMedia(OPERATOR, ground.t.app, ground.account.workspaceId, { fileName, body: once(bytes) });
const rows = () =>
  ground.t.app.db.query<{ id: string; state: string }>(
    sql`select id, state from media order by id`,
  );

test("a worker is killed between claim and store: the file is fetched when the lease has ended", async () => {
  const message = await ground.receives(`${ground.base}/a`);
  const { app, clock } = ground.t;
  const now = clock.now();
  const leaseUntil = new Date(now.getTime() + 300_000);
  const claims = await claimFetches(app.db, { ...ANY, by: app.life.id, now, leaseUntil });
  assert.equal(claims.length, 1);
  await ground.fetch();
  assert.equal((await ground.attachment(message))["status"], "pending", "the lease holds");
  clock.advance(300_000);
  await ground.fetch();
  assert.equal((await ground.attachment(message))["status"], "stored");
});

test("a worker is killed between store and row: the same place is written again, and nothing is left over", async () => {
  const message = await ground.receives(`${ground.base}/b`);
  const id = String((await ground.attachment(message))["mediaId"]);
  const { app } = ground.t;
  const before = await ground.files();
  const file = await spool(app.config.dataDir, "x", once(Buffer.from("half")), 1_000);
  await storageOf(app).put(storageKey({ workspaceId: ground.account.workspaceId, id }), file);
  await ground.fetch();
  assert.equal((await ground.attachment(message))["size"], PNG.length);
  assert.equal((await ground.files()).length, before.length + 1);
});

test("a worker that lost its lease settles nothing, and the new holder's file stays", async () => {
  const { promise: asked, resolve: begun } = Promise.withResolvers<void>();
  const { promise: let_, resolve: answer } = Promise.withResolvers<void>();
  ground.answer = (_request, response) => {
    begun();
    void let_.then(() => response.end(PNG));
  };
  const message = await ground.receives(`${ground.base}/slow`);
  const slow = createFetcher(ground.t.app, settleAttachment, { sourceFor: () => bareSource });
  await slow.claim();
  await asked;
  ground.t.clock.advance(300_000);
  ground.answer = (_request, response) => response.end(PNG);
  await ground.fetch();
  const stored = await ground.attachment(message);
  assert.equal(stored["status"], "stored");
  answer();
  await Promise.all(slow.inFlight);
  assert.deepEqual(await ground.attachment(message), stored);
  const key = {
    workspaceId: ground.account.workspaceId,
    bytesId: String(stored["mediaId"]),
    size: PNG.length,
  };
  assert.notEqual(await openMedia(ground.t.app, key), null);
});

test("a worker that lost its lease cannot settle the file as failed, stored or due again, and nobody settles another file", async () => {
  await ground.receives(`${ground.base}/mine`);
  const { app, clock } = ground.t;
  const claim = async () => {
    const now = clock.now();
    const leaseUntil = new Date(now.getTime() + 300_000);
    const [one] = await claimFetches(app.db, {
      ...ANY,
      by: app.life.id,
      limit: 1,
      now,
      leaseUntil,
    });
    assert.ok(one);
    return one;
  };
  const settled = async (by: ClaimedMedia) => {
    const facts = { mimeType: "image/png", fileName: null, size: 1, sha256: "00" };
    const failed = app.db.transaction((tx) => markFailed(tx, by, "gone", "404"));
    return [await failed, await app.db.transaction((tx) => markStored(tx, by, facts))];
  };
  const state = async () => {
    const all = await app.db.query(sql`
      select id, state, reason, available_at, attempts, source_sealed is null as opened from media order by id`);
    return JSON.stringify(all);
  };
  const lost = await claim();
  clock.advance(300_000);
  const holder = await claim();
  assert.deepEqual([lost.id, lost.attempts, holder.attempts], [holder.id, 1, 2]);
  const held = await state();
  assert.deepEqual(await settled(lost), [false, false]);
  for (const counts of [true, false]) await postponeFetch(app.db, lost, clock.now(), counts);
  assert.equal(await state(), held);

  // Another file, with the same number of tries.
  await ground.receives(`${ground.base}/other`);
  const other = await claim();
  await app.db.query(sql`update media set attempts = 2 where id = ${other.id}`);
  assert.deepEqual(await settled(holder), [true, false]);
  const [left] = await app.db.query(sql`
    select state, reason, available_at is null as done from media where id = ${other.id}`);
  assert.deepEqual(left, { state: "pending", reason: null, done: false });
  const again = { ...other, attempts: 2 };
  await postponeFetch(app.db, again, clock.now(), false);
  assert.equal((await claim()).attempts, 2, "what we broke off ourselves is no try");
  assert.deepEqual(await settled(again), [true, false]);
  await app.db.query(sql`delete from media where id in (${holder.id}, ${other.id})`);
});

test("an upload that no message takes is removed after a day, with its bytes", async () => {
  const { app, clock } = ground.t;
  const before = await rows();
  const files = await ground.files();
  const media = await upload();
  assert.deepEqual(
    [media.kind, media.mimeType, media.size, media.state],
    ["image", "image/png", PNG.length, "stored"],
  );
  // The process died while this one was being uploaded.
  const now = clock.now();
  const dead = { workspaceId: media.workspaceId, id: app.ids.next() };
  await insertUpload(app.db, {
    ...dead,
    fileName: "b",
    author: null,
    size: 1,
    deleteAt: new Date(+now + 24 * HOUR),
    now,
  });
  clock.advance(24 * HOUR - 1);
  assert.equal(await sweepMedia(app), 0);
  assert.equal((await rows()).length, before.length + 2);
  clock.advance(1);
  assert.equal(await sweepMedia(app), 2);
  assert.deepEqual(await rows(), before);
  assert.deepEqual(await ground.files(), files);
});

test("an upload that is empty, too large, nameless or breaks off leaves nothing", async () => {
  const before = await rows();
  const files = await ground.files();
  const codeOf = async (call: Promise<unknown>) =>
    call.then(
      () => "stored",
      (error: unknown) => (error instanceof AppError ? error.code : String(error)),
    );
  assert.equal(await codeOf(upload(Buffer.alloc(0))), "VALIDATION_FAILED");
  assert.equal(await codeOf(upload(Buffer.alloc(1_001))), "BODY_TOO_LARGE");
  for (const name of ["", "..", "\u202e", "a/"])
    assert.equal(await codeOf(upload(PNG, name)), "VALIDATION_FAILED", name);
  async function* broken() {
    yield PNG;
    throw new Error("client went away");
  }
  const { workspaceId } = ground.account;
  const call = uploadMedia(OPERATOR, ground.t.app, workspaceId, { fileName: "a", body: broken() });
  assert.match(await codeOf(call), /went away/);
  assert.deepEqual([await rows(), await ground.files()], [before, files]);
});

/** The app while the object store is away. */
function awayStore() {
  const { app } = ground.t;
  const s3 = readS3Address("s3://K:S@127.0.0.1:1/bucket?tls=off") ?? undefined;
  assert.ok(s3);
  return { ...app, config: { ...app.config, s3 } };
}

test("an upload whose bytes cannot be removed now is unreadable from then on, and is removed later", async () => {
  const { app, clock } = ground.t;
  const files = await ground.files();
  const media = await upload();
  clock.advance(24 * HOUR);
  assert.equal(await sweepMedia(awayStore()), 0);
  assert.equal((await rows()).find(({ id }) => id === media.id)?.state, "failed");
  assert.equal(await app.db.transaction((tx) => retainUpload(tx, media)), null);
  assert.equal(await sweepMedia(app), 1);
  assert.deepEqual(await ground.files(), files);
});

test("an upload that cannot be stored now is answered with 503, not with 500", async () => {
  const { workspaceId } = ground.account;
  const before = await rows();
  const call = uploadMedia(OPERATOR, awayStore(), workspaceId, { fileName: "a", body: once(PNG) });
  await assert.rejects(call, (error) => error instanceof AppError && error.code === "OVERLOADED");
  // Nobody knows how much of it the store has. The row was there first, and its sweep removes the bytes.
  assert.equal((await rows()).length, before.length + 1);
  ground.t.clock.advance(24 * HOUR);
  assert.equal(await sweepMedia(ground.t.app), 1);
  assert.deepEqual(await rows(), before);
});

test("the file of a withdrawn message is gone for readers at once, and from the disk a little later", async () => {
  const { app, clock } = ground.t;
  const externalMessageId = await ground.receives(`${ground.base}/private`);
  const waiting = await ground.receives(`${ground.base}/private-too`);
  const { mediaId } = await ground.attachment(externalMessageId);
  const later = String((await ground.attachment(waiting))["mediaId"]);
  await ground.t.app.db.query(sql`update media set available_at = null where id = ${later}`);
  await ground.fetch();
  const files = await ground.files();
  const withdraw = (id: string) => ({
    account: ground.account,
    event: {
      kind: "deleted",
      accountExternalId: "1001",
      externalMessageId: id,
      text: null,
      occurredAt: clock.now(),
    } as const,
  });
  await receiveEvents(app, [withdraw(externalMessageId), withdraw(waiting)]);
  const gone = (await rows()).filter(({ id }) => id === mediaId || id === later);
  assert.deepEqual(
    gone.map(({ state }) => state),
    ["failed", "failed"],
  );
  assert.equal(JSON.stringify(await ground.attachment(externalMessageId)).includes("url"), false);
  const named = sql`select 1 from media where id = ${later} and source_sealed is not null`;
  assert.deepEqual(await app.db.query(named), [], "where it lay is forgotten at once");
  clock.advance(300_000 - 1);
  assert.equal(await sweepMedia(app), 0, "somebody may be fetching it just now");
  clock.advance(1);
  assert.equal(await sweepMedia(app), 2);
  assert.equal((await ground.files()).length, files.length - 1);
});

test("a file that is being fetched while its person is erased is removed after the fetch, with its bytes", async () => {
  const { app, clock } = ground.t;
  const { workspaceId } = ground.account;
  const files = await ground.files();
  const named = { fileName: "Mona.png" };
  const kept = await ground.receives(`${ground.base}/kept`, named);
  await ground.fetch();
  const [fetched, waits] = [
    await ground.receives("/fetched", named),
    await ground.receives("/waits", named),
  ];
  const now = clock.now();
  const leaseUntil = new Date(now.getTime() + 300_000);
  const [claim] = await claimFetches(app.db, {
    ...ANY,
    by: app.life.id,
    limit: 1,
    now,
    leaseUntil,
  });
  assert.ok(claim);
  const messages = await app.db.query<{ id: string }>(sql`
    select id from message
    where workspace_id = ${workspaceId} and provider_message_id in (${kept}, ${fetched}, ${waits})`);
  const of = { workspaceId, erasureId: app.ids.next() };
  const erase = () =>
    app.db.transaction((tx) =>
      eraseMedia(
        app,
        tx,
        of,
        messages.map(({ id }) => id),
      ),
    );
  assert.deepEqual([await erase(), await erase()], [3, 0]);
  // The bytes may go later. From here on nobody can read or fetch them.
  const left = await app.db.query(sql`
    select distinct state, reason, detail, file_name, source_sealed, available_at from media
    where workspace_id = ${workspaceId} and erasure_id = ${of.erasureId}`);
  const gone = { detail: null, file_name: null, source_sealed: null, available_at: null };
  assert.deepEqual(left, [{ state: "failed", reason: "gone", ...gone }]);
  assert.equal(await sweepMedia(app), 2, "nobody fetches the third");
  assert.deepEqual(await nextErasedMedia(app.db, of), leaseUntil);
  const file = await spool(app.config.dataDir, "y", once(PNG), 1_000);
  await storageOf(app).put(storageKey(claim), file);
  clock.advance(300_000 - 1);
  assert.equal(await sweepMedia(app), 0);
  clock.advance(1);
  assert.equal(await sweepMedia(app), 1);
  assert.equal(await nextErasedMedia(app.db, of), null);
  assert.deepEqual(await ground.files(), files);
});

test("copies share the bytes of their source, which are removed with the last of them", async () => {
  const { app, clock } = ground.t;
  const { workspaceId } = ground.account;
  clock.advance(25 * HOUR);
  await sweepMedia(app);
  const before = await ground.files();
  const source = await upload();
  const copy = async (ids: readonly string[]) => [
    ...(await copyUploads(OPERATOR, app, app.db, workspaceId, ids)).values(),
  ];
  const bytesOf = async (id: string) => {
    const media = await findMedia(app, workspaceId, id);
    const chunks: Uint8Array[] = [];
    for await (const chunk of (media && (await openMedia(app, media))) ?? []) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  clock.advance(HOUR);
  const [first = ""] = await copy([source.id, source.id, "x", app.ids.next()]);
  clock.advance(HOUR);
  const [second = ""] = await copy([first]);
  assert.notEqual(first, second);
  const marks = async () => {
    const all = await app.db.transaction((tx) =>
      nextStoredFiles(tx, { workspaceId, id: NIL_ID }, 500),
    );
    return all.filter(({ bytesId }) => bytesId === source.id).map(({ id }) => id);
  };
  assert.deepEqual(await marks(), [source.id], "a backup has the bytes once");
  assert.equal((await ground.files()).length, before.length + 1);
  clock.advance(22 * HOUR);
  assert.equal(await sweepMedia(app), 1);
  assert.equal(await findMedia(app, workspaceId, source.id), null);
  assert.deepEqual([await bytesOf(first), await bytesOf(second)], [PNG, PNG]);
  assert.deepEqual(await marks(), [first]);
  assert.deepEqual(await copy([source.id]), []);
  clock.advance(3 * HOUR);
  assert.equal(await sweepMedia(app), 2, "both at once");
  assert.deepEqual(await ground.files(), before);
});

test("when the store does not take a file, it is tried again, and in the end the agent reads why", async () => {
  const message = await ground.receives(`${ground.base}/full`);
  const { app, clock } = ground.t;
  // A folder that cannot be made, as on a full or read-only disk.
  const broken = { ...app, config: { ...app.config, dataDir: "/dev/null" } };
  for (let tries = 0; tries < 6; tries++) {
    assert.equal((await ground.attachment(message))["status"], "pending");
    const fetcher = createFetcher(broken, settleAttachment, { sourceFor: () => bareSource });
    assert.equal(await fetcher.claim(), 1);
    await Promise.all(fetcher.inFlight);
    clock.advance(2 * HOUR);
  }
  assert.equal((await ground.attachment(message))["reason"], "not_stored");

  const before = await ground.files();
  await ground.receives(`${ground.base}/away`);
  const fetcher = createFetcher(awayStore(), settleAttachment, { sourceFor: () => bareSource });
  assert.equal(await fetcher.claim(), 1);
  await Promise.all(fetcher.inFlight);
  assert.deepEqual(await ground.files(), before, "nor does it stay in the spool");
});
