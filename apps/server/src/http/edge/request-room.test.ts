import assert from "node:assert/strict";
import { once } from "node:events";
import { request as ask } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { test } from "node:test";
import Fastify, { type FastifyInstance } from "fastify";
import pg from "pg";
import { startTestApp } from "../../../test/harness.ts";
import { startApi } from "../../../test/v1/api.ts";
import { serve, WebShop } from "../../../test/web-shop.ts";
import { sql } from "../../db/sql.ts";
import type { Pressure } from "../../lib/pressure.ts";
import { answerError } from "./answer-error.ts";
import { answerWithStream } from "./live-stream.ts";
import { boundRequests, RequestRoom, type Importance } from "./request-room.ts";

const ORDER = ["heavy", "program", "member", "platform", "always"] as const;
const LIMITS = { requests: 16, perKey: 2 };

class Pressed implements Pressure {
  late = 0;
  share = 0;
  loopMs = () => this.late;
  memory = () => this.share;
}

/** Who is admitted now. */
const admitted = (room: RequestRoom): Importance[] =>
  ORDER.filter((importance) => room.refusal(importance) === undefined);

/** A room in which `count` requests are worked on. */
function roomWith(count: number, pressure = new Pressed()): RequestRoom {
  const room = new RequestRoom(LIMITS, pressure);
  for (let one = 0; one < count; one++) room.enter();
  return room;
}

test("a room that fills up refuses lists and exports first, then programs, members and platforms, and probes never", () => {
  assert.deepEqual(admitted(roomWith(9)), ORDER);
  assert.deepEqual(admitted(roomWith(10)), ["program", "member", "platform", "always"]);
  assert.deepEqual(admitted(roomWith(12)), ["member", "platform", "always"]);
  assert.deepEqual(admitted(roomWith(14)), ["platform", "always"]);
  assert.deepEqual(admitted(roomWith(16)), ["always"]);
});

test("a late event loop refuses in the same order, but not where a few requests cannot be the cause", () => {
  const pressure = new Pressed();
  const [busy, quiet] = [roomWith(2, pressure), roomWith(1, pressure)];
  const at = (late: number) => {
    pressure.late = late;
    return admitted(busy)[0];
  };
  assert.deepEqual([200, 201, 301, 601, 1_001].map(at), ORDER);
  assert.deepEqual(admitted(quiet), ORDER);
});

test("memory that runs out refuses in the same order, also when little is asked for", () => {
  const pressure = new Pressed();
  const room = roomWith(0, pressure);
  const at = (share: number) => {
    pressure.share = share;
    return admitted(room)[0];
  };
  assert.deepEqual([0.8, 0.81, 0.86, 0.91, 0.96].map(at), ORDER);
});

test("a key has its share of a crowded room, may burst in an empty one, and every refusal is counted", () => {
  const room = new RequestRoom(LIMITS, new Pressed());
  const places = Array.from({ length: 10 }, () => room.enter("key:a"));
  assert.deepEqual(room.refusal("program", "key:a")?.facts.details, [
    {
      path: "policy",
      message: "in-flight: while the server is busy, a key has 2 requests at once",
    },
  ]);
  assert.equal(room.refusal("program", "key:b"), undefined);
  assert.equal(room.refusal("platform"), undefined);
  // Ended twice, it counts once.
  for (const leave of [...places.slice(0, 9), ...places.slice(0, 9)]) leave();
  assert.equal(room.inFlight, 1);
  assert.equal(room.refusal("program", "key:a"), undefined);
  assert.deepEqual(room.refusals(), [{ importance: "program", cause: "key", count: 1 }]);
});

test("while programs are refused and slow they get less room, the others keep theirs, and it grows back", () => {
  let now = 0;
  const room = new RequestRoom({ requests: 256, perKey: 16 }, new Pressed(), () => now);
  /** A tenth of a second, in which so many are worked on and each took so long. */
  const look = (count: number, ms: number) => {
    const places = Array.from({ length: count }, () => room.enter());
    now += ms;
    const refused = room.refusal("program") !== undefined;
    for (const leave of places) leave();
    now += 100;
    room.refusal("always");
    return refused;
  };
  assert.equal(look(190, 150), false, "a burst that has room makes it no smaller");
  for (let n = 0; n < 12; n++) look(192, 150);
  assert.equal(look(24, 150), true);
  assert.equal(look(23, 150), false);
  const places = Array.from({ length: 200 }, () => room.enter());
  assert.deepEqual(admitted(room), ["member", "platform", "always"]);
  for (const leave of places) leave();
  for (let n = 0; n < 40; n++) look(1, 10);
  assert.equal(look(190, 10), false);
});

