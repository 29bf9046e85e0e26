import { queryOptions, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Button, Link } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { failsPage, queryClient } from "../api/query-client.ts";
import { ChangedMeanwhile, useShown, useVersion } from "../kit/changed-meanwhile.tsx";
import { Failure } from "../kit/failure.tsx";
import { TextInput } from "../kit/fields.tsx";
import { count, dayOf, momentOf } from "../kit/format.ts";
import { Icon } from "../kit/icon.tsx";
import { Facts, Page, Part } from "../kit/page.tsx";
import { PageLate } from "../kit/page-late.tsx";
import { useCall } from "../kit/use-call.ts";
import { useMay } from "../kit/use-may.ts";
import { t } from "../text/t.ts";
import { SuggestQuestions } from "./suggest-questions.tsx";
import { DeleteSource, KINDS, SourceStatus } from "./sources.tsx";
import { lastDay, noonOf, queryKey, readAgain } from "./sources-query.ts";
import "./knowledge.css";

type Detail = AnswerOf<"readSource">;
const READING_MS = 2_000;
/** The most ways to ask that a source keeps. */
const MOST_ASKED_AS = 50;

/** `/knowledge/:id`: one source, its words and its chunks. */
export function SourcePage() {
  const { id } = useParams({ from: "/members/knowledge/$id" });
  const { data } = useQuery({
    ...sourceQuery(id),
    throwOnError: failsPage,
    refetchInterval: ({ state }) => (state.data?.status === "reading" ? READING_MS : false),
  });
  return data ? <Source key={id} source={data} /> : <PageLate />;
}

const sourceQuery = (id: string) =>
  queryOptions({
    queryKey: queryKey("source", id),
    queryFn: ({ signal }) => call("readSource", { params: { id }, signal }),
  });

function Source({ source }: { readonly source: Detail }) {
  const mayWrite = useMay("saveSource");
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState(false);
  const form = useShown(source.etag);
  const refresh = useCall(async () => {
    await call("refreshSource", { params: { id: source.id } });
    await readAgain();
  });
  return (
    <Page
      narrow
      title={source.title}
      back={{ href: "/knowledge", name: t("knowledge.title") }}
      actions={
        mayWrite && (
          <>
            {source.kind !== "snippet" && (
              <Button isPending={refresh.busy} onPress={() => refresh.start()}>
                <Icon name="refresh-cw" />
                {t("knowledge.readAgain")}
              </Button>
            )}
            <Button className="quiet destroys" onPress={() => setDeleting(true)}>
              <Icon name="trash" />
              {t("kit.delete")}
            </Button>
          </>
        )
      }
    >
      <Failure of={refresh.failed} />
      <SourceForm
        key={form.shown}
        source={source}
        mayWrite={mayWrite}
        hold={form.hold}
        release={form.release}
      />
      <Part title={t("knowledge.used")}>
        <ul className="knowledge-used" aria-label={t("knowledge.used")}>
          <li>{t("knowledge.used.answers", { count: source.used, shown: count(source.used) })}</li>
        </ul>
        <Facts
          of={[
            [t("knowledge.column.status"), <SourceStatus key="status" source={source} />],
            [
              t("knowledge.column.kind"),
              source.kind === "saved_reply" ? (
                <Link key="kind" href="/settings/saved-replies">
                  {t(KINDS.saved_reply)}
                </Link>
              ) : (
                t(KINDS[source.kind])
              ),
            ],
            ...(source.address === null
              ? []
              : ([[t("knowledge.address"), <bdi key="address">{source.address}</bdi>]] as const)),
            ...(source.readAt === null
              ? []
              : ([[t("knowledge.readAt"), momentOf(source.readAt)]] as const)),
            ...(source.validUntil === null
              ? []
              : ([
                  [t("knowledge.column.valid"), dayOf(noonOf(lastDay(source.validUntil)))],
                ] as const)),
          ]}
        />
      </Part>
      <Part title={t("knowledge.column.chunks")}>
        <ul className="knowledge-chunks" aria-label={t("knowledge.column.chunks")}>
          {source.parts.map(({ chunkId, title, text, lang }) => (
            <li key={chunkId} lang={lang} dir={lang === "ar" ? "rtl" : "ltr"}>
              <strong>{title}</strong>
              <p>{text}</p>
            </li>
          ))}
        </ul>
        {source.chunks > source.parts.length && (
          <p className="hint">
            {t("knowledge.chunks.first", { count: count(source.parts.length) })}
          </p>
        )}
      </Part>
      {deleting && (
        <DeleteSource
          source={source}
          close={() => setDeleting(false)}
          done={() => void navigate({ to: "/knowledge" })}
        />
      )}
    </Page>
  );
}

