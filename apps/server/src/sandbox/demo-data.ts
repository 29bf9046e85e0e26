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

/**
 * The phone of a demo contact. Its last four digits never begin with 0, because such endings have a meaning in the
 * emulator.
 */
export function demoPhone(index: number): string {
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
] as const;

export interface DemoTalk {
  /** The contact, by its place in `demoContacts`. */
  readonly contact: number;
  /** What the customer wrote, and how many minutes before now. */
  readonly inbound: readonly (readonly [minutesAgo: number, text: string])[];
  readonly reply?: string;
}

/** The conversations, all with an open reply window. The first has no reply yet: the printed `curl` replies to it. */
export const DEMO_TALKS: readonly DemoTalk[] = [
  { contact: 0, inbound: [[6, "Hi! Is the blue jacket back in stock?"]] },
  {
    contact: 1,
    inbound: [[14, "السلام عليكم، متى يصل طلبي؟"]],
    reply: "وعليكم السلام، يصلك غدًا صباحًا بإذن الله.",
  },
  {
    contact: 2,
    inbound: [[31, "Can I change my delivery address?"]],
    reply: "Of course. Which address should it go to?",
  },
  {
    contact: 3,
    inbound: [
      [55, "هل عندكم توصيل إلى الجهراء؟"],
      [54, "وكم السعر؟"],
    ],
    reply: "نعم، التوصيل مجاني فوق 10 دنانير.",
  },
  {
    contact: 4,
    inbound: [[80, "The size is too small, how do I return it?"]],
    reply: "Use the label in the box, the courier picks it up.",
  },
  { contact: 5, inbound: [[125, "شكرًا، وصل الطلب 🌹"]] },
  {
    contact: 6,
    inbound: [[190, "Do you have a shop in Doha?"]],
    reply: "Yes, in Villaggio Mall, open from 10 to 22.",
  },
  { contact: 7, inbound: [[260, "أبغى فاتورة بالطلب A-31 لو سمحت"]] },
  { contact: 8, inbound: [[320, "Is the discount valid for gift cards?"]] },
  { contact: 9, inbound: [[400, "متى ينتهي العرض؟"]], reply: "ينتهي العرض مساء الخميس." },
  { contact: 10, inbound: [[610, "My parcel arrived damaged 😕"]] },
  {
    contact: 11,
    inbound: [[900, "هل يمكن الدفع عند الاستلام؟"]],
    reply: "نعم، الدفع عند الاستلام متاح.",
  },
];
