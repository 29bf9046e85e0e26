import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { makeLiveBot } from "../../src/bots/bot.fixture.ts";
import { sql } from "../../src/db/sql.ts";
import { LONG } from "../group.ts";
import { startSandboxStand, type SandboxShop, type SandboxStand } from "../sandbox-stand.ts";

let stand: SandboxStand;
before(async () => {
  stand = await startSandboxStand();
});
after(() => stand[Symbol.asyncDispose]());

/** A bot that has an answer to everything, never the same twice. */
const TALKER = (name: string) => ({
  format: 1,
  kind: "flow",
  name,
  entry: "more",
  steps: {
    more: {
      type: "ask",
      text: {
        en: `${name} is glad to hear that, and would like to know a little more about this: {{said}}`,
      },
      into: "said",
      next: "more",
    },
  },
});

/** What a customer of a shop sees of it, oldest first. */
const shown = (shop: SandboxShop, customer: string): string[] =>
  shop.line
    .thread({ customer, limit: 100 })
    .flatMap((one) => (one.kind === "message" && one.by === "business" ? [one.text ?? ""] : []));

/** How many messages bots wrote in a workspace, and who answers its conversation. */
async function standing({ workspaceId }: SandboxShop) {
  const [row] = await stand.t.app.db.query<{ wrote: number; handler: string; reason: string }>(sql`
    select (select count(*)::int from message where workspace_id = ${workspaceId} and author like 'bot:%') as wrote,
      handler, handed_reason as reason from bot_thread where workspace_id = ${workspaceId}`);
  assert.ok(row);
  return row;
}

/** What each side says is what the other one hears, after so long. Gives how often they took turns. */
async function talk(one: SandboxShop, two: SandboxShop, gapMs: number): Promise<number> {
  const [first, second] = ["96550000011", "96550000012"];
  let said = ["Hello, I have a question"];
  for (let turn = 0; turn < 100; turn++) {
    const [to, from] = turn % 2 === 0 ? [one, first] : [two, second];
    const before = shown(to, from).length;
    for (const text of said) {
      stand.t.clock.advance(gapMs);
      await to.say({ from, name: "Sara", text });
    }
    await stand.settle();
    said = shown(to, from).slice(before);
    if (said.length === 0) return turn;
  }
  return 100;
}

for (const gapMs of LONG ? [1_000, 4_500] : [4_500])
  test(`two bots of two workspaces that write to each other every ${gapMs} ms end within 10 messages of each`, async () => {
    const [one, two] = [await stand.open("WHATSAPP"), await stand.open("WHATSAPP")];
    await makeLiveBot(stand.t.app, one.workspaceId, TALKER("Rose"));
    await makeLiveBot(stand.t.app, two.workspaceId, TALKER("Tulip"));
    const turns = await talk(one, two, gapMs);
    const [ofOne, ofTwo] = [await standing(one), await standing(two)];
    assert.ok(turns > 4, `${turns} turns: they talked`);
    assert.ok(ofOne.wrote <= 10 && ofTwo.wrote <= 10, `${ofOne.wrote} and ${ofTwo.wrote} messages`);
    assert.ok([ofOne, ofTwo].some((at) => at.handler === "person" && at.reason === "loop"));
  });

test("a bot that hears an account of its own installation gives the talk to a person at once", async () => {
  const shop = await stand.open("TELEGRAM");
  await makeLiveBot(stand.t.app, shop.workspaceId, TALKER("Rose"));
  const [own] = await stand.t.app.db.query<{ id: string }>(sql`
    select external_id as id from channel where workspace_id = ${shop.workspaceId}`);
  const from = own?.id ?? "";
  await shop.say({ from, name: "Rose", text: "Hello, I have a question" });
  await stand.settle();
  const { wrote, handler, reason } = await standing(shop);
  // One text says that a person answers.
  assert.deepEqual([wrote, handler, reason], [1, "person", "loop"]);
});
