import { Link } from "@tanstack/react-router";
import { count } from "../kit/format.ts";
import { Part } from "../kit/page.tsx";
import { t } from "../text/t.ts";
import type { Campaign, CampaignReport } from "./contract.ts";
import { faultWord } from "../kit/fault-words.ts";
import { failAdvice, skipWord } from "./words.ts";

/** Why people did not get the message, in words, with advice; each reason leads to its people. */
export function Reasons({
  id,
  report: { failed, skipped, unknownCount },
  status,
}: {
  readonly id: string;
  readonly report: CampaignReport;
  readonly status: Campaign["status"];
}) {
  const failures = sorted(failed);
  const left = sorted(skipped);
  if (failures.length === 0 && left.length === 0) return null;
  return (
    <Part title={t("campaigns.reasons")}>
      {failures.length > 0 && (
        <ul className="campaign-reasons" aria-label={t("campaigns.failed")}>
          {failures.map(([code, number]) => (
            <li key={code}>
              <ReasonLink id={id} status="failed" reason={code} number={number} />
              <div>
                <strong>{faultWord(code)}</strong>
                <p>{failAdvice(code)}</p>
                {code !== "" && <small dir="ltr">{code}</small>}
              </div>
            </li>
          ))}
        </ul>
      )}
      {unknownCount > 0 && (
        <p className="campaign-warning">
          {t("campaigns.unknown.text", { count: unknownCount })}{" "}
          {t(status === "CANCELLED" ? "campaigns.unknown.cancelled" : "campaigns.unknown.do")}
        </p>
      )}
      {left.length > 0 && (
        <ul className="campaign-reasons" aria-label={t("campaigns.skipped")}>
          {left.map(([reason, number]) => (
            <li key={reason}>
              <ReasonLink id={id} status="skipped" reason={reason} number={number} />
              <div>
                <strong>{skipWord(reason)}</strong>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}

const sorted = (reasons: Readonly<Record<string, number>>) =>
  Object.entries(reasons).toSorted(([, a], [, b]) => b - a);

/** A number that leads to the people behind it. `reason` "": of any reason. */
export function ReasonLink({
  id,
  status,
  reason,
  number,
}: {
  readonly id: string;
  readonly status: "failed" | "read" | "skipped";
  readonly reason: string;
  readonly number: number;
}) {
  return (
    <Link
      to="/campaigns/$id"
      params={{ id }}
      search={{ status, ...(reason !== "" && { reason }) }}
      hash="recipients"
      aria-label={t("campaigns.reasons.see", { number: count(number) })}
    >
      {count(number)}
    </Link>
  );
}
