import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Link } from "react-aria-components";
import { RECIPIENT_STATUSES } from "../../../server/src/wire/words.ts";
import { call, type AnswerOf } from "../api/call.ts";
import { Badge, type Tone } from "../kit/badge.tsx";
import { Failure } from "../kit/failure.tsx";
import { Choice } from "../kit/fields.tsx";
import { momentOf } from "../kit/format.ts";
import { Pager } from "../kit/pager.tsx";
import { ProvenDownload } from "../kit/proven-download.tsx";
import { DataTable, Nothing, type Column } from "../kit/table.tsx";
import { useMay } from "../kit/use-may.ts";
import { readAgain } from "../live/reread-queries.ts";
import { isAbout, useNews } from "../desk/use-news.ts";
import { Address } from "../kit/phone.tsx";
import { Addressee } from "./addressee.tsx";
import { t } from "../text/t.ts";
import { faultWord } from "../kit/fault-words.ts";
import { skipWord } from "./words.ts";

type Row = AnswerOf<"listRecipients">["items"][number];

const TONES: Readonly<Record<Row["status"], Tone>> = {
  pending: "plain",
  sending: "info",
  sent: "plain",
  delivered: "ok",
  read: "accent",
  failed: "bad",
  skipped: "warn",
};
const LIMIT = 50;
const AGAIN_MS = 4_000;

/** The recipients, a page at a time, with the state of each message. */
export function Recipients({
  id,
  split,
  channelType,
}: {
  readonly id: string;
  readonly split: boolean;
  readonly channelType: string;
}) {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const mayExport = useMay("startCampaign");
  const status = RECIPIENT_STATUSES.find((one) => one === search.status);
  const reason = search.reason;
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const query = {
    ...(status !== undefined && { status }),
    ...(reason !== undefined && { reason }),
  };
  const list = useQuery({
    queryKey: ["campaigns", "of", id, "recipients", status, reason, cursor],
    queryFn: ({ signal }) =>
      call("listRecipients", {
        params: { id },
        query: { ...query, limit: LIMIT, ...(cursor !== undefined && { cursor }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  useNews("broadcast", isAbout(id), AGAIN_MS, () => readAgain(list));
  const filter = (next: { status?: string; reason?: string }): void => {
    setCursors([]);
    void navigate({ to: "/campaigns/$id", params: { id }, search: next, replace: true });
  };
  const rows = list.data?.items ?? [];
  const next = list.data?.nextCursor ?? null;
  const file = new URLSearchParams(query);
  return (
    <section id="recipients" className="campaign-stack" aria-label={t("campaigns.recipients")}>
      <Failure of={list.error} />
      <div className="campaign-bar">
        <Choice
          label={t("campaigns.recipients.status")}
          options={[
            { value: "", name: t("campaigns.recipients.all") },
            ...RECIPIENT_STATUSES.map((value) => ({ value, name: t(`campaigns.status.${value}`) })),
          ]}
          value={status ?? ""}
          change={(value) => filter(value === "" ? {} : { status: value })}
        />
        {reason !== undefined && (
          <p>
            {status === "skipped" ? skipWord(reason) : faultWord(reason)}{" "}
            <Link
              href={`/campaigns/${id}${status === undefined ? "" : `?status=${status}`}`}
              className="quiet"
            >
              {t("campaigns.recipients.anyReason")}
            </Link>
          </p>
        )}
        {mayExport && (
          <ProvenDownload
            address={`/api/app/campaigns/${id}/recipients.csv${file.size > 0 ? `?${file}` : ""}`}
            name={t("campaigns.export")}
          />
        )}
      </div>
      <DataTable
        name={t("campaigns.recipients")}
        columns={columns(split, channelType)}
        rows={rows}
        id={({ contactId }) => contactId}
        href={({ contactId }) => `/contacts/${contactId}`}
        busy={list.isPlaceholderData}
      />
      {list.data && rows.length === 0 && (
        <p className="hint">
          {t(next === null ? "campaigns.recipients.none" : "campaigns.recipients.further")}
        </p>
      )}
      {(next !== null || cursor !== undefined) && (
        <Pager
          text={t("campaigns.recipients.page", { count: rows.length })}
          previous={cursor === undefined ? undefined : () => setCursors(cursors.slice(0, -1))}
          next={next === null ? undefined : () => setCursors([...cursors, next])}
        />
      )}
    </section>
  );
}

const columns = (split: boolean, channelType: string): readonly Column<Row>[] => [
  {
    key: "name",
    name: t("campaigns.name.person"),
    cell: (row) => <Addressee of={row} on={channelType} />,
  },
  {
    key: "address",
    name: t("campaigns.address"),
    cell: ({ address }) =>
      address === null ? <Nothing /> : <Address of={address} on={channelType} />,
  },
  {
    key: "status",
    name: t("campaigns.state"),
    cell: ({ status, reason, detail }) => (
      <>
        <Badge tone={TONES[status]}>{t(`campaigns.status.${status}`)}</Badge>
        {reason !== null && (
          <small className="campaign-interval" title={detail ?? undefined}>
            {status === "skipped" ? skipWord(reason) : faultWord(reason)}
          </small>
        )}
      </>
    ),
  },
  ...(split
    ? [
        {
          key: "variant",
          name: t("campaigns.variant"),
          cell: ({ variant }: Row) => (variant === null ? <Nothing /> : <bdi>{variant}</bdi>),
        },
      ]
    : []),
  {
    key: "at",
    name: t("campaigns.recipients.at"),
    cell: ({ at }) => (at === null ? <Nothing /> : momentOf(at)),
  },
  {
    key: "conversation",
    name: t("campaigns.conversation"),
    cell: ({ conversationId, repliedAt }) =>
      conversationId === null ? (
        <Nothing />
      ) : (
        <>
          {/* The inbox has no conversation that nobody answered. */}
          {repliedAt === null ? (
            t("campaigns.noReply")
          ) : (
            <Link href={`/inbox/all/${conversationId}`}>{t("campaigns.replied")}</Link>
          )}
        </>
      ),
  },
];
