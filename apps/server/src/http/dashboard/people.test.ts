import assert from "node:assert/strict";
import { test } from "node:test";
import { OPERATOR, type MemberRole } from "../../actor.ts";
import { sql } from "../../db/sql.ts";
import { createMember } from "../../workspaces/create-member.ts";
import { listMembers } from "../../workspaces/list-members.ts";
import { createWorkspace } from "../../workspaces/create-workspace.ts";
import { removeMember } from "../../conversations/remove-member.ts";
import { resetPassword, updateMember } from "../../workspaces/change-member.ts";
import { openHouse, PASSWORD } from "./people.fixture.ts";

/** The path of a link that an answer shows. */
const linkOf = (json: unknown): string =>
  typeof json === "object" && json !== null && "path" in json ? String(json.path) : "";

test("the first owner is set up once, even when two try at the same moment, and is signed in", async () => {
  await using h = await openHouse();
  assert.deepEqual((await h.ask("GET", "/set-up")).json, { needed: true });
  const body = {
    workspaceName: "Shop",
    name: "Mona",
    email: " Mona@Example.com ",
    password: PASSWORD,
  };
  const short = await h.ask("POST", "/set-up", { body: { ...body, password: "short" } });
  assert.deepEqual([short.status, short.code], [400, "VALIDATION_FAILED"]);
  const both = await Promise.all([1, 2].map(() => h.ask("POST", "/set-up", { body })));
  assert.deepEqual(
    both.map(({ status }) => status).sort((a, b) => a - b),
    [201, 404],
  );
  const token = both.find(({ status }) => status === 201)?.token ?? "";
  const me = await h.ask("GET", "/me", { as: token });
  assert.equal(me.status, 200);
  assert.match(JSON.stringify(me.json), /"email":"mona@example.com","role":"owner"/);
  assert.deepEqual((await h.ask("GET", "/set-up")).json, { needed: false });
  const [counted] = await h.t.app.db.query(sql`select count(*) as n from workspace`);
  assert.deepEqual(counted, { n: 1 });
});

test("a wrong password and an unknown address get one answer, and the eleventh try is refused", async () => {
  await using h = await openHouse();
  const { email } = await h.member("agent");
  const wrong = await h.signIn(email, "not the password");
  const unknown = await h.signIn("nobody@example.com");
  assert.deepEqual([wrong.status, wrong.json], [unknown.status, unknown.json]);
  assert.equal(wrong.code, "INVALID_CREDENTIALS");
  assert.equal(wrong.cookie, "");
  // Nine more make ten, because the right password in between was not counted.
  assert.equal((await h.signIn(email)).status, 200);
  for (let n = 0; n < 9; n++) assert.equal((await h.signIn(email, "not it either")).status, 401);
  assert.deepEqual(
    [(await h.signIn(email)).status, (await h.signIn(email)).code],
    [429, "RATE_LIMITED"],
  );
  h.t.clock.advance(601_000);
  assert.equal((await h.signIn(email)).status, 200);
});

test("each sign-in is a session of its own, and an ended one is refused at once", async () => {
  await using h = await openHouse();
  const one = await h.member("agent");
  // Whoever planted a cookie in the browser before does not have the session afterwards.
  const planted = "p".repeat(43);
  const after = await h.ask("POST", "/sign-in", {
    as: planted,
    body: { email: one.email, password: PASSWORD },
  });
  assert.notEqual(after.token, planted);
  assert.equal((await h.ask("GET", "/me", { as: planted })).code, "UNAUTHENTICATED");
  assert.match(
    after.cookie,
    /^parley=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
  );
  const second = after.token ?? "";
  const listed = await h.ask("GET", "/sessions", { as: second });
  assert.ok(Array.isArray(listed.json) && listed.json.length === 2);
  assert.deepEqual((await h.ask("POST", "/sessions/end-others", { as: second })).json, {
    ended: 1,
  });
  assert.deepEqual([(await h.ask("GET", "/me", { as: one.token })).status], [401]);
  const out = await h.ask("POST", "/sign-out", { as: second });
  assert.deepEqual([out.status, out.token], [200, ""]);
  assert.equal((await h.ask("GET", "/me", { as: second })).status, 401);
  // The secret itself is nowhere in the database.
  const rows = await h.t.app.db.query(
    sql`select 1 from session where encode(token_hash, 'escape') = ${second}`,
  );
  assert.equal(rows.length, 0);
});

