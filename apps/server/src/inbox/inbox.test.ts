import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../test/messaging.ts";
import { OPERATOR, type Actor } from "../actor.ts";
import { changeNumberConsent } from "../contacts/consent/change-consent.ts";
import { createContact } from "../contacts/record/create-contact.ts";
import { updateContact } from "../contacts/record/update-contact.ts";
import { sql } from "../db/sql.ts";
import { markSeen } from "../desk/mark-seen.ts";
import { deskRow, deskRows, listDesk, mineOf } from "../desk/read-desk.ts";
import { unreadOf } from "../wire/in-view.ts";
import { AppError } from "../errors.ts";
import { storageKey } from "../media/media.ts";
import { uploadMedia } from "../media/upload-media.ts";
import { receiveEvents } from "../messages/receive/receive-events.ts";
import { startErasure } from "../persons/start-erasure.ts";
import { usageSummary } from "../usage/usage-summary.ts";
import { createMember } from "../workspaces/create-member.ts";
import { updateWorkspace } from "../workspaces/update-workspace.ts";
import { updateConversation } from "../conversations/update-conversation.ts";
import { conversationOfContact, findConversation } from "../conversations/find-conversation.ts";
import { listMemberNotices } from "../workspaces/member-notice.ts";
import { draftsOf, saveDraft } from "./save-draft.ts";
import { readThread } from "./read-thread.ts";
import { sendReply } from "./send-reply.ts";
import { sendTemplate, startConversation } from "./send-template.ts";
import { changeNote, removeNote, writeNote } from "./notes.ts";
import { addTemplate } from "./template.fixture.ts";

let m: Messaging;
before(async () => {
  m = await startMessaging();
});
after(() => m[Symbol.asyncDispose]());

async function person(desk: Desk, name: string): Promise<Actor & { readonly memberId: string }> {
  const email = `${name.toLowerCase()}@example.com`;
  const input = { email, name, role: "agent" } as const;
  const { id } = await createMember(OPERATOR, m.t.app, desk.workspaceId, input);
  return { kind: "member", memberId: id, role: "agent" };
}

const codeOf = (error: unknown) => (error instanceof AppError ? error.code : error);

test("a reply that is sent again with its client id is stored once, assigned to its author and shown with it", async () => {
  const { app } = m.t;
  const desk = await Desk.open(m);
  const w = desk.workspaceId;
  const sara = await person(desk, "Sara");
  const id = await desk.hears("201000000001");
  await saveDraft(sara, app, w, id, { mode: "reply", text: "Good", media: [] });
  const reply = { clientId: app.ids.next(), text: "Good morning" };
  const [one, two] = await Promise.all([
    sendReply(sara, app, w, id, reply),
    sendReply(sara, app, w, id, reply),
  ]);
  assert.deepEqual(one, two);
  assert.deepEqual(await sendReply(sara, app, w, id, reply), one);
  const { entries } = await readThread(app, w, id, {});
  const ours = entries.filter((line) => line.kind === "message" && line.direction === "outbound");
  assert.equal(ours.length, 1);
  assert.deepEqual(
    [one.status, one.authorId, one.clientId],
    ["queued", sara.memberId, reply.clientId],
  );
  const conversation = await findConversation(app, w, id);
  assert.equal(conversation?.assigneeId, sara.memberId);
  assert.deepEqual(await draftsOf(app.db, w, sara.memberId, [id]), []);
  const other = await desk.hears("201000000002");
  const elsewhere = await sendReply(sara, app, w, other, reply).catch(codeOf);
  assert.equal(elsewhere, "IDEMPOTENCY_KEY_REUSED");
  const resolved = {
    clientId: app.ids.next(),
    text: "Bye",
    afterwards: { status: "resolved" },
  } as const;
  await sendReply(sara, app, w, id, resolved);
  assert.equal((await findConversation(app, w, id))?.status, "resolved");
});

