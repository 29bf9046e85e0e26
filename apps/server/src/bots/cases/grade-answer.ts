import { langOf } from "../../knowledge/source.ts";
import type { CaseDifference, DifferenceKind } from "../../wire/case.ts";
import type { Check } from "../guard/check-answer.ts";
import { folded, type CaseTerms } from "./bot-case.ts";

/** What a bot answered, as it is graded. */
export interface Graded {
  /** Null: the model did not answer. */
  readonly decision: string | null;
  readonly text: string;
  readonly checks: readonly Pick<Check, "name" | "ok" | "detail">[];
  readonly reason: string | null;
  /** The cited sources by every name that a case may give them. */
  readonly sources: readonly string[];
}

/**
 * The first thing in which an answer is not what its case wants; null: it is right. What a check kept back was not said: it
 * hands over. Pure.
 */
export function gradeAnswer(wanted: CaseTerms, answer: Graded): CaseDifference | null {
  for (const compare of COMPARED) {
    const found = compare(wanted, answer);
    if (found !== null) return found;
  }
  return null;
}

type Compare = (wanted: CaseTerms, answer: Graded) => CaseDifference | null;

const differs = (what: DifferenceKind, wanted: string, got: string): CaseDifference => ({
  what,
  wanted: wanted.slice(0, 400),
  got: got.slice(0, 400),
});

const failedCheck = ({ checks }: Graded) => checks.find(({ ok }) => !ok);
/** What a customer would have got. */
const saidIn = (answer: Graded): string => (failedCheck(answer) ? "" : answer.text);
const decisionOf = (answer: Graded): string =>
  failedCheck(answer) ? "hand_over" : (answer.decision ?? "");

const COMPARED: readonly Compare[] = [
  function model(_wanted, { decision, reason }) {
    return decision === null ? differs("model", "", reason ?? "") : null;
  },
  function check({ mustHold, sources, decision }, answer) {
    const failed = failedCheck(answer);
    const speaks = decision === "answer" || decision === "clarify";
    if (!failed || !(speaks || mustHold.length + sources.length > 0)) return null;
    return differs("check", failed.name, failed.detail);
  },
  function decision(wanted, answer) {
    const got = decisionOf(answer);
    return wanted.decision === null || got === wanted.decision
      ? null
      : differs("decision", wanted.decision, got);
  },
  function language({ lang }, answer) {
    const said = saidIn(answer);
    if (lang === null || said === "" || langOf(said) === lang) return null;
    return differs("language", lang, langOf(said));
  },
  function mustHold(wanted, answer) {
    const said = saidIn(answer);
    const missing = wanted.mustHold.find((piece) => !holds(said, piece));
    return missing === undefined ? null : differs("must_hold", missing, said);
  },
  function mustNotHold(wanted, answer) {
    const said = saidIn(answer);
    const found = wanted.mustNotHold.find((piece) => holds(said, piece));
    return found === undefined ? null : differs("must_not_hold", found, said);
  },
  function source(wanted, answer) {
    const cited = failedCheck(answer) ? [] : answer.sources;
    const missing = wanted.sources.find((one) => !cited.includes(one));
    return missing === undefined ? null : differs("source", missing, cited.join(", "));
  },
];

/**
 * Whether a text holds a piece, both folded. A piece that begins or ends with a digit is not found inside a longer
 * number: "5" is not in "15" nor in "1.5".
 */
export function holds(text: string, piece: string): boolean {
  const within = folded(text);
  const sought = folded(piece);
  for (let at = within.indexOf(sought); at >= 0; at = within.indexOf(sought, at + 1)) {
    const before = within.slice(0, at);
    const after = within.slice(at + sought.length);
    const cutsBefore = /^\d/.test(sought) && /\d[.,٫]?$/.test(before);
    const cutsAfter = /\d$/.test(sought) && /^[.,٫]?\d/.test(after);
    if (!cutsBefore && !cutsAfter) return true;
  }
  return false;
}
