import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { OPERATOR } from "../../actor.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import {
  updateConversation,
  type ConversationPatch,
} from "../../conversations/update-conversation.ts";
import { deskRow } from "../../desk/read-desk.ts";
import { readThread } from "../../inbox/read-thread.ts";
import { emitEvents } from "../../webhooks/emit-events.ts";
import { createMember } from "../../workspaces/create-member.ts";
import { setAvailability } from "../../workspaces/save-profile.ts";
import { followDesk } from "../record/follow-desk.ts";
import { joinThreads } from "./join-threads.ts";

let m: Messaging;
let desk: Desk;
/** Members who are at work, and one who is away. */
let lina: string;
let omar: string;
let away: string;
before(async () => {
  m = await startMessaging();
  desk = await Desk.open(m);
  const member = async (name: string, availability: "online" | "away") => {
    const { app } = m.t;
    const email = `${name}@shop.example`;
    const given = { email, name, role: "agent" } as const;
    const { id } = await createMember(OPERATOR, app, desk.workspaceId, given);
    const actor = { kind: "member", memberId: id, role: "agent" } as const;
    await setAvailability(actor, app, desk.workspaceId, availability);
    return id;
  };
  lina = await member("Lina", "online");
  omar = await member("Omar", "online");
  away = await member("Away", "away");
});
after(() => m[Symbol.asyncDispose]());

let people = 96_574_900_000;

/** Two conversations of a person become one. Gives its id. `into` stays. */
async function join(into: ConversationPatch, from: ConversationPatch): Promise<string> {
  const { app } = m.t;
  const { workspaceId } = desk;
  const kept = await desk.hears(String(++people), "the first one");
  const gone = await desk.hears(String(++people), "the second one");
  await updateConversation(OPERATOR, app, workspaceId, kept, into);
  await updateConversation(OPERATOR, app, workspaceId, gone, from);
  const contactOf = async (id: string) =>
    (await findConversation(app, workspaceId, id))?.contactId ?? "";
  const given = {
    ...desk.account,
    fromContactId: await contactOf(gone),
    intoContactId: await contactOf(kept),
    externalId: String(people),
  };
  await app.db.transaction(async (tx) => emitEvents(app, tx, await joinThreads(app, tx, given)));
  await followDesk(app);
  return kept;
}

/** Its state, which the inbox's row shows too. */
async function stateOf(id: string) {
  const conversation = await findConversation(m.t.app, desk.workspaceId, id);
  const row = await deskRow(m.t.app.db, desk.workspaceId, id);
  assert.ok(conversation && row);
  const { status, assigneeId, labels } = conversation;
  assert.deepEqual([row.status, row.assigneeId, row.labels], [status, assigneeId, labels]);
  return { status, assignee: assigneeId, until: row.snoozedUntil };
}

const hour = (n: number) => new Date(m.t.clock.now().getTime() + n * 3_600_000);
const iso = (n: number) => hour(n).toISOString();

