import { useState } from "react";
import { Button } from "react-aria-components";
import type { TurnFault } from "../../../server/src/wire/external-bot.ts";
import { call, type AnswerOf } from "../api/call.ts";
import { TextInput } from "../kit/fields.tsx";
import { count } from "../kit/format.ts";
import { Part } from "../kit/page.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";
import { numberAt, numberOf, put, textAt } from "./ai-form.ts";
import { BotSecret } from "./bot-secret.tsx";
import type { Bot, BotDocument } from "./bots-query.ts";
import { FailureOfBot } from "./failure-of-bot.tsx";
import { FaultList } from "./faults.tsx";
import "./flow.css";

type TestCall = AnswerOf<"testExternalBot">;

/** Where an external bot is called, what signs the calls, and how long they wait. */
export function External({
  bot,
  document,
  mayWrite,
  change,
  keep,
}: {
  readonly bot: Bot;
  readonly document: BotDocument;
  readonly mayWrite: boolean;
  readonly change: (make: (document: BotDocument) => BotDocument, field?: string) => void;
  /** Stores what is written: a test calls the draft. */
  readonly keep: (() => Promise<Bot>) | null;
}) {
  const { faults } = bot;
  return (
    <>
      {faults.length > 0 && <FaultList faults={faults} />}
      <Part title={t("flow.tab.connection")}>
        <TextInput
          code
          isReadOnly={!mayWrite}
          label={t("flow.address")}
          hint={t("flow.address.hint")}
          value={textAt(document, "url")}
          onChange={(url) => change((now) => ({ ...now, url }), "url")}
          maxLength={2_048}
        />
        <TextInput
          type="number"
          code
          isReadOnly={!mayWrite}
          label={t("flow.wait")}
          hint={t("flow.wait.hint")}
          value={numberAt(document, "waitSeconds")}
          onChange={(field) =>
            change((now) => put(now, ["waitSeconds"], numberOf(field)), "waitSeconds")
          }
        />
      </Part>
      {mayWrite && <BotSecret bot={bot} />}
      {keep && <Test id={bot.id} keep={keep} />}
    </>
  );
}

function Test({ id, keep }: { readonly id: string; readonly keep: () => Promise<Bot> }) {
  const [result, setResult] = useState<TestCall | null>(null);
  const test = useCall(async () => {
    setResult(null);
    await keep();
    setResult(await call("testExternalBot", { params: { id } }));
  });
  return (
    <Part title={t("flow.test.result")}>
      <p className="hint">{t("flow.test.hint")}</p>
      <Button className="button flow-add" isPending={test.busy} onPress={() => test.start()}>
        {t("flow.test")}
      </Button>
      <FailureOfBot of={test.failed} />
      {result && <TestResult of={result} />}
    </Part>
  );
}

const FAILURES: Readonly<Record<TurnFault, (value: string) => string>> = {
  NO_ADDRESS: () => t("flow.test.NO_ADDRESS"),
  NO_SECRET: () => t("flow.test.NO_SECRET"),
  STATUS: (value) => t("flow.test.STATUS", { value }),
  TOO_LONG: () => t("flow.test.TOO_LONG"),
  NOT_JSON: () => t("flow.test.NOT_JSON"),
  SHAPE: (value) => t("flow.test.SHAPE", { value }),
  EMPTY: () => t("flow.test.EMPTY"),
  NETWORK: (value) => t("flow.test.NETWORK", { value }),
};

const whyFailed = ({ code, value }: TestCall): string => FAILURES[code ?? "NETWORK"](value ?? "");

function TestResult({ of: result }: { readonly of: TestCall }) {
  const { state, answer } = result;
  const ms = count(result.ms);
  if (state === "failed")
    return (
      <p role="alert" className="failure">
        {result.ms === 0
          ? t("flow.test.unsent", { why: whyFailed(result) })
          : t("flow.test.failed", { ms, why: whyFailed(result) })}
      </p>
    );
  return (
    <div className="flow-result">
      <p role="status">{t(state === "later" ? "flow.test.later" : "flow.test.answered", { ms })}</p>
      {answer?.messages?.map(({ text, choices }, index) => (
        <article key={index} className="flow-bubble" aria-label={t("flow.test.says")}>
          <p dir="auto">{text}</p>
          {choices?.map((choice) => (
            <span key={choice.payload} className="flow-choice">
              <bdi>{choice.text}</bdi>
            </span>
          ))}
        </article>
      ))}
      {answer?.end === true && <p>{t("flow.test.ends")}</p>}
      {answer?.handOver && <p>{t("flow.test.hands")}</p>}
    </div>
  );
}
