import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button, FileTrigger, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { call } from "../api/call.ts";
import { Badge, type Tone } from "../kit/badge.tsx";
import { ConfirmDialog } from "../kit/dialog.tsx";
import { EmptyState } from "../kit/empty.tsx";
import { Failure } from "../kit/failure.tsx";
import { count, dayOf } from "../kit/format.ts";
import { Icon } from "../kit/icon.tsx";
import { DataTable, Nothing } from "../kit/table.tsx";
import { useCall } from "../kit/use-call.ts";
import { useMay } from "../kit/use-may.ts";
import { t, type PlainKey } from "../text/t.ts";
import { AddReplies } from "./add-replies.tsx";
import { AddPages, NewSnippet } from "./add-source.tsx";
import { lastDay, noonOf, readAgain, sourcesQuery, type Source } from "./sources-query.ts";
import { uploadSource } from "./upload.ts";

export const KINDS = {
  snippet: "knowledge.kind.snippet",
  file: "knowledge.kind.file",
  page: "knowledge.kind.page",
  saved_reply: "knowledge.kind.savedReply",
} as const satisfies Record<Source["kind"], PlainKey>;

const LANGUAGES = {
  en: "knowledge.english",
  ar: "knowledge.arabic",
} as const satisfies Record<Source["languages"][number], PlainKey>;

const FAULTS: Readonly<Record<string, PlainKey>> = {
  no_text: "knowledge.fault.noText",
  broken: "knowledge.fault.broken",
  encrypted: "knowledge.fault.encrypted",
  too_large: "knowledge.fault.tooLarge",
  too_slow: "knowledge.fault.tooSlow",
  too_much_memory: "knowledge.fault.tooSlow",
  not_found: "knowledge.fault.notFound",
  refused: "knowledge.fault.refused",
  forbidden_by_robots: "knowledge.fault.robots",
  unreachable: "knowledge.fault.unreachable",
  not_text: "knowledge.fault.notText",
  knowledge_full: "knowledge.fault.full",
  only_places: "knowledge.fault.onlyPlaces",
};

const STATES = {
  ready: ["ok", "knowledge.status.ready"],
  reading: ["info", "knowledge.status.reading"],
  failed: ["bad", "knowledge.status.failed"],
  out_of_date: ["warn", "knowledge.status.outOfDate"],
} as const satisfies Record<Source["status"], readonly [Tone, PlainKey]>;

/** Whether a source is in use; why not. */
export function SourceStatus({ source }: { readonly source: Pick<Source, "status" | "reason"> }) {
  const [tone, key] = STATES[source.status];
  const fault = FAULTS[source.reason ?? ""];
  return (
    <span className="knowledge-status">
      <Badge tone={tone}>{t(key)}</Badge>
      {source.status === "failed" && fault && <span className="hint">{t(fault)}</span>}
    </span>
  );
}

