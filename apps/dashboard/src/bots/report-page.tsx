import { useState } from "react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Button, Link } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { failsPage } from "../api/query-client.ts";
import type { ResultsFilter } from "../api/shapes.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { Bars } from "../kit/bars.tsx";
import { Choice } from "../kit/fields.tsx";
import { count } from "../kit/format.ts";
import { Facts, Page, Part } from "../kit/page.tsx";
import { DataTable } from "../kit/table.tsx";
import { channelWord } from "../kit/words.ts";
import { dateLocale } from "../text/locale.ts";
import { t } from "../text/t.ts";
import { conversationsHref, csvOf, daysOf, PERIODS, type Period } from "./report-rules.ts";
import "./report.css";

type Report = AnswerOf<"botReport">;

const OUTCOMES = ["resolved", "assisted", "handed_over", "abandoned", "reopened", "open"] as const;
const days = new Intl.DateTimeFormat(dateLocale, {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});
const dayWord = (day: string): string => days.format(new Date(`${day}T00:00:00Z`));

/** `/bots/report`: what bots did in a time, why they handed over, and what it cost. */
export function ReportPage() {
  return (
    <Page
      title={t("report.title")}
      lead={t("report.lead")}
      back={{ href: "/bots", name: t("report.back") }}
    >
      <BotResults of={null} />
    </Page>
  );
}

/** The results of one bot; `of` null: of all, or of the one that the reader chooses. */
export function BotResults({ of }: { readonly of: string | null }) {
  const { bots, channels } = useBootstrap();
  const [chosen, setChosen] = useState("");
  const [channel, setChannel] = useState("");
  const [period, setPeriod] = useState<Period>("30");
  const [now] = useState(() => Date.now());
  const bot = of ?? chosen;
  const asked = {
    ...daysOf(period, now),
    ...(bot !== "" && { bot }),
    ...(channel !== "" && { channel }),
  };
  const { data: report } = useQuery({
    queryKey: ["bot-report", asked],
    queryFn: ({ signal }) => call("botReport", { query: asked, signal }),
    placeholderData: keepPreviousData,
    // For members who may not open it.
    throwOnError: failsPage,
  });
  return (
    <>
      <div className="report-choices">
        {of === null && (
          <Choice
            label={t("report.bot")}
            options={[
              { value: "", name: t("report.bot.all") },
              ...bots.map(({ id, name }) => ({ value: id, name })),
            ]}
            value={chosen}
            change={setChosen}
          />
        )}
        <Choice
          label={t("report.channel")}
          options={[
            { value: "", name: t("report.channel.all") },
            ...channels.map(({ id, name, type }) => ({
              value: id,
              name: name === "" ? channelWord(type) : name,
            })),
          ]}
          value={channel}
          change={setChannel}
        />
        <Choice
          label={t("report.period")}
          options={PERIODS.map((one) => ({ value: one, name: t(`report.period.${one}`) }))}
          value={period}
          change={setPeriod}
        />
        <Button isDisabled={report === undefined} onPress={() => report && save(report)}>
          {t("report.export")}
        </Button>
      </div>
      {report === undefined ? (
        <p aria-busy="true">{t("kit.loading")}</p>
      ) : (
        <Results report={report} asked={asked} />
      )}
    </>
  );
}

function Results({ report, asked }: { readonly report: Report; readonly asked: ResultsFilter }) {
  const { outcomes, suggestions, ratings } = report;
  const { from, to } = report;
  return (
    <>
      <Part title={t("report.figures")}>
        <p className="hint">
          {t("report.runs", { runs: report.runs, from: dayWord(from), to: dayWord(to) })}
        </p>
        <div className="report-figures">
          {OUTCOMES.map((outcome) => (
            <figure key={outcome} aria-label={t(`report.${outcome}`)}>
              <figcaption>{t(`report.${outcome}`)}</figcaption>
              <Counted n={outcomes[outcome]} of={{ ...asked, outcome }} />
              <small>{t(`report.${outcome}.hint`)}</small>
            </figure>
          ))}
        </div>
      </Part>
      <div className="report-tables">
        <Numbers
          title={t("report.why")}
          heads={[t("report.reason"), t("report.count")]}
          of={report.reasons.map(({ reason, runs }) => ({
            name: reason === null ? t("report.topic.none") : reasonWord(reason),
            n: runs,
            to: { ...asked, outcome: "handed_over", ...(reason !== null && { reason }) },
          }))}
        />
        <Numbers
          title={t("report.topics")}
          heads={[t("report.topic"), t("report.count")]}
          of={report.topics.map(({ topic, runs }) => ({
            name: topic ?? t("report.topic.none"),
            n: runs,
            to: topic === null ? null : { ...asked, topic },
          }))}
        />
        <Numbers
          title={t("report.suggestions")}
          heads={[t("report.what"), t("report.number")]}
          of={(
            [
              ["used", "report.used"],
              ["edited", "report.edited"],
              ["discarded", "report.discarded"],
              ["open", "report.undecided"],
            ] as const
          ).map(([suggestion, word]) => ({
            name: t(word),
            n: suggestions[suggestion],
            to: { ...asked, suggestion },
          }))}
        />
        <Numbers
          title={t("report.rating")}
          heads={[t("report.rated"), t("report.answers")]}
          of={(["good", "bad"] as const).map((rating) => ({
            name: t(`report.${rating}`),
            n: ratings[rating],
            to: { ...asked, rating },
          }))}
        />
        <Numbers
          title={t("report.languages")}
          heads={[t("report.language"), t("report.answers")]}
          of={report.languages.map(({ language, answers }) => ({
            name: languageWord(language),
            n: answers,
            to: language === null ? null : { ...asked, language },
          }))}
        />
      </div>
      <Cost of={report.cost} />
    </>
  );
}

