import { useState } from "react";
import { useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Button } from "react-aria-components";
import { bootstrapQuery } from "../api/query-client.ts";
import { call, type AnswerOf } from "../api/call.ts";
import { EmptyState } from "../kit/empty.tsx";
import { Failure } from "../kit/failure.tsx";
import { Choice } from "../kit/fields.tsx";
import { momentOf } from "../kit/format.ts";
import { DataTable } from "../kit/table.tsx";
import { t, type PlainKey } from "../text/t.ts";
import { SettingsPage } from "./settings-page.tsx";

type Entry = AnswerOf<"listAudit">["items"][number];

/** The nouns of the audit's actions, with their words. */
const NOUNS = [
  ["any", "keys.audit.any"],
  ["workspace", "keys.audit.workspace"],
  ["member", "keys.audit.member"],
  ["session", "keys.audit.session"],
  ["api_key", "keys.audit.api_key"],
  ["endpoint", "keys.audit.endpoint"],
  ["channel", "keys.audit.channel"],
  ["contact", "keys.audit.contact"],
  ["conversation", "keys.audit.conversation"],
  ["segment", "keys.audit.segment"],
  ["broadcast", "keys.audit.broadcast"],
  ["template", "keys.audit.template"],
] as const satisfies readonly (readonly [string, PlainKey])[];

const SPANS = ["all", "1", "7", "30"] as const;

/** `/settings/audit-log`: every change in the workspace, newest first. */
export function AuditLog() {
  const { members } = useSuspenseQuery(bootstrapQuery).data;
  const [noun, setNoun] = useState<(typeof NOUNS)[number][0]>("any");
  const [who, setWho] = useState("any");
  const [span, setSpan] = useState<(typeof SPANS)[number]>("all");
  const log = useInfiniteQuery({
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
  const items = log.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <SettingsPage title={t("shell.settings.audit")} lead={t("keys.audit.lead")}>
      <div className="filters">
        <Choice
          label={t("keys.audit.noun")}
          value={noun}
          change={setNoun}
          options={NOUNS.map(([value, name]) => ({ value, name: t(name) }))}
        />
        <Choice
          label={t("keys.audit.who")}
          value={who}
          change={setWho}
          options={[
            { value: "any", name: t("keys.audit.everybody") },
            ...members.map(({ id, name }) => ({ value: `member:${id}`, name })),
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
              cell: ({ action }) => (
                <bdi dir="ltr" className="code-small">
                  {action}
                </bdi>
              ),
            },
            { key: "who", name: t("keys.audit.who"), cell: (entry) => <Who of={entry} /> },
            { key: "facts", name: t("keys.audit.facts"), cell: ({ facts }) => <Told of={facts} /> },
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

function Who({ of: { actor, actorName } }: { readonly of: Entry }) {
  if (actorName !== null) return <bdi>{actorName}</bdi>;
  if (actor === "cli") return t("keys.audit.cli");
  if (actor === "system") return t("keys.audit.system");
  return (
    <bdi dir="ltr" className="code-small">
      {actor}
    </bdi>
  );
}

/** The entry's further facts: `name: Shop`. */
function Told({ of: facts }: { readonly of: Entry["facts"] }) {
  const told = Object.entries(facts).filter(([, value]) => value !== null);
  if (told.length === 0) return "–";
  return (
    <ul className="told-facts">
      {told.map(([name, value]) => (
        <li key={name}>
          <bdi dir="ltr">
            {name}: {typeof value === "string" ? value : JSON.stringify(value)}
          </bdi>
        </li>
      ))}
    </ul>
  );
}