test("a person's answer ends unread for everybody and names its author; who marks it unread again keeps it so", async () => {
  const { app } = m.t;
  const desk = await Desk.open(m);
  const w = desk.workspaceId;
  const [sara, omar] = [await person(desk, "Sara"), await person(desk, "Omar")];
  const id = await desk.hears("201000000051");
  await desk.hears("201000000051");
  /** How many messages Omar has not seen, by the rule of pages and by the SQL of the list and of a view of his own. */
  const unread = async () => {
    const [row] = await deskRows(app.db, w, [id]);
    assert.ok(row);
    const [mine] = await mineOf(app.db, w, omar.memberId, [id]);
    const list = { order: "newest", cursor: undefined, limit: 50 } as const;
    const all = { terms: { kind: "built-in", view: "all" }, unread: true } as const;
    const rule = { field: "unread", is: true } as const;
    const own = { terms: { kind: "own", filter: { all: [[rule]] } }, unread: false } as const;
    const key = { workspaceId: w, memberId: omar.memberId };
    const [listed, viewed] = [
      await listDesk(app, key, { ...list, ...all }),
      await listDesk(app, key, { ...list, ...own }),
    ];
    const n = unreadOf(row, mine);
    assert.deepEqual([listed.rows.length, viewed.rows.length], n > 0 ? [1, 1] : [0, 0]);
    return n;
  };
  assert.equal(await unread(), 2);
  await sendReply(sara, app, w, id, { clientId: app.ids.next(), text: "Good morning" });
  assert.equal(await unread(), 0);
  const answered = await deskRow(app.db, w, id);
  assert.deepEqual([answered?.previewSide, answered?.previewBy], ["us", sara.memberId]);
  await writeNote(omar, app, w, { id, text: "done" });
  const noted = await deskRow(app.db, w, id);
  assert.deepEqual([noted?.previewSide, noted?.previewBy], ["note", omar.memberId]);
  await markSeen(omar, app, w, id, 1);
  assert.equal(await unread(), 1);
  await markSeen(omar, app, w, id, 2);
  assert.equal(await unread(), 0);
  await desk.hears("201000000051");
  assert.equal(await unread(), 1);
  assert.equal((await deskRow(app.db, w, id))?.previewBy, null);
});

test("notices end when their conversation was handled; a mention waits for the one who was asked", async () => {
  const { app } = m.t;
  const desk = await Desk.open(m);
  const w = desk.workspaceId;
  const [sara, omar] = [await person(desk, "Sara"), await person(desk, "Omar")];
  const unread = async (who: { readonly memberId: string }) =>
    (await listMemberNotices(app, { workspaceId: w, memberId: who.memberId })).notices
      .filter(({ readAt }) => readAt === null)
      .map(({ kind }) => kind);
  const ask = async (from: string) => {
    const id = await desk.hears(from);
    await updateConversation(sara, app, w, id, { assigneeId: omar.memberId });
    await writeNote(sara, app, w, { id, text: "look", mentions: [omar.memberId] });
    assert.deepEqual((await unread(omar)).toSorted(), ["assigned", "mention"]);
    return id;
  };
  // Somebody else answers: the assignment is done with, the question to Omar is not.
  const first = await ask("201000000041");
  await sendReply(sara, app, w, first, { clientId: app.ids.next(), text: "one moment" });
  assert.deepEqual(await unread(omar), ["mention"]);
  await markSeen(omar, app, w, first, 1);
  assert.deepEqual(await unread(omar), []);
  const second = await ask("201000000042");
  await sendReply(omar, app, w, second, { clientId: app.ids.next(), text: "hello" });
  assert.deepEqual(await unread(omar), []);
  const third = await ask("201000000043");
  await updateConversation(sara, app, w, third, { status: "resolved" });
  assert.deepEqual(await unread(omar), []);
});