test("a session lasts 30 days after its last use, and 90 days at most", async () => {
  await using h = await openHouse();
  const { token } = await h.member("agent");
  const day = 86_400_000;
  h.t.clock.advance(29 * day);
  assert.equal((await h.ask("GET", "/me", { as: token })).status, 200);
  h.t.clock.advance(29 * day);
  assert.equal((await h.ask("GET", "/me", { as: token })).status, 200);
  h.t.clock.advance(31 * day);
  assert.equal((await h.ask("GET", "/me", { as: token })).status, 401);
  const { token: used } = await h.member("agent");
  for (let days = 0; days < 88; days += 11) {
    h.t.clock.advance(11 * day);
    assert.equal((await h.ask("GET", "/me", { as: used })).status, 200, `${days + 11} days`);
  }
  h.t.clock.advance(2 * day + 1);
  assert.equal((await h.ask("GET", "/me", { as: used })).status, 401);
});

test("a sign-in over an old cookie ends the old session, and one that fails does not", async () => {
  await using h = await openHouse();
  const one = await h.member("agent");
  const over = (password: string) =>
    h.ask("POST", "/sign-in", { as: one.token, body: { email: one.email, password } });
  await over("not the password");
  assert.equal((await h.ask("GET", "/me", { as: one.token })).status, 200);
  const { token = "" } = await over(PASSWORD);
  assert.equal((await h.ask("GET", "/me", { as: one.token })).status, 401);
  assert.equal((await h.ask("GET", "/me", { as: token })).status, 200);
});

test("the commonest passwords and one's own address are refused on every face that takes a new one", async () => {
  await using h = await openHouse();
  const owner = await h.member("owner");
  const email = "long.name@example.com";
  const refused = ["1234567890", "QwertyUiop", "password123", email, "LONG name example.com"];
  const invited = await h.ask("POST", "/team/invitations", {
    as: owner.token,
    body: { email, role: "agent" },
  });
  const link = linkOf(invited.json).replace("/invite/", "/invitations/");
  for (const password of [...refused, "longname"])
    assert.equal(
      (await h.ask("POST", link, { body: { name: "N", password } })).code,
      "VALIDATION_FAILED",
      password,
    );
  const joined = await h.ask("POST", link, { body: { name: "N", password: PASSWORD } });
  assert.equal(joined.status, 201);
  const { workspaceId } = owner;
  const [member] = (await listMembers(h.t.app.db, workspaceId)).filter(
    (one) => one.email === email,
  );
  const reset = await h.ask("POST", `/team/${member?.id}/password-reset`, { as: owner.token });
  const resetLink = linkOf(reset.json).replace("/reset/", "/password-resets/");
  for (const password of refused) {
    const byLink = await h.ask("POST", resetLink, { body: { password } });
    const body = { old: PASSWORD, fresh: password };
    const own = await h.ask("PUT", "/me/password", { as: joined.token ?? "", body });
    assert.deepEqual([byLink.code, own.code], ["VALIDATION_FAILED", "VALIDATION_FAILED"], password);
  }
});

test("behind https the cookie is tied to the host", async () => {
  await using h = await openHouse("https://desk.example.com");
  const { email } = await h.member("agent");
  assert.match(
    (await h.signIn(email)).cookie,
    /^__Host-parley=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/,
  );
});

test("another site's page changes nothing", async () => {
  await using h = await openHouse();
  const { token } = await h.member("owner");
  const json = { "content-type": "application/json" };
  const foreign: Record<string, string>[] = [
    json,
    { ...json, "x-parley": "1", "sec-fetch-site": "cross-site" },
    { ...json, "x-parley": "1", "sec-fetch-site": "same-site" },
    { ...json, "x-parley": "1", origin: "https://evil.example" },
    { "content-type": "text/plain" },
  ];
  for (const headers of foreign)
    for (const path of ["/sign-out", "/sign-in", "/set-up", "/sessions/end-others"])
      assert.equal(
        (await h.ask("POST", path, { as: token, headers, body: {} })).code,
        "ORIGIN_NOT_ALLOWED",
      );
  assert.equal((await h.ask("GET", "/me", { as: token })).status, 200);
});

