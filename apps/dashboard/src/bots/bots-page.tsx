import { useQuery } from "@tanstack/react-query";
import { Link } from "react-aria-components";
import { useBootstrap } from "../desk/use-inbox.ts";
import { useListNews } from "../desk/use-news.ts";
import { Badge } from "../kit/badge.tsx";
import { EmptyState } from "../kit/empty.tsx";
import { count, listOf } from "../kit/format.ts";
import { Page } from "../kit/page.tsx";
import { DataTable, Nothing } from "../kit/table.tsx";
import { useMay } from "../kit/use-may.ts";
import { channelWord } from "../kit/words.ts";
import { t } from "../text/t.ts";
import { BotMenu } from "./bot-menu.tsx";
import { KINDS, STATES } from "./bot-words.ts";
import { botsQuery, type BotRow } from "./bots-query.ts";
import { NewBots } from "./new-bot.tsx";
import "./bots.css";

/** `/bots`: who answers customers beside people. */
export function BotsPage() {
  const mayWrite = useMay("createBot");
  const bots = useQuery(botsQuery);
  useListNews(bots);
  const { data } = bots;
  const rows = data?.items ?? [];
  return (
    <Page
      title={t("shell.bots")}
      lead={t("bots.lead")}
      {...(mayWrite &&
        rows.length > 0 && {
          actions: (
            <>
              <Link className="button" href="/bots/report">
                {t("report.link")}
              </Link>
              <NewBots />
            </>
          ),
        })}
    >
      {data && rows.length === 0 && (
        <EmptyState title={t("bots.empty")} text={t("bots.empty.text")}>
          <div className="bots-buttons">{mayWrite && <NewBots />}</div>
          <Link href="/sandbox">{t("bots.empty.try")}</Link>
        </EmptyState>
      )}
      {rows.length > 0 && <BotTable rows={rows} mayWrite={mayWrite} />}
    </Page>
  );
}

function BotTable({
  rows,
  mayWrite,
}: {
  readonly rows: readonly BotRow[];
  readonly mayWrite: boolean;
}) {
  const { channels: known } = useBootstrap();
  const channelName = (one: string): string => {
    const channel = known.find(({ id, type }) => id === one || type === one);
    if (!channel) return one;
    return channel.id === one && channel.name !== "" ? channel.name : channelWord(channel.type);
  };
  return (
    <DataTable
      name={t("shell.bots")}
      rows={rows}
      id={({ id }) => id}
      href={({ id }) => `/bots/${id}`}
      columns={[
        { key: "name", name: t("bots.column.name"), cell: ({ name }) => <bdi>{name}</bdi> },
        { key: "kind", name: t("bots.column.kind"), cell: ({ kind }) => t(KINDS[kind]) },
        {
          key: "status",
          name: t("bots.column.status"),
          cell: ({ status }) => <Badge tone={STATES[status][0]}>{t(STATES[status][1])}</Badge>,
        },
        {
          key: "channels",
          name: t("bots.column.channels"),
          cell: ({ channels }) =>
            channels.length === 0 ? t("bots.channels.all") : listOf(channels.map(channelName)),
        },
        {
          key: "answered",
          name: t("bots.column.answered"),
          numeric: true,
          cell: ({ answered }) => count(answered),
        },
        {
          key: "handedOver",
          name: t("bots.column.handedOver"),
          numeric: true,
          cell: ({ handedOver }) => count(handedOver),
        },
        {
          key: "version",
          name: t("bots.column.version"),
          numeric: true,
          cell: ({ version }) => (version === null ? <Nothing /> : count(version)),
        },
        {
          key: "actions",
          name: t("bots.column.actions"),
          action: true,
          cell: (bot) => mayWrite && <BotMenu bot={bot} />,
        },
      ]}
    />
  );
}