test("a thread shows messages, notes and events in one order, in pages and after an entry", async () => {
  const { app, clock } = m.t;
  const desk = await Desk.open(m);
  const w = desk.workspaceId;
  const [sara, omar] = [await person(desk, "Sara"), await person(desk, "Omar")];
  const id = await desk.hears("201000000001", "one");
  clock.advance(60_000);
  const { answer: note } = await writeNote(sara, app, w, {
    id,
    text: "Ask @Omar",
    mentions: [omar.memberId, w],
  });
  clock.advance(60_000);
  await updateConversation(sara, app, w, id, { assigneeId: omar.memberId, labels: ["vip"] });
  clock.advance(60_000);
  await desk.hears("201000000001", "two");
  const all = await readThread(app, w, id, {});
  const shown = all.entries.map((line) => (line.kind === "event" ? line.what : (line.text ?? "")));
  assert.deepEqual(shown, ["one", "Ask @Omar", "assigned", "labelled", "two"]);
  const newest = await readThread(app, w, id, { limit: 2 });
  assert.equal(newest.more, true);
  const older = await readThread(app, w, id, { before: newest.entries[0]?.id });
  assert.deepEqual([...older.entries, ...newest.entries], all.entries);
  const later = await readThread(app, w, id, {
    after: all.entries[3]?.id ?? "",
    again: [all.entries[0]?.id ?? ""],
  });
  assert.deepEqual(later.entries.map((line) => line.id).includes(all.entries[4]?.id ?? ""), true);
  assert.equal(later.entries[0]?.id, all.entries[0]?.id);

  const key = { workspaceId: w, memberId: omar.memberId };
  const told = (await listMemberNotices(app, key)).notices;
  assert.deepEqual(
    told.map(({ kind, body }) => [kind, body]),
    [
      ["assigned", ""],
      ["mention", "Ask @Omar"],
    ],
  );
  assert.equal(
    await changeNote(omar, app, w, { id: note.id, text: "x" }).catch(codeOf),
    "FORBIDDEN",
  );
  const { answer: last } = await writeNote(sara, app, w, { id, text: "Secret" });
  assert.equal((await deskRow(app.db, w, id))?.preview, "Secret");
  await changeNote(sara, app, w, { id: last.id, text: "Known" });
  assert.equal((await deskRow(app.db, w, id))?.preview, "Known");
  await removeNote(sara, app, w, { id: last.id });
  assert.equal((await deskRow(app.db, w, id))?.preview, "");
  await removeNote(sara, app, w, { id: note.id });
  assert.deepEqual(
    (await listMemberNotices(app, key)).notices.filter(({ kind }) => kind === "mention"),
    [],
  );
  const gone = (await readThread(app, w, id, {})).entries.find((line) => line.id === note.id);
  assert.ok(gone?.kind === "note" && gone.deleted && gone.text === "");
  assert.equal(await readThread(app, app.ids.next(), id, {}).catch(codeOf), "NOT_FOUND");
});

test("a template message is sent although the window is closed, is metered and shown; it can begin a conversation", async () => {
  const { app, clock } = m.t;
  const desk = await Desk.open(m);
  const w = desk.workspaceId;
  const sara = await person(desk, "Sara");
  const templateId = app.ids.next();
  const components = JSON.stringify([{ type: "BODY", text: "Hello {{1}}, {{2}}" }]);
  await app.db.query(sql`
    insert into template (workspace_id, id, channel_id, meta_id, name, language, category, status, components,
      body_variable_count, last_synced_at)
    values (${w}, ${templateId}, ${desk.account.channelId}, '77', 'hello', 'en', 'MARKETING', 'APPROVED', ${components}, 2,
      ${clock.now()})`);
  const id = await desk.hears("201000000001");
  clock.advance(25 * 3_600_000);
  const late = await sendReply(sara, app, w, id, { clientId: app.ids.next(), text: "late" });
  assert.deepEqual([late.status, late.errorCode], ["failed", "131047"]);
  const resend = { clientId: app.ids.next(), text: "late", resendOf: late.id };
  assert.equal((await sendReply(sara, app, w, id, resend)).resendOf, late.id);
  const sent = { clientId: app.ids.next(), templateId, variables: ["Mona", "bye"] };
  const line = await sendTemplate(sara, app, w, id, sent);
  assert.deepEqual([line.type, line.text, line.status], ["template", "Hello Mona, bye", "queued"]);
  assert.deepEqual(await sendTemplate(sara, app, w, id, sent), line);
  const few = { ...sent, clientId: app.ids.next(), variables: ["Mona"] };
  assert.equal(await sendTemplate(sara, app, w, id, few).catch(codeOf), "VALIDATION_FAILED");

  const { id: contactId } = await createContact(OPERATOR, app, w, { phone: "201000000009" });
  const first = { ...sent, clientId: app.ids.next(), channelId: desk.account.channelId };
  const started = await startConversation(sara, app, w, contactId, first);
  assert.deepEqual(await startConversation(sara, app, w, contactId, first), started);
  await app.drain();
  const templates = m.graph.sent.filter((body) => JSON.stringify(body).includes('"Mona"'));
  assert.deepEqual(templates.map(({ to }) => to).sort(), ["201000000001", "201000000009"]);
});

