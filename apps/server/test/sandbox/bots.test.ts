import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OPERATOR } from "../../src/actor.ts";
import { makeLiveBot } from "../../src/bots/bot.fixture.ts";
import { sql } from "../../src/db/sql.ts";
import { addSnippet } from "../../src/knowledge/write-snippet.ts";
import { addSandboxWeb } from "../../src/sandbox/add-sandbox-channel.ts";
import { sayAsVisitor } from "../../src/sandbox/say-as-visitor.ts";
import { aiDocumentExample } from "../../src/wire/bot.ts";
import { startSandboxStand, type SandboxStand } from "../sandbox-stand.ts";

// A bot answers on every channel that customers can write to, in the language of each customer.

let stand: SandboxStand;
before(async () => {
  stand = await startSandboxStand();
});
after(() => stand[Symbol.asyncDispose]());

/** A customer of each language on each channel. */
const CUSTOMERS = {
  WHATSAPP: { en: "96550000001", ar: "96550000002" },
  MESSENGER: { en: "10000000001", ar: "10000000002" },
  INSTAGRAM: { en: "10000000003", ar: "10000000004" },
  TELEGRAM: { en: "700000001", ar: "700000002" },
  TIKTOK: { en: "customer-1", ar: "customer-2" },
  WEB: { en: "visitor-1", ar: "visitor-2" },
} as const;
type ChatType = keyof typeof CUSTOMERS;
type Lang = "en" | "ar";

const LANGS: readonly Lang[] = ["en", "ar"];
type Both<T> = Readonly<Record<Lang, T>>;

/** A shop on one channel. `say`: a customer of each language writes, and then both are quiet; gives what each got for it. */
async function open(type: ChatType) {
  const shop = await stand.open(type === "WEB" ? "SMS" : type);
  const { workspaceId } = shop;
  const { app, clock } = stand.t;
  const web = type === "WEB" ? await addSandboxWeb(OPERATOR, app, workspaceId) : null;
  /** What the customer's own screen shows of us. */
  const shown = async (from: string, conversationId: string | null): Promise<string[]> => {
    if (!web)
      return shop.line
        .thread({ customer: from, limit: 100 })
        .flatMap((one) =>
          one.kind === "message" && one.by === "business" ? [one.text ?? ""] : [],
        );
    const rows = await app.db.query<{ text: string }>(sql`
      select text from message where workspace_id = ${workspaceId} and conversation_id = ${conversationId}
        and direction = 'outbound' and status <> 'failed' order by id`);
    return rows.map(({ text }) => text);
  };
  const seen = { en: 0, ar: 0 };
  const say = async (texts: Both<string>): Promise<Both<readonly string[]>> => {
    clock.advance(5_000);
    const threads = { en: "", ar: "" };
    for (const lang of LANGS) {
      const from = CUSTOMERS[type][lang];
      const said = { from, name: "Sara", text: texts[lang] };
      const { conversationId } = await (web ? sayAsVisitor(app, web.id, said) : shop.say(said));
      threads[lang] = conversationId ?? "";
    }
    await app.drain();
    clock.advance(3_000);
    await stand.settle();
    const got = { en: [] as string[], ar: [] as string[] };
    for (const lang of LANGS) {
      const all = await shown(CUSTOMERS[type][lang], threads[lang]);
      got[lang] = all.slice(seen[lang]);
      seen[lang] = all.length;
    }
    return got;
  };
  return { workspaceId, say };
}

const TEXTS = {
  en: "We deliver parcels in Kuwait within two days.",
  ar: "نوصل الطرود داخل الكويت خلال يومين.",
} as const satisfies Record<Lang, string>;
const QUESTIONS = {
  en: "How fast do you deliver parcels in Kuwait?",
  ar: "خلال كم يوم توصلون الطرود داخل الكويت؟",
} as const satisfies Record<Lang, string>;

const FLOW = {
  format: 1,
  kind: "flow",
  name: "Shop",
  entry: "what",
  steps: {
    what: {
      type: "choose",
      text: { en: "What is it?", ar: "ما الأمر؟" },
      choices: [
        { id: "order", label: { en: "My order", ar: "طلبي" }, next: "order" },
        { id: "hours", label: { en: "Hours", ar: "المواعيد" }, next: "hours" },
      ],
    },
    order: { type: "send", text: { en: "It is on its way.", ar: "إنه في الطريق." }, next: "end" },
    hours: {
      type: "send",
      text: { en: "From nine to five.", ar: "من التاسعة إلى الخامسة." },
      next: "end",
    },
    end: { type: "end" },
  },
};

for (const type of Object.keys(CUSTOMERS) as ChatType[]) {
  test(`${type}: an AI bot answers customers of both languages from its source, without an account at a provider`, async () => {
    const { workspaceId, say } = await open(type);
    await makeLiveBot(stand.t.app, workspaceId, aiDocumentExample);
    const source = { title: "Delivery", externalId: "delivery", texts: TEXTS };
    await addSnippet(OPERATOR, stand.t.app, workspaceId, source);
    const answer = (lang: Lang) => [`${aiDocumentExample.disclosure?.[lang]}\n\n${TEXTS[lang]}`];
    assert.deepEqual(await say(QUESTIONS), { en: answer("en"), ar: answer("ar") });
  });

  test(`${type}: a flow asks and answers customers of both languages`, async () => {
    const { workspaceId, say } = await open(type);
    await makeLiveBot(stand.t.app, workspaceId, FLOW);
    const asked = await say({ en: "Hello", ar: "مرحبا" });
    assert.deepEqual([asked.en.length, asked.ar.length], [1, 1]);
    assert.match(asked.en[0] ?? "", /^What is it\?/);
    assert.match(asked.ar[0] ?? "", /^ما الأمر؟/);
    // One chooses by number, the other one by its words.
    assert.deepEqual(await say({ en: "2", ar: "طلبي" }), {
      en: ["From nine to five."],
      ar: ["إنه في الطريق."],
    });
  });
}
