import { OPERATOR } from "../../src/actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createKey } from "../../src/api-keys/create-key.ts";
import { buildApp, type App } from "../../src/app.ts";
import { sql } from "../../src/db/sql.ts";
import { buildHttp } from "../../src/http/server.ts";
import { createLogger } from "../../src/lib/logger.ts";
import { Cable } from "../cable.ts";
import { Desk, startMessaging, type Messaging } from "../messaging.ts";

/** A server whose PostgreSQL falls silent, as when its processes are stopped. */
let m: Messaging;
let cable: Cable;
let app: App;
let http: Awaited<ReturnType<typeof buildHttp>>;
let desk: Desk;
let call: (method: "GET" | "POST", url: string, body?: object, key?: string) => Promise<Answer>;
interface Answer {
  readonly status: number;
  readonly retryAfter: string;
  readonly message: unknown;
}
before(async () => {
  m = await startMessaging();
  cable = await Cable.lay(m.t.databaseUrl);
  const config = { ...m.t.app.config, databaseUrl: cable.url };
  app = await buildApp(
    config,
    { masterKey: Buffer.alloc(32) },
    {
      clock: m.t.clock,
      log: createLogger("silent"),
      requestLimits: { answerMs: 1_000, waitMs: 500 },
    },
  );
  http = await buildHttp(app);
  desk = await Desk.open(m);
  const { bearer } = await createKey(OPERATOR, m.t.app, desk.workspaceId);
  call = async (method, url, body, key) => {
    const answer = await http.inject({
      method,
      url: `/api/v1${url}`,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body && { "content-type": "application/json" }),
        ...(key !== undefined && { "idempotency-key": key }),
      },
      ...(body && { payload: JSON.stringify(body) }),
    });
    const { message } = answer.json<{ message?: unknown }>();
    return {
      status: answer.statusCode,
      retryAfter: String(answer.headers["retry-after"]),
      message,
    };
  };
});
after(async () => {
  await http.close();
  await app[Symbol.asyncDispose]();
  await cable[Symbol.asyncDispose]();
  await m[Symbol.asyncDispose]();
});

test("while PostgreSQL is silent requests are answered 503 in time; afterwards a repeated write is there once", async () => {
  const conversationId = await desk.hears("96551000001");
  const send = (n: number) => call("POST", "/messages", { conversationId, text: `t${n}` }, `k${n}`);
  let warm: Answer | undefined;
  while (warm?.status !== 201) warm = await send(0);
  while ((await call("GET", "/contacts")).status !== 200);

  cable.fallSilent();
  const begun = performance.now();
  // More than one batch of the group commit, and more than there are connections.
  const numbers = Array.from({ length: 40 }, (_, n) => n + 1);
  const answers = await Promise.all([
    ...numbers.map(send),
    call("POST", "/contacts", { name: "Sara" }),
    call("GET", "/conversations"),
    call("GET", "/usage"),
  ]);
  const took = performance.now() - begun;
  for (const answer of answers)
    assert.deepEqual(answer, { status: 503, retryAfter: "5", message: "OVERLOADED" });
  assert.ok(took < 60_000, `${took} ms`);
  assert.deepEqual(await app.readiness(), {
    ready: false,
    faults: ["the database cannot be reached"],
  });

  cable.speak();
  await cable.settled();
  for (const n of numbers) {
    let again: Answer | undefined;
    while (again?.status !== 201) again = await send(n);
  }
  const rows = await m.t.app.db.query<{ text: string; n: number }>(sql`
    select text, count(*)::int as n from message
    where workspace_id = ${desk.workspaceId} and direction = 'outbound' group by text`);
  assert.equal(rows.length, numbers.length + 1);
  assert.ok(rows.every(({ n }) => n === 1));
});
