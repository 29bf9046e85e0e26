import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Button, Input, Label, Link, SearchField } from "react-aria-components";
import { call } from "../api/call.ts";
import { failsPage } from "../api/query-client.ts";
import { EmptyState } from "../kit/empty.tsx";
import { Choice } from "../kit/fields.tsx";
import { distanceOf } from "../kit/format.ts";
import { Page } from "../kit/page.tsx";
import { Progress } from "../kit/progress.tsx";
import { DataTable, type Column } from "../kit/table.tsx";
import { useMay } from "../kit/use-may.ts";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import { bodyTextOf } from "./body-text.ts";
import type { Listed } from "./parts.ts";
import { startSync, useSyncRun } from "./sync-run.ts";
import { languageWord } from "../kit/language-word.ts";
import { categoryWord, KNOWN_STATUSES, Quality, StatusBadge, statusWord } from "./words.tsx";
import "./templates.css";

/** `/templates`: the approved, refused and waiting templates, by channel. */
export function Templates() {
  const search = useSearch({ from: "/members/templates" });
  const navigate = useNavigate();
  const mayCreate = useMay("createTemplate");
  const filter = {
    ...(search.channel !== undefined && { channel: search.channel }),
    ...(search.status !== undefined && { status: search.status }),
    ...(search.q !== undefined && { q: search.q }),
  };
  const list = useInfiniteQuery({
    queryKey: ["templates", filter],
    queryFn: ({ signal, pageParam }) =>
      call("listTemplates", {
        query: { ...filter, ...(pageParam !== null && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: (before) => before,
    throwOnError: failsPage,
  });
  const pages = list.data?.pages ?? [];
  const rows = pages.flatMap(({ templates }) => templates);
  const channels = pages[0]?.channels ?? [];
  const filtered = Object.keys(filter).length > 0;
  const go = (change: Partial<typeof search>) =>
    void navigate({ to: "/templates", search: { ...search, ...change }, replace: true });
  return (
    <Page
      title={t("templates.title")}
      lead={t("templates.lead")}
      actions={
        channels.length > 0 && (
          <>
            <SyncNow channels={channels} />
            {mayCreate && (
              <Link className="primary" href="/templates/new">
                <Icon name="plus" />
                {t("templates.new")}
              </Link>
            )}
          </>
        )
      }
    >
      <SyncState channels={channels} />
      {(rows.length > 0 || filtered) && <Filters search={search} channels={channels} go={go} />}
      {rows.length > 0 ? (
        <DataTable
          name={t("templates.title")}
          columns={columnsOf(channels)}
          rows={rows}
          id={({ template }) => template.id}
          href={({ template }) => `/templates/${template.id}`}
          busy={list.isPlaceholderData}
        />
      ) : (
        list.data && <Nothing filtered={filtered} hasChannel={channels.length > 0} />
      )}
      {list.hasNextPage && (
        <div>
          <Button isPending={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
            {t("templates.more")}
          </Button>
        </div>
      )}
    </Page>
  );
}

type Channels = readonly {
  readonly id: string;
  readonly name: string;
  readonly syncedAt: string | null;
  readonly syncError: string | null;
}[];

interface Search {
  readonly channel?: string | undefined;
  readonly status?: string | undefined;
  readonly q?: string | undefined;
}

/** The search and the choices above the list. Each is kept in the address. */
function Filters({
  search,
  channels,
  go,
}: {
  readonly search: Search;
  readonly channels: Channels;
  readonly go: (change: Search) => void;
}) {
  return (
    <div className="template-filter">
      <SearchField
        className="react-aria-SearchField template-search"
        defaultValue={search.q ?? ""}
        onChange={(q) => go({ q: q === "" ? undefined : q })}
      >
        <Label className="visually-hidden">{t("templates.search")}</Label>
        <Input placeholder={t("templates.search")} maxLength={200} />
      </SearchField>
      <Choice
        label={t("templates.status")}
        hidden
        value={search.status ?? "all"}
        change={(status) => go({ status: status === "all" ? undefined : status })}
        options={[
          { value: "all", name: t("templates.status.all") },
          ...KNOWN_STATUSES.map((value) => ({ value, name: statusWord(value) })),
        ]}
      />
      {channels.length > 1 && (
        <Choice<string>
          label={t("templates.channel")}
          hidden
          value={search.channel ?? "all"}
          change={(channel) => go({ channel: channel === "all" ? undefined : channel })}
          options={[
            { value: "all", name: t("templates.channel.all") },
            ...channels.map(({ id, name }) => ({ value: id, name })),
          ]}
        />
      )}
    </div>
  );
}

function columnsOf(channels: Channels): readonly Column<Listed>[] {
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  return [
    {
      key: "name",
      name: t("templates.name"),
      cell: ({ template }) => (
        <span className="template-name">
          <span>
            <bdi dir="ltr">{template.name}</bdi>
          </span>
          <span className="template-excerpt" dir="auto">
            {bodyTextOf(template)}
          </span>
        </span>
      ),
    },
    {
      key: "language",
      name: t("templates.language"),
      cell: ({ template }) => languageWord(template.language),
    },
    {
      key: "category",
      name: t("templates.category"),
      cell: ({ template }) => categoryWord(template.category),
    },
    {
      key: "status",
      name: t("templates.status"),
      cell: ({ template }) => <StatusBadge status={template.status} />,
    },
    {
      key: "quality",
      name: t("templates.quality"),
      cell: ({ quality }) => <Quality quality={quality} />,
    },
    ...(channels.length > 1
      ? [
          {
            key: "channel",
            name: t("templates.channel"),
            cell: ({ template }: Listed) => <bdi>{names.get(template.channelId) ?? ""}</bdi>,
          },
        ]
      : []),
  ];
}

function SyncNow({ channels }: { readonly channels: Channels }) {
  const run = useSyncRun();
  if (!useMay("syncTemplates")) return null;
  return (
    <Button isPending={run?.busy ?? false} onPress={() => void startSync(channels)}>
      {t("templates.sync")}
    </Button>
  );
}

/** The state of the lists: a running sync, the last one's result, and when each was read. */
function SyncState({ channels }: { readonly channels: Channels }) {
  const run = useSyncRun();
  if (run?.busy)
    return (
      <Progress
        label={t("templates.syncing")}
        done={run.done}
        of={run.of > 1 ? run.of : 0}
        text={t("templates.syncing.of", { done: run.done, of: run.of })}
      />
    );
  const faults = run
    ? run.faults
    : channels.flatMap(({ name, syncError }) =>
        syncError === null ? [] : [{ channel: name, words: syncError }],
      );
  const oldest = channels
    .flatMap(({ syncedAt }) => syncedAt ?? [])
    .sort()
    .at(0);
  return (
    <>
      <p role="status" className="hint">
        {run
          ? t("templates.synced", { total: run.total, changed: run.changed })
          : oldest !== undefined && t("templates.syncedAt", { when: distanceOf(oldest) })}
      </p>
      {faults.map(({ channel, words }) => (
        <div key={channel} role="alert" className="failure">
          <p>{t("templates.syncFailed", { channel })}</p>
          <small dir="auto">{words}</small>
        </div>
      ))}
    </>
  );
}

function Nothing({
  filtered,
  hasChannel,
}: {
  readonly filtered: boolean;
  readonly hasChannel: boolean;
}) {
  const mayCreate = useMay("createTemplate");
  if (filtered)
    return (
      <EmptyState title={t("templates.none.filtered")}>
        <Link className="button" href="/templates">
          {t("templates.none.clear")}
        </Link>
      </EmptyState>
    );
  if (!hasChannel)
    return (
      <EmptyState title={t("templates.none.channel")} text={t("templates.none.channelText")}>
        {mayCreate && (
          <Link className="primary" href="/settings/channels">
            {t("templates.none.connect")}
          </Link>
        )}
      </EmptyState>
    );
  return (
    <EmptyState title={t("templates.none")} text={t("templates.none.text")}>
      {mayCreate && (
        <Link className="primary" href="/templates/new">
          <Icon name="plus" />
          {t("templates.new")}
        </Link>
      )}
    </EmptyState>
  );
}
