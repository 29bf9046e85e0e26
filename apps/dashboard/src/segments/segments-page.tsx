import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-aria-components";
import { failsPage } from "../api/query-client.ts";
import { segmentsQuery } from "../api/segments-query.ts";
import { EmptyState } from "../kit/empty.tsx";
import { TextInput } from "../kit/fields.tsx";
import { count, distanceOf } from "../kit/format.ts";
import { Page } from "../kit/page.tsx";
import { DataTable } from "../kit/table.tsx";
import { useMay } from "../kit/use-may.ts";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import { segmentChoicesQuery } from "../contacts/segment-choices.ts";
import { readDefinition } from "./definition.ts";
import { readingOf } from "./reading.ts";
import "./segments.css";

/** How many are shown at first; more can be searched. */
const FEW = 8;

/** `/segments`: the saved segments, in plain words. */
export function SegmentsPage() {
  const mayWrite = useMay("createSegment");
  const { data } = useQuery({ ...segmentsQuery, throwOnError: failsPage });
  const { data: choices } = useSuspenseQuery(segmentChoicesQuery);
  const [sought, setSought] = useState("");
  const all = data?.segments ?? [];
  const found = all.filter(({ name }) => name.toLowerCase().includes(sought.trim().toLowerCase()));
  const create = mayWrite && (
    <Link className="primary" href="/segments/new">
      <Icon name="plus" />
      {t("segments.new")}
    </Link>
  );
  return (
    <Page
      title={t("segments.title")}
      lead={t("segments.lead")}
      actions={all.length > 0 ? create : undefined}
    >
      {data && all.length === 0 && (
        <EmptyState title={t("segments.empty")} text={t("segments.empty.text")}>
          {create}
        </EmptyState>
      )}
      {all.length > FEW && (
        <TextInput label={t("segments.search")} type="search" value={sought} onChange={setSought} />
      )}
      {all.length > 0 && (
        <DataTable
          name={t("segments.title")}
          rows={found}
          id={({ id }) => id}
          href={({ id }) => `/segments/${id}`}
          columns={[
            { key: "name", name: t("segments.name"), cell: ({ name }) => <bdi>{name}</bdi> },
            {
              key: "rules",
              name: t("segments.rules"),
              cell: ({ definition }) => {
                const group = readDefinition(definition);
                return <span dir="auto">{group && readingOf(group, choices)}</span>;
              },
            },
            {
              key: "count",
              name: t("segments.people"),
              numeric: true,
              cell: (one) =>
                one.cachedCount === null ? t("segments.notCounted") : count(one.cachedCount),
            },
            {
              key: "counted",
              name: t("segments.counted"),
              cell: ({ cachedAt }) => (cachedAt === null ? "" : distanceOf(cachedAt)),
            },
            {
              key: "used",
              name: t("segments.usedBy"),
              cell: ({ usedBy, bots }) => (
                <bdi>{[...bots, ...usedBy].map(({ name }) => name).join(", ")}</bdi>
              ),
            },
          ]}
        />
      )}
    </Page>
  );
}
