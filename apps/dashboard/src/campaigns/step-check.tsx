import { keepPreviousData, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "react-aria-components";
import { ApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { Failure } from "../kit/failure.tsx";
import { Facts, Part } from "../kit/page.tsx";
import { t } from "../text/t.ts";
import { EstimateText } from "./estimate-text.tsx";
import { draftOf, gapsOf, keyOf, SMS, type Form, type Step } from "./form.ts";
import { PhonePreview, useRested } from "./phone-preview.tsx";
import { choicesQuery, templatesQuery } from "./queries.ts";
import { TestSend } from "./test-send.tsx";
import { gapWord, kindWord, wayWord } from "./words.ts";
import type { StepProps } from "./wizard.tsx";

/** Everything on one page before the start: audience, message, times, cost, and a test to a phone. */
export function CheckStep({
  form,
  stored,
  go,
  save,
  saved,
}: StepProps & {
  readonly go: (step: Step) => void;
  readonly save: () => Promise<string>;
  readonly saved: (id: string) => Promise<void>;
}) {
  const { ways, segments } = useSuspenseQuery(choicesQuery).data;
  const channelId = form.way === SMS || form.way === "" ? null : form.way;
  const templates = useQuery(templatesQuery(channelId)).data;
  const [shown, setShown] = useState(0);
  const gaps = gapsOf(form, templates ?? []);
  const blocking = gaps.filter(({ what }) => what !== "time");
  const way = ways.find((one) => keyOf(one) === form.way);
  const audience = stored?.resendOf
    ? t("campaigns.resendOf.short", { name: stored.resendOf.name })
    : form.segmentId === ""
      ? t("campaigns.everyone")
      : (segments.find(({ id }) => id === form.segmentId)?.name ?? "");
  return (
    <div className="campaign-sides">
      <div className="campaign-stack">
        <Part title={t("campaigns.step.check")}>
          {gaps.length > 0 && (
            <div className="campaign-warning">
              <p>{t("campaigns.gaps")}</p>
              <ul>
                {gaps.map((gap) => (
                  <li key={`${gap.what} ${gap.text ?? ""}`}>
                    <Button className="quiet" onPress={() => go(gap.step)}>
                      {gapWord(gap)}
                    </Button>
                  </li>
                ))}
              </ul>
            </div>
          )}
          <Facts
            of={[
              [t("campaigns.audience"), <bdi key="a">{audience}</bdi>],
              [
                t("campaigns.form.way"),
                way ? (
                  <span key="w">
                    <bdi>{wayWord(way)}</bdi>
                    {form.kind !== "SMS" && ` · ${kindWord(form.kind)}`}
                  </span>
                ) : (
                  "–"
                ),
              ],
              [t("campaigns.when"), whenText(form)],
              ...(form.quiet
                ? [
                    [
                      t("campaigns.quiet.short"),
                      <bdi key="q" dir="ltr">{`${form.quietFrom}–${form.quietUntil}`}</bdi>,
                    ] as const,
                  ]
                : []),
            ]}
          />
          {blocking.length === 0 && templates !== undefined && (
            <Estimate form={form} id={stored?.id} />
          )}
        </Part>
        {blocking.length === 0 && <TestSend save={save} saved={saved} kind={form.kind} />}
      </div>
      <div className="campaign-stack">
        {form.texts.length > 1 && (
          <div className="campaign-variants">
            {form.texts.map((text, n) => (
              <Button
                key={n}
                className="campaign-variant"
                aria-pressed={n === shown}
                onPress={() => setShown(n)}
              >
                <bdi>{text.name}</bdi> <bdi dir="ltr">{text.share} %</bdi>
              </Button>
            ))}
          </div>
        )}
        <PhonePreview form={form} index={shown} stored={stored} />
      </div>
    </div>
  );
}

function whenText(form: Form): string {
  if (form.when === "now") return t("campaigns.when.now");
  if (form.at === "") return "–";
  const at = form.at.replace("T", " ");
  return form.localTime
    ? t("campaigns.when.local", { at })
    : t("campaigns.when.zone", { at, zone: form.timeZone });
}

function Estimate({ form, id }: { readonly form: Form; readonly id: string | undefined }) {
  const written = JSON.stringify(draftOf(form));
  const asked = useRested(written);
  const { data, error, isFetching } = useQuery({
    queryKey: ["campaigns", "estimate", id, asked],
    queryFn: ({ signal }) =>
      call("estimateDraft", {
        body: { ...(id !== undefined && { id }), draft: JSON.parse(asked) },
        signal,
      }),
    enabled: asked === written,
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  });
  if (error) return <Failure of={error instanceof ApiError ? error : null} />;
  if (!data) return <p role="status">{t("campaigns.reach.counting")}</p>;
  const { estimate } = data;
  if (estimate === null) return <p role="status">{t("campaigns.reach.late")}</p>;
  return (
    <div className="campaign-estimate" role="status" aria-busy={isFetching}>
      <EstimateText of={estimate} rate={form.rate} />
    </div>
  );
}
