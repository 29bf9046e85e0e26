import { t, type PlainKey } from "../text/t.ts";
import { CHECKS, DECISIONS } from "./answer-parts.tsx";
import type { CaseDifference } from "./cases-query.ts";

/** What an answer has in place of what the case wants, in one sentence. */
export function differenceWords({ what, wanted: asked, got: answered }: CaseDifference): string {
  const [wanted, got] = [isolated(asked), isolated(answered)];
  const shown = answered === "" ? t("cases.nothing") : got;
  switch (what) {
    case "model":
      return t("cases.differs.model", { got });
    case "decision":
      return t("cases.differs.decision", { wanted: decision(asked), got: decision(answered) });
    case "check":
      return t("cases.differs.check", { wanted: word(CHECKS, asked), got });
    case "language":
      return t("cases.differs.language", { wanted: language(asked), got: language(answered) });
    case "must_hold":
      return t("cases.differs.mustHold", { wanted, got: shown });
    case "must_not_hold":
      return t("cases.differs.mustNotHold", { wanted, got: shown });
    case "source":
      return t("cases.differs.source", { wanted });
  }
}

/** A text of others in a sentence: it keeps its direction, and its full stop. */
const isolated = (text: string): string => `\u2068${text}\u2069`;

const word = (words: Readonly<Record<string, PlainKey>>, name: string): string => {
  const key = words[name];
  return key ? t(key) : name;
};
const decision = (name: string): string => word(DECISIONS, name);
const language = (name: string): string => t(name === "ar" ? "cases.arabic" : "cases.english");
