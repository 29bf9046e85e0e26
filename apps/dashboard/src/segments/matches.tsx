import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "react-aria-components";
import { ApiError, type FaultDetail } from "../api/api-error.ts";
import { call, type AnswerOf } from "../api/call.ts";
import { NameText } from "../contacts/contact-words.tsx";
import { Failure } from "../kit/failure.tsx";
import { Part } from "../kit/page.tsx";
import { Phone } from "../kit/phone.tsx";
import { t } from "../text/t.ts";
import { asJson, isWhole, type Group } from "./definition.ts";

/** How long after the last change the server is asked. */
const REST_MS = 350;

interface MatchesState {
  readonly whole: boolean;
  readonly counting: boolean;
  readonly counted: AnswerOf<"countDefinition"> | undefined;
  readonly sample: AnswerOf<"sampleDefinition"> | undefined;
  /** The rules that the server refuses. */
  readonly fault: FaultDetail | null;
  /** Any other failure. */
  readonly failed: ApiError | null;
}

/**
 * The contacts that the rules name now, read when the rules rest. The sample comes first: it is there at once for rules that
 * many fit. It tells the number of those that few fit, and each of the two may read all contacts; so the others are counted
 * after it.
 */
export function useMatches(group: Group): MatchesState {
  const [asked, setAsked] = useState(group);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(group), REST_MS);
    return () => clearTimeout(timer);
  }, [group]);
  const definition = asJson(asked);
  const whole = isWhole(asked);
  const shared = {
    enabled: whole,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 10_000,
  } as const;
  const sample = useQuery({
    queryKey: ["segment-sample", definition],
    queryFn: ({ signal }) => call("sampleDefinition", { body: { definition }, signal }),
    ...shared,
  });
  const isSampled = sample.isError || (sample.isSuccess && !sample.isPlaceholderData);
  const total = sample.data?.total ?? null;
  const counted = useQuery({
    queryKey: ["segment-count", definition],
    queryFn: ({ signal }) => call("countDefinition", { body: { definition }, signal }),
    ...shared,
    enabled: whole && isSampled && total === null,
  });
  const { error } = counted;
  const failed = error instanceof ApiError ? error : null;
  const fault = failed?.code === "VALIDATION_FAILED" ? (failed.details[0] ?? null) : null;
  return {
    whole: isWhole(group),
    counting: sample.isFetching || counted.isFetching || asked !== group,
    counted: failed ? undefined : total === null ? counted.data : { count: total, exact: true },
    sample: failed ? undefined : sample.data,
    fault,
    failed: fault ? null : failed,
  };
}

/** How many people match, and ten of them. */
export function Matches({
  of: { whole, counting, counted, sample, failed },
}: {
  readonly of: MatchesState;
}) {
  return (
    <Part title={t("segments.matches")}>
      <p role="status" className="segment-count" data-old={counting || undefined}>
        {countText(whole, counted)}
      </p>
      <Failure of={failed} />
      {sample && !sample.whole && <p className="hint">{t("segments.sample.late")}</p>}
      <ul className="segment-sample" aria-label={t("segments.sample")}>
        {whole &&
          sample?.contacts.map(({ id, name, phone, email, tags }) => (
            <li key={id}>
              <Link href={`/contacts/${id}`}>
                <NameText of={{ id, name, phone, email }} />
              </Link>
              {name !== null && phone !== null && <Phone of={phone} />}
              {phone === null && name !== null && <bdi dir="ltr">{email}</bdi>}
              <small>
                <bdi>{tags.slice(0, 5).join(", ")}</bdi>
              </small>
            </li>
          ))}
      </ul>
    </Part>
  );
}

function countText(whole: boolean, counted: MatchesState["counted"]): string {
  if (!whole) return t("segments.unfinished");
  if (!counted) return t("segments.counting");
  const { count, exact } = counted;
  return t(exact ? "segments.count" : "segments.countMore", { count });
}
