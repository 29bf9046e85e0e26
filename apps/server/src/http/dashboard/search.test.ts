import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { OPERATOR } from "../../actor.ts";
import { mergeContacts } from "../../contacts/identity/merge-contacts.ts";
import { putLabel } from "../../conversations/put-label.ts";
import { updateConversation } from "../../conversations/update-conversation.ts";
import { sql } from "../../db/sql.ts";
import { startErasure } from "../../persons/start-erasure.ts";
import { backfillNotes } from "../../inbox/search-notes.ts";
import { backfillSearch } from "../../messages/search/index-messages.ts";
import { createIndexMessagesWorker } from "../../workers/index-messages.ts";
import { receiveEvents } from "../../messages/receive/receive-events.ts";
import type { ContactCard, DeskRow } from "../../wire/desk-shapes.ts";
import { openBrowsers, type Browsers } from "./people.fixture.ts";

let m: Messaging;
let browsers: Browsers;
before(async () => {
  m = await startMessaging();
  browsers = await openBrowsers(m.t.app);
});
after(async () => {
  await browsers[Symbol.asyncDispose]();
  await m[Symbol.asyncDispose]();
});

interface Region<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly exact: boolean;
  readonly nextCursor: string | null;
}
interface Found {
  readonly people: Region<ContactCard>;
  readonly conversations: Region<DeskRow>;
  readonly messages: Region<{
    readonly id: string;
    readonly conversationId: string;
    readonly name: string;
    readonly side: string;
    readonly text: string;
    readonly hits: readonly { readonly from: number; readonly to: number }[];
  }>;
}

/** Searches as an agent of the desk's workspace, once everything that waited for the index is in it. */
async function searcher(desk: Desk) {
  const { send } = await browsers.signIn(desk.workspaceId, "agent", "Sara");
  return async (q: string, more = ""): Promise<Found> => {
    await m.t.app.drain();
    const answer = await send("GET", `/search?q=${encodeURIComponent(q)}${more}`);
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json<Found>();
  };
}

const texts = (found: Found) => found.messages.items.map(({ text }) => text);

test("messages of both sides are found in any spelling, the newest first and by pages, but no campaign's", async () => {
  const desk = await Desk.open(m);
  const search = await searcher(desk);
  const id = await desk.hears("96550000001", "وين الفاتورة؟");
  await desk.replies(id, "أرسلنا لك الفَاتُورَة أمس");
  const found = await search("فاتوره");
  assert.deepEqual(texts(found), ["أرسلنا لك الفَاتُورَة أمس", "وين الفاتورة؟"]);
  assert.deepEqual([found.messages.total, found.messages.exact], [2, true]);
  const [ours, theirs] = found.messages.items;
  assert.deepEqual([ours?.side, theirs?.side], ["us", "customer"]);
  assert.deepEqual([theirs?.conversationId, theirs?.name], [id, "Mona"]);
  assert.deepEqual(
    theirs?.hits.map(({ from, to }) => theirs.text.slice(from, to)),
    ["الفاتورة"],
  );
  const first = await search("فاتوره", "&in=messages&limit=1");
  assert.deepEqual([texts(first).length, first.people.items.length], [1, 0]);
  const rest = await search("فاتوره", `&in=messages&limit=1&cursor=${first.messages.nextCursor}`);
  assert.deepEqual([texts(rest), rest.messages.nextCursor], [["وين الفاتورة؟"], null]);
  assert.deepEqual(texts(await search("?!")), []);

  const other = await Desk.open(m);
  assert.deepEqual(texts(await (await searcher(other))("فاتوره")), []);
});

test("frequent texts are found without the index, and counted only as far as they were searched", async () => {
  const desk = await Desk.open(m);
  const search = await searcher(desk);
  await receiveEvents(
    m.t.app,
    Array.from({ length: 30 }, (_, i) => desk.message("96550000002", `order ${i}`)),
  );
  const found = await search("order", "&limit=5");
  assert.deepEqual(texts(found), ["order 29", "order 28", "order 27", "order 26", "order 25"]);
  assert.deepEqual([found.messages.total, found.messages.exact], [30, false]);
});

