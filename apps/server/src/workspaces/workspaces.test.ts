import { listNotices } from "./list-notices.ts";
import { pageAudit } from "./list-audit.ts";
import { removeMember } from "../conversations/remove-member.ts";
import { resetPassword, updateMember } from "./change-member.ts";
import { OPERATOR, type Actor, type MemberRole } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { sql } from "../db/sql.ts";
import { AppError, type ErrorCode } from "../errors.ts";
import { createMember } from "./create-member.ts";
import { createWorkspace } from "./create-workspace.ts";
import { findWorkspace, findWorkspaces } from "./find-workspace.ts";
import { listMembers } from "./list-members.ts";
import { mailNotices, type SendMail } from "./mail-notices.ts";
import { notifyAdmins } from "./notify-admins.ts";
import { hashPassword, setHashCost, STRONG, verifyPassword } from "../logins/password.ts";
import { limitsOf } from "./plan-limits.ts";
import { updateWorkspace } from "./update-workspace.ts";

let t: TestApp;
before(async () => {
  t = await startTestApp();
});
after(() => t[Symbol.asyncDispose]());

const code = (expected: ErrorCode) => (error: unknown) =>
  error instanceof AppError && error.code === expected;

test("a new workspace is free, active and without counted credits", async () => {
  const made = await createWorkspace(OPERATOR, t.app, { name: "  Acme  " });
  assert.deepEqual(await findWorkspace(t.app, made.id), {
    id: made.id,
    name: "Acme",
    kind: "live",
    plan: "free",
    limitOverrides: {},
    smsCredits: null,
    suspendedAt: null,
    timeZone: "UTC",
    country: null,
    twoFactorRequired: false,
    otpPerNumber: null,
    otpCountries: null,
    locale: null,
    removalAskedAt: null,
    createdAt: t.clock.now(),
  });
});

test("a workspace needs a name", async () => {
  await assert.rejects(createWorkspace(OPERATOR, t.app, { name: " " }), code("VALIDATION_FAILED"));
});

test("a text that is no id finds nothing, and neither does an unknown id", async () => {
  const unknown = t.app.ids.next();
  assert.equal((await findWorkspaces(t.app.db, ["no id", unknown])).size, 0);
  await assert.rejects(updateWorkspace(OPERATOR, t.app, "no id", {}), code("NOT_FOUND"));
  await assert.rejects(updateWorkspace(OPERATOR, t.app, unknown, {}), code("NOT_FOUND"));
});

test("a workspace's own limits replace the plan's, and null is unlimited", async () => {
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "A", plan: "starter" });
  await updateWorkspace(OPERATOR, t.app, id, { limits: { messages: 5, bots: null } });
  const changed = await updateWorkspace(OPERATOR, t.app, id, {
    limits: { channels: 0 },
    plan: "growth",
  });
  const limits = { messages: 5, seats: 20, bots: null, channels: 0, aiReplies: 10_000 };
  assert.deepEqual(limitsOf(changed), limits);
  const found = await findWorkspace(t.app, id);
  assert.deepEqual(found && limitsOf(found), limits);
  const back = await updateWorkspace(OPERATOR, t.app, id, { limits: { messages: "default" } });
  assert.equal(limitsOf(back).messages, 50_000);
  await assert.rejects(
    updateWorkspace(OPERATOR, t.app, id, { limits: { messages: -1 } }),
    code("VALIDATION_FAILED"),
  );
});

test("a change of one workspace is stored, and leaves the others as they are", async () => {
  const other = await createWorkspace(OPERATOR, t.app, {
    name: "B",
    plan: "starter",
    smsCredits: 7,
  });
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "A" });
  const after = await updateWorkspace(OPERATOR, t.app, id, {
    name: "C",
    plan: "business",
    limits: { messages: 5 },
    smsCredits: 1_000,
    timeZone: "Asia/Riyadh",
    suspended: true,
  });
  const { name, timeZone } = after;
  assert.deepEqual([name, timeZone], ["C", "Asia/Riyadh"]);
  assert.deepEqual(await findWorkspace(t.app, id), after);
  assert.deepEqual(await findWorkspace(t.app, other.id), other);
});

