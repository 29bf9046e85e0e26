import assert from "node:assert/strict";
import { test } from "node:test";
import { generateSync } from "otplib";
import { OPERATOR } from "../../actor.ts";
import { sql } from "../../db/sql.ts";
import { mailLetters } from "../../sessions/reset-by-mail.ts";
import { createMember } from "../../workspaces/create-member.ts";
import { updateWorkspace } from "../../workspaces/update-workspace.ts";
import { openHouse, PASSWORD } from "./people.fixture.ts";

type House = Awaited<ReturnType<typeof openHouse>>;

/** A text of an answer, by its name. */
const textOf = (json: unknown, name: string): string => {
  const entries: [string, unknown][] =
    typeof json === "object" && json !== null ? Object.entries(json) : [];
  const value = new Map(entries).get(name);
  return Array.isArray(value) ? value.join(",") : typeof value === "string" ? value : "";
};

/** The code that the person's app shows at the server's time. */
const codeOf = (h: House, secret: string) =>
  generateSync({ secret, epoch: Math.floor(h.t.clock.now().getTime() / 1000) });

/** Turns two-factor on for the person `as`. Gives the secret and the recovery codes. */
async function secure(h: House, as: string) {
  const proposed = await h.ask("POST", "/me/two-factor/proposals", { as });
  const secret = textOf(proposed.json, "secret");
  const body = { proposal: textOf(proposed.json, "proposal"), code: codeOf(h, secret) };
  const on = await h.ask("POST", "/me/two-factor", { as, body });
  assert.equal(on.status, 200);
  return { secret, recovery: textOf(on.json, "recoveryCodes").split(","), body };
}

test("the second step of a sign-in: no session before the code, no code twice, a recovery code once", async () => {
  await using h = await openHouse();
  const one = await h.member("agent");
  const { token: second = "" } = await h.signIn(one.email);
  const { secret, recovery } = await secure(h, one.token);
  assert.equal(recovery.length, 10);
  assert.equal((await h.ask("GET", "/me", { as: one.token })).status, 200);
  assert.equal((await h.ask("GET", "/me", { as: second })).status, 401, "other sessions ended");

  const asked = await h.signIn(one.email);
  assert.deepEqual([asked.status, asked.json, asked.token], [200, { codeNeeded: true }, undefined]);
  const step = asked.step ?? "";
  // The step that waits for its code opens nothing.
  assert.equal((await h.ask("GET", "/me", { as: step })).code, "UNAUTHENTICATED");
  const give = (body: object, at = step) => h.ask("POST", "/sign-in/code", { step: at, body });
  // The code that turned it on counts as used.
  assert.equal((await give({ code: codeOf(h, secret) })).code, "INVALID_CREDENTIALS");
  h.t.clock.advance(30_000);
  const code = codeOf(h, secret);
  const opened = await give({ code: `${code.slice(0, 3)} ${code.slice(3)}` });
  assert.equal(opened.status, 200);
  assert.equal((await h.ask("GET", "/me", { as: opened.token ?? "" })).status, 200);
  assert.equal((await give({ code })).code, "UNAUTHENTICATED", "the step is used up");

  const again = async () => (await h.signIn(one.email)).step ?? "";
  assert.equal((await give({ code }, await again())).code, "INVALID_CREDENTIALS", "replayed");
  const [paper = ""] = recovery;
  // Two at the same moment: only one of them succeeds.
  const both = await Promise.all(
    [await again(), await again()].map((at) =>
      give({ recoveryCode: ` ${paper.toUpperCase()} ` }, at),
    ),
  );
  assert.deepEqual(
    both.map(({ status }) => status).sort((a, b) => a - b),
    [200, 401],
  );
  const state = await h.ask("GET", "/me/two-factor", { as: opened.token ?? "" });
  assert.deepEqual(state.json, { on: true, recoveryCodes: 9, required: false });

  const late = await again();
  h.t.clock.advance(601_000);
  assert.equal((await give({ code: codeOf(h, secret) }, late)).code, "UNAUTHENTICATED");
  // Neither secret nor codes are readable in the database.
  const rows = await h.t.app.db.query<{ text: string }>(
    sql`select encode(totp_sealed, 'escape') || (select string_agg(encode(hash, 'escape'), ' ') from recovery_code) as text
      from login where id = ${one.loginId}`,
  );
  for (const hidden of [secret, ...recovery]) assert.ok(!rows[0]?.text.includes(hidden));
});

