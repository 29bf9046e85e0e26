import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { messageToken } from "../../channels/adapters/whatsapp/message-token.ts";
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

const [PHONE, USER, OTHER] = ["96550000001", "KW.1442738230941002", "96550000002"];
const NEW_ID = "3A4A6599AEE03810144F";

/** An id of the message with this token, as WhatsApp builds it from the customer's number or user id. */
function wamid(customer: string, token: string): string {
  const field = (text: string) => [0x18, text.length, ...Buffer.from(text)];
  const scope = /^\d+$/.test(customer) ? 0x02 : 0x14;
  const bytes = [0x1c, ...field(customer), 0x15, scope, 0x00, 0x12, ...field(token), 0x00];
  return `wamid.${Buffer.from(bytes).toString("base64")}`;
}

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
const timestamp = () => String(Math.floor(m.t.clock.now().getTime() / 1000));
/** From a customer with number and user id: from then on both name the person. */
const writes = (id: string, more: object, from = PHONE) =>
  call("messages", {
    contacts: [{ profile: { name: "Sara" }, wa_id: from, user_id: from === PHONE ? USER : "KW.2" }],
    messages: [
      {
        from,
        from_user_id: from === PHONE ? USER : "KW.2",
        id,
        timestamp: timestamp(),
        type: "text",
        text: { body: "hello" },
        ...more,
      },
    ],
  });
/** A message that was sent from the phone's own app. */
const echoes = (id: string, more: object) =>
  call("smb_message_echoes", {
    message_echoes: [
      {
        from: "15550783881",
        to: PHONE,
        to_user_id: USER,
        id,
        timestamp: timestamp(),
        type: "text",
        text: { body: "hi" },
        ...more,
      },
    ],
  });
const stored = () =>
  m.t.app.db.query<{
    type: string;
    text: string | null;
    attachments: { type: string; messageId?: string }[];
  }>(sql`select type, text, attachments from message
    where workspace_id = ${desk.workspaceId} order by id`);
const meant = async () => (await stored()).at(-1)?.attachments.map((one) => one.messageId);

test("all ids of one message have the same token", () => {
  const [published, andTheirs] = [
    "wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQTRBNjU5OUFFRTAzODEwMTQ0RgA=",
    "wamid.HBgTRUcuMTQ0MjczODIzMDk0MTAwMhUUABIYIEE1NjZCNTQ1QzI0MkRCMzMyNzU1RkMyODFCN0E1RTk4AA==",
  ];
  assert.equal(messageToken(published), "3A4A6599AEE03810144F");
  assert.equal(messageToken(andTheirs), "A566B545C242DB332755FC281B7A5E98");
  assert.equal(wamid("16503879439", "3A4A6599AEE03810144F"), published);
  assert.equal(wamid("EG.1442738230941002", "A566B545C242DB332755FC281B7A5E98"), andTheirs);
  const long = Buffer.concat([
    Buffer.from([0x1c, 0x18, 0x83, 0x01]),
    Buffer.from(`US.${"9".repeat(128)}`),
    Buffer.from(wamid("", "AAAABBBBCCCC").slice(6), "base64").subarray(3),
  ]);
  assert.equal(messageToken(`wamid.${long.toString("base64")}`), "AAAABBBBCCCC");
  for (const id of [
    "",
    "wamid.",
    "wamid.1",
    "wamid.HBgL",
    `${published.slice(6)}`,
    published.slice(0, 30),
    "wamid.HBgLMTY1MDM4Nzk0MzkVAgASGP8=",
    wamid(PHONE, "x"),
    wamid(PHONE, "two words of it"),
  ])
    assert.equal(messageToken(id), null, id);
});

test("a quote and a reaction name the stored message, whichever id of the message they came with", async () => {
  await writes(wamid(PHONE, "AAAAAAAAAAAA"), {});
  await echoes(wamid(PHONE, "BBBBBBBBBBBB"), {});
  for (const [told, by] of [
    ["AAAAAAAAAAAA", USER],
    ["BBBBBBBBBBBB", USER],
    ["AAAAAAAAAAAA", PHONE],
  ] as const) {
    await writes(wamid(PHONE, `C${told}${by}`.replaceAll(/\W/g, "")), {
      context: { from: PHONE, id: wamid(by, told) },
    });
    assert.deepEqual(await meant(), [wamid(PHONE, told)]);
  }
  await writes(wamid(PHONE, "DDDDDDDDDDDD"), {
    type: "reaction",
    reaction: { message_id: wamid(USER, "BBBBBBBBBBBB"), emoji: "👍" },
  });
  assert.deepEqual(await meant(), [wamid(PHONE, "BBBBBBBBBBBB")]);
  await echoes(wamid(PHONE, "EEEEEEEEEEEE"), { context: { id: wamid(USER, "AAAAAAAAAAAA") } });
  assert.deepEqual(await meant(), [wamid(PHONE, "AAAAAAAAAAAA")]);
  // The message is unknown, so its id stays as told.
  const unknown = wamid(USER, "FFFFFFFFFFFF");
  await writes(wamid(PHONE, "000000000000"), { context: { id: unknown } });
  assert.deepEqual(await meant(), [unknown]);
});

test("a reference never leads to another customer's message", async () => {
  await writes(wamid(OTHER, NEW_ID), {}, OTHER);
  await writes(wamid(PHONE, "AAAAAAAAAAAA"), { context: { id: wamid(USER, NEW_ID) } });
  assert.deepEqual(await meant(), [wamid(USER, NEW_ID)]);
  await writes("wamid.x", { type: "revoke", revoke: { original_message_id: wamid(USER, NEW_ID) } });
  assert.deepEqual(
    (await stored()).map(({ type }) => type),
    ["text", "text"],
  );
});

test("an edit and a withdrawal by the message's other id reach it, from a customer and from the phone's app", async () => {
  await writes(wamid(PHONE, "AAAAAAAAAAAA"), {});
  await echoes(wamid(PHONE, "BBBBBBBBBBBB"), {});
  const original_message_id = wamid(USER, "AAAAAAAAAAAA");
  await writes("wamid.e", {
    type: "edit",
    edit: { original_message_id, message: { type: "text", text: { body: "hello, please" } } },
  });
  assert.deepEqual(
    (await stored()).map(({ text }) => text),
    ["hello, please", "hi"],
  );
  await writes("wamid.r", { type: "revoke", revoke: { original_message_id } });
  await echoes("wamid.s", {
    type: "revoke",
    revoke: { original_message_id: wamid(USER, "BBBBBBBBBBBB") },
  });
  assert.deepEqual(
    (await stored()).map(({ type, text }) => [type, text]),
    [
      ["deleted", null],
      ["deleted", null],
    ],
  );
});
