import { foldWords } from "../../messages/search/search-terms.ts";
import {
  contradicts,
  covers,
  GROUNDED,
  PROMISED,
  quoted,
  type Evidence,
  type Statement,
} from "./evidence.ts";
import { factsOf, joinFacts, unfounded } from "./facts.ts";
import { clausesOf, gramShare, sentencesOf, Vocabulary, type Sentence } from "./sentences.ts";
import { strongIn } from "./promises-fault.ts";

/** Which sentence of an answer no source says, or the opposite of which one says, or "". */
export function groundedFault(
  sentences: readonly Sentence[],
  evidence: readonly Evidence[],
  question: string,
): string {
  const statements = evidence.flatMap((one) => one.statements);
  const saying = sentences.filter(({ content }) => content.length > 0);
  for (const sentence of saying) {
    if (!evidence.some((one) => covers(one, sentence)))
      return `no source says this: ${quoted(sentence)}`;
    if (leavesOutLimit(statements, sentence))
      return `leaves out what it is limited to: ${quoted(sentence)}`;
    const excepted = exceptedIn(statements, sentence);
    if (excepted) return `the source says the opposite of "${excepted}": ${quoted(sentence)}`;
    // What a source says may be half of a sentence, and the other half an attacker's.
    const clauses = clausesOf(sentence).filter(({ content }) => content.length > 0);
    const plain = statements.filter((one) => clausesOf(one).length === 1);
    const isJoined = clauses.length > 1 && clauses.every((one) => !contradicts(plain, one));
    if (!isJoined && contradicts(statements, sentence))
      return `the source says the opposite: ${quoted(sentence)}`;
    const strange = clauses.find((one) => !evidence.some((source) => covers(source, one)));
    if (strange) return `no source says this: ${quoted(strange)}`;
    const turned = clauses.find((one) => one.negations === 0 && contradicts(statements, one));
    if (turned) return `the source says the opposite: ${quoted(turned)}`;
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
  const isRepeated = evidence.some(({ statements }) =>
    statements.some((one) => one.words.join(" ") === words),
  );
  if (isRepeated && said.commitments.length === 0 && factsOf(said.text).numbers.length > 0)
    return true;
  const asked = sentencesOf(question).flatMap(({ content }) => content);
  if (!/\d/u.test(said.text) || said.commitments.length > 0) return false;
  if (asked.length === 0 || strongIn(question).length > 0) return false;
  return evidence.some(({ statements }) =>
    statements.some((statement) => {
      if (unfounded(said.text, factsOf(statement.text), joinFacts([])).length > 0) return false;
      const words = new Vocabulary([...statement.words, ...statement.about]);
      return asked.filter((word) => words.has(word)).length * 2 >= asked.length;
    }),
  );
}

/**
 * "You can return sale items within 14 days" where a source says this of unused items, and of sale items that they are
 * final: the word that is only in what the source says of the exception, or null.
 */
function exceptedIn(statements: readonly Statement[], sentence: Sentence): string | null {
  if (excludes(sentence)) return null;
  const rules = statements.filter((one) => !excludes(one));
  const shares = rules.map(({ grams }) => gramShare(sentence, grams));
  const most = Math.max(0, ...shares);
  if (most < GROUNDED) return null;
  // "It is paid at booking, and cannot be cancelled." says the whole of its first clause.
  const isWhole = ({ content }: Sentence) =>
    content.every((word) => sentence.content.includes(word));
  const said = new Vocabulary(
    rules
      .filter((one, at) => (shares[at] ?? 0) >= most - 0.05 || isWhole(one))
      .flatMap(({ words, about }) => [...words, ...about]),
  );
  const own = sentence.content.filter((word) => !said.has(word));
  const shared = sentence.content.filter((word) => said.has(word));
  const returns = RETURNS.test(foldWords(sentence.text));
  const exceptions = statements.filter(
    (one) =>
      excludes(one) &&
      ((returns && EXCLUDING.test(foldWords(one.text))) ||
        shared.some((word) => one.content.includes(word))),
  );
  return own.find((word) => exceptions.some(({ content }) => content.includes(word))) ?? null;
}
/** "Perfume: final." says that it cannot be returned. */
const RETURNS =
  /\b(?:return|refund|exchang|swap)|ارجاع|ترجيع|ترجع|نرجع|استرجاع|استرداد|استبدال|تبديل/u;
const excludes = ({ text, negations }: Sentence): boolean =>
  negations > 0 || EXCLUDING.test(foldWords(text));
const EXCLUDING =
  /\b(?:final|except|excluding|exempt)\b|(?:^|\s)(?:نهائي|باستثناء|ماعدا|ما عدا|مستثني)/u;

/** "You can smoke in your room" where a source says "only on the terrace", and none says just that. */
const leavesOutLimit = (statements: readonly Sentence[], sentence: Sentence): boolean =>
  PERMITS.test(foldWords(sentence.text)) &&
  !ONLY.test(sentence.text) &&
  statements.some(
    ({ text, content }) =>
      ONLY.test(text) && sentence.content.some((word) => content.includes(word)),
  ) &&
  !statements.some(({ grams }) => gramShare(sentence, grams) >= PROMISED);
const ONLY = /\b(?:only|solely)\b|(?:^|\s)فقط(?=\s|[.،]|$)/iu;
const PERMITS =
  /\byou (?:can|may)\b|\b(?:allowed|permitted)\b|(?:^|\s)(?:يمكن|مسموح|يسمح|تقدر|ينفع)/u;
