import { useState } from "react";
import { useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Button, Link } from "react-aria-components";
import type { AuditNoun } from "../../../server/src/workspaces/audit-actions.ts";
import { bootstrapQuery } from "../api/query-client.ts";
import { call } from "../api/call.ts";
import { EmptyState } from "../kit/empty.tsx";
import { Failure } from "../kit/failure.tsx";
import { Choice } from "../kit/fields.tsx";
import { momentOf } from "../kit/format.ts";
import { DataTable } from "../kit/table.tsx";
import { t, type PlainKey } from "../text/t.ts";
import {
  AuditSentence,
  auditPageOf,
  type AuditEntry,
  type AuditWorld,
} from "./audit-sentences.tsx";
import { SettingsPage } from "./settings-page.tsx";

/** A word for everything that entries are about. One that is missing does not compile. */
const NOUNS = {
  workspace: "keys.audit.workspace",
  member: "keys.audit.member",
  invitation: "keys.audit.invitation",
  session: "keys.audit.session",
  login: "keys.audit.login",
  api_key: "keys.audit.api_key",
  endpoint: "keys.audit.endpoint",
  channel: "keys.audit.channel",
  sms_provider: "keys.audit.sms_provider",
  template: "keys.audit.template",
  contact: "keys.audit.contact",
  contacts: "keys.audit.contacts",
  import_file: "keys.audit.import_file",
  attribute: "keys.audit.attribute",
  consent_word: "keys.audit.consent_word",
  knowledge: "keys.audit.knowledge",
  gap: "keys.audit.gap",
  segment: "keys.audit.segment",
  broadcast: "keys.audit.broadcast",
  conversation: "keys.audit.conversation",
  bot: "keys.audit.bot",
  hours: "shell.settings.hours",
  retention: "shell.settings.retention",
  label: "keys.audit.label",
  note: "keys.audit.note",
  saved_reply: "keys.audit.saved_reply",
  desk_view: "keys.audit.desk_view",
  model: "keys.audit.model",
  sandbox: "keys.audit.sandbox",
} as const satisfies Readonly<Record<AuditNoun, PlainKey>>;

const SPANS = ["all", "1", "7", "30"] as const;
type Span = (typeof SPANS)[number];

/** The entries about a noun, by an actor, of the last days; each can be `any` or `all`. */
const useAudit = (noun: string, who: string, span: Span) =>
  useInfiniteQuery({
    queryKey: ["audit", noun, who, span],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      call("listAudit", {
        query: {
          ...(noun !== "any" && { action: noun }),
          ...(who !== "any" && { actor: who }),
          ...(span !== "all" && {
            since: new Date(Date.now() - Number(span) * 24 * 3_600_000).toISOString(),
          }),
          ...(pageParam !== "" && { cursor: pageParam }),
        },
        signal,
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    throwOnError: (_, { state }) => state.data === undefined,
  });

/** `/settings/audit-log`: every change in the workspace, newest first. */
export function AuditLog() {
  const { data: boot } = useSuspenseQuery(bootstrapQuery);
  const [noun, setNoun] = useState("any");
  const [who, setWho] = useState("any");
  const [span, setSpan] = useState<Span>("all");
  const log = useAudit(noun, who, span);
  const pages = log.data?.pages ?? [];
  const items = pages.flatMap((page) => page.items);
  const world: AuditWorld = { boot, names: pages.flatMap(({ names }) => names) };
  return (
    <SettingsPage title={t("shell.settings.audit")} lead={t("keys.audit.lead")}>
      <div className="filters">
        <Choice
          label={t("keys.audit.noun")}
          value={noun}
          change={setNoun}
          options={[
            { value: "any", name: t("keys.audit.any") },
            ...Object.entries(NOUNS).map(([value, name]) => ({ value, name: t(name) })),
          ]}
        />
        <Choice
          label={t("keys.audit.who")}
          value={who}
          change={setWho}
          options={[
            { value: "any", name: t("keys.audit.everybody") },
            ...boot.members.map(({ id, name }) => ({ value: `member:${id}`, name })),
            { value: "cli", name: t("keys.audit.cli") },
            { value: "system", name: t("keys.audit.system") },
          ]}
        />
        <Choice
          label={t("keys.audit.since")}
          value={span}
          change={setSpan}
          options={SPANS.map((value) => ({
            value,
            name:
              value === "all"
                ? t("keys.audit.always")
                : t("keys.replay.days", { count: Number(value) }),
          }))}
        />
      </div>
      <Failure of={log.error} />
      {log.data && items.length === 0 ? (
        <EmptyState title={t("keys.audit.none")} text={t("keys.audit.none.text")} />
      ) : (
        <DataTable
          name={t("shell.settings.audit")}
          rows={items}
          id={({ id }) => id}
          columns={[
            {
              key: "action",
              name: t("keys.audit.action"),
              cell: (entry) => (
                <div className="audit-said">
                  <p>
                    <AuditSentence of={entry} world={world} />
                  </p>
                  <Details of={entry} world={world} />
                </div>
              ),
            },
            {
              key: "at",
              name: t("keys.audit.at"),
              cell: ({ at }) => <time dateTime={at}>{momentOf(at)}</time>,
            },
          ]}
        />
      )}
      {log.hasNextPage && (
        <div>
          <Button isPending={log.isFetchingNextPage} onPress={() => void log.fetchNextPage()}>
            {t("keys.audit.more")}
          </Button>
        </div>
      )}
    </SettingsPage>
  );
}

/** The entry as it is stored, for those who look for an id. */
function Details({ of: entry, world }: { readonly of: AuditEntry; readonly world: AuditWorld }) {
  const { action, actor, subject, facts } = entry;
  const stored: readonly (readonly [name: string, value: unknown])[] = [
    [t("keys.audit.action"), action],
    [t("audit.details.actor"), actor],
    [t("audit.details.subject"), subject],
    ...Object.entries(facts),
  ];
  return (
    <details className="audit-details">
      <summary>{t("audit.details")}</summary>
      <dl>
        {stored.map(([name, value]) => (
          <div key={name}>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd>
              <Stored value={value} world={world} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** A stored value; the id of a record that has a page leads there. */
function Stored({ value, world }: { readonly value: unknown; readonly world: AuditWorld }) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const page = auditPageOf(text.replace("member:", ""), world);
  const code = (
    <bdi dir="ltr" className="code-small">
      {text}
    </bdi>
  );
  return page === null ? code : <Link href={page}>{code}</Link>;
}
