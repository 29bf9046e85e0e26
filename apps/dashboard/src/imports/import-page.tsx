import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "react-aria-components";
import { ApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { failsPage, queryClient } from "../api/query-client.ts";
import { Failure } from "../kit/failure.tsx";
import { Page, Part } from "../kit/page.tsx";
import { useCall } from "../kit/use-call.ts";
import { readAgain } from "../live/reread-queries.ts";
import { useNews } from "../desk/use-news.ts";
import { segmentChoicesQuery } from "../contacts/segment-choices.ts";
import { t } from "../text/t.ts";
import { CheckRows } from "./check-rows.tsx";
import { ChooseFile } from "./choose-file.tsx";
import { columnFaultText, proposedMapping, type Mapping } from "./fields.ts";
import { MapColumns, type Wish } from "./map-columns.tsx";
import { PastImports } from "./past-imports.tsx";
import { isUnderWay, RunPanel } from "./run-panel.tsx";
import "./imports.css";

const AGAIN_MS = 2_000;

/** `/contacts/import`: a file is chosen, its columns are told, it is checked, taken in and told; `?run=ID` names one. */
export function ImportPage() {
  const { run: asked } = useSearch({ from: "/members/contacts/import" });
  const navigate = useNavigate();
  const imports = useQuery({
    queryKey: ["imports"],
    queryFn: ({ signal }) => call("listImports", { signal }),
    refetchOnMount: "always",
    // For members who may not open it.
    throwOnError: failsPage,
  });
  const { data } = imports;
  // Otherwise what the page shows would change by itself when an import begins or ends.
  useNews(
    "import",
    () => true,
    AGAIN_MS,
    async () => {
      if (asked !== undefined) await readAgain(imports);
    },
  );
  const show = (id?: string): void => {
    void queryClient.invalidateQueries({ queryKey: ["imports"] });
    void navigate({ to: "/contacts/import", search: id === undefined ? {} : { run: id } });
  };
  const runs = data?.imports ?? [];
  const listed = runs.filter(({ state, rows }) => state !== "cancelled" || rows > 0);
  const current = asked ?? runs.find(isUnderWay)?.id;
  // A new one is not in the list yet: it was not started.
  const shown = runs.find(({ id }) => id === current);
  const isOpen = current !== undefined && (shown?.state ?? "uploaded") === "uploaded";
  return (
    <Page
      title={t("imports.title")}
      lead={t("imports.lead")}
      back={{ href: "/contacts", name: t("imports.back") }}
    >
      {data && current === undefined && (
        <ChooseFile maxBytes={data.maxBytes} done={({ id }) => show(id)} />
      )}
      {data && current !== undefined && isOpen && (
        <OpenImport key={current} id={current} started={() => show(current)} other={() => show()} />
      )}
      {data && current !== undefined && !isOpen && (
        <RunPanel key={current} id={current} another={() => show()} />
      )}
      {listed.length > 0 && (
        <Part title={t("imports.past")}>
          <PastImports of={listed} />
        </Part>
      )}
    </Page>
  );
}

/** An uploaded file that was not started: its columns, its check. */
function OpenImport({
  id,
  started,
  other,
}: {
  readonly id: string;
  readonly started: () => void;
  readonly other: () => void;
}) {
  const [wish, setWish] = useState<Wish>({});
  const [map, setMap] = useState<Mapping | null>(null);
  const [checking, setChecking] = useState(false);
  const body = { ...wish, ...(map !== null && checking && { map }) };
  const look = useQuery({
    queryKey: ["import-look", id, body],
    queryFn: ({ signal }) => call("lookAtImport", { params: { id }, body, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const choices = useQuery(segmentChoicesQuery).data;
  const start = useCall(async () => {
    const { import: run } = look.data ?? {};
    if (!run || map === null) return;
    await call("startImport", { params: { id }, body: { ...wish, map } });
    await queryClient.invalidateQueries({ queryKey: ["imports"] });
    started();
  });
  const discard = useCall(async () => {
    await call("cancelImport", { params: { id } });
    other();
  });
  const { data } = look;
  const mapping = data && (map ?? proposedMapping(data.columns));
  return (
    <>
      <div className="import-file">
        <strong>
          <bdi dir="ltr">{data?.import.fileName}</bdi>
        </strong>
        <Button className="quiet" onPress={() => discard.start()}>
          {t("imports.otherFile")}
        </Button>
      </div>
      {look.isFetching && (
        <p className="hint" role="status">
          {t("imports.reading")}
        </p>
      )}
      <Failure
        of={look.error instanceof ApiError ? look.error : null}
        {...(isUnreadable(look.error) && { text: t("imports.refused.unreadable") })}
      />
      {data && mapping && choices && !checking && (
        <MapColumns
          look={data}
          attributes={choices.attributes}
          map={mapping}
          setMap={setMap}
          wish={wish}
          setWish={(next, anew) => {
            setWish(next);
            if (anew) setMap(null);
          }}
          next={() => {
            setMap(mapping);
            setChecking(true);
          }}
        />
      )}
      {data && mapping && checking && data.fault !== null && (
        <div role="alert" className="failure">
          <p>{columnFaultText(data.fault)}</p>
          <div>
            <Button onPress={() => setChecking(false)}>{t("kit.back")}</Button>
          </div>
        </div>
      )}
      {data && mapping && checking && data.tried && !look.isPlaceholderData && (
        <CheckRows
          look={data}
          tried={data.tried}
          map={mapping}
          busy={start.busy}
          back={() => setChecking(false)}
          start={() => start.start()}
        />
      )}
      <Failure of={start.failed ?? discard.failed} />
    </>
  );
}

const isUnreadable = (error: Error | null): boolean =>
  error instanceof ApiError && error.details.some(({ code }) => code === "file.unreadable");