test("a second suspension keeps the first time, activating clears it, and credits change only when asked", async () => {
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "A", smsCredits: 7 });
  const first = t.clock.now();
  await updateWorkspace(OPERATOR, t.app, id, { suspended: true });
  t.clock.advance(1_000);
  const twice = await updateWorkspace(OPERATOR, t.app, id, { suspended: true });
  assert.deepEqual([twice.suspendedAt, twice.smsCredits], [first, 7]);
  const active = await updateWorkspace(OPERATOR, t.app, id, { suspended: false, smsCredits: null });
  assert.deepEqual([active.suspendedAt, active.smsCredits], [null, null]);
});

test("changes are in the audit log with their actor", async () => {
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "A" });
  await updateWorkspace(OPERATOR, t.app, id, { plan: "business" });
  const rows = await t.app.db.query(
    sql`select actor, action, facts from audit_entry where workspace_id = ${id} order by id`,
  );
  assert.deepEqual(rows, [
    { actor: "cli", action: "workspace.created", facts: { plan: "free" } },
    { actor: "cli", action: "workspace.updated", facts: { plan: "business" } },
  ]);
});

test("only owners make and change owners, and nobody of the workspace changes its plan", async () => {
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "A", plan: "business" });
  const person = { name: "M", email: "m@example.com", role: "owner" } as const;
  const of = (role: MemberRole): Actor => ({ kind: "member", memberId: "m", role });
  const refused = code("FORBIDDEN");
  await assert.rejects(createMember(of("admin"), t.app, id, person), refused);
  const owner = await createMember(of("owner"), t.app, id, person);
  const agent = await createMember(of("admin"), t.app, id, {
    ...person,
    email: "a@example.com",
    role: "agent",
  });
  await assert.rejects(updateMember(of("admin"), t.app, id, owner.id, { name: "N" }), refused);
  await assert.rejects(updateMember(of("admin"), t.app, id, agent.id, { role: "owner" }), refused);
  await assert.rejects(resetPassword(of("admin"), t.app, id, owner.id, "long enough"), refused);
  await assert.rejects(removeMember(of("admin"), t.app, id, owner.id), refused);
  await updateMember(of("owner"), t.app, id, agent.id, { role: "owner" });
  await removeMember(of("owner"), t.app, id, owner.id);
  await updateWorkspace(of("owner"), t.app, id, { name: "B", timeZone: "Asia/Kuwait" });
  for (const change of [
    { plan: "free" },
    { limits: { seats: 1 } },
    { smsCredits: 1 },
    { suspended: false },
  ] as const)
    await assert.rejects(updateWorkspace(of("owner"), t.app, id, change), refused);
});

test("only owners and admins read the audit and the notices", async () => {
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "A" });
  const agent: Actor = { kind: "member", memberId: "m", role: "agent" };
  await assert.rejects(pageAudit(agent, t.app, id, {}, { limit: 1 }), code("FORBIDDEN"));
  await assert.rejects(listNotices(agent, t.app, id), code("FORBIDDEN"));
  const admin: Actor = { ...agent, role: "admin" };
  assert.equal((await pageAudit(admin, t.app, id, {}, { limit: 1 })).entries.length, 1);
  assert.deepEqual(await listNotices(admin, t.app, id), []);
});

test("seats are limited exactly, also when many join at once", async () => {
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "A" });
  const joins = await Promise.allSettled(
    Array.from({ length: 8 }, (_, n) =>
      createMember(OPERATOR, t.app, id, { email: `m${n}@example.com`, name: "M", role: "agent" }),
    ),
  );
  assert.equal(joins.filter((join) => join.status === "fulfilled").length, 2);
  const refused = joins.find((join) => join.status === "rejected");
  assert.ok(refused?.reason instanceof AppError);
  assert.deepEqual(
    [refused.reason.code, refused.reason.facts.limit, refused.reason.facts.usage],
    ["SEAT_LIMIT_REACHED", 2, 2],
  );
  assert.equal((await listMembers(t.app.db, id)).length, 2);
});

test("an e-mail address joins a workspace once, whatever its case, and other workspaces as well", async () => {
  const a = await createWorkspace(OPERATOR, t.app, { name: "A" });
  const b = await createWorkspace(OPERATOR, t.app, { name: "B" });
  const input = { email: "Ada@Example.com ", name: "Ada", role: "owner" } as const;
  await createMember(OPERATOR, t.app, a.id, input);
  await assert.rejects(
    createMember(OPERATOR, t.app, a.id, { ...input, email: "ada@example.com" }),
    code("CONFLICT"),
  );
  await createMember(OPERATOR, t.app, b.id, input);
  assert.deepEqual(
    (await listMembers(t.app.db, a.id)).map(({ email }) => email),
    ["ada@example.com"],
  );
});

