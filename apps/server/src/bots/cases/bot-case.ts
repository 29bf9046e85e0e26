import { invalid } from "../../errors.ts";
import { foldWords } from "../../messages/search/search-terms.ts";
import type { CaseDecision } from "../../wire/case.ts";
import type { KnowledgeLang } from "../../knowledge/source.ts";

/** A line of a case's talk. */
export interface CaseLine {
  readonly from: "customer" | "bot";
  readonly text: string;
}

/** What a case asks, and what its answer must be. */
export interface CaseTerms {
  readonly talk: readonly CaseLine[];
  readonly mustHold: readonly string[];
  readonly mustNotHold: readonly string[];
  /** Ids of sources, or their ids at their origin. */
  readonly sources: readonly string[];
  readonly decision: CaseDecision | null;
  readonly lang: KnowledgeLang | null;
}

/** A case as a request gives it. */
export interface GivenCase {
  readonly question?: string | undefined;
  readonly talk?: readonly (string | CaseLine)[] | undefined;
  readonly mustHold?: readonly string[] | undefined;
  readonly mustNotHold?: readonly string[] | undefined;
  readonly sources?: readonly string[] | undefined;
  readonly decision?: CaseDecision | null | undefined;
  readonly lang?: KnowledgeLang | null | undefined;
}

/**
 * The case that a request describes. Throws VALIDATION_FAILED without exactly one of question and talk, for a talk that
 * does not end with the customer, for text without a letter or digit, and where nothing is expected. Pure.
 */
export function readCase(given: GivenCase): CaseTerms {
  const terms: CaseTerms = {
    talk: talkOf(given),
    mustHold: piecesOf("mustHold", given.mustHold),
    mustNotHold: piecesOf("mustNotHold", given.mustNotHold),
    sources: [...new Set(given.sources)],
    decision: given.decision ?? null,
    lang: given.lang ?? null,
  };
  const { mustHold, mustNotHold, sources, decision, lang } = terms;
  const isEmpty = mustHold.length + mustNotHold.length + sources.length === 0;
  if (isEmpty && decision === null && lang === null)
    throw invalid("mustHold", "mustNotHold, sources, decision or lang must say what is expected");
  return terms;
}

function talkOf({ question, talk }: GivenCase): readonly CaseLine[] {
  if ((question === undefined) === (talk === undefined))
    throw invalid("question", "or talk must be given, one of them");
  const lines = talk ?? [question ?? ""];
  const read = lines.map((line, at) => {
    if (typeof line !== "string") return { from: line.from, text: line.text.trim() };
    // Plain lines are said in turn, and the customer has the last.
    const from = (lines.length - 1 - at) % 2 === 0 ? "customer" : "bot";
    return { from, text: line.trim() } as const;
  });
  const empty = read.findIndex(({ text }) => text === "");
  if (empty >= 0)
    throw invalid(question === undefined ? `talk[${empty}]` : "question", "must not be empty");
  if (read.at(-1)?.from !== "customer") throw invalid("talk", "must end with the customer");
  return read;
}

function piecesOf(path: string, given: readonly string[] = []): readonly string[] {
  const pieces = [...new Set(given.map((one) => one.trim()))];
  const empty = pieces.findIndex((one) => folded(one) === "");
  if (empty >= 0) throw invalid(`${path}[${empty}]`, "must hold a letter or digit");
  return pieces;
}

/** A text as answers and pieces are compared: folded, with one space between words. */
export const folded = (text: string): string => foldWords(text).replaceAll(/\s+/gu, " ").trim();

/** The last line: what is asked. */
export const questionOf = ({ talk }: Pick<CaseTerms, "talk">): string => talk.at(-1)?.text ?? "";
