import { useQuery } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import { count, percent } from "../kit/format.ts";
import { Part } from "../kit/page.tsx";
import { DataTable, Nothing, type Column } from "../kit/table.tsx";
import { readAgain } from "../live/reread-queries.ts";
import { isAbout, useNews } from "../desk/use-news.ts";
import { t } from "../text/t.ts";
import type { Campaign, BroadcastComparisonJson } from "./contract.ts";
import { listed } from "./words.ts";

type Row = BroadcastComparisonJson["variants"][number];
type Metric = BroadcastComparisonJson["comparisons"][number]["metric"];

const FEW = 100;
const AGAIN_MS = 10_000;
const DAY_MS = 86_400_000;

/** The variants side by side, and the meaning of the difference in words. */
export function Comparison({ campaign }: { readonly campaign: Campaign }) {
  const { id, kind, channelType } = campaign;
  const shown = useQuery({
    queryKey: ["campaigns", "of", id, "variants", campaign.status],
    queryFn: ({ signal }) => call("compareBroadcastVariants", { params: { id }, signal }),
  });
  const found = shown.data;
  useNews("broadcast", isAbout(id), AGAIN_MS, () => readAgain(shown));
  if (!found) return null;
  const told: readonly Metric[] =
    kind === "SMS"
      ? ["delivered", "optedOut"]
      : channelType === "TELEGRAM"
        ? ["replied", "optedOut"]
        : ["delivered", "read", "replied", "optedOut"];
  const columns: Column<Row>[] = [
    { key: "name", name: t("campaigns.variant"), cell: ({ name }) => <bdi>{name}</bdi> },
    { key: "total", name: t("campaigns.total"), numeric: true, cell: ({ total }) => count(total) },
    { key: "sent", name: t("campaigns.sent"), numeric: true, cell: ({ sent }) => count(sent) },
    ...told.map((metric): Column<Row> => ({
      key: metric,
      name: t(`campaigns.${metric}`),
      numeric: true,
      cell: ({ rates: { [metric]: rate }, sent }) =>
        sent === 0 ? (
          <Nothing />
        ) : (
          <>
            {percent(rate.rate)}
            <small className="campaign-interval">
              {t("campaigns.interval", { low: percent(rate.low), high: percent(rate.high) })}
            </small>
          </>
        ),
    })),
  ];
  const few = found.variants.some(({ sent }) => sent < FEW);
  const verdicts = found.comparisons.filter(({ metric }) => told.includes(metric));
  return (
    <Part title={t("campaigns.variants")}>
      <DataTable
        name={t("campaigns.variants")}
        columns={columns}
        rows={found.variants}
        id={({ name }) => name}
      />
      {found.holdout.count > 0 && <p>{t("campaigns.heldOut", { count: found.holdout.count })}</p>}
      <ul className="campaign-verdicts">
        {verdicts.map((one) => (
          <li key={`${one.metric} ${one.variant}`}>{verdictOf(one)}</li>
        ))}
      </ul>
      {few ? (
        <p className="hint">{t("campaigns.few", { count: FEW })}</p>
      ) : (
        <p className="hint">{warningOf(campaign, verdicts.length > told.length)}</p>
      )}
    </Part>
  );
}

function verdictOf({
  metric,
  variant,
  against,
  clear,
  difference,
  low,
  high,
}: BroadcastComparisonJson["comparisons"][number]): string {
  const what = t(`campaigns.${metric}`);
  if (!clear) return t("campaigns.verdict.none", { what, first: against, second: variant });
  const better = difference > 0 === (metric !== "optedOut");
  const [from, to] = [Math.abs(low), Math.abs(high)].toSorted((a, b) => a - b);
  const [winner, loser] = better ? [variant, against] : [against, variant];
  return t("campaigns.verdict.better", {
    what,
    winner,
    loser,
    from: percent(from ?? 0),
    to: percent(to ?? 0),
  });
}

/** Reasons not to read more into the figures than they say. */
function warningOf({ completedAt, replyDays, now }: Campaign, several: boolean): string {
  const words: string[] = [];
  if (completedAt === null) words.push(t("campaigns.verdict.running"));
  else if (new Date(now).getTime() < new Date(completedAt).getTime() + replyDays * DAY_MS)
    words.push(t("campaigns.verdict.early", { count: replyDays }));
  if (several) words.push(t("campaigns.verdict.several"));
  return words.length === 0 ? t("campaigns.verdict.sure") : listed(words);
}
