import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "react-aria-components";
import { call } from "../api/call.ts";
import { Badge } from "../kit/badge.tsx";
import { Choice, TextInput } from "../kit/fields.tsx";
import { count } from "../kit/format.ts";
import { Part } from "../kit/page.tsx";
import { Address } from "../kit/phone.tsx";
import { t } from "../text/t.ts";
import { Addressee } from "./addressee.tsx";
import { keyOf } from "./form.ts";
import { choicesQuery } from "./queries.ts";
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

function Reached({ segmentId, way }: { readonly segmentId: string; readonly way: string }) {
  const { data, isError, isFetching } = useQuery({
    queryKey: ["campaigns", "reach", segmentId],
    queryFn: ({ signal }) =>
      call("reachAudience", { body: segmentId === "" ? {} : { segmentId }, signal }),
  });
  if (isError) return <p role="alert">{t("campaigns.reach.failed")}</p>;
  if (!data) return <p role="status">{t("campaigns.reach.counting")}</p>;
  if (data.reaches.length === 0)
    return (
      <p role="alert">
        {t("campaigns.noWays")} <Link href="/settings/channels">{t("campaigns.noWays.link")}</Link>
      </p>
    );
  const channelType = data.reaches[0]?.way.channelType ?? "";
  const most = data.reaches.find((one) => keyOf(one.way) === way) ?? data.reaches[0];
  return (
    <>
      <p role="status" className="campaign-figure" aria-busy={isFetching}>
        {t("campaigns.reach.count", { count: most?.recipients ?? 0 })}
      </p>
      <ul className="campaign-reach" aria-label={t("campaigns.reach")}>
        {data.reaches.map(({ way: one, recipients, skipped }) => (
          <li key={keyOf(one)}>
            <strong>
              <bdi>{wayWord(one)}</bdi>
            </strong>
            <span>{t("campaigns.reach.people", { count: recipients })}</span>
            <Skipped of={skipped} />
          </li>
        ))}
      </ul>
      {data.sample.length > 0 && (
        <>
          <h3 className="campaign-sub">{t("campaigns.sample")}</h3>
          <ul className="campaign-sample" aria-label={t("campaigns.sample")}>
            {data.sample.map(({ contactId, name, address, skipped }) => (
              <li key={contactId}>
                <Link href={`/contacts/${contactId}`}>
                  <Addressee of={{ name, address }} on={channelType} />
                </Link>
                {name !== null && address !== null && <Address of={address} on={channelType} />}
                {skipped !== null && <Badge tone="warn">{skipWord(skipped)}</Badge>}
              </li>
            ))}
          </ul>
        </>
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
