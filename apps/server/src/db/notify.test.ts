import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import { createLogger } from "../lib/logger.ts";
import { RESYNC_TOPIC, type Hint } from "../lib/topics.ts";
import type { Queryable } from "./database.ts";
import { createTopics } from "./notify.ts";
import { sql } from "./sql.ts";

test("a listening connection on which nothing arrives does not count as connected, and is reported once", async () => {
  await using t = await startTestApp();
  const told: string[] = [];
  const warned = Promise.withResolvers<void>();
  const log = Object.assign(createLogger("silent"), {
    warn(_facts: object, message: string) {
      told.push(message);
      warned.resolve();
    },
  });
  const { databaseUrl: connectionString } = t;
  // As behind a pooler in transaction mode: a notification goes to a connection on which nobody listens.
  const db: Queryable = { query: async () => [] };
  const deaf = createTopics({ connectionString, db, log, processId: "deaf", proofMs: 50 });
  const hears = createTopics({
    connectionString,
    db: t.app.db,
    log: createLogger("silent"),
    processId: "hears",
    proofMs: 60_000,
  });
  const heard: Hint[] = [];
  try {
    deaf.subscribe("a", (hint) => heard.push(hint));
    hears.subscribe("a", () => {});
    while (!hears.connected) await t.app.db.query(sql`select pg_sleep(0.01)`);
    await warned.promise;
    assert.deepEqual([deaf.connected, hears.connected], [false, true]);
    assert.match(told.join("\n"), /^no hints of other processes come in over DATABASE_URL[^\n]*$/);
  } finally {
    await Promise.all([deaf.close(), hears.close()]);
  }
});

test("a notification reaches the listeners of its topic until they stop, at once here and soon in other processes", async () => {
  await using t = await startTestApp();
  const open = (processId: string) =>
    createTopics({
      connectionString: t.databaseUrl,
      db: t.app.db,
      log: createLogger("silent"),
      processId,
    });
  const [here, there] = [open("here"), open("there")];
  const heard: string[] = [];
  try {
    const last = Promise.withResolvers<void>();
    here.subscribe("a", () => heard.push("here a"));
    here.subscribe("b", () => heard.push("here b"));
    const stop = there.subscribe("a", () => heard.push("there a"));
    there.subscribe("a", () => heard.push("there too"));
    there.subscribe("c", () => last.resolve());
    while (!here.connected || !there.connected) await t.app.db.query(sql`select pg_sleep(0.01)`);
    stop();
    const published = here.publish("a", { kind: "resync" });
    assert.deepEqual(heard, ["here a"]);
    await published;
    await here.publish("c", { kind: "resync" });
    await last.promise;
    assert.deepEqual(heard, ["here a", "there too"], "nobody twice");
  } finally {
    await Promise.all([here.close(), there.close()]);
  }
});

/** A message of PostgreSQL. */
function message(type: string, body: string | Buffer): Buffer {
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(4 + Buffer.byteLength(body), 1);
  return Buffer.concat([head, Buffer.from(body)]);
}

test("a proof that came while the process was held up counts", async () => {
  const ready = message("Z", "I");
  const done = Buffer.concat([message("C", "SET\0"), ready]);
  let listening: Socket | undefined;
  const postgres = createServer((socket) => {
    listening = socket;
    socket.on("data", (bytes) => {
      if (bytes.includes("client_encoding\0"))
        socket.write(Buffer.concat([message("R", Buffer.alloc(4)), ready]));
      else if (bytes.toString().startsWith("Q")) socket.write(done);
    });
  });
  // What is written to a Unix socket can be read at once. Over TCP it takes the system a moment.
  const folder = await mkdtemp(path.join(tmpdir(), "parley-test-"));
  postgres.listen(path.join(folder, ".s.PGSQL.5432"));
  await once(postgres, "listening");
  const told: string[] = [];
  const heard = Promise.withResolvers<void>();
  const log = Object.assign(createLogger("silent"), {
    warn(_facts: object, words: string) {
      told.push(words);
      heard.resolve();
    },
  });
  const proofMs = 20;
  const db: Queryable = {
    async query({ values: [channel, payload] }) {
      setImmediate(() => {
        for (const until = performance.now() + 2 * proofMs; performance.now() < until;);
        listening?.write(message("A", `pid_${String(channel)}\0${String(payload)}\0`));
      });
      return [];
    },
  };
  const topics = createTopics({
    connectionString: `postgres://parley@/parley?host=${encodeURIComponent(folder)}`,
    db,
    log,
    processId: "held up",
    proofMs,
  });
  try {
    topics.subscribe(RESYNC_TOPIC, () => heard.resolve());
    await heard.promise;
    assert.deepEqual([topics.connected, told], [true, []]);
  } finally {
    await topics.close();
    postgres.close();
    await rm(folder, { recursive: true });
  }
});

test("when the database has moved, a listening connection that stayed behind is opened anew", async () => {
  await using t = await startTestApp();
  let proofs = 0;
  // The second proof goes to where the database is now, and the connection that listens stayed where it was.
  const elsewhere: Queryable = {
    query: async (statement) => (++proofs === 2 ? [] : t.app.db.query(statement)),
  };
  const topics = createTopics({
    connectionString: t.databaseUrl,
    db: elsewhere,
    log: createLogger("silent"),
    processId: "moved",
    // A first proof that took longer would count as none.
    proofMs: 2_000,
    proofEveryMs: 10,
  });
  const again = Promise.withResolvers<void>();
  const seen: number[] = [];
  try {
    topics.subscribe(RESYNC_TOPIC, () => {
      seen.push(proofs);
      if (seen.length === 2) again.resolve();
    });
    await again.promise;
    assert.ok(topics.connected);
    assert.deepEqual(seen, [1, 3]);
  } finally {
    await topics.close();
  }
});
