import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Desk, startMessaging, type Messaging } from "../../../test/messaging.ts";
import { OPERATOR } from "../../actor.ts";
import { selectAnswered } from "../../conversations/handler.ts";
import { saveHours } from "../../hours/save-hours.ts";
import { listMessages } from "../../messages/record/find-message.ts";
import { aiDocumentExample } from "../../wire/bot.ts";
import { makeLiveBot } from "../bot.fixture.ts";
import { customerText } from "./hand-over-words.ts";
import { handOver } from "./hand-over.ts";

let m: Messaging;
before(async () => {
  m = await startMessaging();
});
after(() => m[Symbol.asyncDispose]());

/** A week that is open one hour, on the day after today. */
function openTomorrow(now: Date) {
  const day = (index: number) =>
    index === (now.getUTCDay() + 1) % 7 ? [{ from: 540, to: 600 }] : [];
  return {
    sunday: day(0),
    monday: day(1),
    tuesday: day(2),
    wednesday: day(3),
    thursday: day(4),
    friday: day(5),
    saturday: day(6),
  };
}

const handlerOf = async (desk: Desk, conversationId: string) =>
  (await selectAnswered(m.t.app.db, [{ workspaceId: desk.workspaceId, conversationId }]))[0]
    ?.handler;

test("a bot for the time outside business hours begins only then, and one for within only then", async () => {
  for (const when of ["outside_hours", "during_hours"] as const) {
    const desk = await Desk.open(m);
    await makeLiveBot(m.t.app, desk.workspaceId, { ...aiDocumentExample, trigger: { when } });
    const first = await desk.hears("96573000001", "hello");
    await m.t.app.drain();
    // Without hours a workspace is always open.
    assert.equal(await handlerOf(desk, first), when === "during_hours" ? "bot" : undefined);
    const week = openTomorrow(m.t.clock.now());
    const hours = { timeZone: "UTC", week, periods: [], days: [] };
    await saveHours(OPERATOR, m.t.app, desk.workspaceId, hours);
    const second = await desk.hears("96573000002", "hello");
    await m.t.app.drain();
    assert.equal(await handlerOf(desk, second), when === "outside_hours" ? "bot" : undefined);
  }
});

test("a customer who is handed over outside business hours reads when people answer", async () => {
  const desk = await Desk.open(m);
  await makeLiveBot(m.t.app, desk.workspaceId);
  const { workspaceId } = desk;
  const week = openTomorrow(m.t.clock.now());
  await saveHours(OPERATOR, m.t.app, workspaceId, { timeZone: "UTC", week, periods: [], days: [] });
  const conversationId = await desk.hears("96573000003", "a person please");
  await m.t.app.drain();
  await m.t.app.db.transaction((tx) =>
    handOver(m.t.app, tx, { workspaceId, conversationId, reason: "asked" }),
  );
  const { messages } = await listMessages(m.t.app, workspaceId, conversationId);
  const text = messages.find(({ direction }) => direction === "outbound")?.text ?? "";
  assert.match(text, /^We are closed now\. A colleague will answer you here from \w+day 09:00\.$/);
});

test("the words of the document are sent, with the opening where they name it", () => {
  const closed = { zone: "Asia/Kuwait", opensAt: Date.parse("2026-11-29T06:00:00Z") };
  const given = { text: { en: "Wait.", ar: "انتظر." }, outside: { en: "Back on {opens}." } };
  assert.equal(customerText(given, "en", null), "Wait.");
  assert.equal(customerText(given, "ar", null), "انتظر.");
  assert.equal(customerText(given, "en", closed), "Back on Sunday 09:00.");
  assert.equal(
    customerText({}, "ar", closed),
    "نحن خارج أوقات العمل الآن. سيجيبك أحد زملائنا هنا ابتداءً من الأحد 09:00.",
  );
  assert.equal(customerText(given, "en", { ...closed, opensAt: null }), "Wait.");
});
