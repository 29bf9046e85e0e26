import { Choice } from "../kit/fields.tsx";
import type { Sorting } from "../kit/table.tsx";
import { t } from "../text/t.ts";
import type { Sort } from "./contacts-search.ts";

/** The order as a list: on a phone the table has no heads to press. */
export function SortChoice({
  sort,
  change,
}: {
  readonly sort: Sort;
  readonly change: (sort: Sort) => void;
}) {
  return (
    <Choice
      label={t("contacts.sort")}
      hidden
      value={sort}
      options={[
        { value: "newest", name: t("contacts.sort.newest") },
        { value: "oldest", name: t("contacts.sort.oldest") },
        { value: "name", name: t("contacts.sort.name") },
        { value: "name-desc", name: t("contacts.sort.nameDesc") },
      ]}
      change={change}
    />
  );
}

/** The order as the table's heads show it. */
export const sortAsTable = (sort: Sort): Sorting => ({
  by: sort === "name" || sort === "name-desc" ? "name" : "createdAt",
  descending: sort === "newest" || sort === "name-desc",
});

export function sortOfTable({ by, descending }: Sorting): Sort {
  if (by === "name") return descending ? "name-desc" : "name";
  return descending ? "newest" : "oldest";
}
