import type { ContactInput } from "../contacts/record/contact.ts";

const EN_FIRST =
  "Adam Anna Carlos Chloe Daniel Elena Emma Grace Hugo Isla Jack Julia Leo Lina Lucas Maya Nina Oliver Rosa Sam".split(
    " ",
  );
const EN_LAST = "Becker Clarke Diaz Evans Fischer Garcia Hughes Ivanova Jones Khan".split(" ");
const AR_FIRST =
  "سارة محمد نورة أحمد فاطمة خالد مريم يوسف هند عبدالله ليلى عمر ريم علي دانة فهد شيخة حمد لولوة سالم".split(
    " ",
  );
const AR_LAST =
  "الصباح العتيبي المطيري الكندري العنزي الشمري الهاجري الرشيدي العجمي القحطاني".split(" ");
const CITIES = ["Kuwait City", "Riyadh", "Dubai", "Doha", "Manama"];
const TAGS = [["vip"], ["newsletter"], ["new"], ["vip", "newsletter"], []];

/** The place of a customer whose number the platform cannot reach: the reply fails with 131026. */
export const UNREACHABLE = 200;

/**
 * The phone of a demo contact. Only the unreachable customer's has a meaning in the emulator: it begins with 999 and its
 * ending names the fault.
 */
export function demoPhone(index: number): string {
  if (index === UNREACHABLE) return "999563000026";
  return `9655${100 + index}${1000 + ((index * 37) % 9000)}`;
}

/** The demo's contacts, half with English and half with Arabic names. Always the same. */
export function demoContacts(count: number): ContactInput[] {
  return Array.from({ length: count }, (_, index) => {
    const arabic = index % 2 === 1;
    const at = Math.floor(index / 2);
    const pick = (list: readonly string[], by: number) => list[by % list.length] ?? "";
    const first = pick(arabic ? AR_FIRST : EN_FIRST, at);
    const last = pick(arabic ? AR_LAST : EN_LAST, at + Math.floor(at / 20));
    return {
      name: `${first} ${last}`,
      phone: demoPhone(index),
      ...(index % 3 === 0 ? { email: `customer${index + 1}@shop.example` } : {}),
      tags: TAGS[index % TAGS.length] ?? [],
      attributes: {
        city: pick(CITIES, index),
        language: arabic ? "ar" : "en",
        orders: (index * 7) % 12,
      },
    };
  });
}

const body = (text: string, example?: readonly string[]) => ({
  type: "BODY",
  text,
  ...(example ? { example: { body_text: [example] } } : {}),
});
const copyCode = (text: string) => ({
  type: "BUTTONS",
  buttons: [{ type: "OTP", otp_type: "COPY_CODE", text }],
});
const footer = (text: string) => ({ type: "FOOTER", text });

/** The templates that a new sandbox number has at its platform. */
export const SAMPLE_TEMPLATES = [
  {
    name: "order_update",
    language: "en_US",
    category: "UTILITY",
    components: [
      { type: "HEADER", format: "TEXT", text: "Your order" },
      body("Hello {{1}}, order {{2}} is on its way.", ["Sara", "A-17"]),
    ],
  },
  {
    name: "order_update",
    language: "ar",
    category: "UTILITY",
    components: [body("مرحبًا {{1}}، طلبك رقم {{2}} في الطريق إليك.", ["سارة", "A-17"])],
  },
  {
    name: "appointment_reminder",
    language: "ar",
    category: "UTILITY",
    components: [body("تذكير بموعدك يوم {{1}} الساعة {{2}}.", ["الأحد", "10:30"])],
  },
  {
    name: "season_offer",
    language: "en_US",
    category: "MARKETING",
    components: [
      body("{{1}}, this week everything is 20 % off.", ["Sara"]),
      footer("Reply STOP to opt out"),
    ],
  },
  {
    name: "season_offer",
    language: "ar",
    category: "MARKETING",
    components: [
      body("{{1}}، خصم 20٪ على كل شيء هذا الأسبوع.", ["سارة"]),
      footer("أرسل إيقاف لإلغاء الاشتراك"),
    ],
  },
  {
    name: "new_arrival",
    language: "en_US",
    category: "MARKETING",
    components: [
      { type: "HEADER", format: "IMAGE" },
      body("{{1}}, the new {{2}} is here.", ["Sara", "jacket"]),
      {
        type: "BUTTONS",
        buttons: [
          { type: "QUICK_REPLY", text: "Tell me more" },
          { type: "QUICK_REPLY", text: "Stop promotions" },
          { type: "URL", text: "See it", url: "https://shop.example/{{1}}" },
        ],
      },
    ],
  },
  {
    name: "coupon",
    language: "ar",
    category: "MARKETING",
    components: [
      { type: "HEADER", format: "VIDEO" },
      body("{{1}}، هذه هديتك: خصم 20٪.", ["سارة"]),
      { type: "BUTTONS", buttons: [{ type: "COPY_CODE", example: "SAVE20" }] },
    ],
  },
  {
    name: "invoice",
    language: "en_US",
    category: "UTILITY",
    components: [
      { type: "HEADER", format: "DOCUMENT" },
      body("Hello {{1}}, this is your invoice for order {{2}}.", ["Sara", "A-17"]),
    ],
  },
  {
    name: "sign_in_code",
    language: "en_US",
    category: "AUTHENTICATION",
    components: [body("*{{1}}* is your verification code.", ["123456"]), copyCode("Copy code")],
  },
  {
    name: "sign_in_code",
    language: "ar",
    category: "AUTHENTICATION",
    components: [body("*{{1}}* هو رمز التحقق الخاص بك.", ["123456"]), copyCode("نسخ الرمز")],
  },
] as const;

