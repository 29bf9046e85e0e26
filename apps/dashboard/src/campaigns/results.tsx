import { count, percent } from "../kit/format.ts";
import { t } from "../text/t.ts";
import type { Campaign, CampaignReport } from "./contract.ts";

/** How far people came, step by step: bars, and a table of the same figures. */
export function Results({
  campaign,
  report,
}: {
  readonly campaign: Campaign;
  readonly report: CampaignReport | undefined;
}) {
  const { totalCount, sentCount, deliveredCount, readCount, kind, channelType } = campaign;
  const { replied, optedOut } = report?.funnel ?? {};
  const tellsRead = kind !== "SMS" && channelType !== "TELEGRAM";
  const steps = [
    { key: "total", value: totalCount, of: totalCount },
    { key: "sent", value: sentCount, of: totalCount },
    ...(channelType === "TELEGRAM"
      ? []
      : [{ key: "delivered", value: deliveredCount, of: sentCount } as const]),
    ...(tellsRead ? [{ key: "read", value: readCount, of: sentCount } as const] : []),
    ...(kind === "SMS" ? [] : [{ key: "replied", value: replied, of: sentCount } as const]),
    { key: "optedOut", value: optedOut, of: sentCount },
  ] as const;
  const share = (value: number, of: number) => (of === 0 ? "–" : percent(value / of));
  return (
    <figure className="part campaign-results" aria-label={t("campaigns.results")}>
      <figcaption>
        <h2>{t("campaigns.results")}</h2>
      </figcaption>
      <div className="campaign-funnel" aria-hidden="true">
        {steps.map(({ key, value, of }) => (
          <div key={key}>
            <span>{t(`campaigns.${key}`)}</span>
            <span className="campaign-funnel-track">
              <span
                style={{
                  inlineSize: `${totalCount === 0 ? 0 : ((value ?? 0) / totalCount) * 100}%`,
                }}
              />
            </span>
            <bdi>{value === undefined ? "…" : count(value)}</bdi>
            <bdi>{value === undefined || key === "total" ? "" : share(value, of)}</bdi>
          </div>
        ))}
      </div>
      {!tellsRead && (
        <p className="hint">
          {t(kind === "SMS" ? "campaigns.results.sms" : "campaigns.results.telegram")}
        </p>
      )}
      {/* The same figures for people who hear the page. */}
      <div className="visually-hidden">
        <table aria-label={t("campaigns.results")}>
          <thead>
            <tr>
              <th scope="col">{t("campaigns.results.step")}</th>
              <th scope="col" data-numeric>
                {t("campaigns.results.people")}
              </th>
              <th scope="col" data-numeric>
                {t("campaigns.results.share")}
              </th>
            </tr>
          </thead>
          <tbody>
            {steps.map(({ key, value, of }) => (
              <tr key={key}>
                <th scope="row">{t(`campaigns.${key}`)}</th>
                <td data-numeric>
                  <bdi>{value === undefined ? "…" : count(value)}</bdi>
                </td>
                <td data-numeric>
                  <bdi>{value === undefined ? "…" : share(value, of)}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
