import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startApi, type Api } from "../../test/v1/api.ts";
import { OPERATOR } from "../actor.ts";
import { sql } from "../db/sql.ts";
import {
  createSavedReply,
  deleteSavedReply,
  updateSavedReply,
} from "../inbox/write-saved-reply.ts";
import { selectChunksOf } from "./knowledge-store.ts";
import { listKnowledge, readSource, recordUse } from "./list-sources.ts";
import { replyText } from "./reply-text.ts";
import { addSavedReplies, listReplySources } from "./saved-reply-sources.ts";
import { searchKnowledge } from "./search-knowledge.ts";
import { refreshSource, saveSource } from "./write-snippet.ts";

let api: Api;
before(async () => {
  api = await startApi();
});
after(() => api[Symbol.asyncDispose]());

async function team() {
  const { workspaceId } = await api.newWorkspace("business");
  const owner = { kind: "member", memberId: api.app.ids.next(), role: "owner" } as const;
  const save = (shortcut: string, text: string, shared = true) =>
    createSavedReply(owner, api.app, workspaceId, { shortcut, title: shortcut, text, shared });
  const add = async (...savedReplyIds: string[]) =>
    (await addSavedReplies(OPERATOR, api.app, workspaceId, { savedReplyIds })).answer.items;
  const found = async (query: string) =>
    (await searchKnowledge(api.app, workspaceId, query, { limit: 5 })).map(({ text }) => text);
  return { workspaceId, owner, save, add, found };
}

test("places of a saved reply never reach what bots answer from", () => {
  for (const [text, left] of [
    ["Hello {{contact.firstName}}, we open at nine.", "Hello, we open at nine."],
    ["Thank you, {{contact.name}}! We deliver in 2 days.", "Thank you! We deliver in 2 days."],
    ["{{contact.name}}, we open at nine.", "we open at nine."],
    ["مرحباً {{ contact.firstName }}، نوصل خلال يومين.", "مرحباً، نوصل خلال يومين."],
    [
      "This is {{agent.name}}. We open at nine.\nRegards,\n{{agent.name}}",
      "We open at nine.\nRegards,",
    ],
    ["Order {{order.number}} is ready. Come by 9 pm.", "Come by 9 pm."],
    ["  Two\n\nparts {of} {{ }}", "Two"],
    ["{{contact.name}}!", ""],
  ] as const)
    assert.equal(replyText(text), left);
});

test("a shared saved reply is found, follows its changes in the same transaction, and ends with its saved reply", async () => {
  const { workspaceId, owner, save, add, found } = await team();
  const reply = await save("hours", "Hello {{contact.name}}, the shop opens at nine.");
  const own = await save("mine", "The safe is behind the mirror.", false);
  await assert.rejects(
    add(reply.id, own.id),
    /savedReplyIds\.1/,
    "a member's own one is no source",
  );
  assert.deepEqual(await found("when does the shop open"), []);

  const [source] = await add(reply.id, reply.id);
  assert.deepEqual(
    [source?.kind, source?.title, source?.chunks, source?.languages],
    ["saved_reply", "hours", 1, ["en"]],
  );
  assert.deepEqual(await add(reply.id), [], "it is a source already");
  const id = source?.id ?? "";
  const listed = await listReplySources(OPERATOR, api.app, workspaceId, {});
  assert.deepEqual(
    listed.items.map(({ id: one, sourceId }) => [one, sourceId]),
    [[reply.id, id]],
  );
  assert.deepEqual(await found("when does the shop open"), ["Hello, the shop opens at nine."]);

  await recordUse(api.app, workspaceId, [id]);
  const input = {
    id,
    title: "hours",
    askedAs: ["are you there at dawn"],
    validUntil: "2099-01-01",
  };
  await saveSource(OPERATOR, api.app, workspaceId, input);
  await assert.rejects(
    saveSource(OPERATOR, api.app, workspaceId, { ...input, title: "Other" }),
    /title/,
  );
  await updateSavedReply(owner, api.app, workspaceId, reply.id, {
    title: "Opening",
    text: "The shop opens at ten.",
  });
  const after = await readSource(OPERATOR, api.app, workspaceId, { id });
  assert.deepEqual(
    [
      after.title,
      after.parts.map(({ text }) => text),
      after.used,
      after.askedAs.length,
      after.validUntil !== null,
    ],
    ["Opening", ["The shop opens at ten."], 1, 1, true],
  );
  assert.deepEqual(await found("dawn"), ["The shop opens at ten."]);

  const dead = new Error("undone");
  await assert.rejects(
    api.app.db.transaction(async (tx) => {
      const within = {
        ...api.app,
        db: { ...api.app.db, transaction: <T>(run: (one: typeof tx) => Promise<T>) => run(tx) },
      };
      await updateSavedReply(owner, within, workspaceId, reply.id, {
        text: "The shop opens at noon.",
      });
      assert.equal((await selectChunksOf(tx, workspaceId, id))[0]?.text, "The shop opens at noon.");
      throw dead;
    }),
    dead,
  );
  assert.deepEqual(await found("when does the shop open"), ["The shop opens at ten."]);

  await updateSavedReply(owner, api.app, workspaceId, reply.id, { text: "Hi {{agent.name}}" });
  const empty = await readSource(OPERATOR, api.app, workspaceId, { id });
  assert.deepEqual([empty.status, empty.reason, empty.chunks], ["failed", "only_places", 0]);
  await updateSavedReply(owner, api.app, workspaceId, reply.id, { text: "The shop opens at ten." });
  await api.app.db.query(sql`
    update knowledge_source set valid_until = '2000-01-01' where workspace_id = ${workspaceId}`);
  assert.deepEqual(await found("when does the shop open"), [], "it is no longer valid");

  await deleteSavedReply(owner, api.app, workspaceId, reply.id);
  assert.deepEqual((await listKnowledge(OPERATOR, api.app, workspaceId, {})).items, []);
});

test("a saved reply can be written when the knowledge is full; its source says so, and is read again when there is room", async () => {
  const { workspaceId, owner, save, add } = await team();
  const reply = await save("hours", "The shop opens at nine.");
  const [source] = await add(reply.id);
  const id = source?.id ?? "";
  await api.app.db.query(sql`
    insert into knowledge_source (workspace_id, id, kind, title, status, created_at, updated_at)
    values (${workspaceId}, ${workspaceId}, 'file', 'Large', 'ready', now(), now())`);
  await api.app.db.query(sql`
    insert into knowledge_chunk (workspace_id, id, source_id, version, lang, place, title, text)
    select ${workspaceId}, gen_random_uuid(), ${workspaceId}, 1, 'en', n, '', '' from generate_series(1, 20000) n`);
  await updateSavedReply(owner, api.app, workspaceId, reply.id, { text: "The shop opens at ten." });
  const full = await readSource(OPERATOR, api.app, workspaceId, { id });
  assert.deepEqual([full.status, full.reason, full.chunks], ["failed", "knowledge_full", 0]);
  await api.app.db.query(sql`
    delete from knowledge_source where workspace_id = ${workspaceId} and id = ${workspaceId}`);
  await refreshSource(OPERATOR, api.app, workspaceId, { id });
  const read = await readSource(OPERATOR, api.app, workspaceId, { id });
  assert.deepEqual(
    [read.status, read.parts.map(({ text }) => text)],
    ["ready", ["The shop opens at ten."]],
  );
});
