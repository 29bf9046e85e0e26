import { DEMO } from "../actor.ts";
import { createBot } from "../bots/record/bots.ts";
import { publishBot } from "../bots/record/publish-bot.ts";
import type { Context } from "../context.ts";
import { addSnippet } from "../knowledge/write-snippet.ts";

/** What the demo's shop knows, with the questions that customers ask. */
const KNOWLEDGE = [
  {
    title: "Opening hours",
    texts: {
      en: "The shop is open from Saturday to Thursday, 9:00 to 21:00. On Friday it is open from 14:00 to 21:00.",
      ar: "المتجر مفتوح من السبت إلى الخميس من 9:00 إلى 21:00، ويوم الجمعة من 14:00 إلى 21:00.",
    },
    askedAs: ["When do you open?", "Are you open on Friday?", "متى تفتحون؟", "هل تفتحون الجمعة؟"],
  },
  {
    title: "Delivery",
    texts: {
      en: "We deliver in Kuwait within two days. Delivery costs 2 KWD. Orders above 20 KWD are delivered free of charge.",
      ar: "نوصل داخل الكويت خلال يومين. تكلفة التوصيل 2 د.ك. الطلبات فوق 20 د.ك توصل مجاناً.",
    },
    askedAs: [
      "How much is delivery?",
      "How long does delivery take?",
      "كم سعر التوصيل؟",
      "متى يوصل طلبي؟",
    ],
  },
  {
    title: "Returns",
    texts: {
      en: "You can return an unused item within 14 days with its receipt. Food and opened cosmetics cannot be returned.",
      ar: "يمكنك إرجاع القطعة غير المستعملة خلال 14 يوماً مع الإيصال. لا ترجع الأطعمة ومستحضرات التجميل المفتوحة.",
    },
    askedAs: ["Can I return it?", "How do returns work?", "كيف أرجع المنتج؟", "أبي أرجع طلبي"],
  },
  {
    title: "Payment",
    texts: {
      en: "You can pay by KNET, by credit card, or in cash when the order arrives.",
      ar: "يمكنك الدفع بكي نت أو ببطاقة ائتمان أو نقداً عند الاستلام.",
    },
    askedAs: ["How can I pay?", "Can I pay cash?", "كيف أدفع؟", "هل يوجد دفع عند الاستلام؟"],
  },
  {
    title: "Gift wrapping",
    texts: {
      en: "We wrap gifts for 1 KWD and add a card with your words.",
      ar: "نغلف الهدايا مقابل 1 د.ك ونضيف بطاقة بكلماتك.",
    },
    askedAs: ["Do you wrap gifts?", "هل عندكم تغليف هدايا؟"],
  },
] as const;

const BOT = {
  format: 1,
  kind: "ai",
  name: "Shop assistant",
  mode: "autopilot",
  // The other channels stay with people, so that a reply of the reader is the first.
  trigger: { channels: ["WEB"], when: "always" },
  scope: "Answers questions about opening hours, delivery, returns, payment and gifts of our shop.",
  tone: "friendly",
  disclosure: { en: "I am the shop's automatic assistant.", ar: "أنا مساعد المتجر الآلي." },
  handOver: {
    words: ["complaint", "شكوى"],
    text: { en: "A colleague will answer you here.", ar: "سيجيبك أحد زملائنا هنا." },
    outside: {
      en: "A colleague answers you from {opens}.",
      ar: "يجيبك أحد زملائنا ابتداءً من {opens}.",
    },
  },
} as const;

/** Gives the demo an assistant that answers visitors of the web chat from a little knowledge, by the emulated model. */
export async function makeDemoBot(context: Context, workspaceId: string): Promise<void> {
  for (const { askedAs, ...snippet } of KNOWLEDGE)
    await addSnippet(DEMO, context, workspaceId, { ...snippet, askedAs: [...askedAs] });
  const { answer: bot } = await createBot(DEMO, context, workspaceId, { document: BOT });
  await publishBot(DEMO, context, workspaceId, { id: bot.id });
}