test("people are found by name, e-mail and number; conversations by their person and by a label", async () => {
  const desk = await Desk.open(m);
  const search = await searcher(desk);
  const id = await desk.hears("96550000003", "hello");
  const other = await desk.hears("96550000004", "hello");
  await m.t.app.db.query(sql`update contact set name = 'Layla Haddad', search = 'layla haddad'
    where workspace_id = ${desk.workspaceId} and phone = '96550000003'`);
  for (const q of ["haddad", "LAYLA", "la"]) {
    const found = await search(q);
    assert.deepEqual(
      [found.people.items[0]?.phone, found.conversations.items.map((row) => row.id)],
      ["96550000003", [id]],
      q,
    );
  }
  await m.t.app.db.query(sql`update contact set email = 'Layla@Shop.example'
    where workspace_id = ${desk.workspaceId} and phone = '96550000003'`);
  const byEmail = await search("layla@shop.EXAMPLE");
  assert.deepEqual(
    [byEmail.people.items.map(({ phone }) => phone), byEmail.people.exact],
    [["96550000003"], true],
  );
  const byNumber = await search("+965 5000 0004");
  assert.deepEqual(
    byNumber.conversations.items.map((row) => row.id),
    [other],
  );
  await putLabel(OPERATOR, m.t.app, desk.workspaceId, { name: "urgent", color: "#b3261e" });
  await updateConversation(OPERATOR, m.t.app, desk.workspaceId, other, { labels: ["urgent"] });
  const labelled = await search("urg");
  assert.deepEqual(
    [labelled.people.total, labelled.conversations.items.map((row) => row.id)],
    [0, [other]],
  );
});

test("conversations come by pages to the last one, each once, whether a person or a label led to them", async () => {
  const desk = await Desk.open(m);
  const search = await searcher(desk);
  const named: string[] = [];
  for (let n = 0; n < 5; n++) {
    named.unshift(await desk.hears(`9655000010${n}`));
    m.t.clock.advance(1_000);
  }
  await putLabel(OPERATOR, m.t.app, desk.workspaceId, { name: "mona's", color: "#b3261e" });
  await updateConversation(OPERATOR, m.t.app, desk.workspaceId, named[4] ?? "", {
    labels: ["mona's"],
  });
  // More people of this name than one look takes, without a conversation and newer than those with one.
  await m.t.app.db.query(sql`
    insert into contact (workspace_id, id, name, search, created_at, updated_at)
    select ${desk.workspaceId}, ('ffffffff-ffff-7fff-bfff-' || lpad(n::text, 12, '0'))::uuid, 'Mona', 'mona', now(), now()
    from generate_series(1, 120) n`);
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { conversations } = await search("mona", `&in=conversations&limit=2${more}`);
    pages.push(conversations.items.map(({ id }) => id));
    assert.equal(conversations.exact, conversations.nextCursor === null);
    cursor = conversations.nextCursor;
  } while (cursor !== null && pages.length < 10);
  assert.deepEqual(pages.flat(), [named[4], named[0], named[1], named[2], named[3]]);
  assert.ok(pages.every((page) => page.length <= 2) && pages.length <= 4);
});

test("a cursor that no page gave is refused", async () => {
  const desk = await Desk.open(m);
  const { send } = await browsers.signIn(desk.workspaceId, "agent", "Sara");
  for (const region of ["people", "conversations", "messages"])
    for (const cursor of ["x", "x/y", "/x", "a/b/c"]) {
      const path = `/search?q=mona&in=${region}&cursor=${encodeURIComponent(cursor)}`;
      const answer = await send("GET", path);
      assert.equal(answer.statusCode, 400, `${path}: ${answer.body}`);
    }
});

test("notes are found among the messages, in any spelling, as long as they say so", async () => {
  const desk = await Desk.open(m);
  const search = await searcher(desk);
  const { send } = await browsers.signIn(desk.workspaceId, "agent", "Nora");
  const id = await desk.hears("96550000007", "وين الفاتورة؟");
  const note = async (text: string) =>
    (await send("POST", `/conversations/${id}/notes`, { text })).json<{ id: string }>().id;
  const first = await note("الفَاتُورَة عند المحاسب");
  await desk.replies(id, "الفاتورة في الطريق");
  const second = await note("👍");
  const hits = async (q: string, more = "") =>
    (await search(q, more)).messages.items.map(({ side, text }) => `${side}: ${text}`);
  const all = ["us: الفاتورة في الطريق", "note: الفَاتُورَة عند المحاسب", "customer: وين الفاتورة؟"];
  assert.deepEqual(await hits("فاتوره"), all);
  const found = (await search("فاتوره")).messages;
  assert.deepEqual(
    [found.total, found.exact, found.items[1]?.id, found.items[1]?.conversationId],
    [3, true, first, id],
  );
  const paged: string[] = [];
  let cursor = "";
  for (let page = 0; page < 3; page++) {
    const more = `&in=messages&limit=1${cursor}`;
    const { messages } = await search("فاتوره", more);
    paged.push(...messages.items.map(({ side, text }) => `${side}: ${text}`));
    assert.equal(messages.nextCursor === null, page === 2);
    cursor = `&cursor=${messages.nextCursor}`;
  }
  assert.deepEqual(paged, all);

  await send("PATCH", `/notes/${second}`, { text: "invoice paid" });
  assert.deepEqual(await hits("invoice"), ["note: invoice paid"]);
  await send("DELETE", `/notes/${second}`);
  assert.deepEqual(await hits("invoice"), []);
  const other = await Desk.open(m);
  assert.deepEqual((await (await searcher(other))("فاتوره")).messages.items, []);
});

