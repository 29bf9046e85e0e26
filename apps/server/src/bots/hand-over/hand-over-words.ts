import type { Check, CheckName } from "../guard/check-answer.ts";
import type { BotMessage } from "../thread/talk-store.ts";
import type { HandOverReason } from "../../wire/words.ts";

/** The languages that bots speak. */
export type BotLocale = "en" | "ar";

const REASONS: Readonly<Record<BotLocale, Readonly<Record<HandOverReason, string>>>> = {
  en: {
    asked: "The customer asked for a person.",
    no_source: "No source answers the question.",
    checks_failed: "An answer did not pass the checks and was not sent.",
    model_unavailable: "The bot's model or program gave no valid answer.",
    model_refused: "The model refused to answer.",
    limit_reached: "A limit was reached, or the channel takes no reply now.",
    cost_cap: "The limit of cost was reached.",
    loop: "The talk went in a circle.",
    stuck: "The bot did not go on.",
    archived: "The bot was archived.",
    flow: "The flow handed over.",
    outside_scope: "The question is not the bot's to answer.",
  },
  ar: {
    asked: "طلب العميل التحدث إلى شخص.",
    no_source: "لا يوجد مصدر يجيب عن السؤال.",
    checks_failed: "لم تجتز إحدى الإجابات الفحوص فلم تُرسل.",
    model_unavailable: "لم يقدّم نموذج الروبوت أو برنامجه إجابة صالحة.",
    model_refused: "رفض النموذج الإجابة.",
    limit_reached: "بلغ عدد الردود حدّه، أو القناة لا تقبل ردًا الآن.",
    cost_cap: "بلغت التكلفة حدّها.",
    loop: "دارت المحادثة في حلقة.",
    stuck: "لم يتابع الروبوت عمله.",
    archived: "أُرشف الروبوت.",
    flow: "حوّل المسار المحادثة.",
    outside_scope: "السؤال خارج ما يجيب عنه الروبوت.",
  },
};

const WITHHELD: Readonly<Record<BotLocale, string>> = {
  en: "The bot did not send this, because it failed: {checks}.",
  ar: "لم يرسل الروبوت هذا الرد لأنه لم يجتز: {checks}.",
};

const CHECKS: Readonly<Record<BotLocale, Readonly<Record<CheckName, string>>>> = {
  en: {
    plain: "plain text",
    language: "the customer’s language",
    sources: "sources",
    facts: "figures and names",
    promises: "promises",
    grounded: "rests on its sources",
    rules: "keeps its rules to itself",
  },
  ar: {
    plain: "النص العادي",
    language: "لغة العميل",
    sources: "المصادر",
    facts: "الأرقام والأسماء",
    promises: "الوعود",
    grounded: "الاستناد إلى المصادر",
    rules: "كتمان القواعد",
  },
};

/** Why an answer was not sent: the checks that it failed, each with its fault. */
export function describeWithheld(locale: BotLocale, checks: readonly Check[]): string {
  const named = checks
    .filter(({ ok }) => !ok)
    .map(({ name, detail }) => `${CHECKS[locale][name]}${detail === "" ? "" : ` (${detail})`}`);
  return WITHHELD[locale].replaceAll("{checks}", named.join("; ")).slice(0, 1_000);
}

/** What the customer reads when the bot's document says nothing. */
const WAIT: Readonly<Record<BotLocale, string>> = {
  en: "A colleague will answer you here.",
  ar: "سيجيبك أحد زملائنا هنا.",
};

/** The same outside business hours; `{opens}` is when the workspace opens. */
const WAIT_UNTIL: Readonly<Record<BotLocale, string>> = {
  en: "We are closed now. A colleague will answer you here from {opens}.",
  ar: "نحن خارج أوقات العمل الآن. سيجيبك أحد زملائنا هنا ابتداءً من {opens}.",
};

const ARABIC = /\p{Script=Arabic}/u;
/** Fewer words than these in Latin letters say little: people who write Arabic write "OK" and names of products too. */
const TELLING_WORDS = 3;

/**
 * The language in which the customer writes: that of the newest message with Arabic letters or three words; without one
 * `otherwise`, the contact's language where it is known. Pure.
 */
export function localeOf(
  messages: readonly Pick<BotMessage, "from" | "text">[],
  otherwise: BotLocale = "en",
): BotLocale {
  const texts = messages.flatMap(({ from, text }) => (from === "customer" && text ? text : []));
  const telling = texts.findLast(
    (text) => ARABIC.test(text) || (text.match(/\p{L}+/gu)?.length ?? 0) >= TELLING_WORDS,
  );
  if (telling === undefined) return otherwise;
  return ARABIC.test(telling) ? "ar" : "en";
}

/** The text of a document in a language; in the other one where it has none. */
export function textIn(texts: unknown, locale: BotLocale): string | null {
  if (typeof texts !== "object" || texts === null) return null;
  const given = new Map<string, unknown>(Object.entries(texts));
  for (const one of [locale, locale === "en" ? "ar" : "en"]) {
    const text = given.get(one);
    if (typeof text === "string" && text.trim() !== "") return text.trim();
  }
  return null;
}

/** When a closed workspace opens; null: not within 400 days. */
export interface Closed {
  readonly zone: string;
  readonly opensAt: number | null;
}

/**
 * What the customer is sent: what the document says for this time, else a sentence of ours. `closed`: the workspace is
 * closed now; `{opens}` in the text is then the day and hour of the next opening.
 */
export function customerText(handOver: unknown, locale: BotLocale, closed: Closed | null): string {
  const given = new Map<string, unknown>(
    typeof handOver === "object" && handOver !== null ? Object.entries(handOver) : [],
  );
  const own = textIn(given.get("text"), locale);
  if (!closed) return own ?? WAIT[locale];
  const outside = textIn(given.get("outside"), locale);
  if (closed.opensAt === null) return own ?? WAIT[locale];
  const words = outside ?? WAIT_UNTIL[locale];
  return words.replaceAll("{opens}", openingIn(locale, closed.zone, closed.opensAt));
}

/** "Monday 09:00", in the language and the workspace's zone. */
export function openingIn(locale: BotLocale, timeZone: string, at: number): string {
  const options = { timeZone, weekday: "long", hour: "2-digit", minute: "2-digit" } as const;
  return new Intl.DateTimeFormat(locale === "ar" ? "ar-u-nu-latn" : "en-GB", {
    ...options,
    hourCycle: "h23",
  }).format(at);
}

const LONGEST_NOTE = 4_000;

/** The note that members read: why, what the talk was about, what was collected. */
export function describeHandOver(
  locale: BotLocale,
  {
    reason,
    summary,
    collected,
  }: {
    readonly reason: HandOverReason;
    readonly summary: string | null;
    readonly collected: Readonly<Record<string, unknown>>;
  },
): string {
  const values = Object.entries(collected).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const lines = [REASONS[locale][reason], ...(summary ? [summary] : []), ...values];
  return Array.from(lines.join("\n")).slice(0, LONGEST_NOTE).join("").replaceAll("\0", "");
}
