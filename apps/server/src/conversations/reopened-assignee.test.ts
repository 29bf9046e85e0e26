import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../test/messaging.ts";
import { OPERATOR } from "../actor.ts";
import { sql } from "../db/sql.ts";
import { setDisabled } from "../sessions/manage-member.ts";
import { createMember } from "../workspaces/create-member.ts";
import { setAvailability } from "../workspaces/save-profile.ts";
import { endSnoozes } from "./end-snoozes.ts";
import { updateConversation } from "./update-conversation.ts";

let m: Messaging;
before(async () => {
  m = await startMessaging();
});
after(() => m[Symbol.asyncDispose]());

const NOBODY = null;

for (const [state, stays] of [
  ["online", true],
  ["away", false],
  ["disabled", false],
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
    if (state === "away") await setAvailability(mona, app, w, "away");
    if (state === "disabled")
      await setDisabled(OPERATOR, app, { workspaceId: w, memberId: id, disabled: true });
    // An open conversation keeps its assignee, whatever the customer writes.
    await desk.hears("96555501234");
    assert.equal(await whose(), id);
    const kept = stays ? id : NOBODY;
    // By the customer.
    await change({ status: "resolved", assigneeId: id });
    await desk.hears("96555501234");
    assert.equal(await whose(), kept);
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
