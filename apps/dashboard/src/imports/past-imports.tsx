import { useSuspenseQuery } from "@tanstack/react-query";
import { bootstrapQuery } from "../api/query-client.ts";
import { Badge, type Tone } from "../kit/badge.tsx";
import { count, momentOf } from "../kit/format.ts";
import { DataTable, Nothing } from "../kit/table.tsx";
import { t } from "../text/t.ts";
import type { ImportRun } from "./upload.ts";

const TONES: Readonly<Record<ImportRun["state"], Tone>> = {
  uploaded: "plain",
  waiting: "info",
  running: "info",
  done: "ok",
  stopped: "warn",
  failed: "bad",
  cancelled: "plain",
  broken_off: "warn",
};

/** The imports of the workspace, those of the command line too. */
export function PastImports({ of: runs }: { readonly of: readonly ImportRun[] }) {
  const { members } = useSuspenseQuery(bootstrapQuery).data;
  const names = new Map(members.map(({ id, name }) => [id, name]));
  return (
    <DataTable
      name={t("imports.past")}
      rows={runs}
      id={({ id }) => id}
      href={({ id }) => `/contacts/import?run=${id}`}
      columns={[
        {
          key: "file",
          name: t("imports.past.file"),
          cell: ({ fileName }) => <bdi dir="ltr">{fileName}</bdi>,
        },
        {
          key: "state",
          name: t("imports.past.state"),
          cell: ({ state }) => <Badge tone={TONES[state]}>{t(`imports.state.${state}`)}</Badge>,
        },
        {
          key: "rows",
          name: t("imports.past.rows"),
          numeric: true,
          cell: (run) => figure(run, run.rows),
        },
        ...(["created", "updated", "refused"] as const).map((sum) => ({
          key: sum,
          name: t(`imports.sum.${sum}`),
          numeric: true,
          cell: (run: ImportRun) => figure(run, run[sum]),
        })),
        {
          key: "who",
          name: t("imports.past.who"),
          cell: ({ byMemberId }) => (
            <bdi>{byMemberId === null ? t("imports.past.cli") : (names.get(byMemberId) ?? "")}</bdi>
          ),
        },
        {
          key: "when",
          name: t("imports.past.when"),
          cell: ({ createdAt }) => momentOf(createdAt),
        },
      ]}
    />
  );
}

/** Before a file is started nothing of it is counted. */
const figure = ({ state }: ImportRun, sum: number) =>
  state === "uploaded" ? <Nothing /> : count(sum);
