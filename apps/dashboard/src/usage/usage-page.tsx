import { useQuery } from "@tanstack/react-query";
import { Link } from "react-aria-components";
import { CHANNEL_TYPES } from "../../../server/src/wire/words.ts";
import { call, type AnswerOf } from "../api/call.ts";
import { failsPage } from "../api/query-client.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { Bars } from "../kit/bars.tsx";
import { EmptyState } from "../kit/empty.tsx";
import { count } from "../kit/format.ts";
import { Page, Part } from "../kit/page.tsx";
import { Progress } from "../kit/progress.tsx";
import { DataTable, type Column } from "../kit/table.tsx";
import { channelWord } from "../kit/words.ts";
import { dateLocale } from "../text/locale.ts";
import { t, type PlainKey } from "../text/t.ts";
import "./usage.css";

type Report = AnswerOf<"readUsage">;
type ChannelRow = Report["channels"][number];

/** The meter counts in UTC: so are its days and its month named. */
const months = new Intl.DateTimeFormat(dateLocale, {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
const days = new Intl.DateTimeFormat(dateLocale, {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});
const dayWord = (day: string): string => days.format(new Date(`${day}T00:00:00Z`));

/** `/usage`: this month against the plan, by day and by channel, and the forecast. */
export function Usage() {
  const { data } = useQuery({
    queryKey: ["usage"],
    queryFn: ({ signal }) => call("readUsage", { signal }),
    // For members who may not open it.
    throwOnError: failsPage,
  });
  if (data === undefined) return <Page title={t("usage.title")}>{null}</Page>;
  const month = months.format(new Date(data.periodStart));
  return (
    <Page
      title={t("usage.title")}
      lead={t("usage.lead", { month, plan: t(`usage.plan.${data.plan}`) })}
    >
      <Part title={t("usage.messages")}>
        <Month report={data} />
      </Part>
      <Days report={data} />
      <Part title={t("usage.channel")}>
        <Channels rows={data.channels} />
      </Part>
      <Part title={t("usage.limits")}>
        <Limits report={data} />
      </Part>
    </Page>
  );
}

/** The messages of each day. Before the first one: what will be here, and the way to it. */
function Days({ report }: { readonly report: Report }) {
  const days = report.days.map(({ day, sent, received, failed }) => ({
    name: dayWord(day),
    value: sent + received + failed,
  }));
  if (report.channels.length === 0 && days.every(({ value }) => value === 0))
    return (
      <EmptyState title={t("usage.none")} text={t("usage.none.text")}>
        <NextStep />
      </EmptyState>
    );
  return (
    <div className="part">
      <Bars title={t("usage.day")} names={[t("usage.date"), t("usage.count")]} of={days} />
      <p className="hint">{t("usage.day.hint")}</p>
      <Uncounted report={report} />
    </div>
  );
}

/** The way to the first message of the month. A test workspace has channels of the sandbox only. */
function NextStep() {
  const { workspace, channels } = useBootstrap();
  const [href, name] = ((): readonly [string, PlainKey] => {
    if (workspace.kind === "test") return ["/sandbox", "sandbox.title"];
    return channels.some(({ sandbox }) => !sandbox)
      ? ["/inbox/all", "shell.inbox"]
      : ["/settings/channels/connect", "channels.connect"];
  })();
  return (
    <Link className="primary" href={href}>
      {t(name)}
    </Link>
  );
}

function toneOf(used: number, limit: number): "warn" | "bad" | undefined {
  if (used >= limit) return "bad";
  return used >= limit * 0.8 ? "warn" : undefined;
}

const usedOf = (used: number, limit: number | null): string =>
  limit === null
    ? t("usage.ofNone", { used: count(used) })
    : t("usage.of", { used: count(used), limit: count(limit) });

/** The messages of the month, and the forecast for its end. */
function Month({ report: { used, limits, forecast, periodEnd } }: { readonly report: Report }) {
  const { messages: limit } = limits;
  const tone = limit === null ? undefined : toneOf(used.messages, limit);
  const next = dayWord(periodEnd.slice(0, 10));
  return (
    <>
      <Progress
        label={t("usage.thisMonth")}
        done={used.messages}
        of={limit ?? Math.max(used.messages, forecast.messages, 1)}
        text={usedOf(used.messages, limit)}
        {...(tone && { tone })}
      />
      <p>
        {t("usage.forecast", { messages: count(forecast.messages) })}{" "}
        <span className="usage-quiet">
          {forecast.days > 0
            ? t("usage.pace", { perDay: count(Math.round(forecast.perDay)), days: forecast.days })
            : t("usage.paceToday", { perDay: count(Math.round(forecast.perDay)) })}
        </span>
      </p>
      {limit !== null && used.messages >= limit ? (
        <p role="note" className="failure">
          {t("usage.stopped", { day: next })}
        </p>
      ) : (
        forecast.limitOn !== null && (
          <p role="note" className="usage-warning">
            {t("usage.willStop", { day: dayWord(forecast.limitOn), next })}
          </p>
        )
      )}
      {limit !== null && <p className="hint">{t("usage.whatStops", { day: next })}</p>}
    </>
  );
}

/** Days before the meter counted by day have no bar. */
function Uncounted({ report: { days: counted, channels } }: { readonly report: Report }) {
  const sum = (rows: readonly { sent: number; received: number; failed: number }[]) =>
    rows.reduce((total, one) => total + one.sent + one.received + one.failed, 0);
  const missing = sum(channels) - sum(counted);
  return missing > 0 ? (
    <p className="hint">{t("usage.uncounted", { missing: count(missing) })}</p>
  ) : null;
}

const nameOf = ({ channelType, displayName }: ChannelRow): string =>
  displayName ?? channelType ?? t("usage.gone");

const columns = (): readonly Column<ChannelRow>[] => [
  { key: "name", name: t("usage.name"), cell: (row) => <bdi>{nameOf(row)}</bdi> },
  { key: "kind", name: t("usage.kind"), cell: ({ channelType }) => kindWord(channelType) },
  { key: "sent", name: t("usage.sent"), numeric: true, cell: ({ sent }) => count(sent) },
  {
    key: "received",
    name: t("usage.received"),
    numeric: true,
    cell: ({ received }) => count(received),
  },
  { key: "failed", name: t("usage.failed"), numeric: true, cell: ({ failed }) => count(failed) },
  {
    key: "aiReplies",
    name: t("usage.aiReplies"),
    numeric: true,
    cell: ({ aiReplies }) => count(aiReplies),
  },
];

function kindWord(type: string | null): string {
  const known = CHANNEL_TYPES.find((one) => one === type);
  return known ? channelWord(known) : "SMS";
}

function Channels({ rows }: { readonly rows: readonly ChannelRow[] }) {
  if (rows.length === 0) return <p className="hint">{t("usage.nothing")}</p>;
  return (
    <DataTable
      name={t("usage.channel")}
      columns={columns()}
      rows={rows}
      id={({ channelId }) => channelId ?? "sms"}
    />
  );
}

/** The other limits of the plan: how much of each is used, and what happens at its end. */
function Limits({ report: { used, limits, smsCredits } }: { readonly report: Report }) {
  const lines = (["seats", "channels", "bots", "aiReplies"] as const).map((name) => ({
    name,
    used: used[name],
    limit: limits[name],
  }));
  return (
    <ul className="usage-limits">
      {lines.map(({ name, used: taken, limit }) => {
        const tone = limit === null ? undefined : toneOf(taken, limit);
        return (
          <li key={name}>
            <Progress
              label={t(`usage.limit.${name}`)}
              done={taken}
              of={limit === null ? null : Math.max(limit, 1)}
              text={usedOf(taken, limit)}
              {...(tone && { tone })}
            />
            <p className="hint">{t(`usage.limit.${name}.stops`)}</p>
          </li>
        );
      })}
      <li>
        <p className="usage-line">
          <span>{t("usage.credits")}</span>
          <bdi>{smsCredits === null ? t("usage.unlimited") : count(smsCredits)}</bdi>
        </p>
        <p className="hint">{t("usage.credits.stops")}</p>
      </li>
    </ul>
  );
}
