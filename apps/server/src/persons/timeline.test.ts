import { OPERATOR } from "../actor.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { changeNumberConsent } from "../contacts/consent/change-consent.ts";
import { createContact } from "../contacts/record/create-contact.ts";
import { mergeContacts } from "../contacts/identity/merge-contacts.ts";
import { updateConversation } from "../conversations/update-conversation.ts";
import type { Db } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { AppError } from "../errors.ts";
import { openMedia } from "../media/open-media.ts";
import { receiveEvents } from "../messages/receive/receive-events.ts";
import { exportPerson } from "./export-person.ts";
import { Town, type Someone } from "./person.fixture.ts";
import { contactTimeline, type TimelineItem } from "./timeline.ts";

let town: Town;
let sara: Someone;
before(async () => {
  town = await Town.open();
  sara = await town.settle("zyxsara", "96599887766");
  await town.settle("zyxomar", "96555443322");
});
after(() => town[Symbol.asyncDispose]());

const textOf = async (bytes: AsyncIterable<Uint8Array>): Promise<string> => {
  let all = "";
  for await (const piece of bytes) all += Buffer.from(piece).toString();
  return all;
};

const whole = async (limit: number): Promise<TimelineItem[]> => {
  const items: TimelineItem[] = [];
  for (let place: string | undefined; ;) {
    const page = await contactTimeline(town.t.app, town.id, sara.contactId, {
      after: place,
      limit,
    });
    assert.ok(page.items.length <= limit);
    items.push(...page.items);
    if (page.next === null) return items;
    place = page.next;
  }
};

test("a timeline has every kind of item, newest first, and pages of any size say the same", async () => {
  const { app, clock } = town.t;
  clock.advance(60_000);
  await changeNumberConsent(OPERATOR, app, town.id, {
    phone: sara.phone,
    optedOut: true,
  });
  await updateConversation(OPERATOR, app, town.id, sara.conversationId, { status: "resolved" });
  const all = await whole(200);
  const kinds = new Map<string, number>();
  for (const { kind } of all) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  assert.deepEqual(Object.fromEntries(kinds), {
    campaign: 2,
    // twice the page's words (of user and of profile), the job's attribute, the merge
    changed: 5,
    conversation_opened: 2,
    created: 2,
    identity: 3,
    merged: 1,
    // in: one with a file, STOP, START, the chat's; out: reply, file
    message: 6,
    noted: 1,
    opted_in: 1,
    opted_out: 2,
    passcode: 1,
  });
  assert.deepEqual(
    all.slice(0, 2).map((item) => item.facts["action"] ?? item.kind),
    ["opted_out", "conversation.resolved"],
  );
  assert.deepEqual(
    all.map((item) => item.at),
    all.map((item) => item.at).toSorted((a, b) => (a < b ? 1 : -1)),
  );
  for (const size of [1, 3, 7]) assert.deepEqual(await whole(size), all, `pages of ${size}`);
  const created = all
    .filter((item) => item.kind === "created")
    .map((item) => String(item.facts["by"]));
  assert.deepEqual(created.toSorted(), ["message", "record"]);
  const [campaign] = all.filter((item) => item.kind === "campaign");
  assert.equal(campaign?.facts["status"], "sent");
  // A campaign's message stands once: its words are the campaign's line.
  const words = all.filter(({ facts }) => facts["messageId"] === campaign?.facts["messageId"]);
  assert.deepEqual([words.length, typeof campaign?.facts["text"]], [1, "string"]);
  assert.ok(!JSON.stringify(all).includes("zyxomar"));
});