test("five wrong codes end the step, thirty in an hour end the tries of all networks; the person is written to, and the audit has each", async () => {
  await using h = await openHouse("http://127.0.0.1:0", {
    smtpUrl: "smtp://mail.example",
    trustedProxies: ["127.0.0.1"],
  });
  const one = await h.member("agent");
  const { secret } = await secure(h, one.token);
  await mailLetters(h.t.app, async () => {});
  h.t.clock.advance(60_000);
  const wrong = codeOf(h, secret) === "000000" ? "000001" : "000000";
  const from = (n: number) => ({
    "x-parley": "1",
    "content-type": "application/json",
    "x-forwarded-for": `203.0.113.${n}`,
  });
  const stepFrom = async (n: number) =>
    (
      await h.ask("POST", "/sign-in", {
        body: { email: one.email, password: PASSWORD },
        headers: from(n),
      })
    ).step ?? "";
  const give = (step: string, code: string, n: number) =>
    h.ask("POST", "/sign-in/code", { step, body: { code }, headers: from(n) });
  for (let n = 0; n < 6; n++) {
    const step = await stepFrom(n);
    const codes = await Promise.all(Array.from({ length: 5 }, () => give(step, wrong, n)));
    assert.deepEqual(new Set(codes.map(({ code }) => code)), new Set(["INVALID_CREDENTIALS"]));
    assert.equal((await give(step, codeOf(h, secret), n)).code, "UNAUTHENTICATED");
  }
  const refused = await give(await stepFrom(7), codeOf(h, secret), 7);
  assert.deepEqual([refused.status, refused.code], [429, "RATE_LIMITED"]);
  assert.ok(Number(refused.headers["retry-after"]) > 500, String(refused.headers["retry-after"]));
  const [kept] = await h.t.app.db.query<{ codes: number; ends: number }>(sql`
    select count(*)::int as codes, (count(*) filter (where facts ? 'stepEnded'))::int as ends
    from audit_entry where workspace_id = ${one.workspaceId} and action = 'session.refused' and subject = ${one.id}`);
  assert.deepEqual(kept, { codes: 30, ends: 6 });
  const mails: string[] = [];
  await mailLetters(
    h.t.app,
    async ({ to, subject }) => void mails.push(`${to.join()}: ${subject}`),
  );
  assert.deepEqual(mails, [`${one.email}: Wrong codes for your Parley account`]);
  h.t.clock.advance(3_600_000);
  assert.equal((await give(await stepFrom(8), codeOf(h, secret), 8)).status, 200);
});

