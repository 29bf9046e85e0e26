import { bareWords, foldWords } from "../../messages/search/search-terms.ts";
import { factsOf, joinFacts, unfounded, type Facts } from "./facts.ts";
import {
  clausesOf,
  commitmentsIn,
  givesOrders,
  gramShare,
  likeness,
  topicsOf,
  sentencesOf,
  Vocabulary,
  type Sentence,
} from "./sentences.ts";
import { ASSENT, COURTESY, FUNCTION_WORDS, SAYING, WEAK_COMMITMENTS } from "./word-lists.ts";

/** What is checked, in this order. */
export const CHECK_NAMES = [
  "plain",
  "language",
  "sources",
  "facts",
  "promises",
  "grounded",
  "rules",
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export interface Check {
  readonly name: CheckName;
  readonly ok: boolean;
  /** Why it failed, for members; empty where it passed. */
  readonly detail: string;
}

/** A piece of text that an answer may rest on. */
interface Citable {
  /** What `answer.sources` names. */
  readonly chunkId: string;
  readonly title: string;
  readonly text: string;
}

/** A look-up's answer of this turn. An answer may cite it by its id. */
interface ToolAnswer {
  readonly id: string;
  readonly text: string;
}

interface Asked {
  readonly answer: {
    readonly decision:
      | "answer"
      | "clarify"
      | "search"
      | "look_up"
      | "procedure"
      | "hand_over"
      | "silent";
    readonly text: string;
    /** Ids of chunks, or of tool answers. */
    readonly sources: readonly string[];
  };
  /** What was retrieved for this turn. */
  readonly chunks: readonly Citable[];
  readonly toolAnswers: readonly ToolAnswer[];
  /** The customer's messages of the talk. */
  readonly customerTexts: readonly string[];
  /** The system part of the prompt. */
  readonly rules: string;
  /** The language that the answer must be in. */
  readonly lang: "en" | "ar";
  /** The message that is answered. */
  readonly question: string;
}

/** The longest answer, in characters. */
export const MAX_ANSWER = 1_000;
/** Words of our rules in a row that no answer may have. */
const RULE_WORDS = 8;
/** An answer that cites more rests on none. */
const MAX_CITED = 6;
/** Of a sentence that promises: the share of its letter grams that ONE sentence of a source must have. */
const PROMISED = 0.8;
/** Of every other sentence: the share that ONE cited source must have, of its content words. */
const GROUNDED = 0.5;
/** Two sentences of so much likeness say the same of the same thing. */
const NEAR = 0.8;
/** Of so many content words of a promise, one may be its own. */
const STRANGE = 4;
/** A sentence of so few content words needs more than that share. */
const SHORT = 4;

/**
 * Decides whether what a model answered may be said to a customer, assuming that the model obeys whoever attacks: only
 * what is in a source passes, whatever the model says of itself. Pure. The answer may be said when
 * every check is ok. A decision without a text for the customer (`search`, `look_up`, `procedure`, `hand_over`, `silent`) has nothing to check.
 */
export function checkAnswer(given: Asked): Check[] {
  const { decision } = given.answer;
  if (decision !== "answer" && decision !== "clarify") return [];
  const asked = bounded(given);
  const { text } = asked.answer;
  const sentences = sentencesOf(text);
  const evidence = evidenceOf(asked);
  const faults: Readonly<Record<CheckName, string>> = {
    plain: plainFault(given.answer.text),
    language: languageFault(text, asked.lang),
    sources: sourcesFault(asked),
    facts: factsFault(sentences, evidence, asked.customerTexts),
    promises: promisesFault(sentences, evidence, asked.question),
    grounded:
      decision === "clarify"
        ? questionFault(sentences, evidence)
        : groundedFault(sentences, evidence, asked.question),
    rules: rulesFault(text, asked.rules),
  };
  return CHECK_NAMES.map((name) => ({ name, ok: faults[name] === "", detail: faults[name] }));
}

/**
 * The same with no word that is longer than any real one, and of the answer what it may be long: strangers write all of it, and
 * the patterns of the guard look at each letter of a word from each letter before it.
 */
function bounded({ answer, chunks, toolAnswers, customerTexts, question, ...rest }: Asked): Asked {
  return {
    ...rest,
    answer: { ...answer, text: parted(answer.text.slice(0, 2 * MAX_ANSWER)) },
    chunks: chunks.map((one) => ({ ...one, title: parted(one.title), text: parted(one.text) })),
    toolAnswers: toolAnswers.map((one) => ({ ...one, text: parted(one.text) })),
    customerTexts: customerTexts.map(parted),
    question: parted(question),
  };
}

/** Long addresses are whole, and what is longer is parted. */
const LONGEST_WORD = /\S{200}(?=\S)/gu;
const parted = (text: string): string => text.replaceAll(LONGEST_WORD, "$& ");

/** One source as it is compared. */
interface Evidence {
  readonly facts: Facts;
  readonly units: readonly Unit[];
  readonly words: Vocabulary;
  /** Words as they are written, for names. */
  readonly written: ReadonlySet<string>;
}

/** A sentence or a clause of a source, and what it is about: its title, and what "it" means. */
interface Unit extends Sentence {
  readonly about: readonly string[];
  /** The letter grams of both. */
  readonly reach: ReadonlySet<string>;
  /** What commits in the title, as "deposit". */
  readonly named: readonly string[];
  readonly facts: Facts;
}

/** "It is paid at booking." says more of what is before it. */
const POINTS_BACK = /^(?:it|they|this|these|that|its|their|و?هو|و?هي|و?هذا|و?هذه)\s/iu;

/** The sentences of a source, and the clauses of those that have several. */
function unitsOf(title: string, text: string): Unit[] {
  const subjects = sentencesOf(title);
  const sentences = sentencesOf(`${title}\n${text}`);
  return sentences.flatMap((sentence, at) => {
    const before = POINTS_BACK.test(sentence.text) ? sentences.slice(at - 1, at) : [];
    const of = [...subjects, ...before];
    const about = of.flatMap(({ words }) => words);
    const grams = of.flatMap((one) => [...one.grams]);
    const named = subjects.flatMap(({ commitments }) => commitments);
    const clauses = clausesOf(sentence);
    const units = clauses.length > 1 ? [sentence, ...clauses] : [sentence];
    return units.map((unit) => ({
      ...unit,
      about,
      named,
      reach: new Set([...unit.grams, ...grams]),
      facts: factsOf(unit.text),
    }));
  });
}

/** What an answer may rest on: the chunks that it cites and the look-ups' answers. A question back cites nothing. */
function evidenceOf({ answer, chunks, toolAnswers }: Asked): Evidence[] {
  const named =
    answer.decision === "clarify"
      ? chunks
      : // More are a fault of their own.
        chunks.filter(({ chunkId }) => answer.sources.includes(chunkId)).slice(0, MAX_CITED);
  const texts = [
    ...named.filter(isTrusted),
    ...toolAnswers
      .filter(({ text }) => !givesOrders(text))
      .map(({ text }) => ({ title: "", text })),
  ];
  const said = new Set(sentencesOf(answer.text).flatMap(({ words }) => words));
  return texts.map(({ title, text: whole }) => {
    const text = withoutOrders(whole, said);
    const units = unitsOf(title, text);
    return {
      facts: factsOf(`${title}\n${text}`),
      units,
      words: new Vocabulary(units.flatMap(({ words }) => words)),
      written: new Set(
        `${title}\n${text}`.match(/\p{Lu}[\p{L}\d]+/gu)?.map((name) => name.toLowerCase()),
      ),
    };
  });
}

/**
 * A text without the sentences that have somebody say something ("Say that …", "reply: …"), unless the answer has that word
 * too: what is behind it was not said by the business.
 */
const withoutOrders = (text: string, said: ReadonlySet<string>): string =>
  sentencesOf(text)
    .filter(
      ({ words }) =>
        !words.some((word, at) => isSaying(word) && !said.has(word) && !isNoun(words[at - 1])),
    )
    .map((one) => one.text)
    .join("\n");

/** "An answer from the manager". */
const isNoun = (before = ""): boolean => /^(?:an?|the|your|our|its)$/u.test(before);
const isSaying = (word: string): boolean =>
  SAYING.has(word) || SAYING.has(word.replace(/^[وف]/u, ""));

const isTrusted = (chunk: Citable): boolean => !givesOrders(`${chunk.title}\n${chunk.text}`);

/** Marks without a form of their own: direction, no width, tags, choices of a form other than an emoji's. */
const UNSEEN =
  /[\p{Cf}\p{Co}\p{Cn}\u115f\u1160\u3164\uffa0]|\u034f|[\ufe00-\ufe0e]|[\u{e0100}-\u{e01ef}]/u;
const CONTROL = /[\p{Cc}]/u;
const MARKUP = /\]\(|```|\w\([^)]*\)\s*[:{;]|=>|==|<\/?[a-z!][^>]*>|&#?\w+;|\{\{|\$\{/iu;
/** A text without unseen characters: what failed may be shown to members. */
export const onlySeen = (text: string): string =>
  text
    .replaceAll(new RegExp(UNSEEN, "gu"), "")
    .replaceAll(/(?![\n\r\t])\p{Cc}/gu, "")
    .trim();
/** Letters that stand alone, one after the other: "r e f u n d", "ر.د". */
const SPELLED = /(?:(?<![\p{L}\p{M}])[\p{L}][\s.\-_*·]+){3}[\p{L}](?![\p{L}\p{M}])/u;

function plainFault(text: string): string {
  if (text.trim() === "") return "has no text";
  if (text.length > 2 * MAX_ANSWER || Array.from(text).length > MAX_ANSWER)
    return `is longer than ${MAX_ANSWER} characters`;
  if (UNSEEN.test(text)) return "has characters that are not seen";
  if (CONTROL.test(text.replaceAll(/[\n\r\t]/gu, ""))) return "has control characters";
  if (MARKUP.test(text)) return "has markup";
  if (SPELLED.test(text)) return "spells words letter by letter";
  const folded = foldWords(text);
  if (/[^\P{N}0-9]/u.test(folded)) return "has digits of another script";
  const mixed = folded.match(/[\p{L}\p{M}]+/gu)?.find(hasTwoScripts);
  return mixed === undefined ? "" : `has a word of two scripts: ${mixed}`;
}

const hasTwoScripts = (word: string): boolean =>
  /\p{Script=Latin}/u.test(word) && /[^\p{Script=Latin}\p{M}]/u.test(word);

/** Words that other languages written in Latin letters have often, and English seldom. */
const NOT_ENGLISH = new Set(
  "le la les des une est vous nous votre pour avec dans que qui el los las una usted para con por su der die und ist sie nicht wir ihre mit von auf il che per sono bir ve bu icin ile você não está são yang dan untuk dengan anda".split(
    " ",
  ),
);

function languageFault(text: string, lang: "en" | "ar"): string {
  // The stroke that lengthens an Arabic word belongs to no script.
  const letters = text.replaceAll(/\S+(?:@|:\/\/|\.\p{L})\S*|\u0640/gu, "").match(/\p{L}/gu);
  if (!letters) return "";
  const arabic = letters.filter((one) => /\p{Script=Arabic}/u.test(one)).length;
  const latin = letters.filter((one) => /\p{Script=Latin}/u.test(one)).length;
  if (arabic + latin < letters.length) return "has letters of another script";
  if (lang === "ar") return arabic >= letters.length / 2 ? "" : "is not in Arabic";
  if (arabic > letters.length / 4) return "is not in English";
  const words = bareWords(text);
  const foreign = words.filter((word) => NOT_ENGLISH.has(word)).length;
  const english = words.filter((word) => FUNCTION_WORDS.has(word)).length;
  return foreign >= 2 && foreign > english ? "is not in English" : "";
}

function sourcesFault({ answer, chunks, toolAnswers }: Asked): string {
  const known = new Set([
    ...chunks.map(({ chunkId }) => chunkId),
    ...toolAnswers.map(({ id }) => id),
  ]);
  const strange = answer.sources.filter((id) => !known.has(id));
  if (strange.length > 0) return `cites what was not found: ${strange.slice(0, 3).join(", ")}`;
  if (answer.decision === "clarify") return "";
  if (new Set(answer.sources).size > MAX_CITED) return `cites more than ${MAX_CITED} sources`;
  if (answer.sources.length === 0) return "cites no source";
  const trusted =
    chunks.some((chunk) => answer.sources.includes(chunk.chunkId) && isTrusted(chunk)) ||
    toolAnswers.some(({ id, text }) => answer.sources.includes(id) && !givesOrders(text));
  return trusted ? "" : "cites only texts that give orders to an assistant";
}

/** Each fact must be in the sources that its sentence rests on; where it rests on none, in any. */
function factsFault(
  sentences: readonly Sentence[],
  evidence: readonly Evidence[],
  customerTexts: readonly string[],
): string {
  const own = joinFacts(customerTexts.map(factsOf));
  const wrong = sentences.flatMap((sentence) => {
    const grounds = evidence.filter((one) => holds(one, sentence));
    const from = grounds.length > 0 ? grounds : evidence;
    return [
      ...unfounded(sentence.text, joinFacts(from.map(({ facts }) => facts)), own),
      ...clausesOf(sentence).flatMap((one) => unfounded(one.text, nearFacts(one, evidence), own)),
      ...namesIn(sentence.text).filter(
        (name) => !evidence.some(({ written }) => written.has(name)),
      ),
    ];
  });
  return wrong.length === 0 ? "" : `no source has ${[...new Set(wrong)].slice(0, 5).join(", ")}`;
}

/** The facts of what a sentence is nearly a copy of, which may have no other ones; of none such, all. */
function nearFacts(sentence: Sentence, evidence: readonly Evidence[]): Facts {
  const units = evidence.flatMap(({ units: own }) =>
    own.filter(({ text, facts }) => /\d/u.test(text) || facts.numbers.length > 0),
  );
  const near = units.map((unit) => likeness(sentence, unit));
  const most = Math.max(0, ...near);
  return most < NEAR
    ? joinFacts(evidence.map(({ facts }) => facts))
    : joinFacts(units.filter((_, at) => (near[at] ?? 0) > most - 0.05).map(({ facts }) => facts));
}

/** Names of people, places and brands in Latin letters: words with a capital that do not begin a sentence. */
const namesIn = (text: string): string[] =>
  (text.match(/(?<=[\p{L}\d,;:&()"'’-]\s)\p{Lu}[\p{L}\d]+/gu) ?? []).map((name) =>
    name.toLowerCase(),
  );

function promisesFault(
  sentences: readonly Sentence[],
  evidence: readonly Evidence[],
  question: string,
): string {
  const promising = sentences.filter(({ commitments }) => commitments.length > 0);
  const broken = promising.find((one) => !evidence.some((source) => promises(source, one)));
  if (broken) return `no source promises this: ${shown(broken)}`;
  // "Yes." to "Do I get a refund?" is a promise too: it needs a sentence that says so.
  const asked = strongIn(question);
  const assents = sentences.some(({ words }) => words.slice(0, 2).some((word) => ASSENT.has(word)));
  const said = new Set(promising.flatMap(({ commitments }) => commitments));
  return assents && asked.length > 0 && !asked.some((stem) => said.has(stem))
    ? "agrees to what no source promises"
    : "";
}

const strongIn = (question: string): string[] =>
  commitmentsIn(foldWords(question)).filter((stem) => !WEAK_COMMITMENTS.has(stem));

/** Whether a source says what a promise says: in one sentence, or each of its clauses in one, so that nothing is added. */
function promises({ units }: Evidence, promise: Sentence): boolean {
  const isSaid = (one: Sentence) => units.some((source) => supports(source, one));
  if (isSaid(promise)) return true;
  const clauses = clausesOf(promise).filter(
    ({ words }) => !words.every((word) => COURTESY.has(word)),
  );
  return clauses.length > 1 && clauses.every(isSaid);
}

/** How many content words of a promise a unit has not. */
function strangeIn({ words, about }: Unit, { content }: Sentence): number {
  const known = new Vocabulary([...words, ...about]);
  return content.filter((word) => !known.has(word)).length;
}

/** "20 OMR for each night" limits nothing. */
const countsOnly = ({ commitments }: Sentence): boolean =>
  commitments.every((one) => QUANTITY.has(one));
const QUANTITY: ReadonlySet<string> = new Set(["all", "كل"]);

/** Whether one sentence of a source says what a promise says, no less and with its conditions. */
const supports = (source: Unit, promise: Sentence): boolean =>
  gramShare(promise, source.reach) >= (countsOnly(promise) ? GROUNDED : PROMISED) &&
  isOfOnePart(source, promise) &&
  strangeIn(source, promise) * STRANGE <= (countsOnly(promise) ? 0 : promise.content.length) &&
  promise.commitments.every(
    (one) => source.commitments.includes(one) || source.named.includes(one),
  ) &&
  sameSense(source, promise) &&
  (promise.conditions >= source.conditions || countsOnly(promise));

/**
 * "A cot is free, an extra bed costs 8 OMR": what a promise is about is in the part that commits, and not in another one
 * with a price or a "but".
 */
function isOfOnePart(source: Unit, promise: Sentence): boolean {
  const parts = topicsOf(source);
  if (parts.length < 2 || topicsOf(promise).length > 1) return true;
  const [own = [], others = []] = [true, false].map((commits) =>
    parts.filter(
      (part) => promise.commitments.some((one) => part.commitments.includes(one)) === commits,
    ),
  );
  const said = new Vocabulary([...own.flatMap(({ words }) => words), ...source.about]);
  const elsewhere = new Vocabulary(
    others.flatMap(({ text, words }) => (/\d|^(?:but|أما|بينما|لكن)/u.test(text) ? words : [])),
  );
  return !promise.content.some((word) => !said.has(word) && elsewhere.has(word));
}

const sameSense = (source: Sentence, said: Sentence): boolean =>
  source.negations === said.negations;

function groundedFault(
  sentences: readonly Sentence[],
  evidence: readonly Evidence[],
  question: string,
): string {
  const units = evidence.flatMap((one) => one.units);
  const saying = sentences.filter(({ content }) => content.length > 0);
  for (const sentence of saying) {
    if (!evidence.some((one) => holds(one, sentence)))
      return `no source says this: ${shown(sentence)}`;
    if (leavesOutLimit(units, sentence))
      return `leaves out what it is limited to: ${shown(sentence)}`;
    // What a source says may be half of a sentence, and the other half an attacker's.
    const clauses = clausesOf(sentence).filter(({ content }) => content.length > 0);
    const plain = units.filter((one) => clausesOf(one).length === 1);
    const isJoined = clauses.length > 1 && clauses.every((one) => !contradicts(plain, one));
    if (!isJoined && contradicts(units, sentence))
      return `the source says the opposite: ${shown(sentence)}`;
    const strange = clauses.find((one) => !evidence.some((source) => holds(source, one)));
    if (strange) return `no source says this: ${shown(strange)}`;
    const turned = clauses.find((one) => one.negations === 0 && contradicts(units, one));
    if (turned) return `the source says the opposite: ${shown(turned)}`;
  }
  if (saying.length > 0) return "";
  return sentences.every((one) => completes(one, evidence, question))
    ? ""
    : "says nothing that a source says";
}

/**
 * "From 22:00." to "When is it quiet?": one sentence of a source has the numbers, and most words of the question. Or a
 * sentence of a source with a number is repeated as it is, like "We open at nine.", whose words say little alone.
 */
function completes(said: Sentence, evidence: readonly Evidence[], question: string): boolean {
  const words = said.words.join(" ");
  const isRepeated = evidence.some(({ units }) =>
    units.some((one) => one.words.join(" ") === words),
  );
  if (isRepeated && said.commitments.length === 0 && factsOf(said.text).numbers.length > 0)
    return true;
  const asked = sentencesOf(question).flatMap(({ content }) => content);
  if (!/\d/u.test(said.text) || said.commitments.length > 0) return false;
  if (asked.length === 0 || strongIn(question).length > 0) return false;
  return evidence.some(({ units }) =>
    units.some((unit) => {
      if (unfounded(said.text, factsOf(unit.text), joinFacts([])).length > 0) return false;
      const words = new Vocabulary([...unit.words, ...unit.about]);
      return asked.filter((word) => words.has(word)).length * 2 >= asked.length;
    }),
  );
}

/** "You can smoke in your room" where a source says "only on the terrace", and none says just that. */
const leavesOutLimit = (units: readonly Sentence[], sentence: Sentence): boolean =>
  PERMITS.test(foldWords(sentence.text)) &&
  !ONLY.test(sentence.text) &&
  units.some(
    ({ text, content }) =>
      ONLY.test(text) && sentence.content.some((word) => content.includes(word)),
  ) &&
  !units.some(({ grams }) => gramShare(sentence, grams) >= PROMISED);
const ONLY = /\b(?:only|solely)\b|(?:^|\s)فقط(?=\s|[.،]|$)/iu;
const PERMITS =
  /\byou (?:can|may)\b|\b(?:allowed|permitted)\b|(?:^|\s)(?:يمكن|مسموح|يسمح|تقدر|ينفع)/u;

/** Whether a source has enough of a sentence's content words. */
function holds({ words }: Evidence, { content }: Sentence): boolean {
  const held = content.filter((word) => words.has(word)).length;
  return content.length <= SHORT
    ? held > content.length * GROUNDED
    : held >= content.length * GROUNDED;
}

/** Whether what is nearest in the sources is a yes where this is a no, or a no where this is a yes. */
function contradicts(all: readonly Sentence[], sentence: Sentence): boolean {
  const asks = /[?؟]$/u.test(sentence.text);
  // What says something of "Visa" is compared with what names it.
  const names = namesIn(sentence.text);
  const named = all.filter(({ text }) => names.some((name) => text.toLowerCase().includes(name)));
  const units = named.length > 0 ? named : all;
  const shares = units.map((unit) => gramShare(sentence, unit.grams));
  const most = Math.max(0, ...shares);
  if (most < (asks ? PROMISED : GROUNDED)) return sentence.negations > 0 && !asks;
  return !units.some((unit, at) => (shares[at] ?? 0) >= most - 0.05 && sameSense(unit, sentence));
}

/** What a question back may use beside the words of the sources. */
const ASKING = new Vocabulary(
  bareWords(
    "which mean order number name date city area size color colour model product branch email mail phone invoice share send give write tell details detail more another other type kind exactly looking bought address " +
      "تقصد تقصدين تعني رقم طلب اسم تاريخ مدينه منطقه مقاس لون موديل منتج فرع بريد هاتف فاتوره ترسل ارسل ترسلي تزودنا تزودني زودنا تفاصيل توضح توضيح نوع بالضبط تبحث اشتريت عنوان اكثر",
  ),
);
const LONGEST_QUESTION = 200;

/** A question back has no source, so it may ask only. */
function questionFault(sentences: readonly Sentence[], evidence: readonly Evidence[]): string {
  if (sentences.reduce((sum, { text }) => sum + text.length, 0) > LONGEST_QUESTION)
    return `asks in more than ${LONGEST_QUESTION} characters`;
  const asking = sentences.filter(({ content }) => content.length > 0);
  if (asking.length === 0) return "asks nothing";
  const units = evidence.flatMap((one) => one.units);
  for (const sentence of asking) {
    if (!/[?؟]$/u.test(sentence.text) || !QUESTION.test(foldWords(sentence.text)))
      return `does not ask: ${shown(sentence)}`;
    const strange = sentence.content.filter(
      (word) => !ASKING.has(word) && !evidence.some(({ words }) => words.has(word)),
    );
    if (contradicts(units, sentence)) return `the source says the opposite: ${shown(sentence)}`;
    if (strange.length * 3 > sentence.content.length)
      return `no source says this: ${shown(sentence)}`;
  }
  return "";
}

/** The beginnings of questions, behind a courtesy. */
const QUESTION =
  /^(?:[\p{L}\s]{0,30}[,،!.:]\s*)?(?:which|what|when|where|who|how|do|did|does|could|can|would|will|may|is|are|was|have|has|or|هل|اي|ايه|ما|ماذا|متي|اين|وين|كم|كيف|من|ممكن|تقصد|عن|في اي|هلا|شنو|لو سمحت)(?:\s|$)/u;

function rulesFault(text: string, rules: string): string {
  const own = bareWords(rules);
  const runs = new Set<string>();
  for (let at = 0; at + RULE_WORDS <= own.length; at++)
    runs.add(own.slice(at, at + RULE_WORDS).join(" "));
  const said = bareWords(text);
  for (let at = 0; at + RULE_WORDS <= said.length; at++)
    if (runs.has(said.slice(at, at + RULE_WORDS).join(" "))) return "repeats our rules";
  return "";
}

const shown = ({ text }: Sentence): string =>
  text.length > 120 ? `${text.slice(0, 119).toWellFormed()}…` : text;
