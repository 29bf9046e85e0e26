import { Link } from "react-aria-components";
import { count } from "../kit/format.ts";
import { Facts } from "../kit/page.tsx";
import { t } from "../text/t.ts";
import type { BroadcastEstimateJson } from "./contract.ts";
import { Skipped } from "./step-audience.tsx";
import { causeText, durationOf } from "./words.ts";

/** The estimate of a start: recipients, slots, credits, time, and whatever prevents it. */
export function EstimateText({
  of: {
    recipients,
    skipped,
    slotsLeft,
    credits,
    covered,
    seconds,
    cannotRun,
    pace,
    unknownPlaceholders,
  },
  rate,
}: {
  readonly of: NonNullable<BroadcastEstimateJson["estimate"]>;
  readonly rate: string;
}) {
  return (
    <>
      <p className="campaign-figure">{t("campaigns.reach.count", { count: recipients })}</p>
      <Skipped of={skipped} />
      <Facts
        of={[
          [
            t("campaigns.slots"),
            slotsLeft === null
              ? t("campaigns.slots.free", { count: recipients })
              : t("campaigns.slots.left", { count: recipients, left: count(slotsLeft) }),
          ],
          ...(credits === null
            ? []
            : [
                [
                  t("campaigns.credits"),
                  credits.left === null
                    ? t("campaigns.credits.free", { count: credits.needed })
                    : t("campaigns.credits.left", {
                        count: credits.needed,
                        left: count(credits.left),
                      }),
                ] as const,
              ]),
          [t("campaigns.takes"), durationOf(seconds)],
        ]}
      />
      {cannotRun !== null && (
        <p className="campaign-warning" role="alert">
          {causeText(cannotRun)}
        </p>
      )}
      {unknownPlaceholders.length > 0 && (
        <p className="campaign-warning">
          {t("campaigns.unknown")} <bdi dir="ltr">{unknownPlaceholders.join(" ")}</bdi>
        </p>
      )}
      {recipients === 0 && <p className="campaign-warning">{t("campaigns.nobody")}</p>}
      {!covered && slotsLeft !== null && recipients > slotsLeft && (
        <p className="campaign-warning">
          {t("campaigns.limit.warning", { left: count(slotsLeft), of: count(recipients) })}{" "}
          <Link href="/usage">{t("campaigns.limit.link")}</Link>
        </p>
      )}
      {credits?.left != null && credits.needed > credits.left && (
        <p className="campaign-warning">
          {t("campaigns.credits.warning", { left: count(credits.left) })}
        </p>
      )}
      {pace !== null && (
        <p className="campaign-warning">
          {t(`campaigns.pace.${pace.limit}`, {
            rate: rate === "" ? "" : count(Number(rate)),
            most: count(pace.most),
          })}
        </p>
      )}
    </>
  );
}