/** An approved template without variables. */
test("a template that is not UTILITY or AUTHENTICATION is refused to somebody who opted out, in a conversation and as its first message", async () => {
  const { app } = m.t;
  const desk = await Desk.open(m);
  const w = desk.workspaceId;
  const sara = await person(desk, "Sara");
  const written = await desk.hears("201000000041", "STOP");
  const { id: stranger } = await createContact(OPERATOR, app, w, { phone: "201000000042" });
  await updateContact(OPERATOR, app, w, stranger, { optedOut: true });
  // The number that is written to counts too: this contact has another one by now, and never opted out.
  const moved = await desk.hears("201000000043");
  const { contactId = "" } = (await findConversation(app, w, moved)) ?? {};
  await updateContact(OPERATOR, app, w, contactId, { phone: "201000000044" });
  await changeNumberConsent(OPERATOR, app, w, { phone: "201000000043", optedOut: true });
  const { channelId } = desk.account;
  const roads = async (templateId: string) => {
    const sent = () => ({ clientId: app.ids.next(), templateId, variables: [] });
    const outcome = (sending: Promise<unknown>) => sending.then(() => "sent", codeOf);
    return [
      await outcome(sendTemplate(sara, app, w, written, sent())),
      await outcome(sendTemplate(sara, app, w, moved, sent())),
      await outcome(startConversation(sara, app, w, stranger, { ...sent(), channelId })),
    ];
  };
  const used = async () => (await usageSummary(app, w)).usage.messages;
  const before = await used();
  for (const category of ["MARKETING", "marketing", null])
    assert.deepEqual(
      await roads(await addTemplate(m, desk, category)),
      ["CONTACT_OPTED_OUT", "CONTACT_OPTED_OUT", "CONTACT_OPTED_OUT"],
      `${category}`,
    );
  assert.equal(await used(), before);
  assert.equal(await conversationOfContact(app.db, { ...desk.account, contactId: stranger }), null);
  for (const category of ["UTILITY", "AUTHENTICATION"])
    assert.deepEqual(await roads(await addTemplate(m, desk, category)), ["sent", "sent", "sent"]);
});

test("a first message that the plan refuses leaves no conversation and no event", async () => {
  const { app } = m.t;
  const desk = await Desk.open(m, { messages: 0 });
  const w = desk.workspaceId;
  const sara = await person(desk, "Sara");
  const { id: contactId } = await createContact(OPERATOR, app, w, { phone: "201000000051" });
  const { channelId } = desk.account;
  const templateId = await addTemplate(m, desk, "UTILITY");
  const sent = { clientId: app.ids.next(), channelId, templateId, variables: [] };
  const start = () => startConversation(sara, app, w, contactId, sent);
  assert.equal(await start().catch(codeOf), "MESSAGE_LIMIT_REACHED");
  assert.equal(await conversationOfContact(app.db, { ...desk.account, contactId }), null);
  assert.deepEqual(await desk.events("conversation.created"), []);

  // Several tries at once, of one message: one conversation, one message.
  await updateWorkspace(OPERATOR, app, w, { limits: { messages: 10 } });
  const [first, ...others] = await Promise.all([start(), start(), start()]);
  for (const other of others) assert.deepEqual(other, first);
  assert.equal((await desk.events("conversation.created")).length, 1);
  assert.equal((await desk.events("message.created")).length, 1);
  // The id of one contact's message is no other's.
  const { id: another } = await createContact(OPERATOR, app, w, { phone: "201000000052" });
  const reused = startConversation(sara, app, w, another, sent);
  assert.equal(await reused.catch(codeOf), "IDEMPOTENCY_KEY_REUSED");
});

test("a failed message with a file is sent again with a file that shares its bytes; erasing the person removes both", async () => {
  const { app, clock } = m.t;
  const desk = await Desk.open(m);
  const w = desk.workspaceId;
  const sara = await person(desk, "Sara");
  const id = await desk.hears("201000000031");
  const body = Readable.from([Buffer.from("%PDF-1.4 offer")]);
  const { id: file } = await uploadMedia(sara, app, w, { fileName: "offer.pdf", body });
  clock.advance(25 * 3_600_000);
  const late = { clientId: app.ids.next(), text: "Our offer", media: [file] };
  const failed = await sendReply(sara, app, w, id, late);
  assert.equal(failed.status, "failed");
  await desk.hears("201000000031", "Yes?");
  const taken = { clientId: app.ids.next(), media: [file] };
  assert.equal(await sendReply(sara, app, w, id, taken).catch(codeOf), "VALIDATION_FAILED");
  const again = { ...late, clientId: app.ids.next(), resendOf: failed.id };
  const sent = await sendReply(sara, app, w, id, again);
  assert.deepEqual(await sendReply(sara, app, w, id, again), sent);
  const [attachment] = sent.attachments;
  assert.deepEqual(
    [sent.status, sent.resendOf, attachment?.fileName, attachment?.size],
    ["queued", failed.id, "offer.pdf", 14],
  );
  assert.notEqual(attachment?.mediaId, file);
  await app.drain();
  assert.equal(m.graph.sent.filter(({ to }) => to === "201000000031").length, 1);
  const files = () =>
    app.db.query<{ bytes: string }>(sql`
      select distinct coalesce(bytes_id, id) as bytes from media where workspace_id = ${w}`);
  assert.deepEqual(await files(), [{ bytes: file }]);

  const { contactId } = (await findConversation(app, w, id)) ?? {};
  await startErasure(OPERATOR, app, w, contactId ?? "");
  for (let tick = 0; tick < 5; tick++) {
    await app.drain();
    clock.advance(3_600_000);
  }
  assert.deepEqual(await files(), []);
  const stored = path.join(app.config.dataDir, "uploads", storageKey({ workspaceId: w, id: file }));
  assert.equal(existsSync(stored), false);
});

