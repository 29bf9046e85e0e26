import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { sql } from "../../../src/db/sql.ts";
import { emitEvents } from "../../../src/webhooks/emit-events.ts";
import { EVENT_KINDS } from "../../../src/wire/words.ts";
import { readEvents } from "../../event-reader.ts";
import { startApi, type Api } from "../api.ts";
import { SCOPES } from "../every-route/routes.ts";

/** What the contract gives a scope to read (contract §5, Scopes of events), typed from it and not from the code. */
const PREFIXES: Record<string, readonly string[]> = {
  "messages:read": [
    "message.",
    "media.",
    "note.",
    "suggestion.",
    "bot.",
    "conversation.",
    "channel.",
  ],
  "contacts:read": ["contact."],
  "broadcasts:read": ["broadcast."],
  "templates:read": ["template."],
  "usage:read": ["usage."],
  "otp:send": ["otp."],
  "webhooks:read": ["webhook."],
};
const kindsOf = (scopes: readonly string[]) =>
  EVENT_KINDS.filter((kind) =>
    scopes.some((scope) => PREFIXES[scope]?.some((prefix) => kind.startsWith(prefix))),
  );

let api: Api;
let workspaceId: string;
let base: string;
before(async () => {
  api = await startApi();
  ({ workspaceId } = await api.newWorkspace());
  const usage = {
    percent: 80,
    limit: 500,
    usage: 400,
    periodStart: "2026-11-01T00:00:00.000Z",
    periodEnd: "2026-12-01T00:00:00.000Z",
  } as const;
  // One event of every kind. What is in them does not matter here: they are given out by their kind.
  await api.app.db.transaction((tx) =>
    emitEvents(
      api.app,
      tx,
      EVENT_KINDS.map(() => ({ workspaceId, type: "usage.threshold" as const, data: usage })),
    ),
  );
  await api.app.db.query(sql`
    update event set type = k.kind, body = replace(body, 'usage.threshold', k.kind)
    from unnest(${[...EVENT_KINDS]}::text[]) with ordinality as k (kind, sequence)
    where workspace_id = ${workspaceId} and event.sequence = k.sequence`);
  await api.http.listen({ host: "127.0.0.1", port: 0 });
  base = `http://127.0.0.1:${(api.http.server.address() as AddressInfo).port}/api/v1/events/stream`;
});
after(() => api[Symbol.asyncDispose]());

const read = async (bearer: string, query = "") => {
  const { status, body } = await api.call("GET", `/events${query}`, { bearer });
  return { status, message: body.message, page: body as unknown as Page };
};
interface Page {
  readonly items: readonly { readonly type: string }[];
  readonly nextAfter: number;
  readonly hasMore: boolean;
}
const typesOf = ({ items }: Page) => items.map((item) => item.type);

test("a key reads the kinds whose scope it holds, and a page passes over the others", async () => {
  for (const scope of SCOPES) {
    const { status, message, page } = await read(await api.key([scope], workspaceId), "?after=0");
    if (PREFIXES[scope] === undefined)
      assert.deepEqual([status, message], [403, "MISSING_SCOPE:messages:read"], scope);
    else {
      assert.deepEqual([status, typesOf(page)], [200, kindsOf([scope])], scope);
      assert.deepEqual([page.nextAfter, page.hasMore], [EVENT_KINDS.length, false], scope);
    }
  }
  const two = ["messages:read", "usage:read"];
  assert.deepEqual(typesOf((await read(await api.key(two, workspaceId))).page), kindsOf(two));
  const all = (await read(await api.key([...SCOPES], workspaceId))).page;
  assert.deepEqual(typesOf(all), kindsOf([...SCOPES]));
});

test("a key without scopes reads every kind", async () => {
  const { page } = await read(await api.key([], workspaceId));
  assert.deepEqual(typesOf(page), [...EVENT_KINDS]);
});

test("403 names the scope of a kind that was asked for and may not be read", async () => {
  const bearer = await api.key(["messages:read", "usage:read"], workspaceId);
  const asked = await read(bearer, "?types=message.received,contact.created");
  assert.deepEqual([asked.status, asked.message], [403, "MISSING_SCOPE:contacts:read"]);
  const allowed = await read(bearer, "?types=usage.threshold,message.received");
  assert.deepEqual(typesOf(allowed.page), ["message.received", "usage.threshold"]);
  // The contract gives it to no scope.
  const none = await read(bearer, "?types=endpoint.test");
  assert.deepEqual(
    [none.status, typesOf(none.page), none.page.nextAfter],
    [200, [], EVENT_KINDS.length],
  );
});

test("the stream gives a key the same kinds, also beside one that reads all", async () => {
  const headers = (bearer: string) => ({ authorization: `Bearer ${bearer}` });
  await using all = await readEvents(`${base}?after=0`, headers(await api.key([], workspaceId)));
  const scopes = ["contacts:read", "otp:send"];
  const bearer = await api.key(scopes, workspaceId);
  await using some = await readEvents(`${base}?after=0`, headers(bearer));
  const next = async (reader: typeof all, count: number) => {
    const seen: (string | undefined)[] = [];
    for (let frame = 0; frame < count; frame++) seen.push((await reader.next())?.event);
    return seen;
  };
  assert.deepEqual(await next(some, 1 + kindsOf(scopes).length), ["open", ...kindsOf(scopes)]);
  assert.deepEqual(await next(all, 1 + EVENT_KINDS.length), ["open", ...EVENT_KINDS]);
});
