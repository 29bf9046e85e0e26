import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "react-aria-components";
import { call } from "../api/call.ts";
import { isAbout, useNews } from "../desk/use-news.ts";
import { Badge } from "../kit/badge.tsx";
import { EmptyState } from "../kit/empty.tsx";
import { count } from "../kit/format.ts";
import { Icon } from "../kit/icon.tsx";
import { Part } from "../kit/page.tsx";
import { Progress } from "../kit/progress.tsx";
import { DataTable, Nothing } from "../kit/table.tsx";
import { useCall } from "../kit/use-call.ts";
import { useMay } from "../kit/use-may.ts";
import { t } from "../text/t.ts";
import { CaseDialog } from "./case-dialog.tsx";
import { casesIn, NoCases } from "./case-form.ts";
import { casesQuery, readCasesAgain, type Case } from "./cases-query.ts";
import { ImportButton } from "./file-button.tsx";
import { FailureOfBot } from "./failure-of-bot.tsx";
import "./cases.css";

const GAP_MS = 1_000;

/** The cases of a bot: what its answers must hold before it is published, and how they ended last. */
export function Cases({
  id,
  beforeRunning,
}: {
  readonly id: string;
  /** Stores what is written: the draft answers. Null: the member cannot write. */
  readonly beforeRunning: (() => Promise<unknown>) | null;
}) {
  const { data } = useQuery(casesQuery(id));
  const mayWrite = useMay("addCase") && beforeRunning !== null;
  const mayRun = useMay("runCases") && beforeRunning !== null;
  useNews("bot", isAbout(id), GAP_MS, () => readCasesAgain(id));
  const [open, setOpen] = useState<Case | "new" | null>(null);
  const run = useCall(async (only?: string[]) => {
    await beforeRunning?.();
    await call("runCases", { params: { id }, body: only ? { only } : {} });
    await readCasesAgain(id);
  });
  if (!data) return null;
  const { items, passed, running } = data;
  const failed = items.filter(({ result }) => result === "failed").map((one) => one.id);
  const start = (only?: string[]) => () => (only ? run.start(only) : run.start());
  return (
    <Part
      title={t("cases.title")}
      actions={
        mayWrite && (
          <span className="bots-buttons">
            <Button onPress={() => setOpen("new")}>
              <Icon name="plus" />
              {t("cases.new")}
            </Button>
            <ImportCases id={id} />
          </span>
        )
      }
    >
      <p className="hint">{t("cases.hint")}</p>
      <div className="cases-state">
        <p role="status">
          {items.length > 0 &&
            t("cases.passed", { passed: count(passed), count: count(items.length) })}
        </p>
        {mayRun && (
          <span className="bots-buttons">
            <Button isDisabled={failed.length === 0} isPending={run.busy} onPress={start(failed)}>
              {t("cases.run.failed")}
            </Button>
            <Button
              className="primary"
              isDisabled={items.length === 0}
              isPending={run.busy}
              onPress={start()}
            >
              {t("cases.run.all")}
            </Button>
          </span>
        )}
      </div>
      {items.length === 0 ? (
        <EmptyState title={t("cases.none")} text={t("cases.none.text")} />
      ) : (
        <>
          {running && (
            <Progress
              label={t("cases.title")}
              done={running.done}
              of={running.total}
              text={t("cases.answers", {
                done: count(running.done),
                total: count(running.total),
              })}
            />
          )}
          <FailureOfBot of={run.failed} />
          <CaseTable items={items} open={setOpen} />
        </>
      )}
      {open !== null && (
        <CaseDialog
          key={open === "new" ? "new" : open.id}
          botId={id}
          of={open === "new" ? null : open}
          mayWrite={mayWrite}
          close={() => setOpen(null)}
        />
      )}
    </Part>
  );
}

function CaseTable({
  items,
  open,
}: {
  readonly items: readonly Case[];
  readonly open: (one: Case) => void;
}) {
  return (
    <DataTable
      name={t("cases.title")}
      rows={items}
      id={({ id }) => id}
      columns={[
        {
          key: "question",
          name: t("bots.question"),
          cell: (one) => (
            <Button className="link cases-question" onPress={() => open(one)}>
              <bdi>{one.question}</bdi>
            </Button>
          ),
        },
        {
          key: "holds",
          name: t("cases.mustHold"),
          cell: ({ mustHold }) =>
            mustHold.length === 0 ? <Nothing /> : <bdi>{mustHold.join(" · ")}</bdi>,
        },
        {
          key: "language",
          name: t("cases.language"),
          cell: ({ lang }) =>
            lang === null ? <Nothing /> : t(lang === "ar" ? "cases.arabic" : "cases.english"),
        },
        { key: "result", name: t("cases.result"), cell: (one) => <Result of={one} /> },
        {
          key: "right",
          name: t("cases.right"),
          cell: ({ right, asked }) =>
            asked === 0 ? (
              <Nothing />
            ) : (
              t("cases.right.of", { right: count(right), asked: count(asked) })
            ),
        },
      ]}
    />
  );
}

function Result({ of: { result, current } }: { readonly of: Case }) {
  if (result === null) return <span className="hint">{t("cases.result.none")}</span>;
  const isPassed = result === "passed";
  return (
    <span className="cases-result">
      <Badge tone={current ? (isPassed ? "ok" : "bad") : "plain"}>
        {t(isPassed ? "cases.result.passed" : "cases.result.failed")}
      </Badge>
      {!current && <span className="hint">{t("cases.result.old")}</span>}
    </span>
  );
}

/** The button Import: adds the cases of a file of JSON lines. */
function ImportCases({ id }: { readonly id: string }) {
  const [refused, setRefused] = useState<NoCases | null>(null);
  const read = useCall(async (file: File) => {
    setRefused(null);
    try {
      const cases = casesIn(await file.text());
      for (const one of cases) await call("addCase", { params: { id }, body: one });
    } catch (cause) {
      if (!(cause instanceof NoCases)) throw cause;
      setRefused(cause);
    } finally {
      await readCasesAgain(id);
    }
  });
  return (
    <>
      <ImportButton
        types={[".jsonl", ".json", ".txt"]}
        busy={read.busy}
        read={(file) => read.start(file)}
      />
      {refused && (
        <p role="alert" className="failure">
          {refused.line === 0
            ? t("cases.import.none")
            : t("cases.import.line", { line: count(refused.line) })}
        </p>
      )}
      <FailureOfBot of={read.failed} />
    </>
  );
}
