import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setConsent } from "../../src/contacts/consent/set-consent.ts";
import { sql } from "../../src/db/sql.ts";
import { startTestApp, type TestApp } from "../harness.ts";
import { proven, serve, WebShop, type Served } from "../web-shop.ts";

/** An anonymous browser proves its user. */
let t: TestApp;
let one: Served;
before(async () => {
  t = await startTestApp();
  one = await serve(t.app);
});
after(async () => {
  await one.server.close();
  await t[Symbol.asyncDispose]();
});
const open = () => WebShop.open(t.app, one.base);
const texts = (session: { messages: readonly { text: string | null }[] }) =>
  session.messages.map((message) => message.text);

test("the anonymous conversation goes on under the user: same ids, and the anonymous token is over", async () => {
  const shop = await open();
  const browser = await shop.visitor("anonymous words");
  const anonymous = browser.token;
  const [conversation] = await shop.conversations();
  const [contact] = await shop.contacts();
  const stream = await browser.stream("0");
  const session = await browser.session(proven("u1", { name: "Sara" }));
  assert.deepEqual([session.verified, texts(session)], [true, ["anonymous words"]]);
  assert.equal(session.messages[0]?.clientId, "first", "still this browser's");
  await stream.end();
  assert.deepEqual(stream.frames.at(-1)?.data, { reason: "logout" });
  await browser.say("as Sara", "c2");
  assert.deepEqual(
    (await shop.conversations()).map((row) => [row.id, row.contact_id]),
    [[conversation?.id, contact?.id]],
  );
  assert.deepEqual(
    (await shop.contacts()).map((row) => [row.name, row.attributes]),
    [["Sara", { web_user_id: "u1" }]],
  );
  // The words a resend carries were stored before the sign-in.
  assert.equal((await browser.say("anonymous words", "first")).status, 200);

  const thief = shop.client();
  thief.token = anonymous;
  assert.equal((await thief.say("x", "c3")).status, 401);
  assert.deepEqual((await thief.session()).messages, []);
  await shop.reply(conversation?.id ?? "", "to Sara");
  assert.deepEqual(texts(await browser.session()), ["anonymous words", "as Sara", "to Sara"]);
});

test("where the user has a conversation both histories are in it, also on the other device at once", async () => {
  const shop = await open();
  const laptop = shop.client();
  await laptop.session(proven("u1", { name: "Sara" }));
  await laptop.say("on the laptop", "l1");
  const [kept] = await shop.conversations();
  assert.ok(kept);
  await shop.reply(kept.id, "answer one");
  const phone = await shop.visitor("on the phone");
  const gone = (await shop.conversations()).find((row) => row.id !== kept.id);
  assert.ok(gone);
  const waiting = await shop.reply(gone.id, "answer two");
  const onLaptop = await laptop.stream((await laptop.session()).cursor);
  await setConsentOf(shop, gone.contact_id);

  const session = await phone.session(proven("u1"));
  const all = ["on the laptop", "answer one", "on the phone", "answer two"];
  assert.deepEqual(texts(session), all);
  assert.equal(session.unread, 2);
  await onLaptop.until((heard) => heard.filter((frame) => frame.event === "message").length === 2);
  assert.deepEqual(onLaptop.texts(), ["on the phone", "answer two"]);
  onLaptop.close();
  assert.deepEqual(texts(await laptop.session()), all);

  const [conversation, ...more] = await shop.conversations();
  assert.deepEqual([conversation?.id, conversation?.unread_count, more], [kept.id, 2, []]);
  const rows = await t.app.db.query(sql`select distinct conversation_id from message
    where workspace_id = ${shop.workspaceId}`);
  assert.deepEqual(rows, [{ conversation_id: kept.id }]);
  const contacts = new Map((await shop.contacts()).map((row) => [row.id, row.attributes]));
  assert.deepEqual(contacts.get(gone.contact_id), { web_merged_into: kept.contact_id });
  const [opted] = await t.app.db.query(sql`select opted_out_at is not null as out from contact
    where id = ${kept.contact_id}`);
  assert.deepEqual(opted, { out: true }, "an opt-out is the person's");

  // What was on its way when they were joined is sent, once, and settles.
  await t.app.drain();
  await phone.post("receipts", { read: waiting });
  const [row] = await t.app.db.query<{ status: string }>(
    sql`select status from message where id = ${waiting}`,
  );
  assert.equal(row?.status, "read");
  assert.equal((await phone.say("further", "p2")).status, 201);
  assert.equal((await shop.conversations()).length, 1);
});

async function setConsentOf(shop: WebShop, contactId: string): Promise<void> {
  const at = t.clock.now();
  const { workspaceId } = shop;
  await t.app.db.transaction((tx) =>
    setConsent(t.app, tx, [{ workspaceId, contactId, optedOut: true, source: "dashboard", at }]),
  );
}

test("two proven people are never joined: the browser starts anew for the second", async () => {
  const shop = await open();
  const browser = await shop.visitor("before");
  await browser.session(proven("u1"));
  await browser.say("I am u1", "c1");
  const session = await browser.session(proven("u2"));
  assert.deepEqual([session.verified, session.messages], [true, []]);
  await browser.say("I am u2", "c2");
  assert.equal((await shop.conversations()).length, 2);
  const back = await browser.session(proven("u1"));
  assert.deepEqual(texts(back), ["before", "I am u1"]);
  assert.deepEqual(
    (await shop.contacts()).map((row) => row.attributes["web_user_id"]),
    ["u1", "u2"],
  );
});

test("ten tabs that prove the same user at once are one contact with one conversation", async () => {
  const shop = await open();
  const browser = await shop.visitor("hello");
  const { token } = browser;
  const tabs = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const tab = shop.client();
      tab.token = token;
      return { tab, session: await tab.session(proven("u1")) };
    }),
  );
  for (const { session } of tabs)
    assert.deepEqual([session.verified, texts(session)], [true, ["hello"]]);
  await Promise.all(tabs.map(({ tab }, index) => tab.say("more", `t${index}`)));
  assert.equal((await shop.conversations()).length, 1);
  assert.equal((await shop.contacts()).length, 1);
});

test("what an unproven page says of its visitor is noted and finds nobody", async () => {
  const shop = await open();
  const known = shop.client();
  await known.session(proven("u1", { email: "sara@x.example", phone: "+96550001234" }));
  await known.say("mine", "c1");
  const liar = shop.client();
  await liar.session({ user: { name: "Sara", email: "sara@x.example", phone: "+96550001234" } });
  await liar.say("let me in", "c1");
  assert.deepEqual(texts(await liar.session()), ["let me in"]);
  const said = { web_email_unverified: "sara@x.example", web_phone_unverified: "+96550001234" };
  assert.deepEqual(
    (await shop.contacts()).map((row) => row.attributes),
    [{ web_user_id: "u1", ...said }, said],
  );
  const columns = await t.app.db.query(sql`select distinct email, phone from contact
    where workspace_id = ${shop.workspaceId}`);
  assert.deepEqual(columns, [{ email: null, phone: null }]);
});
