import { covers, properNames, type Evidence } from "./evidence.ts";
import { factsOf, joinFacts, unfounded, type Facts } from "./facts.ts";
import { subjectFault } from "./subject-fault.ts";
import { dateOf } from "./week-days.ts";
import { clausesOf, likeness, type Sentence } from "./sentences.ts";

/** Two sentences of so much likeness say the same of the same thing. */
const NEAR = 0.8;

/**
 * Which numbers, names, addresses of an answer no source has, or "". Each must be in the sources that its sentence rests on;
 * where it rests on none, in any.
 */
export function factsFault(
  sentences: readonly Sentence[],
  evidence: readonly Evidence[],
  customerTexts: readonly string[],
): string {
  const own = joinFacts(customerTexts.map(factsOf));
  const wrong = sentences.flatMap((sentence) => {
    const grounds = evidence.filter((one) => covers(one, sentence));
    const from = grounds.length > 0 ? grounds : evidence;
    return [
      ...unfounded(sentence.text, joinFacts(from.map(({ facts }) => facts)), own),
      ...clausesOf(sentence).flatMap((one) => unfounded(one.text, nearFacts(one, evidence), own)),
      ...properNames(sentence.text).filter(
        (name) => dateOf(name) === null && !evidence.some(({ written }) => written.has(name)),
      ),
    ];
  });
  return wrong.length === 0
    ? subjectFault(sentences, evidence)
    : `no source has ${[...new Set(wrong)].slice(0, 5).join(", ")}`;
}

/** The facts of what a sentence is nearly a copy of, which may have no other ones; of none such, all. */
function nearFacts(sentence: Sentence, evidence: readonly Evidence[]): Facts {
  const statements = evidence.flatMap(({ statements: own }) =>
    own.filter(({ text, facts }) => /\d/u.test(text) || facts.numbers.length > 0),
  );
  const near = statements.map((statement) => likeness(sentence, statement));
  const most = Math.max(0, ...near);
  return most < NEAR
    ? joinFacts(evidence.map(({ facts }) => facts))
    : joinFacts(
        statements.filter((_, at) => (near[at] ?? 0) > most - 0.05).map(({ facts }) => facts),
      );
}