test("a changed password ends all other sessions, also those of other workspaces", async () => {
  await using h = await openHouse();
  const one = await h.member("agent");
  const other = await createWorkspace(OPERATOR, h.t.app, { name: "Other" });
  // The member who adds a person does not choose that person's password.
  const theirs = {
    email: one.email,
    name: "M",
    role: "owner",
    password: "an admin's idea",
    existingLogin: true,
  } as const;
  const there = await createMember(OPERATOR, h.t.app, other.id, theirs);
  assert.equal((await h.signIn(one.email, "an admin's idea")).status, 401);
  const second = await h.signIn(one.email, PASSWORD, { workspaceId: other.id });
  assert.match(JSON.stringify(second.json), /"workspace":\{"id":"[^"]+","name":"Other"\}/);
  const wrong = { old: "not it at all", fresh: "a fresh password" };
  assert.equal((await h.ask("PUT", "/me/password", { as: one.token, body: wrong })).status, 401);
  const right = { old: PASSWORD, fresh: "a fresh password" };
  const changed = await h.ask("PUT", "/me/password", { as: one.token, body: right });
  assert.equal(changed.status, 200);
  // The session goes on under a new secret: whoever copied the cookie before is outside.
  assert.equal((await h.ask("GET", "/me", { as: one.token })).status, 401);
  assert.equal((await h.ask("GET", "/me", { as: changed.token ?? "" })).status, 200);
  assert.equal((await h.ask("GET", "/me", { as: second.token ?? "" })).status, 401);
  assert.equal((await h.signIn(one.email, "a fresh password")).status, 200);
  // Nor do the owners of one workspace take over a person who is also in another.
  const owner = { kind: "member", memberId: h.t.app.ids.next(), role: "owner" } as const;
  const forbidden = { code: "FORBIDDEN" };
  await assert.rejects(
    resetPassword(owner, h.t.app, other.id, there.id, "taken over now"),
    forbidden,
  );
  await assert.rejects(
    updateMember(owner, h.t.app, other.id, there.id, { email: "me@evil.example" }),
    forbidden,
  );
});

test("a removed member is signed out, and the login is removed with the last membership", async () => {
  await using h = await openHouse();
  const one = await h.member("agent");
  await removeMember(OPERATOR, h.t.app, one.workspaceId, one.id);
  assert.equal((await h.ask("GET", "/me", { as: one.token })).code, "UNAUTHENTICATED");
  assert.equal((await h.signIn(one.email)).code, "INVALID_CREDENTIALS");
  assert.deepEqual(await h.t.app.db.query(sql`select 1 from login where id = ${one.loginId}`), []);
});

test("an invited person joins by the link once; a disabled one is signed out at once; the last owner stays", async () => {
  await using h = await openHouse();
  const owner = await h.member("owner");
  const { workspaceId } = owner;
  const invite = (as: string, email: string, role: MemberRole) =>
    h.ask("POST", "/team/invitations", { as, body: { email, role } });
  const asked = await invite(owner.token, "Rana@example.com", "admin");
  assert.equal(asked.status, 201);
  assert.equal((await invite(owner.token, owner.email, "agent")).code, "CONFLICT");
  const path = linkOf(asked.json).replace("/invite/", "/invitations/");
  const body = { name: "Rana", password: PASSWORD };
  assert.doesNotMatch(JSON.stringify((await h.ask("GET", path)).json), /hasLogin/);
  const joined = await h.ask("POST", path, { body });
  assert.equal(joined.status, 201);
  assert.equal((await h.ask("POST", path, { body })).code, "NOT_FOUND");
  const rana = joined.token ?? "";
  assert.equal((await invite(rana, "new@example.com", "owner")).code, "FORBIDDEN");
  // For a person of another workspace the link alone does not open a login that has a password.
  const other = await h.member("owner");
  const second = await invite(other.token, "rana@example.com", "agent");
  const there = linkOf(second.json).replace("/invite/", "/invitations/");
  const wrong = { ...body, password: "another password" };
  assert.equal((await h.ask("POST", there, { body: wrong })).code, "INVALID_CREDENTIALS");
  assert.equal((await h.ask("POST", there, { body })).status, 201);

  const change = (as: string, id: string, changes: object) =>
    h.ask("PATCH", `/team/${id}`, { as, body: changes });
  assert.equal((await change(owner.token, owner.id, { role: "agent" })).code, "LAST_OWNER");
  assert.equal((await change(owner.token, owner.id, { disabled: true })).code, "LAST_OWNER");
  assert.equal((await change(rana, owner.id, { disabled: true })).code, "FORBIDDEN");
  assert.equal((await change(other.token, owner.id, { disabled: true })).code, "NOT_FOUND");
  const [member] = await h.t.app.db.query<{ id: string }>(sql`select id from member
    where workspace_id = ${workspaceId} and email = 'rana@example.com'`);
  const id = member?.id ?? "";
  assert.equal(
    (await h.ask("POST", `/team/${id}/password-reset`, { as: owner.token })).status,
    403,
  );
  assert.equal((await change(owner.token, id, { disabled: true })).status, 200);
  assert.equal((await h.ask("GET", "/me", { as: rana })).code, "UNAUTHENTICATED");
  const elsewhere = await h.signIn("rana@example.com", PASSWORD, { workspaceId });
  assert.equal(elsewhere.code, "INVALID_CREDENTIALS");
  assert.equal((await h.signIn("rana@example.com")).status, 200);
});

test("seats count invitations, and a reset link works once and ends every session", async () => {
  await using h = await openHouse();
  const { id } = await createWorkspace(OPERATOR, h.t.app, { name: "Small" });
  const owner = await h.member("owner", id);
  const invite = (email: string) =>
    h.ask("POST", "/team/invitations", { as: owner.token, body: { email, role: "agent" } });
  assert.equal((await invite("a@example.com")).status, 201);
  assert.equal((await invite("a@example.com")).status, 201, "in place of the older one");
  assert.equal((await invite("b@example.com")).code, "SEAT_LIMIT_REACHED");

  const other = await h.member("agent");
  const boss = await h.member("owner", other.workspaceId);
  const made = await h.ask("POST", `/team/${other.id}/password-reset`, { as: boss.token });
  const path = /\/reset\/([\w-]{43})/.exec(JSON.stringify(made.json))?.[1] ?? "";
  const body = { password: "a quite new password" };
  const use = () => h.ask("POST", `/password-resets/${path}`, { body });
  assert.equal((await use()).status, 200);
  assert.equal((await use()).code, "NOT_FOUND");
  assert.equal((await h.ask("GET", "/me", { as: other.token })).code, "UNAUTHENTICATED");
  assert.equal((await h.signIn(other.email)).code, "INVALID_CREDENTIALS");
  assert.equal((await h.signIn(other.email, body.password)).status, 200);
});

test("an act that needs a fresh proof asks for the password after ten minutes, and goes on once it was given", async () => {
  await using h = await openHouse();
  const owner = await h.member("owner");
  const as = owner.token;
  const invite = () =>
    h.ask("POST", "/team/invitations", { as, body: { email: "new@example.com", role: "agent" } });
  assert.equal((await invite()).status, 201);
  h.t.clock.advance(601_000);
  const refused = await invite();
  assert.deepEqual([refused.status, refused.code], [403, "REAUTH_REQUIRED"]);
  assert.equal((await h.ask("GET", "/me/proven", { as })).code, "REAUTH_REQUIRED");
  const agent = await h.member("agent", owner.workspaceId);
  h.t.clock.advance(601_000);
  const byAgent = await h.ask("POST", "/team/invitations", { as: agent.token, body: {} });
  assert.equal(byAgent.code, "FORBIDDEN", "a password would not help");
  const prove = (password: string) => h.ask("POST", "/me/prove", { as, body: { password } });
  assert.equal((await prove("not the password")).code, "INVALID_CREDENTIALS");
  assert.equal((await invite()).code, "REAUTH_REQUIRED");
  assert.equal((await prove(PASSWORD)).status, 200);
  assert.equal((await invite()).status, 201);
  assert.equal((await h.ask("GET", "/me/proven", { as })).status, 200);
});
