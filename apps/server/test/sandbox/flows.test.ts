import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OPERATOR } from "../../src/actor.ts";
import { makeLiveBot } from "../../src/bots/bot.fixture.ts";
import { workFlows } from "../../src/bots/flow/work-flows.ts";
import { startBots } from "../../src/bots/thread/start-bots.ts";
import { selectAnswered } from "../../src/conversations/handler.ts";
import { sql } from "../../src/db/sql.ts";
import { saveHours } from "../../src/hours/save-hours.ts";
import { hoursInputExample } from "../../src/wire/hours.ts";
import { startSandboxStand, type SandboxShop, type SandboxStand } from "../sandbox-stand.ts";

let stand: SandboxStand;
before(async () => {
  stand = await startSandboxStand();
});
after(() => stand[Symbol.asyncDispose]());

const SHOP = {
  format: 1,
  kind: "flow",
  name: "Shop",
  entry: "hello",
  steps: {
    hello: {
      type: "send",
      text: { en: "Hello {{first_name}}", ar: "أهلا {{first_name}}" },
      next: "what",
    },
    what: {
      type: "choose",
      text: { en: "What is it?", ar: "ما الأمر؟" },
      choices: [
        { id: "order", label: { en: "My order", ar: "طلبي" }, next: "number" },
        { id: "hours", label: { en: "Hours", ar: "المواعيد" }, next: "open" },
      ],
      timeout: { minutes: 30 },
    },
    number: {
      type: "ask",
      text: { en: "Its number?", ar: "ما رقمه؟" },
      as: "number",
      into: "order",
      next: "mark",
    },
    mark: { type: "tag", add: ["asked-order"], next: "note" },
    note: { type: "note", text: "Asks for order {{order}}", next: "person" },
    person: { type: "hand_over", text: { en: "We look at {{order}}.", ar: "سننظر في {{order}}." } },
    open: {
      type: "branch",
      cases: [{ if: { hours: "open" }, next: "yes" }],
      next: "no",
    },
    yes: { type: "send", text: { en: "We are open.", ar: "نحن مفتوحون." }, next: "end" },
    no: {
      type: "send",
      text: { en: "We open {{next_opening}}.", ar: "نفتح {{next_opening}}." },
      next: "end",
    },
    end: { type: "end" },
  },
};

/** What the customer's phone shows of us, oldest first. */
const shown = (shop: SandboxShop, customer: string): string[] =>
  shop.line
    .thread({ customer, limit: 100 })
    .flatMap((one) => (one.kind === "message" && one.by === "business" ? [one.text ?? ""] : []));

/** A customer says something a while later, and everything due is done. Gives what the phone shows since then. */
async function say(shop: SandboxShop, from: string, text: string): Promise<string[]> {
  const before = shown(shop, from).length;
  stand.t.clock.advance(5_000);
  await shop.say({ from, name: "Sara Haddad", text });
  await stand.settle();
  return shown(shop, from).slice(before);
}

const answeredBy = async ({ workspaceId }: SandboxShop) => {
  const [row] = await stand.t.app.db.query<{ id: string }>(sql`
    select id from conversation where workspace_id = ${workspaceId} order by id desc limit 1`);
  const [thread] = await selectAnswered(stand.t.app.db, [
    { workspaceId, conversationId: row?.id ?? "" },
  ]);
  return thread;
};

const CUSTOMERS = {
  WHATSAPP: "96550000001",
  MESSENGER: "10000000001",
  INSTAGRAM: "10000000002",
  TELEGRAM: "700000001",
  TIKTOK: "customer-1",
} as const;