/** A server with this room, whose answers wait until they are asked for. */
async function served(room: RequestRoom) {
  const fastify: FastifyInstance = Fastify();
  const waiting: (() => void)[] = [];
  const later = () => new Promise<void>((resolve) => waiting.push(resolve));
  fastify.decorateRequest("admitted", null);
  boundRequests(fastify, room);
  const log = { error() {}, warn() {} } as never;
  fastify.setErrorHandler((error, request, reply) => answerError({ log }, error, request, reply));
  fastify.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
  fastify.get("/plain", async () => later().then(() => "plain"));
  fastify.get("/proves", { onRequest: async () => later() }, async () => "proven");
  fastify.addContentTypeParser("text/slow", { parseAs: "string" }, (_request, body, done) =>
    done(null, body),
  );
  fastify.post("/body", async () => later().then(() => "read"));
  fastify.get("/fails", async () => later().then(() => Promise.reject(new Error("on purpose"))));
  fastify.get("/stream", async (request, reply) => void answerWithStream(request, reply));
  const lines = () => Readable.from(Array.from({ length: 2_000 }, () => "x".repeat(16_384)));
  fastify.get("/file", async (_request, reply) => reply.send(lines()));
  fastify.get("/export", { config: { heavy: true } }, async (_request, reply) =>
    reply.send(lines()),
  );
  fastify.post("/upload", { config: { slowBody: true } }, async () => later().then(() => "kept"));
  await fastify.listen({ host: "127.0.0.1", port: 0 });
  const { port } = fastify.server.address() as AddressInfo;
  const call = (path: string, method = "GET", type = "a/b") => {
    const headers = { "content-type": type };
    const sent = ask({ host: "127.0.0.1", port, path, method, headers, agent: false });
    sent.on("error", () => {});
    if (method === "GET") sent.end();
    else sent.flushHeaders();
    return sent;
  };
  /** Waits until so many are worked on, and until so many handlers have begun. */
  const until = async (inFlight: number, begun = waiting.length) => {
    while (room.inFlight !== inFlight || waiting.length < begun)
      await new Promise((resolve) => setTimeout(resolve, 1));
  };
  return { fastify, call, until, waiting };
}

test(
  "a place ends with the answer, with an error, with a stream's head, and with an export's last line",
  { timeout: 120_000 },
  async () => {
    const room = new RequestRoom(LIMITS, new Pressed());
    const { fastify, call, until, waiting } = await served(room);
    try {
      for (const path of ["/plain", "/fails"]) {
        const answered = once(call(path), "response");
        await until(1, 1);
        waiting.shift()?.();
        await answered;
        await until(0);
      }
      // Credentials are asked of the database: a request has its place while its own is looked up.
      const proven = once(call("/proves"), "response");
      await until(1, 1);
      waiting.shift()?.();
      await proven;
      await until(0);
      // A body on a slow line takes none until it is there.
      const slow = call("/body", "POST", "text/slow");
      slow.write("first");
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal(room.inFlight, 0);
      slow.end("last");
      await until(1, 1);
      const read = once(slow, "response");
      waiting.shift()?.();
      await read;
      await until(0);
      // The client hangs up: the handler still works, and its place ends with it.
      const cut = call("/plain");
      await until(1, 1);
      cut.destroy();
      await new Promise((resolve) => setTimeout(resolve, 20));
      assert.equal(room.inFlight, 1);
      waiting.shift()?.();
      await until(0);

      // An upload waits for its line and not for us.
      const upload = call("/upload", "POST");
      await until(0, 1);
      for (const path of ["/stream", "/file"]) {
        await once(call(path), "response");
        await until(0);
      }
      const reading = call("/export");
      await once(reading, "response");
      assert.equal(room.inFlight, 1);
      reading.destroy();
      await until(0);
      upload.destroy();
    } finally {
      for (const answer of waiting) answer();
      fastify.server.closeAllConnections();
      await fastify.close();
    }
  },
);

