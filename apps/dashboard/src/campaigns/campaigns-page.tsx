import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Link } from "react-aria-components";
import { call } from "../api/call.ts";
import { failsPage } from "../api/query-client.ts";
import { Badge } from "../kit/badge.tsx";
import { EmptyState } from "../kit/empty.tsx";
import { Choice } from "../kit/fields.tsx";
import { count, distanceOf, momentOf, percent } from "../kit/format.ts";
import { Icon } from "../kit/icon.tsx";
import { Page } from "../kit/page.tsx";
import { Pager } from "../kit/pager.tsx";
import { DataTable, Nothing, type Column } from "../kit/table.tsx";
import { useMay } from "../kit/use-may.ts";
import { readAgain } from "../live/reread-queries.ts";
import { useNews } from "../desk/use-news.ts";
import { t } from "../text/t.ts";
import type { CampaignLine } from "./contract.ts";
import { isShown, SHOWN } from "./shown.ts";
import { kindWord, platformWord, stateTone, stateWord } from "./words.ts";
import "./campaigns.css";

const AGAIN_MS = 2_000;

/** `/campaigns`: every campaign, the newest first. */
export function CampaignsPage() {
  const { show } = useSearch({ strict: false });
  const navigate = useNavigate();
  const mayMake = useMay("createBroadcast");
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const list = useQuery({
    queryKey: ["campaigns", "list", show, cursor],
    queryFn: ({ signal }) =>
      call("listCampaigns", {
        query: { ...(isShown(show) && { show }), ...(cursor !== undefined && { cursor }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    throwOnError: failsPage,
  });
  useNews(
    "broadcast",
    () => true,
    AGAIN_MS,
    () => readAgain(list),
  );
  const items = list.data?.items ?? [];
  const next = list.data?.nextCursor ?? null;
  const filtered = isShown(show);
  /** There is no campaign at all: its one button is in the middle of the page. */
  const isEmpty = list.data !== undefined && items.length === 0 && !filtered;
  return (
    <Page
      title={t("shell.campaigns")}
      lead={t("campaigns.lead")}
      actions={
        mayMake &&
        !isEmpty && (
          <Link className="primary" href="/campaigns/new">
            <Icon name="plus" />
            {t("campaigns.new")}
          </Link>
        )
      }
    >
      {!isEmpty && (
        <div className="campaign-filter">
          <Choice
            label={t("campaigns.show")}
            options={[
              { value: "all", name: t("campaigns.show.all") },
              ...SHOWN.map((value) => ({ value, name: t(`campaigns.show.${value}`) })),
            ]}
            value={isShown(show) ? show : "all"}
            change={(value) => {
              setCursors([]);
              void navigate({ to: "/campaigns", search: value === "all" ? {} : { show: value } });
            }}
          />
        </div>
      )}
      {list.data && items.length === 0 ? (
        <EmptyState
          title={t(filtered ? "campaigns.none" : "campaigns.empty")}
          text={t(filtered ? "campaigns.none.text" : "campaigns.empty.text")}
        >
          {filtered ? (
            <Link className="button" href="/campaigns">
              {t("campaigns.show.all")}
            </Link>
          ) : (
            mayMake && (
              <Link className="primary" href="/campaigns/new">
                {t("campaigns.new")}
              </Link>
            )
          )}
        </EmptyState>
      ) : (
        <DataTable
          name={t("shell.campaigns")}
          columns={columns()}
          rows={items}
          id={({ id }) => id}
          href={({ id }) => `/campaigns/${id}`}
          busy={list.isPlaceholderData}
        />
      )}
      {(next !== null || cursor !== undefined) && (
        <Pager
          text={t("campaigns.page", { count: items.length })}
          previous={cursor === undefined ? undefined : () => setCursors(cursors.slice(0, -1))}
          next={next === null ? undefined : () => setCursors([...cursors, next])}
        />
      )}
    </Page>
  );
}

const columns = (): readonly Column<CampaignLine>[] => [
  { key: "name", name: t("campaigns.name"), cell: ({ name }) => <bdi>{name}</bdi> },
  {
    key: "state",
    name: t("campaigns.state"),
    cell: ({ status, isTest }) => (
      <span className="campaign-states">
        <Badge tone={stateTone(status)}>{stateWord(status)}</Badge>
        {isTest && <Badge>{t("campaigns.test")}</Badge>}
      </span>
    ),
  },
  {
    key: "way",
    name: t("campaigns.way"),
    cell: ({ kind, channelType }) =>
      kind === "SMS" ? kindWord(kind) : `${platformWord(channelType)} · ${kindWord(kind)}`,
  },
  { key: "progress", name: t("campaigns.progress"), cell: (row) => <Done {...row} /> },
  number("sent", ({ sentCount }) => sentCount),
  number("delivered", ({ deliveredCount }) => deliveredCount),
  number("read", ({ readCount }) => readCount),
  number("failed", ({ failedCount }) => failedCount),
  { key: "when", name: t("campaigns.when"), cell: whenOf },
];

const number = (
  key: "sent" | "delivered" | "read" | "failed",
  value: (row: CampaignLine) => number,
): Column<CampaignLine> => ({
  key,
  name: t(`campaigns.${key}`),
  numeric: true,
  cell: (row) => (row.totalCount === 0 ? <Nothing /> : count(value(row))),
});

/** The finished share of the audience, as a line and in numbers. */
function Done(row: CampaignLine) {
  const { totalCount } = row;
  if (totalCount === 0) return <Nothing />;
  const share = (row.sentCount + row.failedCount + row.skippedCount) / totalCount;
  return (
    <span className="campaign-done">
      <span className="campaign-done-track" aria-hidden="true">
        <span style={{ inlineSize: `${share * 100}%` }} />
      </span>
      {t("campaigns.done", { share: percent(share), total: count(totalCount) })}
    </span>
  );
}

function whenOf({ scheduledAt, startedAt, completedAt, createdAt, status }: CampaignLine) {
  const at = status === "SCHEDULED" ? scheduledAt : (completedAt ?? startedAt ?? createdAt);
  return (
    <time dateTime={at ?? createdAt} title={momentOf(at ?? createdAt)}>
      {distanceOf(at ?? createdAt)}
    </time>
  );
}
