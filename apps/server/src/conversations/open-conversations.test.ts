import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import { findConversation } from "./find-conversation.ts";
import { NOBODY } from "./handler.ts";
import { openConversations } from "./open-conversations.ts";

test("one conversation per contact and channel, also when many open it at once", async () => {
  await using t = await startTestApp();
  const id = () => t.app.ids.next();
  const base = {
    workspaceId: id(),
    channelId: id(),
    channelType: "WHATSAPP",
    at: t.clock.now(),
  } as const;
  const want = { ...base, contactId: id(), externalId: "96551000001" };
  const other = { ...base, contactId: id(), externalId: "96551000002" };
  const batches = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      t.app.db.transaction((tx) =>
        openConversations(t.app, tx, index % 2 ? [want, other, want] : [other, want]),
      ),
    ),
  );
  const all = batches.flat();
  assert.equal(all.filter((one) => one.created).length, 2);
  assert.equal(new Set(all.map((one) => one.conversation.id)).size, 2);
  for (const batch of batches) {
    const contacts = batch.map((one) => one.conversation.externalId);
    assert.equal(contacts.length === 3 ? contacts[0] : contacts[1], "96551000001");
  }
  const [first] = all;
  assert.ok(first);
  const found = await findConversation(t.app, base.workspaceId, first.conversation.id);
  // A page also shows who answers: of a new conversation, as yet no one.
  assert.deepEqual(found, { ...first.conversation, handler: NOBODY });
  assert.equal(await findConversation(t.app, id(), first.conversation.id), null);
  assert.equal(await findConversation(t.app, base.workspaceId, "nonsense"), null);
});
