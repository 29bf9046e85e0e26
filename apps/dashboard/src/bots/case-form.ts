import { isRecord } from "./document-file.ts";
import type { Case, CaseBody } from "./cases-query.ts";

/** A line of the talk before the question. */
export interface TalkLine {
  readonly from: "customer" | "bot";
  readonly text: string;
}

/** What the dialog of a case holds. Pieces of text are one a line. */
export interface CaseForm {
  readonly before: readonly TalkLine[];
  readonly question: string;
  readonly mustHold: string;
  readonly mustNotHold: string;
  readonly sources: readonly string[];
  readonly decision: NonNullable<Case["decision"]> | "";
  readonly lang: NonNullable<Case["lang"]> | "";
}

/** The most lines before the question. */
export const MOST_BEFORE = 5;
/** The most that a file may hold, in bytes, and the most cases of a bot. */
const MOST_BYTES = 4_194_304;
const MOST_CASES = 500;

export const NEW_CASE: CaseForm = {
  before: [],
  question: "",
  mustHold: "",
  mustNotHold: "",
  sources: [],
  decision: "",
  lang: "",
};

export const formOf = (one: Case): CaseForm => ({
  before: one.talk.slice(0, -1),
  question: one.question,
  mustHold: one.mustHold.join("\n"),
  mustNotHold: one.mustNotHold.join("\n"),
  sources: one.sources,
  decision: one.decision ?? "",
  lang: one.lang ?? "",
});

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** The case as it is sent. */
export function bodyOf(form: CaseForm): CaseBody {
  const { before, question, sources, decision, lang } = form;
  const lines = before.filter(({ text }) => text.trim() !== "");
  const asked = { from: "customer", text: question } as const;
  return {
    ...(lines.length > 0 ? { talk: [...lines, asked] } : { question }),
    mustHold: linesOf(form.mustHold),
    mustNotHold: linesOf(form.mustNotHold),
    sources: [...sources],
    decision: decision === "" ? null : decision,
    lang: lang === "" ? null : lang,
  };
}

/** Whether it asks something, and expects something. */
export function isWhole(form: CaseForm): boolean {
  const { mustHold = [], mustNotHold = [], sources = [], decision, lang } = bodyOf(form);
  const pieces = mustHold.length + mustNotHold.length + sources.length;
  return form.question.trim() !== "" && (pieces > 0 || decision !== null || lang !== null);
}

/** A file is no file of cases. `line` is the first that is none, from 1; 0: the file is too large or holds none. */
export class NoCases extends Error {
  readonly line: number;
  constructor(line: number) {
    super(`line ${line}`);
    this.line = line;
  }
}

/** The cases of a file of JSON lines, as `parley bot test --file` reads them. Throws `NoCases`. */
export function casesIn(text: string): CaseBody[] {
  if (text.length > MOST_BYTES) throw new NoCases(0);
  const cases = text
    .split("\n")
    .flatMap((line, at) => (line.trim() === "" ? [] : [caseIn(recordIn(line, at + 1), at + 1)]));
  if (cases.length === 0 || cases.length > MOST_CASES) throw new NoCases(0);
  return cases;
}

const isText = (value: unknown): value is string => typeof value === "string";
const areTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
const isLine = (value: unknown): value is string | TalkLine =>
  isText(value) ||
  (isRecord(value) &&
    (value["from"] === "customer" || value["from"] === "bot") &&
    isText(value["text"]));
const areLines = (value: unknown): value is (string | TalkLine)[] =>
  Array.isArray(value) && value.every(isLine);

/** A case as a line has it. The server looks at its values; only their kinds are looked at here. */
function caseIn(record: Readonly<Record<string, unknown>>, at: number): CaseBody {
  const {
    id: _id,
    question,
    talk,
    mustHold,
    mustNotHold,
    sources,
    decision,
    lang,
    ...unknown
  } = record;
  const of = <T>(value: unknown, isOne: (value: unknown) => value is T): T | undefined => {
    if (value !== undefined && !isOne(value)) throw new NoCases(at);
    return value;
  };
  const pieces = { mustHold, mustNotHold, sources };
  if (Object.keys(unknown).length > 0) throw new NoCases(at);
  const known = DECISIONS.find((one) => one === decision);
  const language = LANGUAGES.find((one) => one === lang);
  if ((decision ?? null) !== (known ?? null) || (lang ?? null) !== (language ?? null))
    throw new NoCases(at);
  const [asked, lines] = [of(question, isText), of(talk, areLines)];
  return {
    ...(asked !== undefined && { question: asked }),
    ...(lines !== undefined && { talk: lines }),
    mustHold: of(pieces.mustHold, areTexts) ?? [],
    mustNotHold: of(pieces.mustNotHold, areTexts) ?? [],
    sources: of(pieces.sources, areTexts) ?? [],
    decision: known ?? null,
    lang: language ?? null,
  };
}

const DECISIONS = ["answer", "clarify", "hand_over", "silent"] as const;
const LANGUAGES = ["en", "ar"] as const;

function recordIn(line: string, at: number): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    if (isRecord(value)) return value;
  } catch {
    throw new NoCases(at);
  }
  throw new NoCases(at);
}
