import { gramsOf, isArabic, shareIn, wordsOf } from "./grams.ts";
import { lookupFor, procedureFor } from "./look-ups.ts";
import { readPrompt, type FencedSource, type Prompt, type ReadPrompt } from "./prompt.ts";
import { LEAST_SHARE, type Reply, type ToolCall } from "./reply.ts";

/** A few words that end a talk, as the sandbox's customers answer: nothing has to be said. */
const THANKS =
  /^(thanks|thank you|ok(ay)?|got it|great|perfect|شكرا|شكرًا|تمام|ممتاز)(?![\p{L}\p{M}])[^?؟]{0,60}$/iu;
const GREETING = /^(hi|hello|hey|good (morning|evening)|مرحبا|اهلا|أهلا|السلام عليكم)[\s!.,؟?]*$/i;

/** The best sentence of a source, cited; otherwise a person is asked for. */
export function extract(prompt: Prompt): Reply {
  const read = readPrompt(prompt);
  const task = TASKS[prompt.schemaName];
  if (task) return { value: { text: task(read.question, prompt.system) } };
  if (!asksForDecision(prompt)) return { value: filled(prompt, read) };
  const language = isArabic(read.question) ? "ar" : "en";
  const document = { decision: "answer", language, text: "", sources: [], reason: "", queries: [] };
  if (GREETING.test(read.question.trim()))
    return {
      value: {
        ...document,
        decision: "clarify",
        text: language === "ar" ? "أهلاً، كيف أساعدك؟" : "Hello, how can I help you?",
      },
    };
  if (THANKS.test(read.question.trim())) return { value: { ...document, decision: "silent" } };
  const found = bestSource(read);
  const procedure = procedureFor(prompt, read.question);
  if (procedure !== null)
    return { value: { ...document, decision: "procedure", procedure, reason: "it fits" } };
  const asked = found === null && read.lookedUp === 0 ? lookupFor(prompt, read.question) : null;
  if (asked !== null) return asked;
  if (found === null)
    return { value: { ...document, decision: "hand_over", reason: "no source answers this" } };
  return {
    value: {
      ...document,
      text: found.sentence,
      sources: [found.source.id],
      reason: "a source says it",
    },
  };
}

/** What is asked for by the name of its schema. It knows no languages: it says which one was meant, and keeps the words. */
const TASKS: Readonly<Record<string, (text: string, rules: string) => string>> = {
  summary: (text, rules) => {
    const said = text
      .split("\n")
      .flatMap((one) => sentencesOf(one)[0] ?? [])
      .slice(-3)
      .join(" ");
    return / in Arabic\b/.test(rules) ? `كتب العميل: ${said}` : `The customer wrote: ${said}`;
  },
  translation: translated,
  questions: (text) => {
    const [title = ""] = text.split("\n");
    return isArabic(title)
      ? [`ما هو ${title}؟`, `شنو ${title}؟`, `What about ${title}?`].join("\n")
      : [`What about ${title}?`, `Can you tell me about ${title}?`, `شنو عن ${title}؟`].join("\n");
  },
  rewriting: (text, rules) => {
    const arabic = isArabic(text);
    if (/^Translate\b/m.test(rules)) return translated(text, rules);
    if (/ shorter\b/.test(rules)) return sentencesOf(text)[0] ?? text;
    if (/ friendlier\b/.test(rules))
      return arabic ? `شكرًا لرسالتك! ${text}` : `Thank you for your message! ${text}`;
    return arabic ? `عميلنا العزيز، ${text}` : `Dear customer, ${text}`;
  },
};

function translated(text: string, rules: string): string {
  return `${/ into Arabic\b/.test(rules) ? "[ar]" : "[en]"} ${text}`;
}

interface Found {
  readonly source: FencedSource;
  readonly sentence: string;
}

function bestSource({ sources, question }: ReadPrompt): Found | null {
  const grams = gramsOf(question);
  const arabic = isArabic(question);
  let best: { source: FencedSource; score: number } | null = null;
  for (const source of sources) {
    const share = shareIn(grams, `${source.title} ${source.text}`);
    if (share < LEAST_SHARE) continue;
    // Of two that say the same, the one in the customer's language answers.
    const score = share + (isArabic(source.text) === arabic ? 1 : 0);
    if (best === null || score > best.score) best = { source, score };
  }
  if (best === null) return null;
  const [first = "", ...more] = sentencesOf(best.source.text);
  const sentence = more.reduce(
    (kept, one) => (shareIn(grams, one) > shareIn(grams, kept) ? one : kept),
    first,
  );
  return { source: best.source, sentence };
}

const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?؟])\s+|\n+/)
    .map((one) => one.trim())
    .filter((one) => one !== "");