test("a template with a file header is sent with an upload, which the thread shows", async () => {
  const { app, clock } = m.t;
  const desk = await Desk.open(m);
  const w = desk.workspaceId;
  const sara = await person(desk, "Sara");
  const templateId = app.ids.next();
  const components = JSON.stringify([
    { type: "HEADER", format: "DOCUMENT" },
    { type: "BODY", text: "Your invoice, {{1}}" },
  ]);
  await app.db.query(sql`
    insert into template (workspace_id, id, channel_id, meta_id, name, language, category, status, components,
      body_variable_count, header_format, last_synced_at)
    values (${w}, ${templateId}, ${desk.account.channelId}, '78', 'invoice', 'en', 'UTILITY', 'APPROVED', ${components}, 1,
      'DOCUMENT', ${clock.now()})`);
  const id = await desk.hears("201000000021");
  const upload = (fileName: string, body: Buffer) =>
    uploadMedia(sara, app, w, { fileName, body: Readable.from([body]) });
  const file = await upload("invoice.pdf", Buffer.from("%PDF-1.4 invoice"));
  const sent = { templateId, variables: ["Mona"] };
  const send = (more: object) =>
    sendTemplate(sara, app, w, id, { clientId: app.ids.next(), ...sent, ...more });
  const faultOf = (error: unknown) =>
    error instanceof AppError ? error.facts.details?.map(({ path }) => path) : error;
  assert.deepEqual(await send({}).catch(faultOf), ["headerMedia"]);
  const stray = await upload("a.bin", Buffer.from([0, 1, 2]));
  assert.deepEqual(await send({ headerMedia: stray.id }).catch(faultOf), ["headerMedia"]);
  const line = await send({ headerMedia: file.id });
  assert.deepEqual(
    [line.type, line.text, line.attachments.map(({ fileName }) => fileName)],
    ["template", "Your invoice, Mona", ["invoice.pdf"]],
  );
  assert.deepEqual(await send({ headerMedia: file.id }).catch(faultOf), ["headerMedia"]);
  await app.drain();
  const [body] = m.graph.sent.filter(({ to }) => to === "201000000021");
  assert.deepEqual(JSON.parse(JSON.stringify(body)).template.components[0], {
    type: "header",
    parameters: [{ type: "document", document: { id: "700100", filename: "invoice.pdf" } }],
  });
});

test("a quote shows the quoted words and who wrote them, of its own conversation only", async () => {
  const { app } = m.t;
  const desk = await Desk.open(m);
  const w = desk.workspaceId;
  const sara = await person(desk, "Sara");
  const id = await desk.hears("201000000022");
  const asked = await sendReply(sara, app, w, id, {
    clientId: app.ids.next(),
    text: `Which colour? ${"x".repeat(300)}`,
  });
  await app.drain();
  const [sent] = await app.db.query<{ key: string }>(sql`
    select provider_message_id as key from message where workspace_id = ${w} and id = ${asked.id}`);
  const answer = (from: string, messageId: string) =>
    desk.message(from, "the blue one", {
      content: { type: "text", text: "the blue one", attachments: [{ type: "quote", messageId }] },
    });
  const quotedIn = async (conversationId: string) => {
    const line = (await readThread(app, w, conversationId, {})).entries.findLast(
      (entry) => entry.kind === "message",
    );
    return line?.kind === "message" ? line.quoted : undefined;
  };
  const other = await desk.hears("201000000023");
  await receiveEvents(app, [answer("201000000022", sent?.key ?? "")]);
  assert.deepEqual(await quotedIn(id), {
    id: asked.id,
    direction: "outbound",
    source: "dashboard",
    authorId: sara.memberId,
    text: `Which colour? ${"x".repeat(186)}`,
    type: null,
  });
  await receiveEvents(app, [answer("201000000023", sent?.key ?? "")]);
  assert.equal(await quotedIn(other), null);
  await receiveEvents(app, [answer("201000000022", "wamid.unknown")]);
  assert.equal(await quotedIn(id), null);
});
