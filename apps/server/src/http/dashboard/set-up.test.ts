import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import type { FastifyInstance, InjectOptions } from "fastify";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { createKey } from "../../api-keys/create-key.ts";
import { OPERATOR } from "../../actor.ts";
import { sql } from "../../db/sql.ts";
import { setUpCode } from "../../logins/set-up-code.ts";
import { createMember } from "../../workspaces/create-member.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { buildHttp } from "../server.ts";
import { OURS, PASSWORD } from "./people.fixture.ts";

const OWNER = {
  workspaceName: "Shop",
  name: "Mona",
  email: "mona@example.com",
  password: PASSWORD,
};
const PUBLIC = "https://parley.example.com";

/** Callers that are not this machine under its own name, each by one thing only. */
const STRANGERS: Readonly<Record<string, Partial<InjectOptions>>> = {
  "another address": { remoteAddress: "192.0.2.7" },
  "another address in IPv6": { remoteAddress: "2001:db8::7" },
  "through a proxy": { headers: { "x-forwarded-for": "192.0.2.7" } },
  "through another proxy": { headers: { forwarded: "for=192.0.2.7" } },
  "by the public name": { headers: { host: "parley.example.com" } },
};

let t: TestApp;
let http: FastifyInstance;
let pages: string;
before(async () => {
  pages = await mkdtemp(path.join(tmpdir(), "parley-pages-"));
  await mkdir(path.join(pages, "assets"));
  await writeFile(path.join(pages, "index.html"), "<head></head>");
  t = await startTestApp({ config: { publicUrl: PUBLIC, defaultPlan: "growth" } });
  http = await buildHttp(t.app, pages);
});
after(async () => {
  await http.close();
  await t[Symbol.asyncDispose]();
  await rm(pages, { recursive: true, force: true });
});

const setUp = async (from: Partial<InjectOptions>, body: object = OWNER) =>
  http.inject({
    method: "POST",
    url: "/api/app/set-up",
    payload: JSON.stringify(body),
    ...from,
    headers: { ...OURS, ...from.headers },
  });
const page = async () => (await http.inject({ url: "/setup" })).statusCode;

test("a stranger sets up nothing without the code, in every state of a fresh installation", async () => {
  const refuseAll = async (state: string) => {
    for (const [name, from] of Object.entries(STRANGERS))
      for (const code of [undefined, "", "x", setUpCode(t.app).slice(1)]) {
        const answer = await setUp(from, { ...OWNER, ...(code !== undefined && { code }) });
        assert.equal(answer.statusCode, 404, `${state}: ${name}, code ${code}`);
        assert.match(answer.body, /parley set-up-link/);
      }
  };
  await refuseAll("fresh");
  assert.equal(await page(), 200);
  const workspace = await createWorkspace(OPERATOR, t.app, { name: "W" });
  await refuseAll("with a workspace");
  await createKey(OPERATOR, t.app, workspace.id, { name: "K" });
  await refuseAll("with a key");
  assert.equal(await page(), 200);
  const { n } =
    (await t.app.db.query<{ n: number }>(sql`select count(*) as n from login`))[0] ?? {};
  assert.equal(n, 0);
});

test("the page asks a stranger for the code, and this machine for none", async () => {
  const asked = async (from: Partial<InjectOptions>) =>
    (await http.inject({ url: "/api/app/set-up", ...from })).json<object>();
  assert.deepEqual(await asked({ remoteAddress: "192.0.2.7" }), { needed: true, withCode: true });
  assert.deepEqual(await asked({}), { needed: true });
});

test("the code opens the set-up once; the owner's workspace gets the plan of PARLEY_DEFAULT_PLAN; then all is 404", async () => {
  const stranger = { remoteAddress: "192.0.2.7", headers: { host: "parley.example.com" } };
  const code = setUpCode(t.app);
  const made = await setUp(stranger, { ...OWNER, code: ` ${code} ` });
  assert.equal(made.statusCode, 201);
  const { workspace } = made.json<{ workspace: { id: string } }>();
  const plans = await t.app.db.query(sql`select plan from workspace where id = ${workspace.id}`);
  assert.deepEqual(plans, [{ plan: "growth" }]);
  assert.equal(await page(), 404);
  for (const from of [{}, stranger])
    for (const given of [{}, { code }])
      assert.equal((await setUp(from, { ...OWNER, ...given })).statusCode, 404);
  const asked = await http.inject({ url: "/api/app/set-up", ...stranger });
  assert.deepEqual(asked.json(), { needed: false });
});

test("a member without a password closes the set-up too", async () => {
  await using other = await startTestApp();
  const { id } = await createWorkspace(OPERATOR, other.app, { name: "W" });
  const input = { email: "a@example.com", name: "A", role: "owner" } as const;
  await createMember(OPERATOR, other.app, id, input);
  const server = await buildHttp(other.app);
  const answer = await server.inject({
    method: "POST",
    url: "/api/app/set-up",
    headers: OURS,
    payload: JSON.stringify(OWNER),
  });
  await server.close();
  assert.equal(answer.statusCode, 404);
});

test("pages, their calls and their streams answer for our own names only; keys, platforms and chat for any", async () => {
  const ask = async (url: string, host: string, headers: object = {}) =>
    (await http.inject({ url, headers: { host, ...headers } })).statusCode;
  const ours = [
    "/",
    "/setup",
    "/inbox/mine",
    "/docs",
    "/api/docs",
    "/api/app/set-up",
    "/api/app/me",
  ];
  const own = [...ours, "/api/app/stream", "/api/app/no-such", "/assets/x.js", "/%61pi/app/me"];
  for (const url of own) {
    for (const host of ["evil.example", "parley.example.com.evil.example", "localhost.evil"])
      assert.equal(await ask(url, host), 421, `${url} for ${host}`);
    for (const host of [
      "parley.example.com",
      "PARLEY.example.com.:8443",
      "localhost:3000",
      "192.0.2.1",
      "[::1]:3000",
    ])
      assert.notEqual(await ask(url, host), 421, `${url} for ${host}`);
  }
  for (const url of [
    "/api/v1/contacts",
    "/hooks/whatsapp/x",
    "/chat/v1/x",
    "/media/x",
    "/healthz",
    "/readyz",
    "/api/openapi.json",
    "/api/flow.schema.json",
  ])
    assert.notEqual(await ask(url, "evil.example"), 421, url);
  for (const url of [
    "/",
    "/api/app/me",
    "/api/v1/contacts",
    "/media/x/y",
    "/chat/v1/x",
    "/api/openapi.json",
  ])
    assert.match(
      String((await http.inject({ url })).headers["strict-transport-security"]),
      /^max-age=31536000/,
      `${url}: an installation behind TLS says so`,
    );
  const refused = await http.inject({ url: "/api/app/me", headers: { host: "evil.example" } });
  assert.match(refused.body, /"message":"HOST_NOT_KNOWN".*PARLEY_PUBLIC_URL/);
  const read = await http.inject({
    url: "/",
    headers: { host: "evil.example", accept: "text/html" },
  });
  assert.match(String(read.headers["content-type"]), /^text\/plain/);
  assert.match(read.body, /set PARLEY_PUBLIC_URL/);
});
