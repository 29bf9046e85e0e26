import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button, Link } from "react-aria-components";
import { call } from "../api/call.ts";
import { queryClient } from "../api/query-client.ts";
import { ConfirmDialog } from "../kit/dialog.tsx";
import { count, momentOf, percent } from "../kit/format.ts";
import { Part } from "../kit/page.tsx";
import { Progress } from "../kit/progress.tsx";
import { useCall } from "../kit/use-call.ts";
import { readAgain } from "../live/reread-queries.ts";
import { isAbout, useNews } from "../desk/use-news.ts";
import { locale } from "../text/locale.ts";
import { t } from "../text/t.ts";
import { columnFaultText } from "./fields.ts";
import { Refusals } from "./refusals.tsx";
import type { ImportRun } from "./upload.ts";

/** Often enough to see it move; the answer is a few rows by key. */
const AGAIN_MS = 1_000;
const SUMS = ["created", "updated", "unchanged", "refused"] as const;

export const isUnderWay = ({ state }: Pick<ImportRun, "state">): boolean =>
  state === "waiting" || state === "running";

/** One import: its progress, its result, and why rows were refused. Everybody who opens it sees the same. */
export function RunPanel({ id, another }: { readonly id: string; readonly another: () => void }) {
  const shown = useQuery({
    queryKey: ["import", id],
    queryFn: ({ signal }) => call("readImport", { params: { id }, signal }),
    throwOnError: (_, { state }) => state.data === undefined,
  });
  const { data: run } = shown;
  useNews("import", isAbout(id), AGAIN_MS, () => readAgain(shown));
  const [stopping, setStopping] = useState(false);
  const stop = useCall(async () => {
    await call("cancelImport", { params: { id } });
    setStopping(false);
    await queryClient.invalidateQueries({ queryKey: ["import", id] });
    await queryClient.invalidateQueries({ queryKey: ["imports"] });
  });
  if (!run) return null;
  const underWay = isUnderWay(run);
  return (
    <Part title={run.fileName}>
      <p role="status" className="import-sum">
        {stateText(run)}
      </p>
      <Progress
        label={t("imports.progress")}
        done={run.part}
        of={1}
        text={t("imports.progress.text", { rows: count(run.rows), part: percent(run.part) })}
        {...((run.state === "failed" || run.state === "stopped") && { tone: "bad" as const })}
      />
      {underWay && (
        <p className="hint">
          {[
            run.rowsPerSecond !== null &&
              t("imports.progress.rate", { rate: count(run.rowsPerSecond) }),
            run.secondsLeft !== null &&
              t("imports.progress.left", { minutes: Math.round(run.secondsLeft / 60) }),
            t("imports.leave"),
          ]
            .filter((text) => text !== false)
            .join(" · ")}
        </p>
      )}
      <dl className="import-sums">
        {SUMS.map((sum) => (
          <div key={sum} data-sum={sum}>
            <dt>{t(`imports.sum.${sum}`)}</dt>
            <dd>{count(run[sum])}</dd>
          </div>
        ))}
      </dl>
      <ul className="import-mended">
        {run.phonesCompleted > 0 && (
          <li>{t("imports.told.completed", { count: run.phonesCompleted })}</li>
        )}
        {run.emailsLeftOut > 0 && (
          <li>{t("imports.told.emailsLeftOut", { count: run.emailsLeftOut })}</li>
        )}
      </ul>
      {run.refusals.length > 0 && (
        <>
          <h3 className="import-heading">{t("imports.told.why")}</h3>
          <Refusals of={run.refusals} />
        </>
      )}
      {run.hasRefusedRows && (
        <p className="import-download">
          <a className="button" href={`/api/app/imports/${run.id}/refused?lang=${locale}`} download>
            {t("imports.refusedRows")}
          </a>
          <span className="hint">{t("imports.refusedRows.hint")}</span>
        </p>
      )}
      <div className="import-buttons">
        {underWay ? (
          <Button onPress={() => setStopping(true)}>{t("imports.stop")}</Button>
        ) : (
          <>
            <Button onPress={another}>{t("imports.another")}</Button>
            <Link className="button" href="/contacts">
              {t("imports.showContacts")}
            </Link>
          </>
        )}
        {run.finishedAt !== null && <span className="hint">{momentOf(run.finishedAt)}</span>}
      </div>
      {stopping && (
        <ConfirmDialog
          title={t("imports.stop.title")}
          verb={t("imports.stop")}
          call={stop}
          close={() => setStopping(false)}
        >
          <p>{t("imports.stop.text")}</p>
        </ConfirmDialog>
      )}
    </Part>
  );
}

function stateText({ state, stoppedAt, failure }: ImportRun): string {
  if (state === "stopped") return t("imports.told.stopped", { line: count(stoppedAt ?? 0) });
  if (state === "failed")
    return t("imports.told.failed", { reason: failure === null ? "" : failureText(failure) });
  if (state === "uploaded") return t("imports.state.uploaded");
  return t(`imports.told.${state}`);
}

/** Why an import failed, in the reader's language; what the server has no code for, in its own words. */
function failureText(failure: NonNullable<ImportRun["failure"]>): string {
  if (failure.code === "gave_up") return t("imports.told.gaveUp");
  if (failure.code === "gone") return t("imports.told.gone");
  if (failure.code === "not_allowed") return t("imports.told.notAllowed");
  return failure.code === "" ? failure.message : columnFaultText(failure);
}
