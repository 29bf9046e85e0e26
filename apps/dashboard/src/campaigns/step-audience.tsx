import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "react-aria-components";
import { Badge } from "../kit/badge.tsx";
import { Choice, TextInput } from "../kit/fields.tsx";
import { count } from "../kit/format.ts";
import { Part } from "../kit/page.tsx";
import { Address } from "../kit/phone.tsx";
import { t } from "../text/t.ts";
import type { CampaignWay } from "./contract.ts";
import { Addressee } from "./addressee.tsx";
import { keyOf } from "./form.ts";
import { choicesQuery, reachQuery, sampleQuery } from "./queries.ts";
import { skipWord, wayWord } from "./words.ts";
import type { StepProps } from "./wizard.tsx";

/** The audience: all contacts or a segment, how many each channel reaches, and why others are left out. */
export function AudienceStep({ form, change, stored }: StepProps) {
  const { segments } = useSuspenseQuery(choicesQuery).data;
  const resendOf = stored?.resendOf ?? null;
  return (
    <Part title={t("campaigns.step.audience")}>
      <TextInput
        label={t("campaigns.form.name")}
        hint={t("campaigns.form.name.hint")}
        value={form.name}
        maxLength={200}
        onChange={(name) => change({ name })}
      />
      {resendOf ? (
        <p>
          {t("campaigns.resendOf")}{" "}
          <Link href={`/campaigns/${resendOf.id}`}>
            <bdi>{resendOf.name}</bdi>
          </Link>
        </p>
      ) : (
        <>
          <Choice
            label={t("campaigns.audience")}
            options={[
              { value: "", name: t("campaigns.everyone") },
              ...segments.map(({ id, name, contactCount }) => ({
                value: id,
                name: contactCount === null ? name : `${name} (${count(contactCount)})`,
              })),
            ]}
            value={form.segmentId}
            change={(segmentId) => change({ segmentId })}
          />
          <p className="hint">
            {t("campaigns.audience.hint")}{" "}
            <Link href="/segments">{t("campaigns.audience.segments")}</Link>
          </p>
          <Reached segmentId={form.segmentId} way={form.way} />
        </>
      )}
    </Part>
  );
}

/**
 * Whom the audience reaches: the first people, and the figure of each way. A count takes seconds at a million contacts,
 * so the ways are counted one after another, the campaign's own first, and each is shown as it comes.
 */
function Reached({ segmentId, way }: { readonly segmentId: string; readonly way: string }) {
  const { ways } = useSuspenseQuery(choicesQuery).data;
  const own = ways.find((one) => keyOf(one) === way) ?? ways[0];
  if (!own)
    return (
      <p role="alert">
        {t("campaigns.noWays")} <Link href="/settings/channels">{t("campaigns.noWays.link")}</Link>
      </p>
    );
  return (
    <>
      <OwnReach segmentId={segmentId} way={own} />
      <ul className="campaign-reach" aria-label={t("campaigns.reach")}>
        <ReachOfEach
          segmentId={segmentId}
          ways={[own, ...ways.filter((one) => one !== own)]}
          mayCount
        />
      </ul>
      <Sample segmentId={segmentId} way={own} />
    </>
  );
}

interface OneWay {
  readonly segmentId: string;
  readonly way: CampaignWay;
}

/** How many people get it by the campaign's own way. */
function OwnReach({ segmentId, way }: OneWay) {
  const { data, isError, isFetching } = useQuery(reachQuery(segmentId, way));
  if (isError) return <p role="alert">{t("campaigns.reach.failed")}</p>;
  if (!data) return <p role="status">{t("campaigns.reach.counting")}</p>;
  if (data.reach === null) return <p role="status">{t("campaigns.reach.late")}</p>;
  return (
    <p role="status" className="campaign-figure" aria-busy={isFetching}>
      {t("campaigns.reach.count", { count: data.reach.recipients })}
    </p>
  );
}

/** A line for each way. The second is counted once the first is over, and so on. */
function ReachOfEach({
  segmentId,
  ways: [way, ...others],
  mayCount,
}: {
  readonly segmentId: string;
  readonly ways: readonly CampaignWay[];
  readonly mayCount: boolean;
}) {
  if (!way) return null;
  return <ReachOfOne segmentId={segmentId} way={way} others={others} mayCount={mayCount} />;
}

function ReachOfOne({
  segmentId,
  way,
  others,
  mayCount,
}: OneWay & { readonly others: readonly CampaignWay[]; readonly mayCount: boolean }) {
  const { data, isError, isPending } = useQuery({
    ...reachQuery(segmentId, way),
    enabled: mayCount,
  });
  const reach = data?.reach;
  return (
    <>
      <li>
        <strong>
          <bdi>{wayWord(way)}</bdi>
        </strong>
        {reach ? (
          <>
            <span>{t("campaigns.reach.people", { count: reach.recipients })}</span>
            <Skipped of={reach.skipped} />
          </>
        ) : (
          <span className="hint">
            {t(
              isError
                ? "campaigns.reach.notCounted"
                : reach === null
                  ? "campaigns.reach.tooLong"
                  : "campaigns.reach.counting",
            )}
          </span>
        )}
      </li>
      <ReachOfEach segmentId={segmentId} ways={others} mayCount={mayCount && !isPending} />
    </>
  );
}

/** The first people of the audience. */
function Sample({ segmentId, way }: OneWay) {
  const { data } = useQuery(sampleQuery(segmentId, way));
  if (!data || data.people?.length === 0) return null;
  return (
    <>
      <h3 className="campaign-sub">{t("campaigns.sample")}</h3>
      {data.people === null ? (
        <p className="hint">{t("campaigns.sample.late")}</p>
      ) : (
        <ul className="campaign-sample" aria-label={t("campaigns.sample")}>
          {data.people.map(({ contactId, name, address, skipped }) => (
            <li key={contactId}>
              <Link href={`/contacts/${contactId}`}>
                <Addressee of={{ name, address }} on={way.channelType} />
              </Link>
              {name !== null && address !== null && <Address of={address} on={way.channelType} />}
              {skipped !== null && <Badge tone="warn">{skipWord(skipped)}</Badge>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** How many are left out for each reason. */
export function Skipped({ of: skipped }: { readonly of: Readonly<Record<string, number>> }) {
  const reasons = Object.entries(skipped).toSorted(([, a], [, b]) => b - a);
  if (reasons.length === 0) return <span className="hint">{t("campaigns.skip.none")}</span>;
  return (
    <ul className="campaign-skipped">
      {reasons.map(([reason, number]) => (
        <li key={reason}>
          {skipWord(reason)}: <bdi>{count(number)}</bdi>
        </li>
      ))}
    </ul>
  );
}