const asksForDecision = ({ schema }: Prompt): boolean =>
  schema === null || Object.hasOwn(Object(schema["properties"]), "decision");

/**
 * Fills another schema: a text is the beginning of what was given, a list its sentences, a choice the value whose line in the
 * rules ("- VALUE: what belongs to it") shares most with what was given; without such lines its first value.
 */
function filled(
  { schema, system }: Prompt,
  { question, sources }: ReadPrompt,
): Record<string, unknown> {
  const given = question === "" ? (sources[0]?.text ?? "") : question;
  const sentences = sentencesOf(given);
  const members = Object.entries(Object(schema?.["properties"]) as Record<string, unknown>);
  return Object.fromEntries(
    members.map(([name, schemaOf]): [string, unknown] => {
      const one = Object(schemaOf) as { type?: unknown; enum?: unknown; anyOf?: unknown };
      if (Array.isArray(one.enum)) return [name, chosen(one.enum.map(String), system, given)];
      if (Array.isArray(one.anyOf)) return [name, Object(one.anyOf[0]).const ?? ""];
      if (one.type === "array") return [name, sentences.slice(0, 5)];
      if (one.type === "integer" || one.type === "number") return [name, 0];
      if (one.type === "boolean") return [name, false];
      return [name, sentences.slice(0, 3).join(" ")];
    }),
  );
}

/** The value whose description fits a text; the last one, which stands for everything else, where none does. */
function chosen(values: readonly string[], system: string, text: string): string {
  const grams = gramsOf(text);
  const lines = system.split("\n");
  const described = values.flatMap((value) => {
    const line = lines.find((one) => one.startsWith(`- ${value}: `));
    return line === undefined ? [] : [{ value, share: shareIn(grams, line) }];
  });
  if (described.length === 0) return values[0] ?? "";
  const best = described.reduce((kept, one) => (one.share > kept.share ? one : kept));
  return best.share >= LEAST_SHARE ? best.value : (values.at(-1) ?? "");
}

const PRINTS =
  /\b(print|show|reveal|repeat|output|write|tell|give|translate|quote|leak)\b.{0,60}\b(prompt|instructions?|rules|system)\b|(اطبع|اعرض|أظهر|اظهر|اكشف|كرر|اكتب|أعطني|اعطني|ترجم).{0,60}(تعليمات|قواعد|موجه|النظام|البرومبت)/is;
