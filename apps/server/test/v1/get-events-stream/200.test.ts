import { OPERATOR } from "../../../src/actor.ts";
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { createKey } from "../../../src/api-keys/create-key.ts";
import { revokeKey } from "../../../src/api-keys/revoke-key.ts";
import { buildApp } from "../../../src/app.ts";
import { createContact } from "../../../src/contacts/record/create-contact.ts";
import { sql } from "../../../src/db/sql.ts";
import { pruneEvents } from "../../../src/webhooks/prune-events.ts";
import { readEvents, type EventReader } from "../../event-reader.ts";
import { startApi, type Api } from "../api.ts";

let api: Api;
let base: string;
before(async () => {
  api = await startApi();
  await api.http.listen({ host: "127.0.0.1", port: 0 });
  base = `http://127.0.0.1:${(api.http.server.address() as AddressInfo).port}/api/v1/events/stream`;
});
after(() => api[Symbol.asyncDispose]());

const stream = (bearer: string, query = "", headers: Record<string, string> = {}) =>
  readEvents(`${base}${query}`, { authorization: `Bearer ${bearer}`, ...headers });
const add = (workspaceId: string, app = api.app) =>
  createContact(OPERATOR, app, workspaceId, { email: "a@b.co", name: "é ✓\nline" });
const frames = async (reader: EventReader, count: number) => {
  const all = [];
  for (let index = 0; index < count; index++) all.push(await reader.next());
  return all.map((frame) => [frame?.event, frame?.id]);
};

test("it begins now, names the place, and tells what happens as it happens in the stored bytes", async () => {
  const { workspaceId, bearer } = await api.newWorkspace();
  await add(workspaceId);
  await using reader = await stream(bearer);
  assert.equal(reader.status, 200);
  assert.equal(reader.headers.get("content-type"), "text/event-stream; charset=utf-8");
  assert.equal(reader.headers.get("cache-control"), "no-store, no-transform");
  assert.equal(reader.headers.get("ratelimit-remaining"), "119");
  assert.deepEqual(await reader.next(), { event: "open", id: "1", data: '{"after":1}' });
  await add(workspaceId);
  const frame = await reader.next();
  const [stored] = await api.app.db.query<{ body: string }>(
    sql`select body from event where workspace_id = ${workspaceId} and sequence = 2`,
  );
  assert.deepEqual(frame, { event: "contact.created", id: "2", data: stored?.body });
});

test("it resumes after a place, after Last-Event-ID before that, and passes over other kinds", async () => {
  const { workspaceId, bearer } = await api.newWorkspace();
  for (let index = 0; index < 4; index++) await add(workspaceId);
  await using from = await stream(bearer, "?after=2");
  assert.deepEqual(await frames(from, 3), [
    ["open", "2"],
    ["contact.created", "3"],
    ["contact.created", "4"],
  ]);
  await using back = await stream(bearer, "?after=0", { "last-event-id": "3" });
  assert.deepEqual(await frames(back, 2), [
    ["open", "3"],
    ["contact.created", "4"],
  ]);
  await using other = await stream(bearer, "?after=0&types=contact.updated");
  assert.deepEqual(await frames(other, 1), [["open", "0"]]);
  const { id } = await add(workspaceId);
  await api.call("PATCH", `/contacts/${id}`, { bearer, json: { name: "Other" } });
  assert.deepEqual(await frames(other, 1), [["contact.updated", "6"]]);
});

test("what another process stored comes too", async () => {
  const { workspaceId, bearer } = await api.newWorkspace();
  await using reader = await stream(bearer);
  await reader.next();
  await using other = await buildApp(
    api.app.config,
    { masterKey: randomBytes(32) },
    { clock: api.clock },
  );
  await add(workspaceId, other);
  assert.deepEqual(await frames(reader, 1), [["contact.created", "1"]]);
});

test("a place before the oldest that is kept is told as a gap, once", async () => {
  const { workspaceId, bearer } = await api.newWorkspace();
  for (let index = 0; index < 3; index++) await add(workspaceId);
  api.clock.advance(31 * 24 * 60 * 60 * 1_000);
  await add(workspaceId);
  while ((await pruneEvents(api.app, 1_000)) > 0);
  await using reader = await stream(bearer, "?after=1");
  await reader.next();
  const gap = await reader.next();
  assert.deepEqual([gap?.event, gap?.data], ["gap", '{"after":1,"oldestSequence":4}']);
  assert.deepEqual(await frames(reader, 1), [["contact.created", "4"]]);
  await add(workspaceId);
  assert.deepEqual(await frames(reader, 1), [["contact.created", "5"]]);
});

test("more than a page comes whole and in order, and no event of another workspace", async () => {
  const { workspaceId, bearer } = await api.newWorkspace();
  const other = await api.newWorkspace();
  await using reader = await stream(bearer, "?after=0");
  await reader.next();
  await Promise.all(
    Array.from({ length: 250 }, (_, index) =>
      add(index % 5 === 0 ? other.workspaceId : workspaceId),
    ),
  );
  const ids = (await frames(reader, 200)).map(([, id]) => Number(id));
  assert.deepEqual(
    ids,
    Array.from({ length: 200 }, (_, index) => index + 1),
  );
});

/** A crowded machine takes several times as long as a quiet one. What hangs takes for ever. */
const WITHOUT_HASTE_MS = 60_000;

test("the stream of a revoked key ends within five seconds, of an expired one too; others go on", async () => {
  const { workspaceId, bearer } = await api.newWorkspace();
  const revoked = await createKey(OPERATOR, api.app, workspaceId);
  const expiresAt = new Date(api.clock.now().getTime() + 60_000);
  const expired = await createKey(OPERATOR, api.app, workspaceId, { expiresAt });
  await using first = await stream(revoked.bearer);
  await using second = await stream(expired.bearer);
  await using third = await stream(bearer);
  for (const reader of [first, second, third]) await reader.next();
  const started = performance.now();
  await revokeKey(OPERATOR, api.app, workspaceId, revoked.id);
  api.clock.advance(60_001);
  for (const reader of [first, second]) {
    assert.deepEqual(await reader.next(), { event: "end", id: null, data: '{"reason":"revoked"}' });
    assert.equal(await reader.next(), null);
  }
  assert.ok(performance.now() - started < WITHOUT_HASTE_MS);
  await add(workspaceId);
  assert.deepEqual(await frames(third, 1), [["contact.created", "1"]]);
});

test("a key has five: the sixth ends the oldest", async () => {
  const { bearer, workspaceId } = await api.newWorkspace();
  await using first = await stream(bearer);
  await using second = await stream(bearer);
  await using rest = new AsyncDisposableStack();
  for (const reader of [first, second]) await reader.next();
  for (let index = 0; index < 4; index++) await rest.use(await stream(bearer)).next();
  assert.equal((await first.next())?.data, '{"reason":"replaced"}');
  await add(workspaceId);
  assert.deepEqual(await frames(second, 1), [["contact.created", "1"]]);
});

test("a stop tells the readers and does not wait for them", async () => {
  await using one = await startApi();
  await one.http.listen({ host: "127.0.0.1", port: 0 });
  const { port } = one.http.server.address() as AddressInfo;
  await using reader = await readEvents(`http://127.0.0.1:${port}/api/v1/events/stream`, {
    authorization: `Bearer ${one.bearer}`,
  });
  await reader.next();
  const started = performance.now();
  await one.http.close();
  assert.ok(performance.now() - started < WITHOUT_HASTE_MS);
  assert.equal((await reader.next())?.data, '{"reason":"shutdown"}');
  assert.equal(await reader.next(), null);
});
