import assert from "node:assert/strict";
import { test } from "node:test";
import { OPERATOR } from "../../actor.ts";
import { sql } from "../../db/sql.ts";
import { setDisabled } from "../../conversations/disable-member.ts";
import { updateMember } from "../../workspaces/change-member.ts";
import { createMember } from "../../workspaces/create-member.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { hashGate } from "../../logins/password.ts";
import type { AppFace } from "./contract/face.ts";
import { FACES as NAMED } from "./faces.fixture.ts";
import { openHouse, OURS, PASSWORD, type Asked, type HttpMethod } from "./people.fixture.ts";
import { dashboardRoutes } from "./routes.ts";

const FACES: readonly AppFace[] = Object.values(NAMED);
/** Its answer is a stream, so the contract does not list it. */
const STREAM = { method: "GET", path: "/stream" } as const;
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

test("an address with a text that is no id is no fault of ours, by whatever face", async () => {
  await using h = await openHouse();
  const owner = await h.member("owner");
  for (const face of FACES)
    for (const odd of face.path.includes("{") ? ["x", "%00"] : []) {
      const url = face.path.replaceAll(/\{\w+\}/g, odd);
      const { status } = await h.ask(face.method, url, {
        as: owner.token,
        ...(face.body && { body: {} }),
      });
      assert.ok(status < 500, `${nameOf(face)} ${odd}: ${status}`);
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
  for (const face of [...FACES, STREAM].filter(({ method }) => method === "GET")) {
    const { code } = await h.ask("GET", face.path.replaceAll(/\{\w+\}/g, "x"), {
      as: owner.token,
      headers: { "sec-fetch-site": "cross-site" },
    });
    assert.equal(code, "ORIGIN_NOT_ALLOWED", nameOf(face));
  }
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

test("no unsigned call hashes a password before its look-up has found something to open", async () => {
  await using h = await openHouse();
  const { email } = await h.member("owner");
  const values: Readonly<Record<string, string>> = {
    email,
    password: "long enough to hash",
    name: "Mallory",
    workspaceName: "Hers",
    code: "123456",
    locale: "en",
  };
  const unsigned = Object.entries<AppFace>(NAMED).filter(([, face]) => face.who === "anybody");
  const hashing: string[] = [];
  for (const [name, face] of unsigned) {
    const asked = hashGate.asked;
    const url = face.path.replaceAll(/\{\w+\}/g, "a".repeat(43));
    const required: readonly string[] = face.body?.required ?? [];
    const body = Object.fromEntries(
      (name === "verifyCode" ? ["code"] : required).map((field) => [field, values[field] ?? field]),
    );
    const { code } = await h.ask(face.method, url, face.body ? { body } : {});
    assert.notEqual(code, "VALIDATION_FAILED", name);
    if (hashGate.asked > asked) hashing.push(name);
  }
  // A sign-in has to take as long for an unknown address as for a known one.
  assert.deepEqual(hashing, ["signIn"]);
  assert.ok(unsigned.length >= 8);
});

test("links are guessed at under the limit of their network, and what is right is not counted", async () => {
  await using h = await openHouse();
  const { id, workspaceId } = await h.member("agent");
  const owner = await h.member("owner", workspaceId);
  const made = await h.ask("POST", `/team/${id}/password-reset`, { as: owner.token });
  const secret = secretOf(made);
  const body = { password: "another long one" };
  const guess = (n: number) =>
    h.ask("POST", `/password-resets/${String(n).padStart(43, "x")}`, { body });
  for (let n = 0; n < 50; n++) assert.equal((await guess(n)).code, "NOT_FOUND");
  assert.equal((await guess(50)).code, "RATE_LIMITED");
  h.t.clock.advance(600_001);
  for (let n = 0; n < 49; n++) await guess(n);
  assert.equal((await h.ask("POST", `/password-resets/${secret}`, { body })).status, 200);
  assert.equal((await guess(50)).code, "NOT_FOUND", "the fiftieth wrong one");
  assert.equal((await guess(51)).code, "RATE_LIMITED");
});

/** The secret of a link that an answer shows. */
const secretOf = (answer: Asked): string =>
  /"path":"\/\w+\/([\w-]+)"/.exec(JSON.stringify(answer.json))?.[1] ?? "";

test("who joined under another person's address does not enter the workspace that the operator gives that person", async () => {
  await using h = await openHouse();
  const { app } = h.t;
  const squatter = await h.member("owner");
  const email = "boss@example.com";
  const invited = await h.ask("POST", "/team/invitations", {
    as: squatter.token,
    body: { email, role: "agent" },
  });
  await h.ask("POST", `/invitations/${secretOf(invited)}`, {
    body: { name: "Not the boss", password: PASSWORD },
  });
  const { id } = await createWorkspace(OPERATOR, app, { name: "Hers" });
  const boss = { email, name: "Boss", role: "owner" } as const;
  for (const password of [{}, { password: "the boss's own one" }])
    await assert.rejects(createMember(OPERATOR, app, id, { ...boss, ...password }), {
      code: "CONFLICT",
      message: /already signs in to another workspace.*--existing-login/s,
    });
  assert.equal((await h.signIn(email, PASSWORD, { workspaceId: id })).code, "INVALID_CREDENTIALS");
  const added = await createMember(OPERATOR, app, id, { ...boss, existingLogin: true });
  assert.deepEqual([added.existingLogin, added.link], [true, null]);
  assert.equal((await h.signIn(email, PASSWORD, { workspaceId: id })).status, 200);
});

test("a person added without a password chooses one by a link, once", async () => {
  await using h = await openHouse();
  const { id } = await createWorkspace(OPERATOR, h.t.app, { name: "W" });
  const email = "sara@example.com";
  const added = await createMember(OPERATOR, h.t.app, id, { email, name: "Sara", role: "owner" });
  h.t.clock.advance(6 * 24 * 3_600_000);
  const use = () =>
    h.ask("POST", `/password-resets/${added.link?.secret ?? ""}`, { body: { password: PASSWORD } });
  assert.equal((await use()).status, 200);
  assert.equal((await use()).code, "NOT_FOUND");
  assert.equal((await h.signIn(email)).status, 200);
});

test("a link that was held back opens nothing that its maker may not open when it is used", async () => {
  await using h = await openHouse();
  const { app } = h.t;
  const owner = await h.member("owner");
  const { workspaceId } = owner;
  const admin = await h.member("admin", workspaceId);
  const { id: other } = await createWorkspace(OPERATOR, app, { name: "B" });
  const password = "chosen by the holder";
  const cases: readonly [string, (one: { id: string; email: string }) => Promise<unknown>][] = [
    [
      "joined a second workspace",
      ({ email }) =>
        createMember(OPERATOR, app, other, {
          email,
          name: "N",
          role: "owner",
          existingLogin: true,
        }),
    ],
    [
      "became an owner",
      ({ id }) => updateMember(OPERATOR, app, workspaceId, id, { role: "owner" }),
    ],
    [
      "whose maker was disabled",
      () => setDisabled(OPERATOR, app, { workspaceId, memberId: admin.id, disabled: true }),
    ],
  ];
  for (const [name, change] of cases) {
    const one = await h.member("agent", workspaceId);
    const held = secretOf(
      await h.ask("POST", `/team/${one.id}/password-reset`, { as: admin.token }),
    );
    assert.notEqual(held, "", name);
    await change(one);
    const used = await h.ask("POST", `/password-resets/${held}`, { body: { password } });
    assert.equal(used.code, "NOT_FOUND", name);
    assert.equal((await h.signIn(one.email)).status, 200, name);
  }
});

test("a second membership ends the open invitations of the address", async () => {
  await using h = await openHouse();
  const inviters = [await h.member("owner"), await h.member("owner")];
  const one = await h.member("agent");
  const links: string[] = [];
  for (const { token: as } of inviters)
    links.push(
      secretOf(
        await h.ask("POST", "/team/invitations", {
          as,
          body: { email: one.email, role: "agent" },
        }),
      ),
    );
  const join = (link: string | undefined) =>
    h.ask("POST", `/invitations/${link}`, { body: { name: "N", password: PASSWORD } });
  assert.equal((await join(links[0])).status, 201);
  assert.equal((await join(links[1])).code, "NOT_FOUND");
});

test("acts for which an unlocked screen is not enough ask for the password of the last ten minutes", async () => {
  await using h = await openHouse();
  const { token: as } = await h.member("owner");
  const webhook = { url: "https://hooks.example.com/parley", events: [] };
  const acts: readonly (readonly [HttpMethod, string, object])[] = [
    ["POST", "/contacts/jobs", { ids: ["x"], change: { action: "delete" } }],
    ["PATCH", "/workspace", { twoFactorRequired: false }],
    ["PATCH", "/channels/x/web", { rotateIdentitySecret: true }],
    ["PATCH", "/channels/x/web", { rotateVisitorTokens: true }],
    ["POST", "/channels/x/disconnect", {}],
    ["POST", "/webhooks", webhook],
    ["PATCH", "/webhooks/x", { url: webhook.url }],
    ["POST", "/webhook-endpoints/x/rotate-secret", { now: true }],
    ["DELETE", "/me/two-factor", { code: "123456" }],
  ];
  const codes = async () =>
    Promise.all(
      acts.map(async ([method, path, body]) => (await h.ask(method, path, { as, body })).code),
    );
  assert.ok((await codes()).every((code) => code !== "REAUTH_REQUIRED"));
  h.t.clock.advance(600_001);
  assert.deepEqual(new Set(await codes()), new Set(["REAUTH_REQUIRED"]));
  // What takes nothing away goes on.
  for (const [method, path, body] of [
    ["PATCH", "/webhooks/x", { events: [] }],
    ["PATCH", "/channels/x/web", { greeting: "Hello" }],
    ["POST", "/contacts/jobs", { ids: ["x"], change: { action: "tag", tags: ["a"] } }],
    // The last one: the owner has no two-factor.
    ["PATCH", "/workspace", { twoFactorRequired: true }],
  ] as const)
    assert.notEqual((await h.ask(method, path, { as, body })).code, "REAUTH_REQUIRED", path);
});
