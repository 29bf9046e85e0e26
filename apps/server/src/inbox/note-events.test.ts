import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../test/messaging.ts";
import { mulberry } from "../../test/crash/mulberry.ts";
import { LONG } from "../../test/group.ts";
import { AGENT } from "../../test/actors.ts";
import { OPERATOR } from "../actor.ts";
import { findConversation } from "../conversations/find-conversation.ts";
import { joinThreads } from "../messages/receive/join-threads.ts";
import { emitEvents } from "../webhooks/emit-events.ts";
import { readFeed } from "../webhooks/read-feed.ts";
import type { EventJson } from "../wire/event.ts";
import type { NoteJson } from "../wire/note.ts";
import { changeNote, listNotes, removeNote, writeNote } from "./notes.ts";

const ADMIN = { ...AGENT, role: "admin" } as const;
const ACTS = LONG ? 2_000 : 80;

let m: Messaging;
let desk: Desk;
before(async () => {
  m = await startMessaging();
  desk = await Desk.open(m);
});
after(() => m[Symbol.asyncDispose]());

const KINDS = ["note.created", "note.updated", "note.deleted"] as const;
type NoteEvent = Extract<EventJson, { readonly type: (typeof KINDS)[number] }>;

async function feed(after: number): Promise<{ events: NoteEvent[]; next: number }> {
  const page = await readFeed(m.t.app, desk.workspaceId, { after, limit: 500, types: KINDS });
  const events = page.events.map(({ body }) => JSON.parse(body) as NoteEvent);
  if (!page.hasMore) return { events, next: page.nextAfter };
  const rest = await feed(page.nextAfter);
  return { events: [...events, ...rest.events], next: rest.next };
}

test("a change and a deletion of a note say who made them; the deletion has no text", async () => {
  const { app } = m.t;
  const w = desk.workspaceId;
  const id = await desk.hears("96574300001");
  const contactId = (await findConversation(app, w, id))?.contactId;
  const { next } = await feed(0);
  const made = (await writeNote(OPERATOR, app, w, { id, text: "card 4111" })).answer;
  await changeNote(OPERATOR, app, w, { id: made.id, text: "card 4112" });
  const gone = await removeNote(ADMIN, app, w, { id: made.id });
  const { events } = await feed(next);
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.note.text, "by" in data ? data.by : undefined]),
    [
      ["note.created", "card 4111", undefined],
      ["note.updated", "card 4112", "cli"],
      ["note.deleted", "", `member:${ADMIN.memberId}`],
    ],
  );
  const last = events.at(-1)?.data;
  assert.deepEqual([last?.note, last?.conversationId, last?.contactId], [gone, id, contactId]);
});

test("a mirror of notes that is fed by the feed alone equals the records, over changes, deletions and joined conversations", async () => {
  const { app } = m.t;
  const w = desk.workspaceId;
  const random = mulberry(20_261_130);
  let phone = 96_574_400_000;
  const threads = await Promise.all([0, 1, 2].map(() => desk.hears(String(++phone))));
  const written: string[] = [];
  const any = (of: readonly string[]) => of[Math.floor(random() * of.length)] ?? "";
  const contactOf = async (id: string) => (await findConversation(app, w, id))?.contactId ?? "";
  const join = async (): Promise<void> => {
    const [gone = ""] = threads.splice(Math.floor(random() * threads.length), 1);
    const people = {
      ...desk.account,
      fromContactId: await contactOf(gone),
      intoContactId: await contactOf(any(threads)),
      externalId: String(phone),
    };
    await app.db.transaction(async (tx) => emitEvents(app, tx, await joinThreads(app, tx, people)));
    threads.push(await desk.hears(String(++phone)));
  };
  const write = async (id: string, text: string): Promise<string> =>
    (await writeNote(OPERATOR, app, w, { id, text })).answer.id;
  const mirror = new Map<string, NoteJson>();
  let place = (await feed(0)).next;
  const follow = async (): Promise<void> => {
    const { events, next } = await feed(place);
    place = next;
    for (const { data } of events) mirror.set(data.note.id, data.note);
  };
  for (let n = 0; n < ACTS; n++) {
    const draw = random();
    if (draw < 0.5 || written.length === 0) written.push(await write(any(threads), `note ${n}`));
    else if (draw < 0.75)
      await changeNote(OPERATOR, app, w, { id: any(written), text: `now ${n}` });
    else if (draw < 0.92) {
      const [id = ""] = written.splice(Math.floor(random() * written.length), 1);
      await removeNote(OPERATOR, app, w, { id });
    } else await join();
    if (random() < 0.1) await follow();
  }
  await follow();
  const records = new Map<string, NoteJson>();
  for (const id of threads)
    for (let cursor: string | null = null; ;) {
      const page = { id, limit: 200, ...(cursor !== null && { cursor }) };
      const { items, nextCursor } = await listNotes(OPERATOR, app, w, page);
      for (const note of items) records.set(note.id, note);
      if (nextCursor === null) break;
      cursor = nextCursor;
    }
  assert.ok(records.size > 10 && [...records.values()].some(({ deleted }) => deleted));
  const sorted = (all: Iterable<[string, NoteJson]>) =>
    [...all].toSorted(([a], [b]) => (a < b ? -1 : 1));
  assert.deepEqual(sorted(mirror), sorted(records));
});
