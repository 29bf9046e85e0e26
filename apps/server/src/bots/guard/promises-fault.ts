import { foldWords } from "../../messages/search/search-terms.ts";
import {
  GROUNDED,
  PROMISED,
  sameSense,
  quoted,
  type Evidence,
  type Statement,
} from "./evidence.ts";
import {
  clausesOf,
  commitmentsIn,
  gramShare,
  topicsOf,
  Vocabulary,
  type Sentence,
} from "./sentences.ts";
import { ASSENT, COURTESY, WEAK_COMMITMENTS } from "./word-lists.ts";

/** Of so many content words of a promise, one may be its own. */
const STRANGE = 4;

/** What an answer promises, or agrees to, that no source promises, or "". */
export function promisesFault(
  sentences: readonly Sentence[],
  evidence: readonly Evidence[],
  question: string,
): string {
  const promising = sentences.filter(({ commitments }) => commitments.length > 0);
  const broken = promising.find((one) => !evidence.some((source) => promises(source, one)));
  if (broken) return `no source promises this: ${quoted(broken)}`;
  // "Yes." to "Do I get a refund?" is a promise too: it needs a sentence that says so.
  const asked = strongIn(question);
  const assents = sentences.some(({ words }) => words.slice(0, 2).some((word) => ASSENT.has(word)));
  const said = new Set(promising.flatMap(({ commitments }) => commitments));
  return assents && asked.length > 0 && !asked.some((stem) => said.has(stem))
    ? "agrees to what no source promises"
    : "";
}

/** What commits the business in a question, without the words that say little alone. */
export const strongIn = (question: string): string[] =>
  commitmentsIn(foldWords(question)).filter((stem) => !WEAK_COMMITMENTS.has(stem));

/** Whether a source says what a promise says: in one sentence, or each of its clauses in one, so that nothing is added. */
function promises({ statements }: Evidence, promise: Sentence): boolean {
  const isSaid = (one: Sentence) => statements.some((source) => supports(source, one));
  if (isSaid(promise)) return true;
  const clauses = clausesOf(promise).filter(
    ({ words }) => !words.every((word) => COURTESY.has(word)),
  );
  return clauses.length > 1 && clauses.every(isSaid);
}

/** How many content words of a promise a unit has not. */
function strangeIn({ words, about }: Statement, { content }: Sentence): number {
  const known = new Vocabulary([...words, ...about]);
  return content.filter((word) => !known.has(word)).length;
}

/** "20 OMR for each night" limits nothing. */
const countsOnly = ({ commitments }: Sentence): boolean =>
  commitments.every((one) => QUANTITY.has(one));
const QUANTITY: ReadonlySet<string> = new Set(["all", "كل"]);

/** Whether one sentence of a source says what a promise says, no less and with its conditions. */
const supports = (source: Statement, promise: Sentence): boolean =>
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
function isOfOnePart(source: Statement, promise: Sentence): boolean {
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