function SourceForm({
  source,
  mayWrite,
  hold,
  release,
}: {
  readonly source: Detail;
  readonly mayWrite: boolean;
  /** Says that somebody writes here, so that another version does not take the place of it. */
  readonly hold: () => void;
  readonly release: () => void;
}) {
  const [title, setTitle] = useState(source.title);
  const [en, setEn] = useState(source.texts.en ?? "");
  const [ar, setAr] = useState(source.texts.ar ?? "");
  const [askedAs, setAskedAs] = useState<readonly string[]>(source.askedAs);
  const day = source.validUntil === null ? "" : lastDay(source.validUntil);
  const [validUntil, setValidUntil] = useState(day);
  const isReply = source.kind === "saved_reply";
  const isSnippet = source.kind === "snippet";
  const version = useVersion(source.etag);
  const save = useCall(async (over?: string) => {
    const texts = { ...(en.trim() !== "" && { en }), ...(ar.trim() !== "" && { ar }) };
    const body = {
      title,
      askedAs: [...askedAs],
      ...(isSnippet && { texts }),
      // A moment that a program gave stays, unless the day is changed.
      ...(validUntil !== day && { validUntil: validUntil === "" ? null : validUntil }),
    };
    await version.guard(
      (ifMatch) => call("saveSource", { params: { id: source.id }, body, ifMatch }),
      over,
    );
    await readAgain();
    release();
  });
  const load = async (): Promise<void> => {
    await queryClient.fetchQuery({ ...sourceQuery(source.id), staleTime: 0 });
    release();
  };
  const isReady = title.trim() !== "" && (!isSnippet || en.trim() !== "" || ar.trim() !== "");
  const ask = (lines: readonly string[]): void => {
    hold();
    setAskedAs(lines);
  };
  const field = { isReadOnly: !mayWrite, maxLength: 20_000, rows: 6 };
  return (
    <Part title={t("knowledge.words")}>
      <form
        className="ask-fields"
        onInput={hold}
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) save.start();
        }}
      >
        <TextInput
          isRequired
          label={t("knowledge.column.title")}
          value={title}
          {...(isReply && { hint: t("knowledge.replies.title") })}
          isReadOnly={!mayWrite || isReply}
          onChange={setTitle}
          maxLength={200}
        />
        {isSnippet && (
          <div className="knowledge-pair">
            <TextInput label={t("knowledge.text.en")} value={en} onChange={setEn} {...field} />
            <TextInput label={t("knowledge.text.ar")} value={ar} onChange={setAr} {...field} />
          </div>
        )}
        <AskedAs lines={askedAs} mayWrite={mayWrite} change={ask} />
        {mayWrite && (
          <SuggestQuestions
            id={source.id}
            known={askedAs}
            add={(lines) => ask([...new Set([...askedAs, ...lines])].slice(0, MOST_ASKED_AS))}
          />
        )}
        {mayWrite && <NewQuestion known={askedAs} change={ask} />}
        <ValidUntil day={validUntil} mayWrite={mayWrite} change={setValidUntil} />
        <ChangedMeanwhile version={version} save={save} load={load} />
        <Failure of={version.other === null ? save.failed : null} />
        {mayWrite && (
          <div className="ask-buttons">
            <Button type="submit" className="primary" isDisabled={!isReady} isPending={save.busy}>
              {t("kit.save")}
            </Button>
          </div>
        )}
      </form>
    </Part>
  );
}

function ValidUntil({
  day,
  mayWrite,
  change,
}: {
  readonly day: string;
  readonly mayWrite: boolean;
  readonly change: (day: string) => void;
}) {
  return (
    <div className="knowledge-valid">
      <TextInput
        type="date"
        label={t("knowledge.column.valid")}
        hint={t("knowledge.valid.hint")}
        value={day}
        isReadOnly={!mayWrite}
        onChange={change}
      />
    </div>
  );
}

function NewQuestion({
  known,
  change,
}: {
  readonly known: readonly string[];
  readonly change: (lines: readonly string[]) => void;
}) {
  const [asking, setAsking] = useState("");
  const add = (): void => {
    const line = asking.trim();
    if (line !== "" && !known.includes(line)) change([...known, line]);
    setAsking("");
  };
  return (
    <div className="knowledge-add">
      <TextInput
        label={t("knowledge.askedAs.new")}
        value={asking}
        onChange={setAsking}
        maxLength={300}
      />
      <Button isDisabled={asking.trim() === ""} onPress={add}>
        {t("knowledge.askedAs.add")}
      </Button>
    </div>
  );
}

function AskedAs({
  lines,
  mayWrite,
  change,
}: {
  readonly lines: readonly string[];
  readonly mayWrite: boolean;
  readonly change: (lines: readonly string[]) => void;
}) {
  return (
    <div className="knowledge-asked-as">
      <span>{t("knowledge.askedAs")}</span>
      <span className="hint">{t("knowledge.askedAs.hint")}</span>
      <ul aria-label={t("knowledge.askedAs")}>
        {lines.length === 0 && <li className="hint">{t("bots.list.none")}</li>}
        {lines.map((line) => (
          <li key={line}>
            <bdi>{line}</bdi>
            {mayWrite && (
              <Button
                className="quiet"
                aria-label={t("knowledge.askedAs.remove", { line })}
                onPress={() => change(lines.filter((one) => one !== line))}
              >
                <Icon name="x" />
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
