import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Button } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { queryClient } from "../api/query-client.ts";
import { Failure } from "../kit/failure.tsx";
import { count } from "../kit/format.ts";
import { Progress } from "../kit/progress.tsx";
import { useCall } from "../kit/use-call.ts";
import { t } from "../text/t.ts";

type Job = AnswerOf<"listContactJobs">["items"][number];

export const jobsQuery = {
  queryKey: ["contact-jobs"],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => call("listContactJobs", { signal }),
};

const isOpen = ({ state }: Job): boolean => state === "running" || state === "paused";
const LOOK_MS = 1_500;
const SHOWN_MS = 24 * 60 * 60 * 1_000;
const MOST_OVER = 3;
const DISMISSED = "parley-contact-jobs";

/** Changes to many contacts: the running ones, and the results of the last ones until somebody has read them. */
export function Jobs() {
  const { data } = useQuery({
    ...jobsQuery,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.items.some(isOpen) ? LOOK_MS : false),
  });
  const [dismissed, setDismissed] = useState(readDismissed);
  const jobs = data?.items ?? [];
  const open = jobs.filter(isOpen);
  // The list shows the effect of a change while it runs, and at its end.
  const progress = open.map(({ id, changed }) => `${id} ${changed}`).join();
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: ["contacts"] });
  }, [progress]);
  const over = jobs
    .filter(
      ({ id, finishedAt }) =>
        finishedAt !== null &&
        Date.now() - Date.parse(finishedAt) < SHOWN_MS &&
        !dismissed.includes(id),
    )
    .slice(0, MOST_OVER);
  if (open.length + over.length === 0) return null;
  return (
    <section className="jobs" aria-label={t("contacts.jobs")}>
      {open.map((job) => (
        <OpenJob key={job.id} job={job} />
      ))}
      {over.map((job) => (
        <div key={job.id} className="job" data-state={job.state}>
          <div role="status">
            <strong>{jobTitle(job)}</strong>
            <span>{outcome(job)}</span>
          </div>
          <Button
            className="quiet"
            onPress={() => {
              const next = [job.id, ...dismissed].slice(0, 50);
              setDismissed(next);
              localStorage.setItem(DISMISSED, next.join());
            }}
          >
            {t("contacts.job.dismiss")}
          </Button>
        </div>
      ))}
    </section>
  );
}

/** The ids of those that this browser no longer shows. */
const readDismissed = (): readonly string[] =>
  (localStorage.getItem(DISMISSED) ?? "").split(",").filter((id) => id !== "");

function OpenJob({ job }: { readonly job: Job }) {
  const move = useCall(async (to: "pause" | "resume" | "cancel") => {
    await call("moveContactJob", { params: { id: job.id }, body: { move: to } });
    await queryClient.invalidateQueries(jobsQuery);
  });
  const { looked, total, changed } = job;
  const paused = job.state === "paused";
  return (
    <div className="job">
      <div>
        <Progress
          label={jobTitle(job)}
          done={looked ?? 0}
          of={total ?? 0}
          text={t("contacts.job.progress", {
            looked: count(looked ?? 0),
            total: count(total ?? 0),
            changed: count(changed),
          })}
          {...(paused && { tone: "warn" as const })}
        />
        {paused && <span>{t("contacts.job.paused")}</span>}
        <Failure of={move.failed} />
      </div>
      <Button onPress={() => move.start(paused ? "resume" : "pause")}>
        {t(paused ? "contacts.job.resume" : "contacts.job.pause")}
      </Button>
      <Button onPress={() => move.start("cancel")}>{t("contacts.job.cancel")}</Button>
    </div>
  );
}

/** A change to many contacts: `Add tags: vip`. */
export function jobTitle({ action, details }: Pick<Job, "action" | "details">): string {
  switch (action) {
    case "tag":
    case "untag": {
      const tags = details["tags"];
      const what = Array.isArray(tags) ? tags.join(", ") : "";
      return t(`contacts.job.${action}`, { what });
    }
    case "set_attribute": {
      const { key, value } = details;
      const to = value === null || value === undefined ? "—" : JSON.stringify(value);
      return t("contacts.job.set_attribute", { what: `${String(key)} = ${to}` });
    }
    case "opt_out":
    case "opt_in":
    case "delete":
      return t(`contacts.job.${action}`);
  }
}

/** How many were changed, how many were not, and why it ended. */
function outcome({ state, reason, failure, matched, changed }: Job): string {
  const done = t("contacts.job.done", { changed });
  const kept = matched - changed;
  const parts = kept > 0 ? [done, t("contacts.job.kept", { kept })] : [done];
  if (state === "cancelled") parts.push(t("contacts.job.cancelled"));
  if (state === "failed")
    parts.push(
      failure === "rules"
        ? t("contacts.job.failed.rules")
        : t("contacts.job.failed", { reason: reason ?? "" }),
    );
  return parts.join(" · ");
}
