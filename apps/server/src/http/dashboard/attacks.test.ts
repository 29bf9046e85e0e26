import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../db/sql.ts";
import type { AppFace } from "./contract/face.ts";
import { FACES as NAMED } from "./faces.fixture.ts";
import { openHouse, OURS, PASSWORD } from "./people.fixture.ts";
import { dashboardRoutes } from "./routes.ts";

const FACES: readonly AppFace[] = Object.values(NAMED);
const nameOf = ({ method, path }: Pick<AppFace, "method" | "path">) => `${method} ${path}`;

test("every face of the contract is served, and no other", async () => {
  await using h = await openHouse();
  const known = new Set(FACES.map(nameOf));
  assert.equal(known.size, FACES.length, "no two faces share an address");
  assert.deepEqual(
    dashboardRoutes.map(nameOf).filter((name) => !known.has(name)),
    [],
  );
  for (const face of FACES) {
    const url = face.path.replaceAll(/\{\w+\}/g, "x");
    const { code } = await h.ask(face.method, url, face.body ? { body: {} } : {});
    assert.notEqual(code, "ROUTE_NOT_FOUND", nameOf(face));
    if (face.who !== "anybody") assert.equal(code, "UNAUTHENTICATED", nameOf(face));
  }
});

test("no page of another site changes anything, by whatever face and form", async () => {
  await using h = await openHouse();
  const owner = await h.member("owner");
  const json = { "content-type": "application/json" };
  const ours = { ...json, "x-parley": "1" };
  const forms: readonly Record<string, string>[] = [
    // A form, a text and JSON without our header: what a page can send without a preflight.
    { "content-type": "application/x-www-form-urlencoded" },
    { "content-type": "text/plain" },
    { ...json, "sec-fetch-site": "same-origin" },
    // Our header, from elsewhere.
    { ...ours, "sec-fetch-site": "cross-site" },
    { ...ours, "sec-fetch-site": "same-site" },
    { ...ours, "sec-fetch-site": "none" },
    { ...ours, origin: "https://evil.example" },
    { ...ours, origin: "null" },
  ];
  const writes = FACES.filter(({ method }) => method !== "GET");
  for (const face of writes)
    for (const headers of forms) {
      const url = face.path.replaceAll(/\{\w+\}/g, "x");
      const { status, code } = await h.ask(face.method, url, {
        as: owner.token,
        headers,
        body: {},
      });
      assert.deepEqual(
        [status, code],
        [403, "ORIGIN_NOT_ALLOWED"],
        `${nameOf(face)} ${JSON.stringify(headers)}`,
      );
    }
  assert.equal((await h.ask("GET", "/me", { as: owner.token })).status, 200);
  // A link or an image of another site can only make a GET, and no GET changes a row.
  const count = async () =>
    h.t.app.db.query(sql`select (select count(*) from audit_entry) as entries,
      (select count(*) from session) as sessions, (select count(*) from member) as members`);
  const before = await count();
  for (const face of FACES.filter(({ method }) => method === "GET"))
    await h.ask("GET", face.path.replaceAll(/\{\w+\}/g, "x"), {
      as: owner.token,
      headers: { "sec-fetch-site": "cross-site" },
    });
  assert.deepEqual(await count(), before);
});

test("the eleventh wrong password is refused with the time to wait, whatever address the request claims", async () => {
  await using h = await openHouse();
  const { email } = await h.member("agent");
  const attempt = (password: string, n: number) =>
    h.ask("POST", "/sign-in", {
      body: { email, password },
      headers: {
        ...OURS,
        "x-forwarded-for": `203.0.113.${n}, 198.51.100.${n}`,
        "x-real-ip": `203.0.113.${n}`,
        forwarded: `for=203.0.113.${n}`,
      },
    });
  for (let n = 0; n < 10; n++)
    assert.equal((await attempt("not the password", n)).code, "INVALID_CREDENTIALS");
  const refused = await attempt(PASSWORD, 11);
  assert.deepEqual([refused.status, refused.code], [429, "RATE_LIMITED"]);
  assert.ok(Number(refused.headers["retry-after"]) > 500);
  // Asking for the password again counts too: an unlocked screen is no way around the limit.
  h.t.clock.advance(600_001);
  const { token: as = "" } = await h.signIn(email);
  for (let n = 0; n < 10; n++)
    await h.ask("POST", "/me/prove", { as, body: { password: "not it" } });
  const again = await h.ask("POST", "/me/prove", { as, body: { password: PASSWORD } });
  assert.equal(again.code, "RATE_LIMITED");
});

test("fifty tries from one network lock that network out for every account", async () => {
  await using h = await openHouse();
  const answers = [];
  for (let n = 0; n < 51; n++) answers.push((await h.signIn(`no${n}@example.com`, "x")).code);
  assert.deepEqual(new Set(answers.slice(0, 50)), new Set(["INVALID_CREDENTIALS"]));
  assert.equal(answers[50], "RATE_LIMITED");
});

test("lowering a member's role ends the session; so does disabling the member or a sign-out by an admin", async () => {
  await using h = await openHouse();
  const owner = await h.member("owner");
  const change = (id: string, body: object) =>
    h.ask("PATCH", `/team/${id}`, { as: owner.token, body });
  const open = async (token: string) => (await h.ask("GET", "/team", { as: token })).status;
  const admin = await h.member("admin", owner.workspaceId);
  assert.equal(await open(admin.token), 200);
  await change(admin.id, { role: "agent" });
  assert.equal(await open(admin.token), 401);
  const { token: after = "" } = await h.signIn(admin.email);
  assert.equal(await open(after), 403, "and the new session has the new role");
  await h.ask("POST", `/team/${admin.id}/end-sessions`, { as: owner.token });
  assert.equal(await open(after), 401);
  const { token: last = "" } = await h.signIn(admin.email);
  await change(admin.id, { disabled: true });
  assert.equal(await open(last), 401);
});

test("neither a planted cookie nor a cookie of another kind is a session", async () => {
  await using h = await openHouse();
  const { email, token } = await h.member("agent");
  for (const planted of ["p".repeat(43), `${token}x`, token.slice(1), "../../etc/passwd", ""])
    assert.equal((await h.ask("GET", "/me", { as: planted })).code, "UNAUTHENTICATED");
  const fresh = await h.ask("POST", "/sign-in", {
    as: token,
    body: { email, password: PASSWORD },
  });
  assert.notEqual(fresh.token, token, "a new secret at each sign-in");
  assert.match(fresh.cookie, /HttpOnly; SameSite=Lax/);
});
