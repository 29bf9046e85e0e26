import { useState } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Button } from "react-aria-components";
import { ApiError } from "../../api/api-error.ts";
import { call, type AnswerOf } from "../../api/call.ts";
import { keepAnswer } from "../../api/keep-answer.ts";
import { CheckList, costsOf, LookupList, SourceList } from "../../bots/answer-parts.tsx";
import { AskDialog } from "../../kit/dialog.tsx";
import { Failure } from "../../kit/failure.tsx";
import { TextInput } from "../../kit/fields.tsx";
import { Facts } from "../../kit/page.tsx";
import { useCall } from "../../kit/use-call.ts";
import { t } from "../../text/t.ts";
import "./reply-sources.css";

type Turn = AnswerOf<"readTurn">;

/** What an answer of a model was made of, as it was then, and what members think of it. */
export function ReplySources({
  turnId,
  close,
}: {
  readonly turnId: string;
  readonly close: () => void;
}) {
  const { data: turn, error } = useQuery({
    queryKey: ["turn", turnId],
    queryFn: ({ signal }) => call("readTurn", { params: { id: turnId }, signal }),
  });
  const isDeleted = error instanceof ApiError && error.status === 404;
  return (
    <AskDialog title={t("thread.sources")} wide close={close}>
      {error !== null && (
        <p role="alert">{t(isDeleted ? "thread.sources.deleted" : "thread.bot.failed")}</p>
      )}
      {!turn && error === null && <p aria-busy="true">{t("kit.loading")}</p>}
      {turn && <About turn={turn} />}
      <div className="ask-buttons">
        <Button onPress={close}>{t("kit.close")}</Button>
      </div>
    </AskDialog>
  );
}

function About({ turn }: { readonly turn: Turn }) {
  const { sources, checks, lookups, model } = turn;
  return (
    <div className="reply-sources">
      <div className="bots-list">
        {sources.length > 0 ? <SourceList sources={sources} /> : <p>{t("thread.sources.none")}</p>}
      </div>
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
          ...(model === null
            ? []
            : ([[t("thread.sources.model"), <bdi key="model">{model}</bdi>]] as const)),
          ...costsOf(turn),
        ]}
      />
      <Rating turn={turn} />
    </div>
  );
}

function Rating({ turn }: { readonly turn: Turn }) {
  const queries = useQueryClient();
  const [asks, setAsks] = useState(false);
  const [why, setWhy] = useState(turn.why ?? "");
  const given = why.trim();
  const rate = useCall(async (good: boolean) => {
    const body = { good, ...(!good && given !== "" && { why: given }) };
    const rated = await call("rateTurn", { params: { id: turn.id }, body });
    keepAnswer(queries, ["turn", turn.id], rated);
    setAsks(false);
  });
  return (
    <div className="reply-rating">
      <div className="reply-rating-acts">
        <Button
          aria-pressed={turn.good === true}
          onPress={() => {
            setAsks(false);
            rate.start(true);
          }}
        >
          {t("thread.sources.good")}
        </Button>
        <Button
          aria-pressed={turn.good === false}
          aria-expanded={asks}
          onPress={() => setAsks(true)}
        >
          {t("thread.sources.bad")}
        </Button>
      </div>
      {asks && (
        <form
          className="reply-rating-why"
          onSubmit={(event) => {
            event.preventDefault();
            rate.start(false);
          }}
        >
          <TextInput
            rows={2}
            autoFocus
            label={t("thread.sources.why")}
            value={why}
            onChange={setWhy}
            maxLength={1000}
          />
          <Button type="submit" className="primary" isPending={rate.busy}>
            {t("thread.sources.saveBad")}
          </Button>
        </form>
      )}
      <Failure of={rate.failed} />
      <p role="status">
        {turn.good !== null &&
          t(turn.good ? "thread.sources.ratedGood" : "thread.sources.ratedBad")}
      </p>
      {turn.good === false && turn.why !== null && (
        <p className="hint" dir="auto">
          {turn.why}
        </p>
      )}
    </div>
  );
}
