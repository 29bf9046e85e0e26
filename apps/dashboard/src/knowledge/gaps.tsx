import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { failsPage } from "../api/query-client.ts";
import { AskDialog } from "../kit/dialog.tsx";
import { EmptyState } from "../kit/empty.tsx";
import { Failure } from "../kit/failure.tsx";
import { Choice, TextInput, Tick } from "../kit/fields.tsx";
import { count, distanceOf } from "../kit/format.ts";
import { DataTable } from "../kit/table.tsx";
import { useCall } from "../kit/use-call.ts";
import { useMay } from "../kit/use-may.ts";
import { t, type PlainKey } from "../text/t.ts";
import { queryKey, readAgain, sourcesQuery } from "./sources-query.ts";

type Gap = AnswerOf<"listGaps">["items"][number];

const WHY = {
  no_source: "knowledge.why.noSource",
  check_failed: "knowledge.why.checkFailed",
  rated_bad: "knowledge.why.ratedBad",
  asked: "knowledge.why.asked",
} as const satisfies Record<Gap["why"], PlainKey>;

/** The tab of questions that no source answered. */
export function Gaps() {
  const mayClose = useMay("closeGap");
  const { data, fetchNextPage, hasNextPage } = useInfiniteQuery({
    queryKey: queryKey("gaps"),
    queryFn: ({ pageParam, signal }) =>
      call("listGaps", { query: pageParam === "" ? {} : { cursor: pageParam }, signal }),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
    throwOnError: failsPage,
  });
  const [answering, setAnswering] = useState<Gap | null>(null);
  const dismiss = useCall(async (id: string) => {
    await call("closeGap", { params: { id }, body: { notOurs: true } });
    await readAgain();
  });
  const rows = data?.pages.flatMap(({ items }) => items) ?? [];
  if (data && rows.length === 0)
    return <EmptyState title={t("knowledge.gaps.none")} text={t("knowledge.gaps.none.text")} />;
  return (
    <>
      <Failure of={dismiss.failed} />
      <DataTable
        name={t("knowledge.gaps")}
        rows={rows}
        id={({ id }) => id}
        columns={[
          {
            key: "question",
            name: t("knowledge.gap.question"),
            cell: ({ question }) => <bdi>{question}</bdi>,
          },
          {
            key: "asked",
            name: t("knowledge.gap.asked"),
            numeric: true,
            cell: ({ asked }) => t("knowledge.gap.times", { count: asked, shown: count(asked) }),
          },
          {
            key: "last",
            name: t("knowledge.gap.last"),
            cell: ({ lastAskedAt }) => distanceOf(lastAskedAt),
          },
          {
            key: "language",
            name: t("knowledge.column.language"),
            cell: ({ lang }) => t(lang === "ar" ? "knowledge.arabic" : "knowledge.english"),
          },
          { key: "why", name: t("knowledge.gap.why"), cell: ({ why }) => t(WHY[why]) },
          {
            key: "actions",
            name: t("knowledge.column.actions"),
            action: true,
            cell: (gap) =>
              mayClose && (
                <span className="knowledge-actions">
                  <Button onPress={() => setAnswering(gap)}>{t("knowledge.gap.answer")}</Button>
                  <Button isPending={dismiss.busy} onPress={() => dismiss.start(gap.id)}>
                    {t("knowledge.gap.notOurs")}
                  </Button>
                </span>
              ),
          },
        ]}
      />
      {hasNextPage && <Button onPress={() => void fetchNextPage()}>{t("knowledge.more")}</Button>}
      {answering && <AnswerGap gap={answering} close={() => setAnswering(null)} />}
    </>
  );
}

function AnswerGap({ gap, close }: { readonly gap: Gap; readonly close: () => void }) {
  const { data } = useInfiniteQuery(sourcesQuery);
  const snippets = (data?.pages.flatMap(({ items }) => items) ?? []).filter(
    ({ kind }) => kind === "snippet",
  );
  const [answer, setAnswer] = useState("");
  const [into, setInto] = useState("");
  const botId = useTestedBot(gap);
  const [isCase, setCase] = useState(true);
  const save = useCall(async () => {
    const body = { answer, ...(into !== "" && { sourceId: into }) };
    const { sourceId } = await call("closeGap", { params: { id: gap.id }, body });
    if (botId !== null && isCase && sourceId !== null)
      await call("addCase", {
        params: { id: botId },
        body: {
          question: gap.question,
          gapId: gap.id,
          sources: [sourceId],
          decision: "answer",
          lang: gap.lang,
        },
      });
    await readAgain();
    close();
  });
  return (
    <AskDialog
      wide
      title={t("knowledge.gap.dialog")}
      close={close}
      submit={() => {
        if (answer.trim() !== "") save.start();
      }}
    >
      <p className="knowledge-asked" dir="auto">
        {gap.question}
      </p>
      <TextInput
        autoFocus
        isRequired
        rows={5}
        label={t("knowledge.gap.text")}
        hint={t("knowledge.gap.text.hint")}
        value={answer}
        onChange={setAnswer}
        maxLength={20_000}
      />
      <Choice
        label={t("knowledge.gap.into")}
        options={[
          { value: "", name: t("knowledge.gap.newSnippet") },
          ...snippets.map(({ id, title }) => ({ value: id, name: title })),
        ]}
        value={into}
        change={setInto}
      />
      {botId !== null && <Tick label={t("knowledge.gap.case")} on={isCase} change={setCase} />}
      <Failure of={save.failed} />
      <div className="ask-buttons">
        <Button onPress={close}>{t("kit.cancel")}</Button>
        <Button
          type="submit"
          className="primary"
          isDisabled={answer.trim() === ""}
          isPending={save.busy}
        >
          {t("kit.save")}
        </Button>
      </div>
    </AskDialog>
  );
}

/** The bot whose case a question becomes: the one that was asked, else the oldest AI bot; null: there is none. */
function useTestedBot({ botId }: Gap): string | null {
  const { data } = useQuery({
    queryKey: queryKey("bots"),
    queryFn: ({ signal }) => call("listBots", { signal }),
  });
  const able = (data?.items ?? []).filter(
    ({ kind, status }) => kind === "ai" && status !== "archived",
  );
  return able.find(({ id }) => id === botId)?.id ?? able.at(-1)?.id ?? null;
}
