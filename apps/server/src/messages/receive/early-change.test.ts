import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import type { InboundEvent } from "../../channels/adapter.ts";
import { sql } from "../../db/sql.ts";
import { receiveEvents } from "./receive-events.ts";

let m: Messaging;
let desk: Desk;
before(async () => void (m = await startMessaging()));
after(() => m[Symbol.asyncDispose]());
beforeEach(async () => void (desk = await Desk.open(m)));

const at = (seconds: number) => new Date(m.t.clock.now().getTime() - 60_000 + seconds * 1000);
const change = (kind: "edited" | "deleted", id: string, text: string | null, seconds: number) => ({
  account: desk.account,
  event: { kind, accountExternalId: "1", externalMessageId: id, text, occurredAt: at(seconds) },
});
const stored = async (id: string) => {
  const rows = await m.t.app.db.query<{ type: string; text: string | null; notes: unknown[] }>(sql`
    select type, text, attachments as notes from message
    where workspace_id = ${desk.workspaceId} and provider_message_id = ${id}`);
  assert.equal(rows.length, 1);
  return rows[0] ?? assert.fail();
};
const parked = () =>
  m.t.app.db.query(sql`select 1 from early_change where workspace_id = ${desk.workspaceId}`);
const receive = (...items: Parameters<typeof receiveEvents>[1]) => receiveEvents(m.t.app, items);

test("a withdrawal comes before its message: the message is stored as withdrawn, and its text is stored nowhere", async () => {
  const message = desk.message("96550000001", "a secret of mine");
  const id = message.event.externalMessageId;
  await receive(change("deleted", id, null, 5));
  await receive(change("deleted", id, null, 5));
  assert.equal((await parked()).length, 1);
  await receive(message);
  const note = { type: "deleted", at: at(5).toISOString() };
  assert.deepEqual(await stored(id), { type: "deleted", text: null, notes: [note] });
  assert.equal((await parked()).length, 0);
  const told = JSON.stringify(await desk.events("message.received"));
  assert.doesNotMatch(told, /secret of mine/);
  assert.match(told, /"type":"deleted"/);
  await receive(message);
  assert.equal((await stored(id)).type, "deleted", "told again, it stays withdrawn");
});

test("edits come before their message, in the wrong order: the last one counts", async () => {
  const message = desk.message("96550000001", "first");
  const id = message.event.externalMessageId;
  await receive(change("edited", id, "third", 9));
  await receive(change("edited", id, "second", 4));
  await receive(message);
  assert.equal((await stored(id)).text, "third");
});

