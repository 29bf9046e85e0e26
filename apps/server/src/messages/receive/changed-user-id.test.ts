import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { parseWhatsApp } from "../../channels/adapters/whatsapp/parse.ts";
import { sql } from "../../db/sql.ts";
import { receiveEvents } from "./receive-events.ts";

let m: Messaging;
let desk: Desk;
before(async () => void (m = await startMessaging()));
after(() => m[Symbol.asyncDispose]());
beforeEach(async () => {
  desk = await Desk.open(m);
  m.t.clock.advance(60_000);
});

const [P1, P2, U1, U2] = ["96550000001", "96550000002", "KW.1", "KW.2"];
const seconds = () => String(Math.floor(m.t.clock.now().getTime() / 1000));

/** A call of the platform about this number, as it comes in. */
async function call(field: string, value: object): Promise<void> {
  m.t.clock.advance(2000);
  const metadata = { display_phone_number: "15550783881", phone_number_id: "1" };
  const change = { field, value: { messaging_product: "whatsapp", metadata, ...value } };
  const entry = [{ id: "5467", changes: [change] }];
  const body = Buffer.from(JSON.stringify({ object: "whatsapp_business_account", entry }));
  const request = { body, headers: {}, query: {}, receivedAt: m.t.clock.now() };
  const events = parseWhatsApp(request);
  await receiveEvents(
    m.t.app,
    events.map((event) => ({ account: desk.account, event })),
  );
}

let texts = 0;
async function writes(phone: string | null, userId: string): Promise<void> {
  const ids = phone === null ? {} : { wa_id: phone };
  const contacts = [{ profile: { name: "Sara" }, ...ids, user_id: userId }];
  const id = `wamid.${++texts}`;
  const from = phone === null ? {} : { from: phone };
  const text = { type: "text", text: { body: "hello" } };
  const message = { ...from, from_user_id: userId, id, timestamp: seconds(), ...text };
  await call("messages", { contacts, messages: [message] });
}

/** The field `user_id_update`, as Meta documents it. */
const rotated = (previous: string, current: string, phone: string | null) => {
  const known = phone === null ? {} : { wa_id: phone };
  const update = { detail: "User id for Sara has been updated.", timestamp: seconds() };
  return call("user_id_update", {
    contacts: [{ profile: { name: "Sara" }, ...known }],
    user_id_update: [{ ...known, ...update, user_id: { previous, current } }],
  });
};
/** The system message about the same change, which names the old number and the new ids. */
const moved = (from: string | null, system: object) =>
  call("messages", {
    messages: [
      {
        ...(from !== null && { from }),
        id: `wamid.${++texts}`,
        timestamp: seconds(),
        type: "system",
        system: { body: "User Sara changed", type: "user_changed_user_id", ...system },
      },
    ],
  });

/** After contacts that are known to be one person were merged. */
async function threads() {
  await m.t.app.drain();
  return m.t.app.db.query<{ to: string; phone: string | null; n: number }>(sql`
    select v.external_id as to, c.phone, (select count(*)::integer from message m
      where m.workspace_id = v.workspace_id and m.conversation_id = v.id) as n
    from conversation v join contact c on c.workspace_id = v.workspace_id and c.id = v.contact_id
    where v.workspace_id = ${desk.workspaceId} order by v.id`);
}

test("a customer with a hidden number gets another user id: the conversation stays, and replies go to the new id", async () => {
  await writes(null, U1);
  // A system message without the old id says nothing by itself.
  await moved(null, { user_id: U2 });
  await rotated(U1, U2, null);
  await rotated(U1, U2, null);
  assert.deepEqual(await threads(), [{ to: U2, phone: null, n: 1 }]);
  await writes(null, U2);
  assert.deepEqual(await threads(), [{ to: U2, phone: null, n: 2 }]);
});

test("a system message that names the old user id has the same effect", async () => {
  await writes(null, U1);
  await moved(null, { user_id: U2, previous_user_id: U1 });
  assert.deepEqual(await threads(), [{ to: U2, phone: null, n: 1 }]);
});

test("the old user id counts even when the same message names the new one already", async () => {
  await writes(null, U1);
  const system = { body: "User Sara changed", type: "user_changed_user_id" };
  const ids = { from_user_id: U2, id: `wamid.${++texts}`, timestamp: seconds() };
  const names = { user_id: U2, previous_user_id: U1 };
  await call("messages", {
    messages: [{ ...ids, type: "system", system: { ...system, ...names } }],
  });
  await writes(null, U2);
  assert.deepEqual(await threads(), [{ to: U2, phone: null, n: 2 }]);
});