/** The tab of sources. */
export function Sources() {
  const mayWrite = useMay("addSnippet");
  const { data, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(sourcesQuery);
  const [adding, setAdding] = useState<"snippet" | "pages" | "replies" | null>(null);
  const [deleting, setDeleting] = useState<Source | null>(null);
  const upload = useCall(async (files: readonly File[]) => {
    try {
      for (const file of files) await uploadSource(file);
    } finally {
      await readAgain();
    }
  });
  const rows = data?.pages.flatMap(({ items }) => items) ?? [];
  const buttons = mayWrite && (
    <>
      <Button className="primary" onPress={() => setAdding("snippet")}>
        <Icon name="plus" />
        {t("knowledge.snippet.new")}
      </Button>
      <FileTrigger
        allowsMultiple
        acceptedFileTypes={[".txt", ".md", ".html", ".htm", ".pdf", ".docx", ".csv"]}
        onSelect={(list) => upload.start([...(list ?? [])])}
      >
        <Button isPending={upload.busy}>
          <Icon name="upload" />
          {t("knowledge.upload")}
        </Button>
      </FileTrigger>
      <Button onPress={() => setAdding("pages")}>
        <Icon name="external-link" />
        {t("knowledge.pages.add")}
      </Button>
      <Button onPress={() => setAdding("replies")}>
        <Icon name="message-square-quote" />
        {t("knowledge.replies.add")}
      </Button>
    </>
  );
  return (
    <>
      {rows.length > 0 && buttons && <div className="knowledge-buttons">{buttons}</div>}
      <Failure
        of={upload.failed}
        {...(upload.failed?.code === "VALIDATION_FAILED" && {
          text: t("knowledge.upload.refused"),
        })}
      />
      {data && rows.length === 0 && (
        <EmptyState title={t("knowledge.empty")} text={t("knowledge.empty.text")}>
          {buttons}
        </EmptyState>
      )}
      {rows.length > 0 && <SourceTable rows={rows} mayWrite={mayWrite} remove={setDeleting} />}
      {hasNextPage && (
        <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          {t("knowledge.more")}
        </Button>
      )}
      {adding === "snippet" && <NewSnippet close={() => setAdding(null)} />}
      {adding === "pages" && <AddPages close={() => setAdding(null)} />}
      {adding === "replies" && <AddReplies close={() => setAdding(null)} />}
      {deleting && <DeleteSource source={deleting} close={() => setDeleting(null)} />}
    </>
  );
}

function SourceTable({
  rows,
  mayWrite,
  remove,
}: {
  readonly rows: readonly Source[];
  readonly mayWrite: boolean;
  readonly remove: (source: Source) => void;
}) {
  return (
    <DataTable
      name={t("knowledge.sources")}
      rows={rows}
      id={({ id }) => id}
      href={({ id }) => `/knowledge/${id}`}
      columns={[
        {
          key: "title",
          name: t("knowledge.column.title"),
          cell: ({ title }) => <bdi>{title}</bdi>,
        },
        { key: "kind", name: t("knowledge.column.kind"), cell: ({ kind }) => t(KINDS[kind]) },
        {
          key: "language",
          name: t("knowledge.column.language"),
          cell: ({ languages }) =>
            languages.length === 0 ? (
              <Nothing />
            ) : (
              languages.map((one) => t(LANGUAGES[one])).join(t("knowledge.and"))
            ),
        },
        {
          key: "chunks",
          name: t("knowledge.column.chunks"),
          numeric: true,
          cell: ({ chunks }) => count(chunks),
        },
        {
          key: "status",
          name: t("knowledge.column.status"),
          cell: (source) => <SourceStatus source={source} />,
        },
        {
          key: "used",
          name: t("knowledge.column.used"),
          numeric: true,
          cell: ({ used }) => count(used),
        },
        {
          key: "valid",
          name: t("knowledge.column.valid"),
          cell: ({ validUntil }) =>
            validUntil === null ? <Nothing /> : dayOf(noonOf(lastDay(validUntil))),
        },
        {
          key: "actions",
          name: t("knowledge.column.actions"),
          action: true,
          cell: (source) => mayWrite && <SourceMenu source={source} remove={remove} />,
        },
      ]}
    />
  );
}

function SourceMenu({
  source,
  remove,
}: {
  readonly source: Source;
  readonly remove: (source: Source) => void;
}) {
  const { id, title, kind } = source;
  const refresh = useCall(async () => {
    await call("refreshSource", { params: { id } });
    await readAgain();
  });
  const name = t("knowledge.actions.of", { name: title });
  return (
    <MenuTrigger>
      <Button className="quiet" aria-label={name} isPending={refresh.busy}>
        <Icon name="ellipsis" />
      </Button>
      <Popover placement="bottom end">
        <Menu aria-label={name}>
          <MenuItem href={`/knowledge/${id}`}>{t("kit.edit")}</MenuItem>
          {kind !== "snippet" && (
            <MenuItem onAction={() => refresh.start()}>{t("knowledge.readAgain")}</MenuItem>
          )}
          <MenuItem className="react-aria-MenuItem destroys" onAction={() => remove(source)}>
            {t("kit.delete")}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

/** Asks before a source is deleted. */
export function DeleteSource({
  source,
  close,
  done,
}: {
  readonly source: Pick<Source, "id" | "title" | "kind">;
  readonly close: () => void;
  readonly done?: () => void;
}) {
  const remove = useCall(async () => {
    await call("deleteSource", { params: { id: source.id } });
    done?.();
    await readAgain();
    close();
  });
  return (
    <ConfirmDialog
      title={t("knowledge.delete", { name: source.title })}
      verb={t("kit.delete")}
      call={remove}
      close={close}
    >
      <p>{t("knowledge.delete.text")}</p>
      {source.kind === "saved_reply" && <p>{t("knowledge.delete.reply")}</p>}
    </ConfirmDialog>
  );
}