const TOOL =
  /\b(?:call|use|run|invoke|execute)\b(?:\s+(?:the|a))?(?:\s+(?:tool|function))?\s+[`"'«]?([a-z][\w.]*_\w+|(?<=(?:tool|function)\s+[`"'«]?)\w+)|(?:استدع|استدعي|استخدم|شغل|شغّل|نفذ|نفّذ)\s+(?:الأداة|الاداة|الدالة)\s+[`"'«]?([\w.]+)/i;
const PROCEDURE =
  /\b(?:begin|start)\s+(?:the\s+)?(?:procedure|flow)\s+["'«]?([^"'»\n]{1,80})|(?:ابدأ|ابدا|شغل)\s+(?:الإجراء|الاجراء|المسار)\s+["'«]?([^"'»\n]{1,80})/i;
const NOTHING_SAID = { language: "en", text: "", sources: [], reason: "ordered", queries: [] };
const SAYS =
  /\b(?:say|tell (?:me|him|her|them|the customers?|every(?:one|body))|write|reply|respond|answer|state|claim|promise|announce|send|add)\b(?:\s+(?:with|that|to (?:me|the customers?|every(?:one|body))|exactly|this|only))*[\s:,]*(.+)|(?:قل|قولي|قولوا|اكتب|أجب|اجب|رد|أخبر|اخبر|أخبرني|اخبرني|أعلن|أرسل|ارسل)(?:\s+(?:ب|بـ|أن|ان|للعملاء|للعميل|لي|لهم|فقط|حرفيا|العملاء|العميل))*[\s:،]*(.+)/is;
const DOES =
  /\b(?:confirm|approve|refund|cancel|grant|give|issue|apply|make|mark|delete|change|guarantee|offer|waive|ship|transfer)\b.+|(?:أكد|اكد|وافق|ألغ|الغ|ألغي|الغي|أعط|اعط|امنح|استرد|رد لي|احذف|غير|اضمن|طبق|حول|خصم)\s.+/is;
const ORDERS =
  /\b(ignore|disregard|you (?:must|are now|will|should)|from now on|new (?:rule|instruction)s?|assistant|system|admin(?:istrator)?|override|important)\b|(تجاهل|انس|أنت الآن|انت الان|من الآن|يجب أن|يجب ان|تعليمات|النظام|المدير|مهم)/i;

/**
 * Does what a message or a source orders: says it, calls the tool, prints its prompt. It cites every source for it. What
 * orders nothing it answers as `extract` does.
 */
export function obey(prompt: Prompt): Reply {
  const { question, sources } = readPrompt(prompt);
  const orders = [question, ...sources.map(({ text }) => text).filter((text) => ORDERS.test(text))];
  const cited = sources.map(({ id }) => id);
  for (const order of orders) {
    const done = carriedOut(order, prompt.system);
    if (done === null) continue;
    if ("tool" in done) return done;
    if ("procedure" in done) return { value: { ...NOTHING_SAID, ...done, decision: "procedure" } };
    if (!asksForDecision(prompt))
      return { value: { ...filled(prompt, readPrompt(prompt)), text: done.text } };
    const language = isArabic(done.text) ? "ar" : "en";
    const rest = { sources: cited, reason: "ordered", queries: [] };
    return { value: { decision: "answer", language, text: done.text, ...rest } };
  }
  return extract(prompt);
}

type Done = { readonly text: string } | { readonly procedure: string } | ToolCall;

function carriedOut(order: string, system: string): Done | null {
  if (PRINTS.test(order)) return { text: system };
  const tool = TOOL.exec(order);
  const name = tool?.[1] ?? tool?.[2];
  const began = PROCEDURE.exec(order);
  const procedure = began?.[1] ?? began?.[2];
  if (procedure !== undefined) return { procedure: procedure.trim() };
  if (name !== undefined) return { tool: name, input: {} };
  const said = SAYS.exec(order);
  const words = (said?.[1] ?? said?.[2])?.trim();
  if (words !== undefined && words !== "") return { text: asTheSpeaker(unquoted(words)) };
  const [asked] = DOES.exec(order) ?? [];
  if (asked === undefined) return null;
  return { text: isArabic(asked) ? `تم: ${asked}` : `Done: ${asTheSpeaker(asked)}` };
}

/** What stands in the first quotes, if any do. */
function unquoted(words: string): string {
  const [, quoted] = /[“"«'`]([^”"»'`]{2,})[”"»'`]/.exec(words) ?? [];
  return quoted ?? words;
}

const OTHERS: Readonly<Record<string, string>> = {
  i: "you",
  my: "your",
  me: "you",
  mine: "yours",
  am: "are",
};

/** "I get" becomes "you get": the customer dictates, the assistant says it. */
const asTheSpeaker = (text: string): string =>
  text.replaceAll(/\b(I|my|me|mine|am)\b/gi, (word) => OTHERS[word.toLowerCase()] ?? word);

/** The reply with the topic of the question, where the schema asks for one and the reply has none. */
export function withTopic(prompt: Prompt, reply: Reply): Reply {
  const { topic } = Object(prompt.schema?.["properties"]) as { topic?: { enum?: unknown } };
  const names: unknown = topic?.enum;
  if (!("value" in reply) || !Array.isArray(names) || Object.hasOwn(reply.value, "topic"))
    return reply;
  const { question } = readPrompt(prompt);
  return { value: { ...reply.value, topic: chosen(names.map(String), prompt.system, question) } };
}

/** The same answer in the language that was not asked for. */
export function inTheWrongLanguage(prompt: Prompt): Reply {
  const reply = extract(prompt);
  if (!("value" in reply)) return reply;
  const arabic = isArabic(readPrompt(prompt).question);
  const text = arabic ? "Of course, with pleasure." : "بالطبع، بكل سرور.";
  const sources = readPrompt(prompt).sources.map(({ id }) => id);
  return {
    value: { ...reply.value, decision: "answer", text, sources, language: arabic ? "en" : "ar" },
  };
}

/** An answer that a test set. `when`: a text that the question must hold; `lookedUp`: how many look-ups must have been made. */
export interface ScriptedAnswer {
  readonly when?: string;
  readonly lookedUp?: number;
  readonly answer: Readonly<Record<string, unknown>>;
}

/** The first answer of the script whose `when` fits the question; without one, what `extract` says. */
export function scripted(prompt: Prompt, script: readonly ScriptedAnswer[]): Reply {
  const { question, lookedUp } = readPrompt(prompt);
  const asked = ` ${wordsOf(question).join(" ")} `;
  const found = script.find(
    ({ when, lookedUp: after = lookedUp }) =>
      after === lookedUp &&
      (when === undefined ||
        question.includes(when) ||
        asked.includes(` ${wordsOf(when).join(" ")} `)),
  );
  if (found === undefined) return extract(prompt);
  const standard = {
    decision: "answer",
    language: isArabic(question) ? "ar" : "en",
    text: "",
    sources: [],
    reason: "",
    queries: [],
  };
  return { value: asksForDecision(prompt) ? { ...standard, ...found.answer } : found.answer };
}
