import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/call.ts";
import { attributesQuery } from "../contacts/filter-bar.tsx";
import { Choice } from "../kit/fields.tsx";
import { count } from "../kit/format.ts";
import { Part } from "../kit/page.tsx";
import { DataTable, type Column } from "../kit/table.tsx";
import { t } from "../text/t.ts";
import type { Campaign, BroadcastBreakdownJson } from "./contract.ts";

type Row = BroadcastBreakdownJson["values"][number] & { readonly key: string };
type Figure = Exclude<keyof Row, "key" | "value">;

/** How far people came by what they are. It is asked for when somebody chooses by what: it reads every recipient. */
export function Breakdown({
  campaign: { id, kind, channelType },
}: {
  readonly campaign: Campaign;
}) {
  const attributes = useQuery(attributesQuery).data?.attributes ?? [];
  const [by, setBy] = useState("");
  const { data, isFetching } = useQuery({
    queryKey: ["campaigns", "of", id, "breakdown", by],
    queryFn: ({ signal }) => call("breakBroadcastDown", { params: { id }, query: { by }, signal }),
    enabled: by !== "",
    retry: false,
  });
  const figures: readonly Figure[] =
    kind === "SMS"
      ? ["total", "sent", "delivered", "failed", "skipped", "optedOut"]
      : channelType === "TELEGRAM"
        ? ["total", "sent", "replied", "failed", "skipped", "optedOut"]
        : ["total", "sent", "delivered", "read", "replied", "failed", "skipped", "optedOut"];
  const rows: readonly Row[] = [
    ...(data?.values ?? []).map((row) => ({ ...row, key: `= ${row.value ?? ""}` })),
    ...(data?.other
      ? [{ ...data.other, value: t("campaigns.breakdown.other"), key: "other" }]
      : []),
  ];
  return (
    <Part title={t("campaigns.breakdown")}>
      <Choice
        label={t("campaigns.breakdown.by")}
        value={by}
        options={[
          { value: "", name: t("campaigns.breakdown.choose") },
          { value: "tag", name: t("contacts.tags") },
          ...attributes.map(({ key, label }) => ({ value: `attribute.${key}`, name: label })),
        ]}
        change={setBy}
      />
      {isFetching && <p role="status">{t("kit.loading")}</p>}
      {data && (
        <DataTable
          name={t("campaigns.breakdown")}
          columns={[
            {
              key: "value",
              name: t("campaigns.breakdown.value"),
              cell: ({ value }) => <bdi>{value ?? t("campaigns.breakdown.none")}</bdi>,
            },
            ...figures.map((figure): Column<Row> => ({
              key: figure,
              name: t(`campaigns.${figure}`),
              numeric: true,
              cell: (row) => count(row[figure]),
            })),
          ]}
          rows={rows}
          id={({ key }) => key}
        />
      )}
    </Part>
  );
}