test("a new number that comes with nothing but the user ids is added to the contact", async () => {
  const notices = [
    () => rotated(U1, U2, P2),
    () => moved(null, { wa_id: P2, user_id: U2, previous_user_id: U1 }),
  ];
  for (const tell of notices) {
    desk = await Desk.open(m);
    await writes(P1, U1);
    await tell();
    assert.deepEqual(await threads(), [{ to: P2, phone: P2, n: 1 }]);
  }
});

test("an old notice that comes again after a newer one changes nothing: replies go to the last number", async () => {
  await writes(P1, U1);
  const event = {
    kind: "number_changed",
    accountExternalId: "1",
    fromExternalId: P1,
    toExternalId: P2,
    occurredAt: m.t.clock.now(),
  } as const;
  const tell = () => receiveEvents(m.t.app, [{ account: desk.account, event }]);
  await tell();
  m.t.clock.advance(60_000);
  await moved(P2, { wa_id: "96550000004", user_id: "KW.4" });
  await tell();
  const last = { to: "96550000004", phone: "96550000004" };
  assert.deepEqual(await threads(), [{ ...last, n: 1 }]);
  await writes("96550000004", "KW.4");
  // The number in between belongs to somebody else by now.
  await writes(P2, "KW.9");
  assert.deepEqual(await threads(), [
    { ...last, n: 2 },
    { to: P2, phone: P2, n: 1 },
  ]);
});

test("an echo that names number and user id goes to the contact that was known by the user id alone", async () => {
  await writes(null, U1);
  const ids = { from: "15550783881", to: P1, to_user_id: U1, id: "wamid.echo" };
  const said = { type: "text", text: { body: "from the phone" }, timestamp: seconds() };
  await call("smb_message_echoes", { message_echoes: [{ ...ids, ...said }] });
  assert.deepEqual(
    (await threads()).map(({ n }) => n),
    [2],
  );
});

test("a message from the new user id that comes before the notice belongs to the same person", async () => {
  await writes(null, U1);
  await writes(null, U2);
  await rotated(U1, U2, null);
  await writes(null, U2);
  await m.t.app.drain();
  const people = await m.t.app.db.query(
    sql`select id from contact where workspace_id = ${desk.workspaceId}`,
  );
  assert.equal(people.length, 1);
  await writes(null, U2);
  assert.deepEqual(await threads(), [{ to: U2, phone: null, n: 2 }]);
});

test("a new number and a new user id, told in either order: the contact is known by both", async () => {
  const notices = [() => moved(P1, { wa_id: P2, user_id: U2 }), () => rotated(U1, U2, P2)];
  for (const order of [notices, notices.toReversed()]) {
    desk = await Desk.open(m);
    await writes(P1, U1);
    for (const tell of order) await tell();
    assert.deepEqual(await threads(), [{ to: P2, phone: P2, n: 1 }]);
    // The number is hidden from now on.
    await writes(null, U2);
    await writes(P2, U2);
    assert.deepEqual(await threads(), [{ to: P2, phone: P2, n: 3 }]);
    // The old number belongs to somebody else.
    await writes(P1, "KW.3");
    assert.deepEqual(
      (await threads()).map(({ to, n }) => [to, n]),
      [
        [P2, 3],
        [P1, 1],
      ],
    );
  }
});

test("a new user id with the same number belongs to the known contact", async () => {
  await writes(P1, U1);
  await rotated(U1, U2, P1);
  await writes(P1, U2);
  assert.deepEqual(await threads(), [{ to: P1, phone: P1, n: 2 }]);
});

test("a preference that names number and user id reaches the contact that was known by the user id alone", async () => {
  await writes(null, U1);
  const preference = { category: "marketing_messages", value: "stop", timestamp: seconds() };
  await call("user_preferences", {
    user_preferences: [{ wa_id: P1, user_id: U1, detail: "stop", ...preference }],
  });
  const contacts = await m.t.app.db.query(sql`
    select opted_out_at is not null as out from contact where workspace_id = ${desk.workspaceId}`);
  assert.deepEqual(contacts, [{ out: true }]);
});
