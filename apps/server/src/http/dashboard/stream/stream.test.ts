import assert from "node:assert/strict";
import { test } from "node:test";
import { AGENT } from "../../../../test/actors.ts";
import { Desk, startMessaging } from "../../../../test/messaging.ts";
import { OPERATOR } from "../../../actor.ts";
import { createKey } from "../../../api-keys/create-key.ts";
import { updateConversation } from "../../../conversations/update-conversation.ts";
import { deskNumbers } from "../../../desk/read-desk.ts";
import { followDesk } from "../../../messages/record/follow-desk.ts";
import { createMember } from "../../../workspaces/create-member.ts";
import { inviteMember } from "../../../workspaces/invite-member.ts";
import { notifyStarter } from "../../../workspaces/member-notice.ts";
import { buildHttp } from "../../server.ts";

const PASSWORD = "correct horse battery";
const OURS = { "x-parley": "1", "content-type": "application/json" };

/** Reads a stream until it contains a text; gives everything that came. */
async function hear(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  kept: { text: string },
  until: RegExp,
) {
  while (!until.test(kept.text)) {
    const { value, done } = await reader.read();
    if (done) break;
    kept.text += Buffer.from(value).toString();
  }
  assert.match(kept.text, until);
}

/** The cookie of a new session. */
async function signIn(base: string, email: string): Promise<string> {
  const answer = await fetch(`${base}/sign-in`, {
    method: "POST",
    headers: OURS,
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

test("a stream brings changed rows, hints of threads and counts, and ends with the session", async () => {
  await using m = await startMessaging();
  const { app } = m.t;
  const [desk, other] = [await Desk.open(m), await Desk.open(m)];
  const { workspaceId } = desk;
  const email = "stream@b.example";
  const member = await createMember(OPERATOR, app, workspaceId, {
    email,
    name: "A",
    role: "agent",
    password: PASSWORD,
  });
  const fastify = await buildHttp(app);
  const base = `${await fastify.listen({ port: 0, host: "127.0.0.1" })}/api/app`;
  const refused = await fetch(`${base}/stream`);
  assert.equal(refused.status, 401);
  const cookie = await signIn(base, email);
  const first = await desk.hears("96585000001");
  const after = (await deskNumbers(app.db, [workspaceId])).get(workspaceId) ?? 0;
  await updateConversation(AGENT, app, workspaceId, first, { labels: ["vip"] });
  const response = await fetch(`${base}/stream?after=${after}`, { headers: { cookie } });
  assert.equal(response.status, 200);
  const reader = response.body?.getReader() ?? assert.fail("no body");
  const kept = { text: "" };
  // What changed before the stream opened.
  await hear(reader, kept, new RegExp(`id: ${after + 1}\nevent: desk\n.*"vip"`));
  const stranger = await other.hears("96585000002");
  const second = await desk.hears("96585000003");
  await hear(reader, kept, new RegExp(`id: ${after + 2}\nevent: desk\n.*${second}`));
  await hear(reader, kept, /"counts":{[^}]*"all":2/);
  // After a change that moves no count they come again: the page may have counted otherwise meanwhile.
  kept.text = "";
  await updateConversation(AGENT, app, workspaceId, first, { labels: [] });
  await hear(reader, kept, /"counts":{[^}]*"all":2/);
  const ask = (method: string, path: string, body: object) =>
    fetch(`${base}${path}`, {
      method,
      headers: { ...OURS, cookie },
      body: JSON.stringify(body),
    });
  await ask("POST", "/presence", { tab: "t", conversationId: second, typing: true });
  // One does not hear oneself.
  await hear(
    reader,
    kept,
    new RegExp(`event: presence\ndata: {"conversationId":"${second}","viewing":\\[\\]`),
  );
  await desk.replies(first, "nobody looks");
  await desk.replies(second, "somebody looks");
  await hear(reader, kept, new RegExp(`event: thread\ndata: {"conversationId":"${second}"}`));
  assert.ok(!kept.text.includes(`event: thread\ndata: {"conversationId":"${first}"}`));
  await followDesk(app);
  await hear(reader, kept, /"preview":"nobody looks"/);
  await ask("PUT", `/conversations/${first}/draft`, { mode: "reply", text: "half" });
  await hear(reader, kept, new RegExp(`event: mine\n.*"${first}".*"draft":"half"`));
  await ask("POST", "/views", { name: "Own", filter: { all: [] }, shared: false });
  await hear(reader, kept, /event: settings/);
  const told = {
    kind: "change",
    actor: `member:${member.id}`,
    facts: {},
    ref: "/contacts",
  } as const;
  await app.db.transaction((tx) => notifyStarter(app, tx, workspaceId, told));
  await hear(reader, kept, /event: notice\ndata: {"unread":1}/);
  assert.ok(!kept.text.includes(stranger), "another workspace's rows");
  await fetch(`${base}/sign-out`, { method: "POST", headers: { ...OURS, cookie }, body: "{}" });
  await hear(reader, kept, /event: end/);
  await fastify.close();
});

test("pages hear of changed lists: who joins, is away or has another name, and a program's label", async () => {
  await using m = await startMessaging();
  const { app } = m.t;
  const { workspaceId } = await Desk.open(m);
  const email = "lists@b.example";
  const owner = { email, name: "A", role: "owner", password: PASSWORD } as const;
  await createMember(OPERATOR, app, workspaceId, owner);
  const fastify = await buildHttp(app);
  const root = await fastify.listen({ port: 0, host: "127.0.0.1" });
  const cookie = await signIn(`${root}/api/app`, email);
  const stream = await fetch(`${root}/api/app/stream?after=0`, { headers: { cookie } });
  const reader = stream.body?.getReader() ?? assert.fail("no body");
  const { bearer } = await createKey(OPERATOR, app, workspaceId);
  const heard = async (method: string, path: string, body: object) => {
    const kept = { text: "" };
    const answer = await fetch(`${root}/api${path}`, {
      method,
      // Who joins with another's cookie would end that session.
      headers: path.startsWith("/v1")
        ? { ...OURS, authorization: `Bearer ${bearer}` }
        : { ...OURS, ...(!path.includes("invitations") && { cookie }) },
      body: JSON.stringify(body),
    });
    assert.ok(answer.ok, `${path}: ${await answer.text()}`);
    await hear(reader, kept, /event: settings/);
  };
  const invited = { email: "joins@b.example", role: "agent" } as const;
  const { secret } = await inviteMember(OPERATOR, app, workspaceId, invited);
  await heard("POST", `/app/invitations/${secret}`, { name: "Joins", password: PASSWORD });
  await heard("PATCH", "/app/me", { name: "Amal" });
  await heard("PUT", "/app/me/availability", { availability: "away" });
  await heard("PUT", "/v1/labels/gift", { color: "#1d5b9c" });
  await reader.cancel();
  await fastify.close();
});