/** What the two conversations are, and what the joined one is. */
const CASES: readonly [
  string,
  () => { into: ConversationPatch; from: ConversationPatch; joined: object },
][] = [
  [
    "without an assignee it gets the other's",
    () => ({ into: {}, from: { assigneeId: lina }, joined: { status: "open", assignee: lina } }),
  ],
  [
    "it keeps its own assignee",
    () => ({
      into: { assigneeId: omar },
      from: { assigneeId: lina },
      joined: { status: "open", assignee: omar },
    }),
  ],
  [
    "a member at work in the other one has it, where it was done",
    () => ({
      into: { status: "resolved", assigneeId: omar },
      from: { assigneeId: lina },
      joined: { status: "open", assignee: lina },
    }),
  ],
  [
    "opened again it stays with its assignee who is at work",
    () => ({
      into: { status: "resolved", assigneeId: omar },
      from: {},
      joined: { status: "open", assignee: omar },
    }),
  ],
  [
    "opened again it leaves an assignee who is away",
    () => ({
      into: { status: "resolved", assigneeId: away },
      from: {},
      joined: { status: "open", assignee: null },
    }),
  ],
  [
    "what was done is snoozed as the other one was",
    () => ({
      into: { status: "resolved" },
      from: { status: "snoozed", until: hour(1), assigneeId: lina },
      joined: { status: "snoozed", assignee: lina, until: iso(1) },
    }),
  ],
  [
    "of two snoozes the earlier end counts",
    () => ({
      into: { status: "snoozed", until: hour(2) },
      from: { status: "snoozed", until: hour(1) },
      joined: { status: "snoozed", until: iso(1) },
    }),
  ],
  [
    "a snooze stays when the other one was done",
    () => ({
      into: { status: "snoozed", until: hour(2) },
      from: { status: "resolved" },
      joined: { status: "snoozed", until: iso(2) },
    }),
  ],
  [
    "a snooze ends when the other one is open",
    () => ({
      into: { status: "snoozed", until: hour(2), assigneeId: omar },
      from: {},
      joined: { status: "open", assignee: omar },
    }),
  ],
  [
    "two that are done stay so",
    () => ({
      into: { status: "resolved" },
      from: { status: "resolved" },
      joined: { status: "resolved" },
    }),
  ],
];

for (const [name, make] of CASES)
  test(`of two conversations that are joined: ${name}`, async () => {
    const { into, from, joined } = make();
    const id = await join(into, from);
    assert.deepEqual(await stateOf(id), { assignee: null, until: null, ...joined });
  });

test("a joined conversation has the labels and unread messages of both, and its thread says what happened", async () => {
  const id = await join(
    { labels: ["vip"], status: "resolved", assigneeId: omar },
    { labels: ["refund", "vip"], assigneeId: lina },
  );
  const found = await findConversation(m.t.app, desk.workspaceId, id);
  assert.deepEqual([found?.labels, found?.unreadCount], [["vip", "refund"], 2]);
  const { entries } = await readThread(m.t.app, desk.workspaceId, id, {});
  const lines = entries.flatMap((one) =>
    one.kind === "event" && one.by === "system" ? [[one.what, one.assigneeId, one.added]] : [],
  );
  assert.deepEqual(
    new Map(lines.map(([what, ...more]) => [what, more])),
    new Map<unknown, unknown[]>([
      ["joined", [null, []]],
      ["reopened", [null, []]],
      ["assigned", [lina, []]],
      ["labelled", [null, ["refund"]]],
    ]),
  );
});

test("a joined conversation shows what was done in the other one, and in those that were joined into that", async () => {
  const { app } = m.t;
  const { workspaceId } = desk;
  const first = await join({}, { labels: ["first"] });
  const kept = await desk.hears(String(++people), "a third one");
  const contactOf = async (id: string) =>
    (await findConversation(app, workspaceId, id))?.contactId ?? "";
  const given = {
    ...desk.account,
    fromContactId: await contactOf(first),
    intoContactId: await contactOf(kept),
    externalId: String(people),
  };
  await app.db.transaction(async (tx) => emitEvents(app, tx, await joinThreads(app, tx, given)));
  const { entries } = await readThread(app, workspaceId, kept, {});
  const added = entries.flatMap((one) =>
    one.kind === "event" && one.by === "cli" ? one.added : [],
  );
  assert.deepEqual(added, ["first"]);
  assert.equal(entries.filter((one) => one.kind === "event" && one.what === "joined").length, 2);
});

test("who had a conversation that another one's assignee gets is named in the thread", async () => {
  const id = await join({ assigneeId: omar }, { assigneeId: lina });
  const { entries } = await readThread(m.t.app, desk.workspaceId, id, {});
  const joined = entries.flatMap((one) =>
    one.kind === "event" && one.what === "joined" ? [one.assigneeId] : [],
  );
  assert.deepEqual(joined, [lina]);
});