test("thirty wrong passwords from many networks end the tries for an hour; a new password begins to count again", async () => {
  await using h = await openHouse("http://127.0.0.1:0", {
    smtpUrl: "smtp://mail.example",
    trustedProxies: ["127.0.0.1"],
  });
  const one = await h.member("agent");
  const owner = await h.member("owner", one.workspaceId);
  const signIn = async (password: string, n: number, email = one.email) =>
    (
      await h.ask("POST", "/sign-in", {
        body: { email, password },
        headers: {
          "x-parley": "1",
          "content-type": "application/json",
          "x-forwarded-for": `203.0.113.${n}`,
        },
      })
    ).code;
  for (const email of [one.email, "unknown@example.com"]) {
    for (let n = 0; n < 30; n++)
      assert.equal(await signIn("not the password", n, email), "INVALID_CREDENTIALS");
    assert.equal(await signIn(PASSWORD, 31, email), "RATE_LIMITED");
  }
  // Who is signed in can still give the password again.
  const prove = { as: one.token, body: { password: PASSWORD } };
  assert.equal((await h.ask("POST", "/me/prove", prove)).status, 200);
  const refusals = () =>
    h.t.app.db.query(sql`select 1 from audit_entry
      where workspace_id = ${one.workspaceId} and action = 'session.refused' and subject = ${one.id}`);
  // The record is written beside the answer.
  while ((await refusals()).length < 30) await new Promise((done) => setImmediate(done));
  const mails: string[] = [];
  while (mails.length === 0)
    await mailLetters(
      h.t.app,
      async ({ to, subject }) => void mails.push(`${to.join()}: ${subject}`),
    );
  assert.deepEqual(mails, [`${one.email}: Many wrong passwords for your Parley account`]);
  const made = await h.ask("POST", `/team/${one.id}/password-reset`, { as: owner.token });
  const link = textOf(made.json, "path").replace("/reset/", "/password-resets/");
  assert.equal(
    (await h.ask("POST", link, { body: { password: "quite another one" } })).status,
    200,
  );
  assert.equal(await signIn("quite another one", 32), undefined);
});

test("two-factor is switched off and moved with a code or a recovery code only, and the person receives a mail", async () => {
  await using h = await openHouse("http://127.0.0.1:0", { smtpUrl: "smtp://mail.example" });
  const one = await h.member("agent");
  const as = one.token;
  const { recovery } = await secure(h, as);
  const proposed = await h.ask("POST", "/me/two-factor/proposals", { as });
  const secret = textOf(proposed.json, "secret");
  const moving = { proposal: textOf(proposed.json, "proposal"), code: codeOf(h, secret) };
  const move = (more: object) =>
    h.ask("POST", "/me/two-factor", { as, body: { ...moving, ...more } });
  const off = (body: object) => h.ask("DELETE", "/me/two-factor", { as, body });
  assert.equal((await move({})).code, "VALIDATION_FAILED");
  assert.equal((await off({})).code, "VALIDATION_FAILED");
  assert.equal((await move({ currentRecoveryCode: "no" })).code, "INVALID_CREDENTIALS");
  assert.equal((await off({ recoveryCode: "no" })).code, "INVALID_CREDENTIALS");
  assert.equal((await move({ currentRecoveryCode: recovery[0] })).status, 200);
  assert.equal(
    (await off({ recoveryCode: recovery[1] })).code,
    "INVALID_CREDENTIALS",
    "an old one",
  );
  h.t.clock.advance(30_000);
  assert.equal((await off({ code: codeOf(h, secret) })).status, 200);
  assert.equal((await off({ code: codeOf(h, secret) })).code, "NOT_ALLOWED_IN_STATE");
  const mails: string[] = [];
  await mailLetters(h.t.app, async ({ subject }) => void mails.push(subject));
  assert.deepEqual(mails.sort(), [
    "Two-factor is off for your Parley account",
    "Two-factor is on for your Parley account",
    "Two-factor of your Parley account was moved",
  ]);
});

test("a workspace that requires two-factor lets a member set it up and do nothing else", async () => {
  await using h = await openHouse();
  const owner = await h.member("owner");
  const agent = await h.member("agent", owner.workspaceId);
  const as = agent.token;
  assert.equal((await h.ask("GET", "/bootstrap", { as })).status, 200);
  await updateWorkspace(OPERATOR, h.t.app, owner.workspaceId, { twoFactorRequired: true });
  for (const path of ["/bootstrap", "/sessions", "/conversations?view=all", "/stream?after=0"]) {
    const { status, code } = await h.ask("GET", path, { as });
    assert.deepEqual([status, code], [403, "TWO_FACTOR_REQUIRED"], path);
  }
  assert.equal((await h.ask("GET", "/me", { as })).status, 200);
  const { recovery } = await secure(h, as);
  assert.equal((await h.ask("GET", "/bootstrap", { as })).status, 200);
  const off = await h.ask("DELETE", "/me/two-factor", { as, body: { recoveryCode: recovery[0] } });
  assert.equal(off.status, 200);
  assert.equal((await h.ask("GET", "/bootstrap", { as })).code, "TWO_FACTOR_REQUIRED");
});

