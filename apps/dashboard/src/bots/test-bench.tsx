import { useState } from "react";
import { Button } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { Badge } from "../kit/badge.tsx";
import { TextInput } from "../kit/fields.tsx";
import { Facts, Part } from "../kit/page.tsx";
import { useCall } from "../kit/use-call.ts";
import { useMay } from "../kit/use-may.ts";
import { t } from "../text/t.ts";
import { CheckList, costsOf, DECISIONS, LookupList, SourceList } from "./answer-parts.tsx";
import { CaseDialog } from "./case-dialog.tsx";
import { NEW_CASE, type CaseForm } from "./case-form.ts";
import { Cases } from "./cases.tsx";
import { FailureOfBot } from "./failure-of-bot.tsx";

type Asked = AnswerOf<"askBot">;

/** Asks the draft a question, as a customer would. Nothing is sent. */
export function TestBench({
  id,
  beforeAsking,
}: {
  readonly id: string;
  /** Stores what is written: the draft answers. Null: the member cannot write. */
  readonly beforeAsking: (() => Promise<unknown>) | null;
}) {
  const [text, setText] = useState("");
  const [answer, setAnswer] = useState<Asked | null>(null);
  /** What was asked, to become a case; null: no dialog is open. */
  const [adding, setAdding] = useState<CaseForm | null>(null);
  const mayAdd = useMay("addCase") && beforeAsking !== null;
  const isReady = text.trim() !== "";
  const ask = useCall(async () => {
    await beforeAsking?.();
    setAnswer(await call("askBot", { params: { id }, body: { text: text.trim() } }));
  });
  return (
    <>
      <Part title={t("bots.tab.bench")}>
        <p className="hint">{t("bots.bench.hint")}</p>
        <form
          className="bots-form"
          onSubmit={(event) => {
            event.preventDefault();
            if (isReady) ask.start();
          }}
        >
          <TextInput
            rows={3}
            label={t("bots.question")}
            value={text}
            onChange={setText}
            maxLength={4000}
          />
          <FailureOfBot asked of={ask.failed} />
          <div className="bots-buttons">
            <Button type="submit" className="primary" isDisabled={!isReady} isPending={ask.busy}>
              {t("bots.ask")}
            </Button>
          </div>
        </form>
      </Part>
      {answer && (
        <Answer
          answer={answer}
          add={mayAdd ? () => setAdding(caseOf(text.trim(), answer)) : null}
        />
      )}
      <Cases id={id} beforeRunning={beforeAsking} />
      {adding && (
        <CaseDialog
          botId={id}
          of={null}
          given={adding}
          mayWrite={mayAdd}
          close={() => setAdding(null)}
        />
      )}
    </>
  );
}

/** A case that begins with what was asked and what the bot did. */
const caseOf = (question: string, { decision, checks }: Asked): CaseForm => {
  const did = checks.every(({ ok }) => ok) ? decision : "hand_over";
  return {
    ...NEW_CASE,
    question,
    decision: did === "answer" || did === "clarify" || did === "silent" ? did : "hand_over",
  };
};

function Answer({
  answer,
  add,
}: {
  readonly answer: Asked;
  /** Makes a case of it; null: the member may not. */
  readonly add: (() => void) | null;
}) {
  const { decision, text, sources, checks, lookups, procedure, reason } = answer;
  const failed = checks.filter(({ ok }) => !ok);
  const word = DECISIONS[decision ?? ""];
  return (
    <Part
      title={t("bots.answer")}
      actions={
        <span className="bots-buttons">
          {failed.length > 0 ? (
            <Badge tone="warn">{t("bots.answer.withheld")}</Badge>
          ) : (
            word && <Badge tone={decision === "answer" ? "ok" : "info"}>{t(word)}</Badge>
          )}
          {add && <Button onPress={add}>{t("cases.add")}</Button>}
        </span>
      }
    >
      {text === "" ? (
        <p className="hint">{t(decision === null ? "bots.answer.failed" : "bots.answer.none")}</p>
      ) : (
        <p className="bots-answer" dir="auto" role="status">
          {text}
        </p>
      )}
      {sources.length > 0 && (
        <div className="bots-list">
          <h3>{t("bots.sources")}</h3>
          <SourceList sources={sources} />
        </div>
      )}
      {lookups.length > 0 && (
        <div className="bots-list">
          <h3>{t("bots.lookups")}</h3>
          <LookupList lookups={lookups} />
        </div>
      )}
      {checks.length > 0 && (
        <div className="bots-list">
          <h3>{t("bots.checks")}</h3>
          <CheckList checks={checks} />
        </div>
      )}
      <Facts
        of={[
          [t("bots.decision"), word ? t(word) : t("bots.decision.none")],
          ...(procedure === null
            ? []
            : ([[t("bots.kind.flow"), <bdi key="procedure">{procedure}</bdi>]] as const)),
          ...(reason === null || reason === ""
            ? []
            : ([[t("bots.reason"), <bdi key="reason">{reason}</bdi>]] as const)),
          ...costsOf(answer),
        ]}
      />
    </Part>
  );
}
