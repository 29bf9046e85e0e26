import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import Fastify, { type InjectOptions } from "fastify";
import { Type, type Static, type TObject, type TSchema } from "typebox";
import { startTestApp } from "../../../test/harness.ts";
import { actorName, OPERATOR, type MemberRole } from "../../actor.ts";
import type { Principal } from "../../api-keys/api-key.ts";
import { createKey } from "../../api-keys/create-key.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { keyDoor } from "../v1/key-door.ts";
import { routes as keyRoutes } from "../v1/routes.ts";
import type { Door } from "./door.ts";
import { errorAnswer } from "./errors.ts";
import type { Face } from "./face.ts";
import type { Call, Route } from "./route.ts";
import { serveOpen, serveRoutes, type OpenCall } from "./serve.ts";

// A door for people beside the door for keys, built only with what the edge offers. It stands in for the
// dashboard.

interface Member {
  readonly workspaceId: string;
  readonly memberId: string;
  readonly role: MemberRole;
}

/** A route of people: the roles that may use it, and the shape of the answer for the browser. */
interface MemberFace extends Face {
  readonly who: readonly MemberRole[];
  readonly answer: TSchema;
}

const face = <const F extends MemberFace>(one: F): F => one;

const Thing = Type.Object({ id: Type.String(), name: Type.String(), by: Type.String() });
const api = {
  readThing: face({
    method: "GET",
    path: "/things/{id}",
    who: ["owner", "admin", "agent"],
    query: Type.Object({ as: Type.Optional(Type.String({ maxLength: 5 })) }),
    answer: Thing,
  }),
  renameThing: face({
    method: "POST",
    path: "/things/{id}/name",
    who: ["owner"],
    body: Type.Object({ name: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
    answer: Thing,
    status: 201,
  }),
} as const satisfies Record<string, MemberFace>;
type Api = typeof api;

const exported = face({ method: "GET", path: "/export", who: ["owner"], answer: Type.String() });

const upload = face({ method: "POST", path: "/files", who: ["owner"], answer: Type.String() });

type QueryOf<F> = F extends { query: infer Q extends TObject } ? Static<Q> : unknown;
type BodyOf<F> = F extends { body: infer B extends TObject } ? Static<B> : unknown;
type Handler<F> = (call: Call<Member, QueryOf<F>, BodyOf<F>>) => Promise<string>;
type Handlers<T> = { readonly [N in keyof T]: Handler<T[N]> };

/** One route for each face: a face without a handler does not compile. */
function table<T extends Record<string, MemberFace>>(
  faces: T,
  handlers: Handlers<T>,
): Route<Member, MemberFace>[] {
  const rows: Route<Member, MemberFace>[] = [];
  for (const name in faces) {
    const one: MemberFace | undefined = faces[name];
    if (one) rows.push({ ...one, handler: handlers[name] });
  }
  return rows;
}

/** How often something was renamed, by its new name. */
const renamed = new Map<string, number>();

const memberRoutes = table(api, {
  readThing: async ({ principal, params, query }) =>
    JSON.stringify({ id: params["id"], name: query.as ?? "none", by: principal.memberId }),
  renameThing: async ({ context, actor, params, body, once, setHeader }) => {
    if (params["id"] === "gone") throw new AppError("NOT_FOUND");
    const present = () =>
      JSON.stringify({ id: params["id"], name: body.name, by: actorName(actor) });
    setHeader("set-cookie", "seen=1");
    const { within } = once(present);
    await context.db.transaction(async (tx) => {
      renamed.set(body.name, (renamed.get(body.name) ?? 0) + 1);
      await within?.(tx, null);
    });
    return present();
  },
});

/** A session cookie, and except with GET the header that no foreign page can send. */
function memberDoor(sessions: ReadonlyMap<string, Member>): Door<Member, MemberFace> {
  return {
    async authenticate({ headers, method }) {
      const [, token = ""] = /(?:^|; )parley=(\w+)/.exec(headers.cookie ?? "") ?? [];
      const member = sessions.get(token);
      if (!member) throw new AppError("INVALID_TOKEN");
      if (method !== "GET" && headers["x-parley"] !== "1") throw new AppError("ORIGIN_NOT_ALLOWED");
      return member;
    },
    rate: { limit: 4, windowMs: 60_000 },
    countedAs: ({ memberId }) => `member:${memberId}`,
    permit({ role }, { who }) {
      if (!who.includes(role)) throw new AppError("FORBIDDEN");
    },
    isHeavy: () => false,
    actorOf: ({ memberId, role }) => ({ kind: "member", memberId, role }),
    callerOf: ({ workspaceId, memberId }) => ({ workspaceId, callerId: memberId }),
    logFields: ({ memberId }) => ({ member: memberId }),
    presentError(error, requestId) {
      const { status, code, retryAfterSeconds } = errorAnswer(error, requestId);
      const body = JSON.stringify({ code, details: error.facts.details });
      return { status, code, body, retryAfterSeconds };
    },
  };
}

async function openHouse() {
  const t = await startTestApp();
  const context: Context = t.app;
  const { id: workspaceId } = await createWorkspace(OPERATOR, t.app, { name: "A" });
  const { bearer } = await createKey(OPERATOR, t.app, workspaceId);
  const member = (role: MemberRole): Member => ({ workspaceId, memberId: t.app.ids.next(), role });
  const sessions = new Map([
    ["owner", member("owner")],
    ["second", member("owner")],
    ["agent", member("agent")],
  ]);
  const door = memberDoor(sessions);
  const fastify = Fastify();
  fastify.removeAllContentTypeParsers();
  fastify.decorateRequest("admitted", null);
  const logged: unknown[] = [];
  fastify.addHook("onResponse", async (request) => void logged.push(request.admitted?.logFields));
  const app = { prefix: "/api/app" };
  await fastify.register(async (scope) => serveRoutes(scope, context, door, memberRoutes), app);
  await fastify.register(
    async (scope) =>
      serveOpen(scope, context, door, exported, async ({ principal, reply }) =>
        reply.type("text/csv").send(`member\n${principal.memberId}\n`),
      ),
    app,
  );
  await fastify.register(async (scope) => {
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    const count = async ({ request }: OpenCall<Member>) => {
      let bytes = 0;
      if (request.body instanceof Readable)
        for await (const piece of request.body) bytes += Buffer.byteLength(piece);
      return `${request.headers["content-type"]} ${bytes}`;
    };
    serveOpen(scope, context, door, upload, count, { bodyLimit: 1_000_000 });
  }, app);
  await fastify.register(
    async (scope) => serveRoutes(scope, context, keyDoor(context), keyRoutes),
    { prefix: "/api/v1" },
  );
  const ask = async (options: InjectOptions & { as?: string }) => {
    const { as, ...request } = options;
    const cookie = as === undefined ? {} : { cookie: `theme=dark; parley=${as}` };
    const answer = await fastify.inject({ ...request, headers: { ...cookie, ...request.headers } });
    const text = answer.body;
    const body: unknown = text.startsWith("{") ? JSON.parse(text) : text;
    return { status: answer.statusCode, headers: answer.headers, body };
  };
  const rename = (as: string, name: unknown, headers: Record<string, string> = {}, id = "1") =>
    ask({
      method: "POST",
      url: `/api/app/things/${id}/name`,
      as,
      payload: JSON.stringify({ name }),
      headers: { "x-parley": "1", "content-type": "application/json", ...headers },
    });
  return {
    ask,
    rename,
    bearer,
    logged,
    idOf: (as: string) => sessions.get(as)?.memberId,
    async [Symbol.asyncDispose]() {
      await fastify.close();
      await t[Symbol.asyncDispose]();
    },
  };
}

test("a second door checks its own credential, rate, permission and input, in this order, and answers errors in its own form", async () => {
  await using house = await openHouse();
  const url = "/api/app/things/1/name";
  const wrong = { method: "POST", url, payload: "{" } as const;
  assert.deepEqual((await house.ask(wrong)).body, { code: "INVALID_TOKEN" });
  const foreign = await house.ask({ ...wrong, as: "agent" });
  assert.deepEqual([foreign.status, foreign.body], [403, { code: "ORIGIN_NOT_ALLOWED" }]);
  assert.equal(foreign.headers["ratelimit-limit"], undefined, "a foreign page counts nothing");

  const refused = await house.rename("agent", "");
  assert.deepEqual([refused.status, refused.body], [403, { code: "FORBIDDEN" }]);
  assert.equal(refused.headers["ratelimit-remaining"], "3");

  const invalid = await house.rename("owner", "");
  assert.deepEqual(invalid.body, {
    code: "VALIDATION_FAILED",
    details: [{ path: "name", message: "must not be empty" }],
  });
  const done = await house.rename("owner", "Front desk");
  assert.deepEqual(
    [done.status, done.body],
    [201, { id: "1", name: "Front desk", by: `member:${house.idOf("owner")}` }],
  );
  assert.equal(done.headers["set-cookie"], "seen=1");
  assert.equal(done.headers["cache-control"], "no-store");
  assert.deepEqual(house.logged.at(-1), { member: house.idOf("owner") });

  for (let n = 0; n < 2; n++)
    assert.equal((await house.ask({ url: "/api/app/things/1", as: "owner" })).status, 200);
  const fifth = await house.rename("owner", "");
  assert.deepEqual([fifth.status, fifth.body], [429, { code: "RATE_LIMITED" }]);
  assert.ok(fifth.headers["retry-after"]);

  const keyless = await house.ask({ url: "/api/v1/usage", as: "owner" });
  assert.deepEqual(keyless.body, {
    statusCode: 401,
    error: "Unauthorized",
    message: "MISSING_API_KEY",
    details: [{ path: "", message: "send the header Authorization: Bearer PUBLIC:SECRET" }],
  });
  assert.equal(keyless.headers["www-authenticate"], "Bearer");
  const unsigned = await house.ask({
    url: "/api/app/things/1",
    headers: { authorization: `Bearer ${house.bearer}` },
  });
  assert.deepEqual([unsigned.status, unsigned.body], [401, { code: "INVALID_TOKEN" }]);
  assert.equal(unsigned.headers["www-authenticate"], undefined);
});

test("an Idempotency-Key belongs to the principal of its door, and a kept refusal has the door's form", async () => {
  await using house = await openHouse();
  const key = { "idempotency-key": "k" };
  const first = await house.rename("owner", "Once", key);
  const again = await house.rename("owner", "Once", key);
  assert.deepEqual([again.status, again.body], [201, first.body]);
  assert.equal(again.headers["idempotency-replayed"], "true");
  assert.equal(renamed.get("Once"), 1);
  const other = await house.rename("second", "Once", key);
  assert.deepEqual(other.body, { id: "1", name: "Once", by: `member:${house.idOf("second")}` });
  assert.equal(renamed.get("Once"), 2);

  const refusals = [
    await house.rename("second", "x", { "idempotency-key": "gone" }, "gone"),
    await house.rename("second", "x", { "idempotency-key": "gone" }, "gone"),
  ];
  for (const { status, body } of refusals)
    assert.deepEqual([status, body], [404, { code: "NOT_FOUND" }]);
  assert.equal(refusals[1]?.headers["idempotency-replayed"], "true");
});

test("an open route, and a file sent or received, is admitted and validated like every route of its door", async () => {
  await using house = await openHouse();
  const url = "/api/app/export";
  assert.deepEqual((await house.ask({ url })).body, { code: "INVALID_TOKEN" });
  assert.deepEqual((await house.ask({ url, as: "agent" })).body, { code: "FORBIDDEN" });
  const unknown = await house.ask({ url: `${url}?after=1`, as: "owner" });
  assert.deepEqual(unknown.body, {
    code: "VALIDATION_FAILED",
    details: [{ path: "after", message: "is unknown; none are taken here" }],
  });
  const open = await house.ask({ url, as: "owner" });
  assert.equal(open.headers["content-type"], "text/csv");
  assert.equal(open.headers["ratelimit-remaining"], "2");
  const file = {
    method: "POST",
    url: "/api/app/files",
    headers: { "x-parley": "1", "content-type": "image/png" },
    payload: Buffer.alloc(500_000),
  } as const;
  assert.deepEqual((await house.ask({ ...file, as: "agent" })).body, { code: "FORBIDDEN" });
  assert.equal((await house.ask({ ...file, as: "owner" })).body, "image/png 500000");
  assert.equal(open.body, `member\n${house.idOf("owner")}\n`);
});

test("a route that does not fit a door does not compile", () => {
  // Never called: the type checker reads it.
  const unused = (context: Context) => {
    const door = memberDoor(new Map());
    const fastify = Fastify();
    // @ts-expect-error routes of keys, at the door of members
    serveRoutes(fastify, context, door, keyRoutes);
    // @ts-expect-error routes of members, at the door of keys
    serveRoutes(fastify, context, keyDoor(context), memberRoutes);
    // @ts-expect-error a handler for keys, in a row of members
    const row: Route<Member, MemberFace> = { ...exported, handler: async (call: Call<Principal>) => call.principal.keyId }; // oxfmt-ignore
    // @ts-expect-error a face that does not say who may use it
    face({ method: "GET", path: "/things", answer: Thing });
    // @ts-expect-error a face without its handler
    table(api, { readThing: async () => "" });
    const handlers: Pick<Handlers<Api>, "renameThing"> = {
      // @ts-expect-error the body has no such member
      renameThing: async ({ body }) => body.title,
    };

    // The types that the browser derives from the table.
    call("renameThing", { params: { id: "1" }, body: { name: "x" } });
    // @ts-expect-error no such route
    call("removeThing", { params: { id: "1" } });
    // @ts-expect-error the path has a parameter
    call("renameThing", { params: {}, body: { name: "x" } });
    // @ts-expect-error the name is a text
    call("renameThing", { params: { id: "1" }, body: { name: 1 } });
    return [row, handlers];
  };
  assert.ok(unused);
});

type ParamsOf<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsOf<Rest>
  : never;
const call = <N extends keyof Api>(
  name: N,
  input: { readonly params: Readonly<Record<ParamsOf<Api[N]["path"]>, string>> } & (Api[N] extends {
    body: infer B extends TObject;
  }
    ? { readonly body: Static<B> }
    : { readonly query?: QueryOf<Api[N]> }),
): readonly [N, typeof input] => [name, input];