export interface DemoTalk {
  /** The contact, by its place in `demoContacts`. */
  readonly contact: number;
  /** What the customer wrote, and how many minutes before now. */
  readonly inbound: readonly (readonly [minutesAgo: number, text: string])[];
  readonly reply?: string;
  /** A note of the owner. */
  readonly note?: string;
  readonly labels?: readonly string[];
  /** Assigned to the owner, so that the first list is not empty. */
  readonly mine?: true;
  /** Not for a talk with a reply: its customer answers, and a customer's message opens the conversation again. */
  readonly state?: "snoozed" | "resolved";
}

/**
 * The conversations, all with an open reply window. The first has no reply yet: the printed `curl` replies to it. The
 * last ones show a window that closes soon and a reply that fails.
 */
export const DEMO_TALKS: readonly DemoTalk[] = [
  { contact: 0, inbound: [[6, "Hi! Is the blue jacket back in stock?"]], mine: true },
  {
    contact: 1,
    inbound: [[14, "السلام عليكم، متى يصل طلبي؟"]],
    reply: "وعليكم السلام، يصلك غدًا صباحًا بإذن الله.",
    labels: ["delivery"],
    mine: true,
  },
  {
    contact: 2,
    inbound: [[31, "Can I change my delivery address?"]],
    reply: "Of course. Which address should it go to?",
    labels: ["delivery"],
    mine: true,
  },
  {
    contact: 3,
    inbound: [
      [55, "هل عندكم توصيل إلى الجهراء؟"],
      [54, "وكم السعر؟"],
    ],
    reply: "نعم، التوصيل مجاني فوق 10 دنانير.",
    labels: ["delivery"],
  },
  {
    contact: 4,
    inbound: [[80, "The size is too small, how do I return it?"]],
    reply: "Use the label in the box, the courier picks it up.",
    labels: ["return"],
    note: "Second return this month. Offer an exchange before a refund.",
    mine: true,
  },
  { contact: 5, inbound: [[125, "شكرًا، وصل الطلب 🌹"]], mine: true, state: "resolved" },
  {
    contact: 6,
    inbound: [[190, "Do you have a shop in Doha?"]],
    reply: "Yes, in Villaggio Mall, open from 10 to 22.",
  },
  {
    contact: 7,
    inbound: [[260, "أبغى فاتورة بالطلب A-31 لو سمحت"]],
    labels: ["فاتورة"],
    note: "طلبت الفاتورة من المحاسبة، ستصل صباح الغد.",
    mine: true,
  },
  {
    contact: 8,
    inbound: [[320, "Is the discount valid for gift cards?"]],
    mine: true,
    state: "snoozed",
  },
  { contact: 9, inbound: [[400, "متى ينتهي العرض؟"]], reply: "ينتهي العرض مساء الخميس." },
  {
    contact: 10,
    inbound: [[610, "My parcel arrived damaged 😕"]],
    labels: ["return", "urgent"],
    note: "Ask for a photo, then send a new one. The courier pays.",
    mine: true,
  },
  {
    contact: 11,
    inbound: [[900, "هل يمكن الدفع عند الاستلام؟"]],
    reply: "نعم، الدفع عند الاستلام متاح.",
  },
  {
    contact: 12,
    inbound: [[1_230, "Could you keep the red bag for me until Saturday?"]],
    labels: ["urgent"],
    mine: true,
  },
  {
    contact: UNREACHABLE,
    inbound: [[150, "Please send me the size guide."]],
    reply: "Here it is: size M fits a chest of 96 to 101 cm.",
  },
];

/** The labels of those conversations, with their colors. */
export const DEMO_LABELS = [
  { name: "delivery", color: "#2563eb" },
  { name: "return", color: "#b45309" },
  { name: "urgent", color: "#dc2626" },
  { name: "فاتورة", color: "#0f766e" },
] as const;

/** Saved replies that the whole team has. */
export const DEMO_SAVED_REPLIES = [
  { shortcut: "hours", title: "Opening hours", text: "We are open every day from 10:00 to 22:00." },
  {
    shortcut: "return",
    title: "How to return",
    text: "Put the label from the box on the parcel. The courier picks it up within two days.",
  },
  { shortcut: "توصيل", title: "مدة التوصيل", text: "يصل الطلب خلال يوم إلى يومي عمل داخل الكويت." },
  { shortcut: "شكرا", title: "شكر", text: "شكرًا لتواصلك معنا، يسعدنا أن نخدمك دائمًا." },
] as const;
