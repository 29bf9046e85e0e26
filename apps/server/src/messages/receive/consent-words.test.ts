import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { OPERATOR } from "../../actor.ts";
import { addOwnWord } from "../../contacts/consent/own-words.ts";
import { sql } from "../../db/sql.ts";
import { receiveEvents } from "./receive-events.ts";

let m: Messaging;
before(async () => {
  m = await startMessaging();
});
after(() => m[Symbol.asyncDispose]());

test("the stop or start word that a customer wrote last counts, however late the others come", async () => {
  const begun = m.t.clock.now().getTime();
  const minute = (n: number) => new Date(begun + n * 60_000);
  m.t.clock.advance(10 * 60_000);
  const orders = [
    { came: [["START", 5]], late: ["STOP", 0], out: false },
    {
      came: [
        ["STOP", 0],
        ["START", 5],
      ],
      late: ["STOP", 2],
      out: false,
    },
    {
      came: [
        ["STOP", 0],
        ["STOP", 9],
      ],
      late: ["START", 5],
      out: true,
    },
    {
      came: [
        ["START", 5],
        ["hello", 8],
      ],
      late: ["STOP", 7],
      out: true,
    },
    // A platform's clock is ahead: the STOP that came later still counts as later.
    { came: [["START", 90]], late: ["STOP", 91], out: true },
    { came: [["START", 5]], late: ["STOP", 5], out: true },
  ] as const;
  for (const [n, { came, late, out }] of orders.entries())
    for (const together of [true, false]) {
      const fresh = await Desk.open(m);
      const from = `9656200${n}${Number(together)}`;
      const items = [...came, late].map(([text, at]) =>
        fresh.message(from, text, { occurredAt: minute(at) }),
      );
      const calls = together ? [items] : items.map((item) => [item]);
      for (const call of calls) {
        m.t.clock.advance(1_000);
        await receiveEvents(m.t.app, call);
      }
      const [row] = await m.t.app.db.query<{ out: boolean }>(sql`
        select opted_out_at is not null as out from contact where workspace_id = ${fresh.workspaceId}`);
      assert.equal(row?.out, out, `${n} ${together ? "in one call" : "one by one"}`);
    }
});

test("a stop word counts as text, as a file's caption and on a template's button; nowhere else, and not on a button Cancel", async () => {
  const desk = await Desk.open(m);
  let n = 0;
  for (const [type, text, out] of [
    ["text", "Cancel", true],
    ["text", "إلغاء", true],
    ["image", "STOP", true],
    ["button", "Stop promotions", true],
    ["button", "إيقاف العروض", true],
    ["button", "Cancel", false],
    ["button", "End", false],
    ["button", "Quit", false],
    ["button", "إلغاء", false],
    ["interactive", "Stop", false],
    ["template", "STOP", false],
    ["reaction", "stop", false],
    ["order", "cancel", false],
  ] as const) {
    const from = `965630${String(++n).padStart(3, "0")}`;
    const content = { type, text, attachments: [] };
    await receiveEvents(m.t.app, [desk.message(from, text, { content })]);
    const [row] = await m.t.app.db.query<{ out: boolean }>(sql`
      select opted_out_at is not null as out from contact
      where workspace_id = ${desk.workspaceId} and phone = ${from}`);
    assert.equal(row?.out, out, `${type} ${text}`);
  }
});

test("a workspace's own words opt its customers out and in again; in another workspace they mean nothing", async () => {
  const [ours, theirs] = [await Desk.open(m), await Desk.open(m)];
  await addOwnWord(OPERATOR, m.t.app, ours.workspaceId, { text: "Basta", wish: "stop" });
  await addOwnWord(OPERATOR, m.t.app, ours.workspaceId, { text: "Dai", wish: "start" });
  const outAfter = async (desk: Desk, text: string) => {
    m.t.clock.advance(1_000);
    await receiveEvents(m.t.app, [desk.message("96562111111", text)]);
    const [row] = await m.t.app.db.query<{ out: boolean }>(sql`
      select opted_out_at is not null as out from contact where workspace_id = ${desk.workspaceId}`);
    return row?.out;
  };
  assert.equal(await outAfter(ours, "bastà!"), true);
  assert.equal(await outAfter(ours, "basta cosi"), true, "unchanged");
  assert.equal(await outAfter(ours, "DAI"), false);
  assert.equal(await outAfter(theirs, "basta"), false);
});