test("each change that is made is told once: an edit with the whole message, a withdrawal without its words", async () => {
  const message = desk.message("96550000001", "a secret of mine");
  const id = message.event.externalMessageId;
  await receive(message);
  const changes = [
    change("edited", id, "another secret", 5),
    change("edited", id, "an overtaken one", 4),
    change("edited", id, "another secret", 5),
    change("deleted", id, null, 7),
    change("deleted", id, null, 7),
  ];
  for (const one of changes) await receive(one);
  const [updated, ...more] = await desk.events("message.updated");
  assert.match(JSON.stringify(updated), /"text":"another secret"/);
  const deleted = await desk.events("message.deleted");
  assert.deepEqual([more.length, deleted.length], [0, 1]);
  assert.doesNotMatch(JSON.stringify(deleted), /secret/);
  assert.match(JSON.stringify(deleted), /"contact":\{"id"/);
});

test("edits come after their message, in the wrong order: the last one counts; after a withdrawal none does", async () => {
  const message = desk.message("96550000001", "first");
  const id = message.event.externalMessageId;
  await receive(message);
  await receive(change("edited", id, "third", 9));
  await receive(change("edited", id, "second", 4));
  assert.equal((await stored(id)).text, "third");
  await receive(change("deleted", id, null, 20));
  await receive(change("edited", id, "fourth", 30));
  assert.deepEqual([(await stored(id)).type, (await stored(id)).text], ["deleted", null]);
  assert.equal((await parked()).length, 0, "its message is known, so it does not wait");
});

test("a place that moves a hundred times shows the last place, and one time of change", async () => {
  const place = (latitude: number) => ({ type: "location", latitude, longitude: 48, live: true });
  const quote = { type: "quote", messageId: "q" };
  const content = { type: "location", text: null, attachments: [place(29), quote] };
  const message = desk.message("96550000001", "", { content });
  const id = message.event.externalMessageId;
  await receive(message);
  for (let moved = 1; moved <= 100; moved++) {
    const { account, event } = change("edited", id, null, moved / 10);
    await receive({ account, event: { ...event, place: place(29 + moved) } });
  }
  // An earlier change that comes late.
  await receive(change("edited", id, null, 1));
  const note = { type: "edited", at: at(10).toISOString() };
  assert.deepEqual((await stored(id)).notes, [place(129), quote, note]);
  assert.deepEqual(await desk.events("message.updated"), [], "a place that moves is not told");
});

test("a message that was edited twice before it came has one mark of an edit", async () => {
  const message = desk.message("96550000001", "first");
  const id = message.event.externalMessageId;
  await receive(change("edited", id, "second", 4), change("edited", id, "third", 9));
  await receive(message);
  assert.deepEqual((await stored(id)).notes, [{ type: "edited", at: at(9).toISOString() }]);
});

test("the sweep applies a change that was parked while its message was stored; other changes are deleted after a day", async () => {
  const message = desk.message("96550000001", "first");
  const id = message.event.externalMessageId;
  await receive(message);
  await m.t.app.db.query(sql`
    insert into early_change values (${desk.workspaceId}, ${desk.account.channelId}, ${id}, 'edited', 'second',
      ${at(5)}, ${m.t.clock.now()})`);
  await receive(change("deleted", "nobody.knows", null, 5));
  await m.t.app.drain();
  assert.equal((await stored(id)).text, "second");
  assert.equal((await parked()).length, 1);
  m.t.clock.advance(24 * 3_600_000 + 1);
  await m.t.app.drain();
  assert.equal((await parked()).length, 0);
});

const echo = (id: string, text: string, to: string): InboundEvent => ({
  kind: "echo",
  accountExternalId: "1",
  externalMessageId: id,
  to: { externalId: to, phone: to },
  occurredAt: m.t.clock.now(),
  content: { type: "text", text, attachments: [] },
});

test("an echo to an unknown customer creates contact and conversation; one that was withdrawn first is stored as withdrawn", async () => {
  await receive(change("deleted", "echo.1", null, 5));
  const { account } = desk;
  await receive({ account, event: echo("echo.1", "typed on the phone", "96550000077") });
  assert.deepEqual(
    [(await stored("echo.1")).type, (await stored("echo.1")).text],
    ["deleted", null],
  );
  const [row] = await m.t.app.db.query(sql`
    select c.phone, c.last_seen_at as seen, v.window_expires_at as window, v.external_id as to
    from conversation v join contact c on c.workspace_id = v.workspace_id and c.id = v.contact_id
    where v.workspace_id = ${desk.workspaceId}`);
  assert.deepEqual(row, { phone: "96550000077", seen: null, window: null, to: "96550000077" });
});

test("a reaction to an unknown message is stored with the id that it names", async () => {
  const content = {
    type: "reaction",
    text: "👍",
    attachments: [{ type: "reaction", messageId: "wamid.unknown", emoji: "👍" }],
  };
  const reaction = desk.message("96550000001", "", { content, opensWindow: false });
  await receive(reaction, reaction);
  const { type, notes } = await stored(reaction.event.externalMessageId);
  assert.deepEqual([type, notes], ["reaction", content.attachments]);
});

test("an older message that comes late is stored, and does not set back the window or the last time", async () => {
  const first = desk.message("96550000001", "new");
  await receive(first);
  const state = () =>
    m.t.app.db.query(sql`select window_expires_at, last_message_at, unread_count from conversation
      where workspace_id = ${desk.workspaceId}`);
  const [before] = await state();
  await receive(desk.message("96550000001", "old", { occurredAt: at(0) }));
  const [after] = await state();
  assert.deepEqual(after, { ...before, unread_count: 2 });
});

test("an older message from a former address that comes late does not send replies to that address", async () => {
  const user = (phone: string) => ({
    from: { externalId: phone, phone, name: null, alternateId: "KW.1" },
  });
  await receive(desk.message("96550000001", "from the new", user("96550000001")));
  await receive(
    desk.message("96550000002", "from the old", { ...user("96550000002"), occurredAt: at(0) }),
  );
  const rows = await m.t.app.db.query(
    sql`select external_id from conversation where workspace_id = ${desk.workspaceId}`,
  );
  assert.deepEqual(rows, [{ external_id: "96550000001" }]);
});

test("a changed number: the conversation goes on, replies go to the new number, the old one may belong to somebody else", async () => {
  const thread = await desk.hears("96550000001");
  m.t.clock.advance(5_000);
  const change: InboundEvent = {
    kind: "number_changed",
    accountExternalId: "1",
    fromExternalId: "96550000001",
    toExternalId: "96550000002",
    occurredAt: m.t.clock.now(),
  };
  await receive({ account: desk.account, event: change }, { account: desk.account, event: change });
  m.graph.sent.length = 0;
  await desk.replies(thread);
  await m.t.app.drain();
  assert.deepEqual(
    m.graph.sent.map((sent) => sent.to),
    ["96550000002"],
  );
  await receive(desk.message("96550000002", "it is me"));
  m.t.clock.advance(5_000);
  await receive(desk.message("96550000001", "who are you?"));
  const rows = await m.t.app.db.query(sql`
    select v.external_id as to, c.phone, v.unread_count as unread from conversation v
    join contact c on c.workspace_id = v.workspace_id and c.id = v.contact_id
    where v.workspace_id = ${desk.workspaceId} order by v.id`);
  assert.deepEqual(rows, [
    { to: "96550000002", phone: "96550000002", unread: 2 },
    { to: "96550000001", phone: "96550000001", unread: 1 },
  ]);
});
