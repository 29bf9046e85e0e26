import { AGENT } from "../../test/actors.ts";
import { actorName, OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../test/messaging.ts";
import { sql } from "../db/sql.ts";
import { createMember } from "../workspaces/create-member.ts";
import { updateConversation } from "./update-conversation.ts";

let m: Messaging;
before(async () => {
  m = await startMessaging();
});
after(() => m[Symbol.asyncDispose]());

test("status, assignee, labels and read are changed, with one event for each change", async () => {
  const desk = await Desk.open(m);
  const id = await desk.hears("96581000001");
  const member = await createMember(OPERATOR, m.t.app, desk.workspaceId, {
    email: "a@b.example",
    name: "A",
    role: "agent",
  });
  const patch = {
    status: "resolved",
    assigneeId: member.id,
    labels: [" VIP ", "vip", ""],
    read: true,
  } as const;
  const changed = await updateConversation(AGENT, m.t.app, desk.workspaceId, id, patch);
  assert.deepEqual(
    [changed.status, changed.assigneeId, changed.labels, changed.unreadCount],
    ["resolved", member.id, ["vip"], 0],
  );
  await updateConversation(AGENT, m.t.app, desk.workspaceId, id, patch);
  assert.equal((await desk.events("conversation.updated")).length, 1);
  assert.deepEqual(
    await m.t.app.db.query(sql`select actor, action, subject, facts from audit_entry
      where workspace_id = ${desk.workspaceId} and action like 'conversation.%' order by id`),
    [
      { action: "conversation.resolved", facts: {} },
      { action: "conversation.assigned", facts: { from: null, to: member.id } },
      { action: "conversation.labelled", facts: { added: ["vip"], removed: [] } },
    ].map((entry) => ({ actor: actorName(AGENT), subject: id, ...entry })),
  );
});

test("another workspace's conversation is not found, and a stranger cannot become its assignee", async () => {
  const [desk, other] = [await Desk.open(m), await Desk.open(m)];
  const id = await desk.hears("96581000002");
  const agent = { email: "agent@b.example", name: "B", role: "agent" } as const;
  await createMember(OPERATOR, m.t.app, desk.workspaceId, agent);
  const stranger = await createMember(OPERATOR, m.t.app, other.workspaceId, agent);
  for (const wrong of ["nonsense", m.t.app.ids.next(), stranger.id]) {
    await assert.rejects(
      updateConversation(OPERATOR, m.t.app, desk.workspaceId, wrong, { read: true }),
      {
        code: "NOT_FOUND",
      },
    );
    await assert.rejects(
      updateConversation(OPERATOR, m.t.app, desk.workspaceId, id, { assigneeId: wrong }),
      {
        code: "VALIDATION_FAILED",
      },
    );
  }
  await assert.rejects(
    updateConversation(OPERATOR, m.t.app, other.workspaceId, id, { read: true }),
    {
      code: "NOT_FOUND",
    },
  );
});
