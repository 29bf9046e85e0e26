import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Choice } from "../../src/channels/choices.ts";
import { sql } from "../../src/db/sql.ts";
import { acceptMessage } from "../../src/messages/accept/accept-message.ts";
import { pressOf } from "../../src/messages/record/choices.ts";
import type { AttachmentJson } from "../../src/wire/attachment.ts";
import { startSandboxStand, type SandboxShop, type SandboxStand } from "../sandbox-stand.ts";

let stand: SandboxStand;
before(async () => {
  stand = await startSandboxStand();
});
after(() => stand[Symbol.asyncDispose]());

const BOT = { kind: "bot", botId: "01a3b0e2-7c00-7000-8000-0123456789ab" } as const;
const TEXT = "هل تريد المتابعة؟";
const CHOICES: readonly Choice[] = [
  { text: "نعم", payload: "ask/yes" },
  { text: "No", payload: "ask/no" },
];

interface Shown {
  readonly id: string;
  readonly by: string;
  readonly text: string;
  readonly buttons?: readonly string[];
}

/** Offers choices to the customer, and gives what the phone then shows. */
async function offered(
  shop: SandboxShop,
  choices: readonly Choice[],
): Promise<{ readonly customer: string; readonly conversationId: string; readonly shown: Shown }> {
  const { from: customer, conversationId } = await shop.say({ text: "hello" });
  assert.ok(conversationId);
  const reply = { conversationId, text: TEXT, choices };
  const { id } = await acceptMessage(BOT, stand.t.app, shop.workspaceId, reply);
  await stand.settle();
  assert.notEqual((await shop.stored(id)).status, "failed");
  const entries = shop.line
    .thread({ customer, limit: 100 })
    .flatMap((one) => (one.kind === "message" && one.by === "business" ? [one] : []));
  const last = entries.at(-1);
  assert.ok(last?.text);
  const { messageId, by, text, buttons = [] } = last;
  return { customer, conversationId, shown: { id: messageId, by, text, buttons } };
}

/** The newest message of the customer. */
async function said(conversationId: string) {
  const [row] = await stand.t.app.db.query<{ text: string; attachments: AttachmentJson[] }>(sql`
    select text, attachments from message where conversation_id = ${conversationId} and direction = 'inbound'
    order by id desc limit 1`);
  assert.ok(row);
  return row;
}

for (const type of ["WHATSAPP", "MESSENGER", "INSTAGRAM", "TELEGRAM"] as const)
  test(`${type}: choices are buttons, and a press is a message with its payload`, async () => {
    const shop = await stand.open(type);
    const { customer, conversationId, shown } = await offered(shop, CHOICES);
    assert.deepEqual([shown.text, shown.buttons], [TEXT, ["نعم", "No"]]);
    shop.line.act(customer, { action: "press", messageId: shown.id, title: "نعم", data: "نعم" });
    await stand.settle();
    const { text, attachments } = await said(conversationId);
    assert.deepEqual([text, pressOf(attachments)], ["نعم", "ask/yes"]);
  });

test("TIKTOK: choices are numbered lines, as are those that other channels cannot show", async () => {
  const numbered = `${TEXT}\n\n1. نعم\n2. No`;
  const { shown } = await offered(await stand.open("TIKTOK"), CHOICES);
  assert.deepEqual([shown.text, shown.buttons], [numbered, []]);
  const long = CHOICES.map((one) => ({ ...one, text: `${one.text} ${"x".repeat(30)}` }));
  const other = await offered(await stand.open("WHATSAPP"), long);
  assert.deepEqual([other.shown.text.split("\n").length, other.shown.buttons], [4, []]);
});

test("choices that no channel could return are refused, and the API shows what was offered", async () => {
  const shop = await stand.open("WHATSAPP");
  const { conversationId } = await offered(shop, CHOICES);
  const page = await shop.api("GET", `/conversations/${conversationId}/messages`);
  assert.match(JSON.stringify(page.body), /"type":"choices","buttons":\[\{"text":"نعم"/);
  for (const choices of [
    [],
    [{ text: " ", payload: "x" }],
    [{ text: "x", payload: "ب".repeat(40) }],
  ])
    await assert.rejects(
      acceptMessage(BOT, stand.t.app, shop.workspaceId, { conversationId, text: TEXT, choices }),
      /choices/,
    );
});
