import type { SandboxType } from "../wire/words.ts";

/** What a visitor of the demo's web chat writes. */
export const WEB_TALK = {
  from: "dana-7101",
  name: "Dana Al Sabah",
  texts: ["Hello! Can I pick my order up in the shop?", "And until when are you open today?"],
  reply: "Of course: any shop of ours, today until 22:00.",
} as const;

/** What customers of the demo write on the channels beside WhatsApp. None of their addresses triggers a fault. */
export const CHANNEL_TALKS: readonly {
  readonly type: SandboxType;
  readonly from: string;
  readonly name: string;
  readonly texts: readonly string[];
  readonly reply?: string;
}[] = [
  {
    type: "MESSENGER",
    from: "24000000007101",
    name: "Hannah Weber",
    texts: ["Hello, do you ship to Bahrain?", "And how long does it take?"],
    reply: "Yes, we do: three to five days.",
  },
  {
    type: "MESSENGER",
    from: "24000000007102",
    name: "بدر المطوع",
    texts: ["هل المحل مفتوح يوم الجمعة؟"],
  },
  {
    type: "INSTAGRAM",
    from: "17840000007101",
    name: "دلال الفهد",
    texts: ["السلام عليكم", "كم سعر الفستان الأخضر؟"],
    reply: "وعليكم السلام، سعره 24 دينارًا.",
  },
  {
    type: "INSTAGRAM",
    from: "17840000007102",
    name: "Chloe Martin",
    texts: ["Love this colour! Any size M left?"],
  },
  {
    type: "TELEGRAM",
    from: "700007101",
    name: "Omar Haddad",
    texts: ["/start", "Where is order A-52?"],
    reply: "It left our store this morning.",
  },
  { type: "TELEGRAM", from: "700007102", name: "ليلى حسن", texts: ["أريد تغيير موعد التوصيل"] },
  {
    type: "TIKTOK",
    from: "user-maya-7101",
    name: "maya.styles",
    texts: ["Saw your video, is the bag still available?"],
    reply: "It is, in black and in sand.",
  },
  { type: "TIKTOK", from: "user-noura-7102", name: "نورة", texts: ["متى ينزل المنتج الجديد؟"] },
  { type: "SMS", from: "96551001037", name: "SMS", texts: ["Thank you"] },
];
