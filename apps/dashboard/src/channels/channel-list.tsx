import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button, Link } from "react-aria-components";
import { call } from "../api/call.ts";
import { useListNews } from "../desk/use-news.ts";
import { Badge } from "../kit/badge.tsx";
import { ChannelGlyph } from "../kit/channel-glyph.tsx";
import { EmptyState } from "../kit/empty.tsx";
import { Failure } from "../kit/failure.tsx";
import { distanceOf, momentOf } from "../kit/format.ts";
import { Page } from "../kit/page.tsx";
import { PageLate } from "../kit/page-late.tsx";
import { DataTable, type Column } from "../kit/table.tsx";
import { useCall } from "../kit/use-call.ts";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import { channelsQuery, refreshChannels } from "./channels-query.ts";
import type { Channel } from "./platforms.ts";
import { ChannelState } from "./problems.tsx";
import { TestResult, type Tested } from "./test-result.tsx";
import "./channels.css";

/** `/settings/channels`: every connected account with its state, and the way to connect another. */
export function ChannelList() {
  const list = useQuery(channelsQuery);
  useListNews(list);
  const client = useQueryClient();
  const [tested, setTested] = useState<Tested | null>(null);
  const [testing, setTesting] = useState("");
  const test = useCall(async ({ id, name, type }: Channel) => {
    setTested(null);
    setTesting(id);
    const result = await call("testChannel", { params: { id } });
    setTested({ ...result, name, type });
    await refreshChannels(client);
  });
  if (!list.data) return <PageLate />;
  const { channels, limit, taken, reachable, publicUrl } = list.data;
  const open = channels.filter(({ status }) => status !== "disconnected");
  const gone = channels.filter(({ status }) => status === "disconnected");
  const link = (
    <Link className="primary" href="/settings/channels/connect">
      <Icon name="plus" />
      {t("channels.connect")}
    </Link>
  );
  const columns: Column<Channel>[] = [
    { key: "name", name: t("channels.channel"), cell: (channel) => <NameOf channel={channel} /> },
    {
      key: "state",
      name: t("channels.state"),
      cell: (channel) => <ChannelState channel={channel} />,
    },
    { key: "last", name: t("channels.lastCall"), cell: (channel) => <LastCall of={channel} /> },
    {
      key: "test",
      name: t("channels.action"),
      action: true,
      cell: (channel) => (
        <Button
          aria-label={t("channels.test.of", { name: channel.name })}
          isPending={test.busy && testing === channel.id}
          onPress={() => test.start(channel)}
        >
          {t("channels.test")}
        </Button>
      ),
    },
  ];
  return (
    <Page
      title={t("shell.settings.channels")}
      lead={t("channels.lead")}
      {...(open.length > 0 && { actions: link })}
    >
      {!reachable && (
        <p className="channel-note">{t("channels.noAddress", { address: publicUrl })}</p>
      )}
      <Failure of={test.failed} />
      {tested && !test.failed && <TestResult of={tested} />}
      {open.length === 0 ? (
        <EmptyState title={t("channels.none")} text={t("channels.none.text")}>
          {link}
          <Link href="/sandbox">{t("channels.trySandbox")}</Link>
        </EmptyState>
      ) : (
        <>
          <DataTable
            name={t("shell.settings.channels")}
            columns={columns}
            rows={open}
            id={({ id }) => id}
            href={hrefOf}
            busy={list.isFetching && list.isStale}
          />
          {limit !== null && <p className="hint">{t("channels.places", { taken, limit })}</p>}
        </>
      )}
      {gone.length > 0 && (
        <>
          <h2 className="channel-gone">{t("channels.gone")}</h2>
          <DataTable
            name={t("channels.gone")}
            columns={columns.slice(0, 2)}
            rows={gone}
            id={({ id }) => id}
            href={hrefOf}
          />
        </>
      )}
    </Page>
  );
}

const hrefOf = ({ id }: Channel) => `/settings/channels/${id}`;

function NameOf({ channel: { name, type, sandbox } }: { readonly channel: Channel }) {
  return (
    <span className="channel-name">
      <ChannelGlyph type={type} />
      <span>
        <bdi>{name}</bdi>
        <small>
          {t(`channels.type.${type}`)}
          {sandbox && <Badge tone="info">{t("channels.sandbox")}</Badge>}
        </small>
      </span>
    </span>
  );
}

function LastCall({ of: { lastWebhookAt, hookUrl, type } }: { readonly of: Channel }) {
  if (lastWebhookAt !== null)
    return (
      <time dateTime={lastWebhookAt} title={momentOf(lastWebhookAt)}>
        {distanceOf(lastWebhookAt)}
      </time>
    );
  if (type === "WEB") return t("channels.lastCall.own");
  return hookUrl === null ? t("channels.lastCall.asked") : t("channels.lastCall.never");
}