for (const type of ["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM", "TIKTOK"] as const)
  test(`${type}: a flow answers in the customer's language, by number and by words, and hands over with what it collected`, async () => {
    const shop = await stand.open(type);
    await makeLiveBot(stand.t.app, shop.workspaceId, SHOP);
    const from = CUSTOMERS[type];
    const begun = await say(shop, from, "مرحبا");
    assert.equal(begun.length, 2, JSON.stringify(begun));
    assert.match(begun[0] ?? "", /^أهلا/);
    assert.match(begun[1] ?? "", /^ما الأمر؟/);
    assert.deepEqual(await say(shop, from, "١"), ["ما رقمه؟"]);
    assert.deepEqual(await say(shop, from, "٤٢"), ["سننظر في 42."]);
    const thread = await answeredBy(shop);
    assert.deepEqual([thread?.handler, thread?.handedReason], ["person", "flow"]);
    const [note] = await stand.t.app.db.query<{ n: number }>(sql`
      select count(*)::int as n from note where workspace_id = ${shop.workspaceId} and text = 'Asks for order 42'`);
    assert.equal(note?.n, 1);
    const [contact] = await stand.t.app.db.query<{ tags: string[] }>(sql`
      select tags from contact where workspace_id = ${shop.workspaceId}`);
    assert.deepEqual(contact?.tags, ["asked-order"]);
  });

test("a flow says when the workspace opens, ends, and the next message begins it again; silence ends it too", async () => {
  const shop = await stand.open("WHATSAPP");
  const { workspaceId } = shop;
  await makeLiveBot(stand.t.app, workspaceId, SHOP);
  // Every day for an hour that is twelve hours away, whatever the time is now.
  const opening = new Date(stand.t.clock.now().getTime() + 12 * 3_600_000);
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Kuwait", ...options });
  const hour = part({ hour: "2-digit", hourCycle: "h23" }).format(opening);
  const spans = [{ from: Number(hour) * 60, to: Number(hour) * 60 + 60 }];
  const days = Object.keys(hoursInputExample.week) as (keyof typeof hoursInputExample.week)[];
  const week = {
    ...hoursInputExample.week,
    ...Object.fromEntries(days.map((day) => [day, spans])),
  };
  await saveHours(OPERATOR, stand.t.app, workspaceId, { ...hoursInputExample, week, days: [] });
  const from = "96550000003";
  await say(shop, from, "hello");
  const weekday = part({ weekday: "long" }).format(opening);
  assert.deepEqual(await say(shop, from, "hours"), [`We open ${weekday} ${hour}:00.`]);
  assert.equal((await answeredBy(shop))?.handler, "nobody");
  assert.equal((await say(shop, from, "hello again")).length, 2);
  stand.t.clock.advance(31 * 60_000);
  await stand.settle();
  assert.equal((await answeredBy(shop))?.handler, "nobody");
});

test("three workers at once, and turns that die before and after their commit, say everything once", async () => {
  const shop = await stand.open("WHATSAPP");
  await makeLiveBot(stand.t.app, shop.workspaceId, SHOP);
  const { app, clock } = stand.t;
  const people = Array.from({ length: 12 }, (_, n) => String(96_551_000_000 + n));
  for (const from of people) await shop.say({ from, text: "hello" });
  await startBots(app, 50);
  // Every transaction dies once: before its commit, and then after it.
  for (const dies of ["before", "after"] as const) {
    const dying = {
      ...app,
      db: {
        ...app.db,
        query: app.db.query.bind(app.db),
        transaction: (async (run: Parameters<typeof app.db.transaction>[0]) => {
          const result = await app.db.transaction(async (tx) => {
            const done = await run(tx);
            if (dies === "before") throw new Error("killed");
            return done;
          });
          if (dies === "after") throw new Error("killed");
          return result;
        }) as typeof app.db.transaction,
      },
    };
    await Promise.all([1, 2, 3].map(() => workFlows(dying, 4)));
    // Their leases end.
    clock.advance(31_000);
  }
  for (let round = 0; round < 4; round++) await Promise.all([1, 2, 3].map(() => workFlows(app, 8)));
  await stand.settle();
  for (const from of people) assert.equal(shown(shop, from).length, 2, from);
  const [open] = await app.db.query<{ waiting: number; others: number }>(sql`
    select count(*) filter (where state = 'waiting')::int as waiting,
      count(*) filter (where state <> 'waiting')::int as others
    from bot_run where workspace_id = ${shop.workspaceId}`);
  assert.deepEqual(open, { waiting: 12, others: 0 });
});