/** A number that leads to its conversations; nothing leads nowhere. */
function Counted({ n, of }: { readonly n: number; readonly of: ResultsFilter | null }) {
  return n === 0 || of === null ? (
    <span>{count(n)}</span>
  ) : (
    <Link href={conversationsHref(of)}>{count(n)}</Link>
  );
}

interface Line {
  readonly name: string;
  readonly n: number;
  readonly to: ResultsFilter | null;
}

function Numbers({
  title,
  heads: [name, number],
  of: lines,
}: {
  readonly title: string;
  readonly heads: readonly [string, string];
  readonly of: readonly Line[];
}) {
  return (
    <Part title={title}>
      <figure className="report-figure" aria-label={title}>
        {lines.length === 0 ? (
          <p className="hint">{t("report.none")}</p>
        ) : (
          <DataTable
            name={title}
            rows={lines}
            id={(line) => line.name}
            cards={false}
            columns={[
              { key: "name", name, cell: (line) => <bdi>{line.name}</bdi> },
              {
                key: "n",
                name: number,
                numeric: true,
                cell: (line) => <Counted n={line.n} of={line.to} />,
              },
            ]}
          />
        )}
      </figure>
    </Part>
  );
}

function Cost({ of: { money, tokens, days: spent } }: { readonly of: Report["cost"] }) {
  return (
    <Part title={t("report.cost")}>
      <figure className="report-figure" aria-label={t("report.cost")}>
        <Facts
          of={[
            [t("report.money"), <bdi key="money">{moneyWord(money)}</bdi>],
            [t("report.tokens"), count(tokens)],
          ]}
        />
      </figure>
      {spent.length === 0 ? (
        <p className="hint">{t("report.cost.none")}</p>
      ) : (
        <>
          <Bars
            title={t("report.cost.day")}
            names={[t("report.day"), t("report.tokens")]}
            of={spent.map((one) => ({ name: dayWord(one.day), value: one.tokens }))}
          />
          <DataTable
            name={t("report.money")}
            rows={spent}
            id={({ day }) => day}
            cards={false}
            columns={[
              { key: "day", name: t("report.day"), cell: ({ day }) => dayWord(day) },
              {
                key: "money",
                name: t("report.money"),
                numeric: true,
                cell: (one) => moneyWord(one.money),
              },
            ]}
          />
        </>
      )}
    </Part>
  );
}

/** Prices have no currency here: what the workspace set them in is what they are in. */
const moneyWord = (money: number): string => String(Number(money.toFixed(4)));

function languageWord(language: string | null): string {
  if (language === "en" || language === "ar") return t(`report.language.${language}`);
  return t("report.language.none");
}

const REASONS = [
  "asked",
  "no_source",
  "checks_failed",
  "model_unavailable",
  "model_refused",
  "limit_reached",
  "cost_cap",
  "loop",
  "stuck",
  "archived",
  "flow",
  "outside_scope",
] as const;
function reasonWord(reason: string): string {
  const known = REASONS.find((one) => one === reason);
  return known ? t(`thread.reason.${known}`) : reason;
}

function save(report: Report): void {
  const address = URL.createObjectURL(
    new Blob([`\u{feff}${csvOf(report)}`], { type: "text/csv;charset=utf-8" }),
  );
  const link = document.createElement("a");
  link.href = address;
  link.download = `bots-${report.from}-${report.to}.csv`;
  link.click();
  URL.revokeObjectURL(address);
}
