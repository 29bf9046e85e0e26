import { useState } from "react";
import { Button } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { Failure } from "../kit/failure.tsx";
import { Tick } from "../kit/fields.tsx";
import { Icon } from "../kit/icon.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";

type Question = AnswerOf<"suggestQuestions">["items"][number];

/** Has a model propose how customers ask for a source; a member ticks those that are kept with it. */
export function SuggestQuestions({
  id,
  known,
  add,
}: {
  readonly id: string;
  /** Those that the form has already. */
  readonly known: readonly string[];
  readonly add: (lines: readonly string[]) => void;
}) {
  const [proposed, setProposed] = useState<readonly Question[] | null>(null);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const ask = useCall(async () => {
    const { items } = await call("suggestQuestions", { params: { id } });
    setProposed(items);
    setTicked(new Set());
  });
  const shown = (proposed ?? []).filter(({ text }) => !known.includes(text));
  const tick = (text: string, on: boolean) => {
    const next = new Set(ticked);
    if (on) next.add(text);
    else next.delete(text);
    setTicked(next);
  };
  return (
    <div className="knowledge-questions">
      <Button isPending={ask.busy} onPress={() => ask.start()}>
        <Icon name="sparkles" />
        {t("knowledge.questions.suggest")}
      </Button>
      {ask.failed && (
        <Failure
          of={ask.failed}
          {...((ask.failed.code === "NOT_ALLOWED_IN_STATE" ||
            ask.failed.code === "MODEL_UNAVAILABLE") && { text: t("knowledge.questions.failed") })}
        />
      )}
      {proposed !== null && shown.length === 0 && (
        <p role="status" className="hint">
          {t("knowledge.questions.none")}
        </p>
      )}
      {shown.length > 0 && (
        <>
          <ul aria-label={t("knowledge.questions")}>
            {shown.map(({ text, lang }) => (
              <li key={text} lang={lang}>
                <Tick
                  label={<bdi>{text}</bdi>}
                  on={ticked.has(text)}
                  change={(on) => tick(text, on)}
                />
              </li>
            ))}
          </ul>
          <Button
            isDisabled={ticked.size === 0}
            onPress={() => {
              add(shown.flatMap(({ text }) => (ticked.has(text) ? text : [])));
              setTicked(new Set());
            }}
          >
            {t("knowledge.questions.add")}
          </Button>
        </>
      )}
    </div>
  );
}