test("a contact whose first message is old was created by it, before its conversation; a merged record was not", async () => {
  const { t, desk, id } = town;
  const { app, clock } = t;
  const said = desk.message("96551112233", "are you there?");
  clock.advance(3_600_000);
  await receiveEvents(app, [said]);
  const [late] = await app.db.query<{ id: string }>(sql`
    select id from contact where workspace_id = ${id} and phone = '96551112233'`);
  clock.advance(1_000);
  const record = await createContact(OPERATOR, app, id, { email: "late@example.com" });
  await mergeContacts(OPERATOR, app, id, late?.id ?? "", record.id);
  const { items } = await contactTimeline(app, id, late?.id ?? "");
  const told = items.map(({ kind, facts }) => [kind, facts["by"]]);
  assert.deepEqual(
    told.filter(([kind]) => kind === "created"),
    [
      ["created", "record"],
      ["created", "message"],
    ],
  );
  assert.deepEqual(told.at(-1), ["identity", undefined], "known since they wrote");
});

test("the merged id has the same timeline; unknown contacts and other workspaces have none", async () => {
  const { app } = town.t;
  const [alias] = await app.db.query<{ id: string }>(sql`
    select id from contact_alias where contact_id = ${sara.contactId}`);
  const page = await contactTimeline(app, town.id, alias?.id ?? "");
  assert.equal(page.contactId, sara.contactId);
  const missing = (error: unknown) => error instanceof AppError && error.code === "NOT_FOUND";
  await assert.rejects(contactTimeline(app, town.id, app.ids.next()), missing);
  await assert.rejects(contactTimeline(app, app.ids.next(), sara.contactId), missing);
  for (const odd of [{ after: "here" }, { limit: 201 }, { limit: 0 }, { limit: 1.5 }])
    await assert.rejects(
      contactTimeline(app, town.id, sara.contactId, odd),
      (error) => error instanceof AppError && error.code === "VALIDATION_FAILED",
    );
});

test("a page of a timeline reads only the rows of that page, however many messages there are", async () => {
  const { app, clock } = town.t;
  const ids = Array.from({ length: 20_000 }, () => app.ids.next());
  await app.db.query(sql`
    insert into message (workspace_id, id, conversation_id, contact_id, channel_id, direction, type, text, status,
      source, created_at)
    select ${town.id}, id, ${sara.conversationId}, ${sara.contactId}, ${town.desk.account.channelId}, 'inbound', 'text',
      'more', 'received', 'channel', ${clock.now()} from unnest(${ids}::uuid[]) as u (id)`);
  await app.db.query(sql`analyze message`);
  const plan = await app.db.query<{ "QUERY PLAN": string }>(sql`
    explain (analyze, costs off, timing off, summary off, buffers off)
    select m.id from unnest(array[${sara.conversationId}]::uuid[]) as t (id)
    cross join lateral (select * from message where workspace_id = ${town.id} and conversation_id = t.id
      and id < ${ids[10_000]} order by id desc limit 51) m order by m.id desc limit 51`);
  const words = plan.map((row) => row["QUERY PLAN"]).join("\n");
  assert.match(words, /using message_thread on message/);
  assert.doesNotMatch(words, /Seq Scan|actual rows=[0-9]{4}/);
  const page = await contactTimeline(app, town.id, sara.contactId, { limit: 50 });
  assert.equal(page.items.length, 50);
  await app.db.query(sql`delete from message where text = 'more'`);
});

test("a page reads no more of the ledger than it shows, and pages of any size say the same", async () => {
  const { app, clock } = town.t;
  clock.advance(60_000);
  const entries = 999;
  // Three in each millisecond; every third of the number alone, as from before the contact had it.
  const ids = Array.from({ length: entries }, (_, n) => {
    if (n % 3 === 0) clock.advance(1);
    return app.ids.next();
  });
  await app.db.query(sql`
    insert into consent_entry (workspace_id, id, contact_id, phone, opted_out, source, detail, created_at)
    select ${town.id}, id, case when n % 3 > 0 then ${sara.contactId}::uuid end, ${sara.phone}, n % 2 = 0, 'cli', n::text, ${clock.now()}
    from unnest(${ids}::uuid[]) with ordinality as u (id, n)`);
  let read = 0;
  const query: Db["query"] = async (statement) => {
    const rows = await app.db.query<never>(statement);
    if (statement.text.includes("e.opted_out as")) read += rows.length;
    return rows;
  };
  const listening = { ...app, db: { ...app.db, query } };
  const page = await contactTimeline(listening, town.id, sara.contactId, { limit: 50 });
  assert.equal(read, 51);
  const details = (items: readonly TimelineItem[]) => items.map(({ facts }) => facts["detail"]);
  assert.deepEqual(
    details(page.items),
    Array.from({ length: 50 }, (_, n) => String(entries - n)),
  );
  const all = await whole(200);
  assert.deepEqual(
    details(all.slice(0, entries)),
    Array.from({ length: entries }, (_, n) => String(entries - n)),
  );
  assert.deepEqual(await whole(67), all);
  await app.db.query(sql`delete from consent_entry where id = any (${ids}::uuid[])`);
});