test("a member needs a usable address and a password of ten characters", async () => {
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "A" });
  for (const email of ["", "a", "a@b", "a b@c.de", "a@b..de", `${"x".repeat(200)}@a.bc`])
    await assert.rejects(
      createMember(OPERATOR, t.app, id, { email, name: "A", role: "agent" }),
      code("VALIDATION_FAILED"),
      email,
    );
  await assert.rejects(
    createMember(OPERATOR, t.app, id, {
      email: "a@b.cd",
      name: "A",
      role: "agent",
      password: "short",
    }),
    code("VALIDATION_FAILED"),
  );
});

test("a password is stored as salted argon2id, and only the same password matches", async () => {
  const cheap = await hashPassword("correct horse");
  setHashCost(STRONG);
  const [one, two] = await Promise.all([
    hashPassword("correct horse"),
    hashPassword("correct horse"),
  ]);
  const [, memoryKib, passes] = /m=(\d+),t=(\d+)/.exec(cheap) ?? [];
  setHashCost({ memoryKib: Number(memoryKib), passes: Number(passes) });
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.notEqual(one, two);
  assert.equal(await verifyPassword(one, "correct horse"), true);
  assert.equal(await verifyPassword(one, "correct horsf"), false);
  assert.equal(await verifyPassword("plain", "plain"), false);
});

/** A workspace with an owner and an agent, and one notice that was sent twice. */
async function withNotice(): Promise<string> {
  const { id } = await createWorkspace(OPERATOR, t.app, { name: "A" });
  await createMember(OPERATOR, t.app, id, { email: "boss@example.com", name: "B", role: "owner" });
  await createMember(OPERATOR, t.app, id, { email: "agent@example.com", name: "C", role: "agent" });
  const notice = { kind: "test", subject: "Look", body: "At this", dedupe: "once" };
  const told = await t.app.db.transaction(async (tx) => [
    await notifyAdmins(t.app, tx, id, notice),
    await notifyAdmins(t.app, tx, id, notice),
  ]);
  assert.deepEqual(told, [true, false]);
  return id;
}

test("an occasion is notified once and mailed to owners and admins once", async () => {
  await withNotice();
  const mails: Parameters<SendMail>[0][] = [];
  const send: SendMail = (mail) => {
    mails.push(mail);
    return Promise.resolve();
  };
  assert.equal(await mailNotices(t.app, send), 1);
  assert.deepEqual(mails, [{ to: ["boss@example.com"], subject: "Look", text: "At this" }]);
  t.clock.advance(86_400_000);
  assert.equal(await mailNotices(t.app, send), 0);
});

test("a mail that fails is tried six times with growing waits, then given up", async () => {
  await withNotice();
  let attempts = 0;
  const send: SendMail = () => {
    attempts++;
    return Promise.reject(new Error("421 busy"));
  };
  await mailNotices(t.app, send);
  assert.equal(await mailNotices(t.app, send), 0, "waits first");
  for (let hour = 0; hour < 24; hour++) {
    t.clock.advance(4 * 3_600_000);
    await mailNotices(t.app, send);
  }
  assert.equal(attempts, 6);
});

test("each of two notices is mailed by one worker, and a failed one finishes no other", async () => {
  await withNotice();
  await withNotice();
  let sent = 0;
  const send: SendMail = async () => {
    const first = ++sent === 1;
    assert.equal(await mailNotices(t.app, send), 0, "another worker has nothing to mail meanwhile");
    if (first) throw new Error("421 busy");
  };
  assert.equal(await mailNotices(t.app, send), 2);
  t.clock.advance(60_000);
  assert.equal(await mailNotices(t.app, send), 1);
  assert.equal(sent, 3);
  t.clock.advance(86_400_000);
  assert.equal(await mailNotices(t.app, send), 0);
});

test("without SMTP_URL a notice is logged and finished", async () => {
  await withNotice();
  assert.equal(await mailNotices(t.app, null), 1);
  assert.equal(await mailNotices(t.app, null), 0);
});
