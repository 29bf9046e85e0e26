import assert from "node:assert/strict";
import { createServer, type AddressInfo, type Server } from "node:net";
import { after, before, test } from "node:test";
import { sql } from "../../db/sql.ts";
import { openHouse, PASSWORD } from "./people.fixture.ts";

let server: Server;
/** Every mail as the mail server received it, headers and all. */
const mails: string[] = [];
before(async () => {
  server = createServer((socket) => {
    let data: string | null = null;
    socket.on("error", () => {});
    socket.setEncoding("utf8").write("220 test\r\n");
    socket.on("data", (chunk: string) => {
      if (data !== null) {
        data += chunk;
        if (!data.includes("\r\n.\r\n")) return;
        mails.push(data.replaceAll("=\r\n", ""));
        data = null;
        socket.write("250 taken\r\n");
      } else if (/^DATA/i.test(chunk)) {
        data = "";
        socket.write("354 go on\r\n");
      } else socket.write("250 ok\r\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
after(() => server.close());

const withMail = () => ({
  smtpUrl: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
});

test("a forgotten password: one answer for all addresses, a link that works once, five requests an hour", async () => {
  await using h = await openHouse("http://127.0.0.1:0", withMail());
  const one = await h.member("agent");
  assert.deepEqual((await h.ask("GET", "/password-resets")).json, { byMail: true });
  const asked = (email: string) =>
    h.ask("POST", "/password-resets", { body: { email, locale: "en" } });
  const known = await asked(one.email);
  const unknown = await asked("nobody@example.com");
  assert.deepEqual([known.status, known.json], [unknown.status, unknown.json]);
  const stored = await h.t.app.db.query<{ sealed: Buffer }>(sql`select sealed from letter`);
  assert.equal(stored.length, 2, "the same work for both");
  assert.ok(!stored.some(({ sealed }) => sealed.includes("example.com")));
  mails.length = 0;
  await h.t.app.drain();
  assert.equal(mails.length, 1);
  const secretIn = (mail = "") => /\/reset\/([\w-]{43})/.exec(mail)?.[1] ?? "";
  const first = secretIn(mails[0]);
  assert.match(mails[0] ?? "", new RegExp(`To: ${one.email}`));
  // A newer link ends the older one.
  await asked(one.email);
  await h.t.app.drain();
  const use = (secret: string) =>
    h.ask("POST", `/password-resets/${secret}`, { body: { password: "a quite new one" } });
  assert.equal((await use(first)).code, "NOT_FOUND");
  const second = secretIn(mails[1]);
  h.t.clock.advance(3_500_000);
  assert.equal((await use(second)).status, 200);
  assert.equal((await use(second)).code, "NOT_FOUND");
  assert.equal((await h.ask("GET", "/me", { as: one.token })).status, 401);
  assert.ok((await h.signIn(one.email, "a quite new one")).token);
  assert.equal((await h.t.app.db.query(sql`select 1 from letter`)).length, 0);
  h.t.clock.advance(3_600_000);
  for (let n = 0; n < 5; n++) assert.equal((await asked(one.email)).status, 200);
  const refused = await asked(one.email);
  assert.deepEqual([refused.status, refused.code], [429, "RATE_LIMITED"]);
  assert.ok(Number(refused.headers["retry-after"]) > 3_000);
  // A link from an hour ago opens nothing.
  await h.t.app.drain();
  h.t.clock.advance(3_600_001);
  assert.equal((await use(secretIn(mails.at(-1)))).code, "NOT_FOUND");
});

test("an invitation is sent by mail, and its link can still be copied", async () => {
  await using h = await openHouse("http://127.0.0.1:0", withMail());
  const owner = await h.member("owner");
  mails.length = 0;
  const made = await h.ask("POST", "/team/invitations", {
    as: owner.token,
    body: { email: "new@example.com", role: "agent" },
  });
  const path = /"path":"([^"]+)"/.exec(JSON.stringify(made.json))?.[1] ?? "";
  assert.match(JSON.stringify(made.json), /"mailed":true/);
  await h.t.app.drain();
  assert.equal(mails.length, 1);
  assert.ok(mails[0]?.includes(path));
});

test("without a mail server owners and admins hear who needs a link, and no answer shows who has an account", async () => {
  await using h = await openHouse();
  const owner = await h.member("owner");
  const admin = await h.member("admin", owner.workspaceId);
  const agent = await h.member("agent", owner.workspaceId);
  for (const [{ token: as }, name] of [
    [admin, "Rami"],
    [agent, "Rana"],
  ] as const)
    assert.equal((await h.ask("PATCH", "/me", { as, body: { name } })).status, 200);
  assert.deepEqual((await h.ask("GET", "/password-resets")).json, { byMail: false });
  for (const email of [agent.email, admin.email, "nobody@shop.example"]) {
    const asked = await h.ask("POST", "/password-resets", { body: { email, locale: "en" } });
    assert.deepEqual([asked.status, asked.json], [200, {}]);
  }
  await h.t.app.drain();
  const heard = async (as: string) => {
    const { json } = await h.ask("GET", "/notices", { as });
    const { items } = json as { readonly items: readonly { readonly subject: string }[] };
    return items.map(({ subject }) => subject).toSorted();
  };
  assert.deepEqual(await heard(owner.token), ["Rami", "Rana"]);
  assert.deepEqual(await heard(admin.token), ["Rana"]);
  assert.deepEqual(await heard(agent.token), []);
});

test("members change their own name and whether they are away; owners change the workspace", async () => {
  await using h = await openHouse();
  const owner = await h.member("owner");
  const agent = await h.member("agent", owner.workspaceId);
  const as = agent.token;
  assert.equal((await h.ask("PATCH", "/me", { as, body: { name: "  Rana  " } })).status, 200);
  const away = { availability: "away" };
  assert.equal((await h.ask("PUT", "/me/availability", { as, body: away })).status, 200);
  const seen = JSON.stringify((await h.ask("GET", "/team", { as: owner.token })).json);
  assert.match(seen, /"name":"Rana"[^}]*"availability":"away"/);
  const body = { name: "Shop", timeZone: "Asia/Kuwait", country: "KW", locale: "ar" };
  const save = (token: string, given: object) =>
    h.ask("PATCH", "/workspace", { as: token, body: given });
  assert.equal((await save(as, body)).code, "FORBIDDEN");
  const saved = await save(owner.token, body);
  assert.deepEqual(saved.json, { ...body, twoFactorRequired: false, withoutTwoFactor: 2 });
  assert.equal((await save(owner.token, { timeZone: "Mars/Olympus" })).status, 400);
  assert.equal((await save(owner.token, { country: "ZZ" })).status, 400);
  assert.match(JSON.stringify((await h.ask("GET", "/bootstrap", { as })).json), /"locale":"ar"/);
});

test("every page learns whether the workspace is for tests", async () => {
  await using h = await openHouse();
  const { token: as, workspaceId } = await h.member("agent");
  const kind = async () => {
    const { json } = await h.ask("GET", "/bootstrap", { as });
    return (json as { readonly workspace: { readonly kind: string } }).workspace.kind;
  };
  assert.equal(await kind(), "live");
  await h.t.app.db.query(sql`update workspace set kind = 'test' where id = ${workspaceId}`);
  assert.equal(await kind(), "test");
});

test("an owner deletes the workspace by its name: nobody can sign in any more, and then it is gone", async () => {
  await using h = await openHouse();
  const owner = await h.member("owner");
  const agent = await h.member("agent", owner.workspaceId);
  const other = await h.member("owner");
  const remove = (as: string, name: string) =>
    h.ask("POST", "/workspace/removal", { as, body: { name } });
  assert.equal((await remove(agent.token, "W")).code, "FORBIDDEN");
  assert.equal((await remove(owner.token, "w")).code, "VALIDATION_FAILED");
  h.t.clock.advance(601_000);
  assert.equal((await remove(owner.token, "W")).code, "REAUTH_REQUIRED");
  await h.ask("POST", "/me/prove", { as: owner.token, body: { password: PASSWORD } });
  assert.equal((await remove(owner.token, "W")).status, 200);
  for (const { token, email } of [owner, agent]) {
    assert.equal((await h.ask("GET", "/me", { as: token })).code, "UNAUTHENTICATED");
    assert.equal((await h.signIn(email)).code, "INVALID_CREDENTIALS");
  }
  await h.t.app.drain();
  const left = await h.t.app.db.query<{ id: string }>(sql`select id from workspace`);
  assert.deepEqual(left, [{ id: other.workspaceId }]);
  const logins = await h.t.app.db.query(sql`select email from login`);
  assert.deepEqual(logins, [{ email: other.email }]);
});
