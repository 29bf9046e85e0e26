import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { bootstrapQuery } from "../api/query-client.ts";
import { Bars } from "../kit/bars.tsx";
import { count, momentIn } from "../kit/format.ts";
import { Part } from "../kit/page.tsx";
import { readAgain } from "../live/reread-queries.ts";
import { isAbout, useNews } from "../desk/use-news.ts";
import { t, type PlainKey } from "../text/t.ts";
import type { BroadcastTimelineJson } from "./contract.ts";
import { timelineQuery } from "./queries.ts";
import { causeText } from "./words.ts";

type Entry = BroadcastTimelineJson["entries"][number];

const KINDS: Readonly<Record<string, PlainKey>> = {
  start: "campaigns.entry.start",
  schedule: "campaigns.entry.schedule",
  unschedule: "campaigns.entry.unschedule",
  due: "campaigns.entry.due",
  miss: "campaigns.entry.miss",
  stored: "campaigns.entry.stored",
  fail: "campaigns.entry.fail",
  pause: "campaigns.entry.pause",
  halt: "campaigns.entry.halt",
  complete: "campaigns.entry.complete",
  reopen: "campaigns.entry.reopen",
  cancel: "campaigns.entry.cancel",
};
/** With more points than this, each bar is an hour. */
const MOST_BARS = 120;
const AGAIN_MS = 3_000;

/** The campaign's history with its actors, and how many messages were sent over time. */
export function Timeline({ id }: { readonly id: string }) {
  const byMinute = useQuery(timelineQuery(id, "minute"));
  const minutes = byMinute.data;
  const long = (minutes?.chart.length ?? 0) > MOST_BARS;
  const byHour = useQuery({ ...timelineQuery(id, "hour"), enabled: long });
  const hours = byHour.data;
  useNews("broadcast", isAbout(id), AGAIN_MS, async () => {
    await Promise.all([readAgain(byMinute), long && readAgain(byHour)]);
  });
  const chart = (long ? hours : minutes)?.chart ?? [];
  if (!minutes) return null;
  const { entries, timeZone } = minutes;
  return (
    <Part title={t("campaigns.timeline")}>
      {chart.length > 1 && (
        <Bars
          title={t(long ? "campaigns.chart.hours" : "campaigns.chart.minutes")}
          names={[t("campaigns.chart.time"), t("campaigns.sent")]}
          of={chart.map(({ at, sent }) => ({ name: momentIn(timeZone, at), value: sent }))}
        />
      )}
      <ol className="campaign-timeline" aria-label={t("campaigns.timeline")}>
        {entries
          .filter(isChange)
          .map((entry, n, all) => ({ entry, resumes: isResume(entry, all.slice(0, n)) }))
          .toReversed()
          .map(({ entry, resumes }, n) => (
            <li key={entries.length - n}>
              <time dateTime={entry.at}>{momentIn(timeZone, entry.at)}</time>
              <div>
                <EntryText entry={entry} resumes={resumes} timeZone={timeZone} />
              </div>
            </li>
          ))}
      </ol>
    </Part>
  );
}

/** A campaign at the slowest pace is not slowed further. */
const isChange = ({ kind, rateFrom, rateTo }: Entry): boolean =>
  kind !== "halved" || rateFrom !== rateTo;

/** A start of a campaign that was paused, by a person or automatically. */
const isResume = ({ kind }: Entry, before: readonly Entry[]): boolean =>
  kind === "start" &&
  ["pause", "halt"].includes(before.findLast((one) => Object.hasOwn(KINDS, one.kind))?.kind ?? "");

function EntryText({
  entry,
  resumes,
  timeZone,
}: {
  readonly entry: Entry;
  readonly resumes: boolean;
  readonly timeZone: string;
}) {
  const { kind, cause, actor, rateFrom, rateTo, until } = entry;
  const { members } = useSuspenseQuery(bootstrapQuery).data;
  const key = resumes ? "campaigns.entry.resume" : KINDS[kind];
  const rates = { from: count(rateFrom ?? 0), to: count(rateTo ?? 0) };
  const words =
    kind === "halved"
      ? t("campaigns.entry.halved", rates)
      : kind === "paced"
        ? t("campaigns.entry.paced", rates)
        : kind === "waited"
          ? t("campaigns.entry.waited", { until: until ? momentIn(timeZone, until) : "" })
          : key
            ? t(key)
            : kind;
  const who = actor?.startsWith("member:")
    ? (members.find(({ id }) => `member:${id}` === actor)?.name ?? t("campaigns.by.gone"))
    : actor?.startsWith("key:")
      ? t("campaigns.by.key")
      : actor === "cli"
        ? t("campaigns.by.cli")
        : null;
  return (
    <>
      <span>{words}</span>
      {who !== null && (
        <small>
          <bdi>{who}</bdi>
        </small>
      )}
      {cause !== null && <p>{causeText(cause)}</p>}
    </>
  );
}