test("turning it off and getting new codes need a fresh proof; an admin resets agents, an owner everybody", async () => {
  await using h = await openHouse();
  const owner = await h.member("owner");
  const admin = await h.member("admin", owner.workspaceId);
  const agent = await h.member("agent", owner.workspaceId);
  const { secret, recovery, body } = await secure(h, agent.token);
  await secure(h, admin.token);
  assert.match(
    JSON.stringify((await h.ask("GET", "/team", { as: owner.token })).json),
    /"twoFactor":true/,
  );
  h.t.clock.advance(601_000);
  for (const [method, path] of [
    ["DELETE", "/me/two-factor"],
    ["POST", "/me/two-factor/recovery-codes"],
    ["POST", "/me/two-factor/proposals"],
  ] as const)
    assert.equal((await h.ask(method, path, { as: agent.token })).code, "REAUTH_REQUIRED", path);
  const prove = (as: string) => h.ask("POST", "/me/prove", { as, body: { password: PASSWORD } });
  await Promise.all([agent, admin, owner].map(({ token }) => prove(token)));
  const renewed = await h.ask("POST", "/me/two-factor/recovery-codes", { as: agent.token });
  assert.equal(renewed.status, 200);
  const { step = "" } = await h.signIn(agent.email);
  const old = await h.ask("POST", "/sign-in/code", { step, body: { recoveryCode: recovery[0] } });
  assert.equal(old.code, "INVALID_CREDENTIALS");
  // A proposed secret belongs to its person, for a quarter of an hour.
  const stolen = { ...body, code: codeOf(h, secret) };
  const byAnother = await h.ask("POST", "/me/two-factor", { as: owner.token, body: stolen });
  assert.equal(byAnother.code, "VALIDATION_FAILED");

  const reset = (as: string, id: string) => h.ask("POST", `/team/${id}/two-factor-reset`, { as });
  assert.equal((await reset(admin.token, owner.id)).code, "FORBIDDEN");
  assert.equal((await reset(admin.token, admin.id)).code, "FORBIDDEN");
  assert.equal((await reset((await h.member("owner")).token, agent.id)).code, "NOT_FOUND");
  assert.equal((await reset(admin.token, agent.id)).status, 200);
  assert.equal((await h.ask("GET", "/me", { as: agent.token })).status, 401);
  assert.ok((await h.signIn(agent.email)).token);
  assert.equal((await reset(owner.token, admin.id)).status, 200);
  // Owners of one workspace cannot reset the second factor of a person who also works in another.
  const other = await h.member("owner");
  await secure(h, other.token);
  const { email } = other;
  const guest = { existingLogin: true, email, name: "Guest", role: "agent" } as const;
  const { id } = await createMember(OPERATOR, h.t.app, owner.workspaceId, guest);
  assert.equal((await reset(owner.token, id)).code, "FORBIDDEN");
});

test("an invited address that can sign in already joins with its password, and signs in with its code", async () => {
  await using h = await openHouse();
  const one = await h.member("agent");
  await secure(h, one.token);
  const other = await h.member("owner");
  const invited = await h.ask("POST", "/team/invitations", {
    as: other.token,
    body: { email: one.email, role: "agent" },
  });
  const path = textOf(invited.json, "path").replace("/invite/", "/invitations/");
  const joined = await h.ask("POST", path, { body: { name: "M", password: PASSWORD } });
  assert.deepEqual(
    [joined.status, joined.json, joined.token],
    [201, { codeNeeded: true }, undefined],
  );
  assert.ok(joined.step);
});
