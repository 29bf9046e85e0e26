import { count } from "../kit/format.ts";
import { t, type PlainKey } from "../text/t.ts";
import type { AnswerOf } from "../api/call.ts";
import { lookupFault } from "./lookup-words.ts";
import "./bots.css";

type Answered = Pick<AnswerOf<"askBot">, "sources" | "checks" | "lookups">;

export const DECISIONS: Readonly<Record<string, PlainKey>> = {
  answer: "bots.decision.answer",
  clarify: "bots.decision.clarify",
  search: "bots.decision.search",
  look_up: "bots.decision.lookUp",
  procedure: "bots.decision.procedure",
  hand_over: "bots.decision.handOver",
  silent: "bots.decision.silent",
};

export const CHECKS: Readonly<Record<string, PlainKey>> = {
  plain: "bots.check.plain",
  language: "bots.check.language",
  sources: "bots.check.sources",
  facts: "bots.check.facts",
  promises: "bots.check.promises",
  grounded: "bots.check.grounded",
  rules: "bots.check.rules",
};

/** What an answer rests on, as it was; each opens. */
export function SourceList({ sources }: Pick<Answered, "sources">) {
  return (
    <ul aria-label={t("bots.sources")}>
      {sources.map((source) => (
        <li key={source.chunkId}>
          <details>
            <summary>
              <bdi>{source.title}</bdi>
            </summary>
            <p dir="auto">{source.text}</p>
          </details>
        </li>
      ))}
    </ul>
  );
}

/** What was asked of other systems for an answer; each opens to what it gave. */
export function LookupList({ lookups }: Pick<Answered, "lookups">) {
  return (
    <ul aria-label={t("bots.lookups")}>
      {lookups.map(({ id, name, arguments: given, answer, fault, ms }) => (
        <li key={id} data-ok={fault === null ? undefined : false}>
          <details>
            <summary>
              <bdi>{name}</bdi>
              {" · "}
              {fault === null ? t("bots.lookup.answered", { ms: count(ms) }) : lookupFault(fault)}
            </summary>
            <p dir="ltr">{JSON.stringify(given)}</p>
            {answer !== "" && <p dir="auto">{answer}</p>}
          </details>
        </li>
      ))}
    </ul>
  );
}

/** What an answer was checked for before it might be said. */
export function CheckList({ checks }: Pick<Answered, "checks">) {
  return (
    <ul aria-label={t("bots.checks")}>
      {checks.map(({ name, ok, detail }) => {
        const key = CHECKS[name];
        const check = key ? t(key) : name;
        return (
          <li key={name} data-ok={ok}>
            {ok ? t("bots.check.passed", { check }) : t("bots.check.failed", { check, detail })}
          </li>
        );
      })}
    </ul>
  );
}

/** What an answer took, as the pairs of a list of facts. */
export const costsOf = ({ tokens, cost, ms }: Pick<AnswerOf<"askBot">, "tokens" | "cost" | "ms">) =>
  [
    [t("bots.tokens"), count(tokens)],
    [t("bots.cost"), <bdi key="cost">{String(Number(cost.toFixed(6)))}</bdi>],
    [t("bots.time"), t("bots.time.ms", { ms: count(ms) })],
  ] as const;
