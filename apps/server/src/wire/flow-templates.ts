import type { FlowStep } from "./flow.ts";

/** The flows that a new bot can begin with. Pure data in both languages: each works as it is. */

type Locale = "en" | "ar";
type Texts = Readonly<Record<Locale, string>>;

/** A step whose name is in both languages; a bot has it in the language of the member who makes it. */
type Named<Step> = Step extends FlowStep ? Omit<Step, "name"> & { readonly title: Texts } : never;

interface Template {
  readonly name: Texts;
  readonly entry: string;
  readonly steps: Readonly<Record<string, Named<FlowStep>>>;
}

const PERSON = {
  type: "hand_over",
  title: { en: "A person answers", ar: "يجيب موظف" },
  text: {
    en: "One moment, a colleague will answer you here.",
    ar: "لحظة من فضلك، سيجيبك أحد زملائنا هنا.",
  },
} as const;
const END = { type: "end", title: { en: "End", ar: "النهاية" } } as const;

export const FLOW_TEMPLATES = {
  order: {
    name: { en: "Order status", ar: "حالة الطلب" },
    entry: "greeting",
    steps: {
      greeting: {
        type: "choose",
        title: { en: "Greeting", ar: "الترحيب" },
        text: {
          en: "Hello {{first_name}}! How can we help you?",
          ar: "أهلاً {{first_name}}! كيف نساعدك؟",
        },
        choices: [
          { id: "order", label: { en: "Where is my order?", ar: "أين طلبي؟" }, next: "number" },
          { id: "other", label: { en: "Something else", ar: "أمر آخر" }, next: "person" },
        ],
        timeout: { minutes: 60 },
      },
      number: {
        type: "ask",
        title: { en: "Order number", ar: "رقم الطلب" },
        text: {
          en: "What is your order number? You find it in the confirmation we sent you.",
          ar: "ما رقم طلبك؟ تجده في رسالة التأكيد التي أرسلناها إليك.",
        },
        as: "number",
        into: "order_number",
        again: {
          en: "The number has digits only, for example 1042.",
          ar: "الرقم من أرقام فقط، مثل 1042.",
        },
        next: "mark",
        retries: 2,
        otherwise: "person",
        timeout: { minutes: 60 },
      },
      mark: {
        type: "label",
        title: { en: "Label the conversation", ar: "تصنيف المحادثة" },
        add: ["order-status"],
        next: "colleague",
      },
      colleague: {
        type: "hand_over",
        title: { en: "A colleague looks it up", ar: "يبحث أحد الزملاء" },
        text: {
          en: "Thank you. We look up order {{order_number}} and answer you here.",
          ar: "شكراً لك. سنبحث عن الطلب {{order_number}} ونجيبك هنا.",
        },
        summary: "{{order_number}}",
      },
      person: PERSON,
    },
  },
  hours: {
    name: { en: "Opening hours", ar: "أوقات العمل" },
    entry: "open",
    steps: {
      open: {
        type: "branch",
        title: { en: "Are we open?", ar: "هل نحن مفتوحون؟" },
        cases: [{ if: { hours: "open" }, next: "yes" }],
        next: "no",
      },
      yes: {
        type: "send",
        title: { en: "We are open", ar: "نحن مفتوحون" },
        text: {
          en: "Hello {{first_name}}! We are open now.",
          ar: "أهلاً {{first_name}}! نحن مفتوحون الآن.",
        },
        next: "more",
      },
      no: {
        type: "send",
        title: { en: "We are closed", ar: "نحن مغلقون" },
        text: {
          en: "Hello {{first_name}}! We are closed now. We open again: {{next_opening}}.",
          ar: "أهلاً {{first_name}}! نحن مغلقون الآن، ونفتح من جديد: {{next_opening}}.",
        },
        next: "more",
      },
      more: {
        type: "choose",
        title: { en: "Anything else?", ar: "هل من أمر آخر؟" },
        text: {
          en: "Can we do anything else for you?",
          ar: "هل نستطيع مساعدتك في أمر آخر؟",
        },
        choices: [
          {
            id: "person",
            label: { en: "Talk to a person", ar: "التحدث إلى موظف" },
            next: "person",
          },
          { id: "thanks", label: { en: "No, thank you", ar: "لا، شكراً" }, next: "end" },
        ],
        timeout: { minutes: 60 },
      },
      person: PERSON,
      end: END,
    },
  },
  returns: {
    name: { en: "Returns", ar: "الإرجاع" },
    entry: "rules",
    steps: {
      rules: {
        type: "choose",
        title: { en: "How returns work", ar: "كيف يتم الإرجاع" },
        text: {
          en: "You can return goods within 14 days, unused and in their packing. Would you like to return something?",
          ar: "يمكنك إرجاع البضاعة خلال 14 يوماً غير مستعملة وفي غلافها. هل تريد إرجاع شيء؟",
        },
        choices: [
          { id: "yes", label: { en: "Yes, a return", ar: "نعم، أريد الإرجاع" }, next: "number" },
          { id: "person", label: { en: "I have a question", ar: "لدي سؤال" }, next: "person" },
          { id: "no", label: { en: "No, thank you", ar: "لا، شكراً" }, next: "end" },
        ],
        timeout: { minutes: 60 },
      },
      number: {
        type: "ask",
        title: { en: "Order number", ar: "رقم الطلب" },
        text: { en: "What is your order number?", ar: "ما رقم طلبك؟" },
        as: "number",
        into: "order_number",
        next: "reason",
        otherwise: "person",
        timeout: { minutes: 60 },
      },
      reason: {
        type: "ask",
        title: { en: "Reason", ar: "السبب" },
        text: {
          en: "What would you like to return, and why?",
          ar: "ماذا تريد أن ترجع، ولماذا؟",
        },
        into: "reason",
        next: "check",
        timeout: { minutes: 60 },
      },
      check: {
        type: "confirm",
        title: { en: "Is that right?", ar: "هل هذا صحيح؟" },
        text: {
          en: "Order {{order_number}}: {{reason}}\nIs that right?",
          ar: "الطلب {{order_number}}: {{reason}}\nهل هذا صحيح؟",
        },
        next: "mark",
        refused: "number",
        timeout: { minutes: 60 },
      },
      mark: {
        type: "label",
        title: { en: "Label the conversation", ar: "تصنيف المحادثة" },
        add: ["return"],
        next: "colleague",
      },
      colleague: {
        type: "hand_over",
        title: { en: "A colleague arranges it", ar: "يرتّبه أحد الزملاء" },
        text: {
          en: "Thank you. A colleague arranges the return and answers you here.",
          ar: "شكراً لك. سيرتّب أحد زملائنا الإرجاع ويجيبك هنا.",
        },
        summary: "{{order_number}}: {{reason}}",
      },
      person: PERSON,
      end: END,
    },
  },
  lead: {
    name: { en: "Lead form", ar: "استمارة اهتمام" },
    entry: "hello",
    steps: {
      hello: {
        type: "send",
        title: { en: "Greeting", ar: "الترحيب" },
        text: {
          en: "Hello! Three short questions, then a colleague will write to you.",
          ar: "أهلاً بك! ثلاثة أسئلة قصيرة، ثم يكتب إليك أحد زملائنا.",
        },
        next: "name",
      },
      name: {
        type: "ask",
        title: { en: "Name", ar: "الاسم" },
        text: { en: "What is your name?", ar: "ما اسمك؟" },
        into: "name",
        next: "email",
        timeout: { minutes: 1_440 },
      },
      email: {
        type: "ask",
        title: { en: "E-mail", ar: "البريد الإلكتروني" },
        text: {
          en: "What is your e-mail address, {{name}}?",
          ar: "ما بريدك الإلكتروني يا {{name}}؟",
        },
        as: "email",
        into: "email",
        again: {
          en: "That is no e-mail address. It looks like name@example.com.",
          ar: "ليس هذا عنوان بريد. يشبه العنوان name@example.com.",
        },
        next: "request",
        otherwise: "person",
        timeout: { minutes: 1_440 },
      },
      request: {
        type: "ask",
        title: { en: "Request", ar: "الطلب" },
        text: { en: "What are you looking for?", ar: "عمّ تبحث؟" },
        into: "request",
        next: "mark",
        timeout: { minutes: 1_440 },
      },
      mark: {
        type: "tag",
        title: { en: "Tag the contact", ar: "وسم جهة الاتصال" },
        add: ["lead"],
        next: "colleague",
      },
      colleague: {
        type: "hand_over",
        title: { en: "A colleague writes", ar: "يكتب أحد الزملاء" },
        text: {
          en: "Thank you, {{name}}. A colleague will write to you here.",
          ar: "شكراً يا {{name}}. سيكتب إليك أحد زملائنا هنا.",
        },
        summary: "{{name}}, {{email}}: {{request}}",
      },
      person: PERSON,
    },
  },
} as const satisfies Readonly<Record<string, Template>>;

export type FlowTemplateName = keyof typeof FLOW_TEMPLATES;

/** The document of a new flow made of a template; `locale` is the language of the steps' names. */
export function flowFrom(
  template: FlowTemplateName,
  locale: Locale,
  name: string,
): Readonly<Record<string, unknown>> {
  const { entry, steps }: Template = FLOW_TEMPLATES[template];
  const named = Object.entries(steps).map(([id, { title, ...step }]) => [
    id,
    { ...step, name: title[locale] },
  ]);
  return { format: 1, kind: "flow", name, entry, steps: Object.fromEntries(named) };
}