test("each address has its importance, and a refused call says so in the form of its door", async () => {
  const pressure = new Pressed();
  await using api = await startApi({ overrides: { pressure } });
  const status = async (url: string, method: "GET" | "POST" = "GET", accept = "*/*") =>
    (await api.http.inject({ method, url, headers: { accept } })).statusCode;
  const addresses: Readonly<Record<Importance, readonly [url: string, method?: "POST"][]>> = {
    heavy: [
      ["/api/v1/contacts"],
      ["/api/v1/conversations"],
      ["/api/v1/events"],
      ["/api/v1/contacts/search", "POST"],
      ["/api/v1/exports", "POST"],
      ["/api/v1/imports", "POST"],
      ["/api/v1/broadcasts/1/recipients.csv"],
      ["/api/v1/broadcasts/1/report"],
      ["/api/v1/exports/1/content"],
      ["/api/v1/contacts/1/export"],
      ["/api/v1/imports/1/refused"],
      ["/api/app/contacts/export"],
      ["/api/app/contacts/1/export"],
      ["/api/app/campaigns/1/recipients.csv"],
      ["/api/app/imports/1/refused"],
    ],
    program: [
      ["/api/v1/contacts/1"],
      ["/api/v1/contacts", "POST"],
      ["/api/v1/messages", "POST"],
      ["/api/v1/otp/send", "POST"],
      ["/api/v1/usage"],
      ["/mcp", "POST"],
    ],
    member: [["/api/app/bootstrap"], ["/api/app/contacts"], ["/docs"]],
    platform: [
      ["/hooks/whatsapp/1"],
      ["/hooks/telegram/1", "POST"],
      ["/chat/v1/1/session", "POST"],
      ["/chat/widget.js"],
      ["/media/1/2"],
    ],
    always: [["/healthz"], ["/readyz"], ["/nothing"], ["/api/v1/nothing"]],
  };
  const shares = [0.81, 0.86, 0.91, 0.96];
  for (const [level, share] of shares.entries()) {
    pressure.share = share;
    for (const [rank, importance] of ORDER.entries())
      for (const [url, method] of addresses[importance])
        assert.equal((await status(url, method)) === 503, rank <= level, `${url} at ${share}`);
  }
  const { body } = await api.http.inject({ url: "/metrics", remoteAddress: "127.0.0.1" });
  assert.match(body, /parley_requests_refused_total\{importance="heavy",cause="memory"\} [1-9]/);
  pressure.share = 0.81;
  // The document promises it.
  const refused = await api.call("GET", "/contacts");
  assert.equal(refused.body.message, "OVERLOADED");
  assert.ok(Number(refused.headers["retry-after"]) >= 1);
  assert.equal(refused.headers["ratelimit-remaining"], undefined, "it was not counted");
  assert.equal(
    (await api.call("POST", "/contacts", { json: { phone: "+96550000001" } })).status,
    201,
  );
});

/**
 * Everything is held up by a locked table, so that how fast this machine is does not matter: what was admitted waits,
 * the rest is refused at once.
 */
test("of many calls at once the room's are admitted and kept, the rest is refused, and visitors are served meanwhile", async () => {
  await using t = await startTestApp({
    config: { requestRoom: { requests: 32, perKey: 32 } },
    // None gives up on the locked table.
    overrides: { requestLimits: { answerMs: 120_000, waitMs: 120_000 } },
  });
  const { server, base } = await serve(t.app);
  const lock = new pg.Client({ connectionString: t.databaseUrl });
  try {
    const shop = await WebShop.open(t.app, base);
    const visitor = await shop.visitor();
    await lock.connect();
    const call = async (path: string, json?: object) =>
      fetch(`${base}/api/v1${path}`, {
        method: json ? "POST" : "GET",
        headers: { authorization: `Bearer ${shop.bearer}`, "content-type": "application/json" },
        ...(json && { body: JSON.stringify(json) }),
      });
    await lock.query("begin; lock table contact_total in access exclusive mode");
    const name = (n: number) => `Many ${n}`;
    const asked = Array.from({ length: 100 }, (_, n) =>
      call("/contacts", { name: name(n), phone: `+96550${100_000 + n}` }),
    );
    const refused = await firstOf(asked, 76);
    assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([503]));
    for (const one of refused) {
      assert.ok(Number(one.headers.get("retry-after")) >= 1);
      assert.equal(((await one.json()) as { message: string }).message, "OVERLOADED");
    }
    assert.equal((await call("/labels")).status, 503);
    assert.equal((await call("/me")).status, 503);
    assert.equal((await fetch(`${base}/api/app/bootstrap`)).status, 401, "a page is admitted");
    assert.equal((await visitor.post("typing", { active: true })).status, 204);
    await lock.query("commit");
    const answers = await Promise.all(asked);
    const made = answers.flatMap(({ status }, n) => (status === 201 ? [name(n)] : []));
    assert.equal(made.length, 24);
    const stored = await t.app.db.query<{ name: string }>(
      sql`select name from contact where workspace_id = ${shop.workspaceId} and name like 'Many %'`,
    );
    assert.deepEqual(stored.map((one) => one.name).toSorted(), made.toSorted());
  } finally {
    await lock.end();
    server.server.closeAllConnections();
    await server.close();
  }
});

/** The first `count` answers that arrive. */
function firstOf(asked: readonly Promise<Response>[], count: number): Promise<Response[]> {
  const arrived: Response[] = [];
  return new Promise((resolve, reject) => {
    for (const one of asked)
      one.then((answer) => {
        if (arrived.push(answer) === count) resolve(arrived.slice());
      }, reject);
  });
}
