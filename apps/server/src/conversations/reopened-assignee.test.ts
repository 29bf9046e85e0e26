import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../test/messaging.ts";
import { OPERATOR } from "../actor.ts";
import { sql } from "../db/sql.ts";
import { setDisabled } from "./disable-member.ts";
import { createMember } from "../workspaces/create-member.ts";
import { pageAudit } from "../workspaces/list-audit.ts";
import { setAvailability } from "../workspaces/save-profile.ts";
import { endSnoozes } from "./end-snoozes.ts";
import { removeMember } from "./remove-member.ts";
import { updateConversation } from "./update-conversation.ts";

let m: Messaging;
before(async () => {
  m = await startMessaging();
});
after(() => m[Symbol.asyncDispose]());

const NOBODY = null;

/** The entries of the audit about a conversation, newest first. */
const auditOf = async (w: string, subject: string, action: string) =>
  (await pageAudit(OPERATOR, m.t.app, w, { subject, action }, { limit: 10 })).entries;

for (const [state, stays] of [
  ["online", true],
  ["away", false],
  ["disabled", false],
  ["never signed in", false],
] as const)
  test(`a conversation that is opened again ${stays ? "stays with" : "leaves"} an assignee who is ${state}`, async () => {
    const { app } = m.t;
    const desk = await Desk.open(m);
    const { workspaceId: w } = desk;
    const email = `${app.ids.next()}@example.com`;
    const { id } = await createMember(OPERATOR, app, w, { email, name: "Mona", role: "agent" });
    const mona = { kind: "member", memberId: id, role: "agent" } as const;
    const conversation = await desk.hears("96555501234");
    const whose = async () => {
      const rows = await app.db.query<{ assignee: string | null; desk: string | null }>(sql`
        select c.assignee_id as assignee, d.assignee_id as desk from conversation c
        join desk_conversation d on d.workspace_id = c.workspace_id and d.conversation_id = c.id
        where c.workspace_id = ${w} and c.id = ${conversation}`);
      assert.equal(rows[0]?.assignee, rows[0]?.desk, "the inbox shows the same");
      return rows[0]?.assignee;
    };
    const change = (patch: object) => updateConversation(OPERATOR, app, w, conversation, patch);
    await change({ assigneeId: id });
    if (state !== "never signed in")
      await setAvailability(mona, app, w, state === "away" ? "away" : "online");
    if (state === "disabled")
      await setDisabled(OPERATOR, app, { workspaceId: w, memberId: id, disabled: true });
    // An open conversation keeps its assignee, whatever the customer writes; a disabled one gave it back.
    await desk.hears("96555501234");
    assert.equal(await whose(), state === "disabled" ? NOBODY : id);
    const kept = stays ? id : NOBODY;
    // By the customer.
    await change({ status: "resolved", assigneeId: id });
    await desk.hears("96555501234");
    assert.equal(await whose(), kept);
    const [entry] = await auditOf(w, conversation, "conversation.open");
    assert.deepEqual([entry?.actor, entry?.facts], ["system", { by: "customer" }]);
    const given = (await auditOf(w, conversation, "conversation.assigned"))[0];
    assert.deepEqual(given?.facts, stays ? { from: null, to: id } : { from: id, to: null });
    // By a colleague.
    await change({ status: "resolved", assigneeId: id });
    await change({ status: "open" });
    assert.equal(await whose(), kept);
    // By the end of its snooze.
    const until = new Date(app.clock.now().getTime() + 60_000);
    await change({ status: "snoozed", until, assigneeId: id });
    m.t.clock.advance(61_000);
    await endSnoozes(app, 10);
    assert.equal(await whose(), kept);
  });

test("the open conversations of a member who is disabled return to Unassigned, with event and audit; a removal gives back all", async () => {
  const { app } = m.t;
  const desk = await Desk.open(m);
  const { workspaceId: w } = desk;
  const email = `${app.ids.next()}@example.com`;
  const { id } = await createMember(OPERATOR, app, w, { email, name: "Mona", role: "agent" });
  const ids = [await desk.hears("96555501111"), await desk.hears("96555502222")] as const;
  for (const one of ids) await updateConversation(OPERATOR, app, w, one, { assigneeId: id });
  const [open, resolved] = ids;
  await updateConversation(OPERATOR, app, w, resolved, { status: "resolved" });
  const whose = async () => {
    const rows = await app.db.query<{ a: string | null; d: string | null }>(sql`
      select c.assignee_id as a, d.assignee_id as d from conversation c join desk_conversation d
        on d.workspace_id = c.workspace_id and d.conversation_id = c.id
      where c.workspace_id = ${w} order by c.id`);
    assert.deepEqual(
      rows.map(({ a }) => a),
      rows.map(({ d }) => d),
      "the inbox shows the same",
    );
    return rows.map(({ a }) => a);
  };
  const given = { actor: "cli", facts: { from: id, to: null } };
  const last = async (conversation: string) => {
    const [entry] = await auditOf(w, conversation, "conversation.assigned");
    return { actor: entry?.actor, facts: entry?.facts };
  };
  const updates = async () => (await desk.events("conversation.updated")).length;

  let before = await updates();
  await setDisabled(OPERATOR, app, { workspaceId: w, memberId: id, disabled: true });
  assert.deepEqual(await whose(), [NOBODY, id]);
  assert.deepEqual(await last(open), given);
  assert.equal(await updates(), before + 1);

  before = await updates();
  await removeMember(OPERATOR, app, w, id);
  assert.deepEqual(await whose(), [NOBODY, NOBODY]);
  assert.deepEqual(await last(resolved), given);
  assert.equal(await updates(), before + 1);
});