test("an export is one document with everything, and the files it names", async () => {
  const { app } = town.t;
  let text = "";
  const files = new Map<string, string>();
  for await (const part of exportPerson(OPERATOR, app, town.id, sara.contactId)) {
    if (part.kind === "text") {
      text += part.text;
      continue;
    }
    const bytes = await openMedia(app, part.media);
    assert.ok(bytes);
    files.set(`files/${part.name}`, await textOf(bytes));
  }
  const told = JSON.parse(text) as Record<string, unknown[]> & {
    contact: Record<string, unknown>;
    conversations: { messages: { text: string; files?: { file: string; fileName: string }[] }[] }[];
  };
  assert.equal(told.contact["notes"], "notes zyxsara");
  assert.deepEqual(told.contact["attributes"], {
    city: "city zyxsara",
    nickname: "nick zyxsara",
    web_user_id: "user-zyxsara",
    web_email_unverified: "web-zyxsara@example.com",
  });
  const count = (name: string) => told[name]?.length;
  assert.deepEqual(
    [
      "merged",
      "changes",
      "identities",
      "consent",
      "chatProfiles",
      "campaigns",
      "passcodes",
      "refusedImportRows",
    ].map(count),
    [1, 5, 3, 3, 1, 2, 1, 1],
  );
  const said = told.conversations.flatMap((thread) => thread.messages);
  assert.deepEqual(said.map((message) => message.text.slice(0, 18)).toSorted(), [
    "Hello Name zyxsara",
    "Hello Name zyxsara",
    "START",
    "STOP",
    "caption zyxsara lo",
    "chat zyxsara",
    "reply zyxsara",
    "text zyxsara",
  ]);
  const named = said.flatMap((message) => message.files ?? []);
  assert.deepEqual(named.map((one) => one.fileName).toSorted(), [
    "came zyxsara.txt",
    "sent zyxsara.txt",
  ]);
  assert.deepEqual([...files.values()].toSorted(), ["came bytes zyxsara", "sent bytes zyxsara"]);
  assert.deepEqual([...files.keys()].toSorted(), named.map((one) => one.file).toSorted());
  const events = told["events"] as { type: string }[];
  assert.ok(events.some((event) => event.type === "contact.created") && events.length > 10);
  assert.ok(!text.includes("zyxomar"), "nothing of anybody else");
});

test("a person of very many messages is exported in pieces of one size", async () => {
  const { app, clock } = town.t;
  const ids = Array.from({ length: 5_000 }, () => app.ids.next());
  await app.db.query(sql`
    insert into message (workspace_id, id, conversation_id, contact_id, channel_id, direction, type, text, status,
      source, created_at)
    select ${town.id}, id, ${sara.conversationId}, ${sara.contactId}, ${town.desk.account.channelId}, 'inbound', 'text',
      'more', 'received', 'channel', ${clock.now()} from unnest(${ids}::uuid[]) as u (id)`);
  let largest = 0;
  let text = "";
  for await (const part of exportPerson(OPERATOR, app, town.id, sara.contactId)) {
    if (part.kind !== "text") continue;
    largest = Math.max(largest, part.text.length);
    text += part.text;
  }
  const { conversations } = JSON.parse(text) as { conversations: { messages: unknown[] }[] };
  assert.ok(conversations.flatMap((thread) => thread.messages).length > 5_000);
  assert.ok(largest < 500 * 1_000, `a piece of ${largest} characters`);
});