test("a note is found after its contact was merged, and no more when the person is erased", async () => {
  const desk = await Desk.open(m);
  const search = await searcher(desk);
  const { send } = await browsers.signIn(desk.workspaceId, "agent", "Nora");
  await desk.hears("96550000009");
  const id = await desk.hears("96550000010");
  await send("POST", `/conversations/${id}/notes`, { text: "prefers mornings" });
  const [kept = "", merged = ""] = (
    await m.t.app.db.query<{ contact_id: string }>(sql`select contact_id from conversation
      where workspace_id = ${desk.workspaceId} order by id`)
  ).map((row) => row.contact_id);
  await mergeContacts(OPERATOR, m.t.app, desk.workspaceId, kept, merged);
  const found = (await search("morning")).messages.items;
  assert.deepEqual(
    found.map((hit) => [hit.side, hit.conversationId]),
    [["note", id]],
  );
  await startErasure(OPERATOR, m.t.app, desk.workspaceId, kept);
  assert.deepEqual((await search("morning")).messages.items, []);
  const notes = await m.t.app.db.query(
    sql`select 1 from note where workspace_id = ${desk.workspaceId}`,
  );
  assert.deepEqual(notes, []);
});

test("notes older than the search come in by batches, deleted ones and those without a word stay out of the way", async () => {
  const desk = await Desk.open(m);
  const search = await searcher(desk);
  const { send } = await browsers.signIn(desk.workspaceId, "agent", "Nora");
  const id = await desk.hears("96550000008");
  const ids: string[] = [];
  for (const text of ["an older remark", "older still", "👍", "older and gone"])
    ids.push(
      (await send("POST", `/conversations/${id}/notes`, { text })).json<{ id: string }>().id,
    );
  await send("DELETE", `/notes/${ids[3]}`);
  await m.t.app.db.query(
    sql`update note set terms = null where workspace_id = ${desk.workspaceId}`,
  );
  assert.equal(await backfillNotes(m.t.app), 3);
  assert.deepEqual(texts(await search("older")), ["older still", "an older remark"]);
  assert.equal(await backfillNotes(m.t.app), 0);
});

test("a text that was changed, withdrawn or erased is no longer found", async () => {
  const desk = await Desk.open(m);
  const search = await searcher(desk);
  const said = desk.message("96550000005", "my secret address");
  await receiveEvents(m.t.app, [said]);
  assert.equal((await search("secret")).messages.total, 1);
  const { externalMessageId, occurredAt } = said.event;
  const edit = { kind: "edited", accountExternalId: "1", externalMessageId } as const;
  await receiveEvents(m.t.app, [
    { account: desk.account, event: { ...edit, text: "my street", occurredAt } },
  ]);
  assert.deepEqual(
    [(await search("secret")).messages.total, texts(await search("street"))],
    [0, ["my street"]],
  );
  const [contact] = await m.t.app.db.query<{ id: string }>(sql`
    select id from contact where workspace_id = ${desk.workspaceId}`);
  await startErasure(OPERATOR, m.t.app, desk.workspaceId, contact?.id ?? "");
  assert.equal((await search("street")).messages.total, 0);
  const left = await m.t.app.db.query(sql`
    select 1 from message_search where workspace_id = ${desk.workspaceId}`);
  assert.deepEqual(left, []);
});

test("messages older than the search are indexed too, and campaigns' stay out", async () => {
  const desk = await Desk.open(m);
  const search = await searcher(desk);
  const id = await desk.hears("96550000006", "an older question");
  await desk.replies(id, "an older sale");
  await search("older");
  const { workspaceId } = desk;
  await m.t.app.db.query(sql`delete from message_search where workspace_id = ${workspaceId}`);
  await m.t.app.db.query(sql`update message set source = 'broadcast'
    where workspace_id = ${workspaceId} and direction = 'outbound'`);
  await m.t.app.db.query(sql`insert into message_search_backfill
    values (${workspaceId}, 'ffffffff-ffff-ffff-ffff-ffffffffffff')`);
  while ((await backfillSearch(m.t.app)) !== null);
  assert.deepEqual(texts(await search("older")), ["an older question"]);
});

test("a new message is found though background work rests; a search that lags says so", async () => {
  const desk = await Desk.open(m);
  const { app, clock } = m.t;
  const { send } = await browsers.signIn(desk.workspaceId, "agent", "Sara");
  const found = async () => {
    const answer = await send("GET", "/search?q=saffron&in=messages");
    const { messages, behind } = answer.json<Found & { readonly behind: boolean }>();
    return [messages.items.length, behind];
  };
  await desk.hears("96550000300", "two boxes of saffron");
  assert.deepEqual(await found(), [0, false], "within its second");
  clock.advance(1_500);
  assert.deepEqual(await found(), [0, true]);
  const piece = () => Promise.reject(new Error("a new message waited for background work"));
  await createIndexMessagesWorker({ ...app, background: { ...app.background, piece } }).runOnce();
  assert.deepEqual(await found(), [1, false]);
});
