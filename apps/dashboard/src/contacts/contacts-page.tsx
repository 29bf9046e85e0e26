import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Button, Link } from "react-aria-components";
import { ApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { saveSettings } from "../api/save-settings.ts";
import { useBootstrap } from "../desk/use-inbox.ts";
import { EmptyState } from "../kit/empty.tsx";
import { Failure } from "../kit/failure.tsx";
import { count, countTo } from "../kit/format.ts";
import { Icon } from "../kit/icon.tsx";
import { Page } from "../kit/page.tsx";
import { Pager } from "../kit/pager.tsx";
import { ProvenDownload } from "../kit/proven-download.tsx";
import { DataTable } from "../kit/table.tsx";
import { useCall } from "../kit/use-call.ts";
import { useMay } from "../kit/use-may.ts";
import { t } from "../text/t.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { ColumnChoice, chosenColumns } from "./columns.tsx";
import { nameOf } from "./contact-words.tsx";
import { filterOf, isFiltered, type ContactsSearch, type Sort } from "./contacts-search.ts";
import { attributesQuery, FilterBar, type Go } from "./filter-bar.tsx";
import { Jobs } from "./jobs.tsx";
import { NewContact } from "./new-contact.tsx";
import { SortChoice, sortAsTable, sortOfTable } from "./sort-choice.tsx";
import "./contacts.css";

const PAGE_SIZE = 50;
const CAP = 1_000;
/** Filtered lists, and those in another order, end here. */
const DEEPEST = 10_000;
const NOBODY: ReadonlySet<string> = new Set();

/** `/contacts`: the workspace's contacts, with filters in the address. */
export function ContactsPage() {
  const search = useSearch({ from: "/members/contacts" });
  const navigate = useNavigate();
  const { settings } = useBootstrap();
  const [selected, setSelected] = useState(NOBODY);
  const [dialog, setDialog] = useState<"new" | null>(null);
  const go: Go = (changes, replace = false) => {
    setSelected(NOBODY);
    const next = { ...search, page: undefined, ...changes };
    void navigate({ to: "/contacts", search: given(next), replace });
  };
  const sort = search.sort ?? settings.contactSort;
  const { list, items, page, total, ended, isNobody } = useContactList(search, sort);
  const attributes = useQuery(attributesQuery).data?.attributes ?? [];
  const defined = attributes.filter((one) => one.defined);
  const save = useSaveList();
  const mayChange = useMay("startContactJob");
  const mayDefine = useMay("putContactAttribute");
  const order = (next: Sort): void => {
    save.start({ contactSort: next });
    go({ sort: next });
  };
  const columns = chosenColumns(settings.contactColumns, attributes);
  return (
    <Page
      title={t("contacts.title")}
      actions={
        <Actions
          search={search}
          create={isNobody && !isFiltered(search) ? undefined : () => setDialog("new")}
        />
      }
    >
      {mayChange && <Jobs />}
      <div className="contacts-head page-filters">
        <FilterBar search={search} go={go} />
        <div className="contacts-tools">
          <SortChoice sort={sort} change={order} />
          <ColumnChoice
            chosen={settings.contactColumns}
            attributes={attributes}
            change={(keys) => save.start({ contactColumns: [...keys] })}
            define={mayDefine ? () => void navigate({ to: "/settings/attributes" }) : undefined}
          />
        </div>
      </div>
      <Failure of={save.failed} />
      {list.isPending && isFiltered(search) && <p role="status">{t("contacts.looking")}</p>}
      {list.error && (
        <Failure
          of={list.error instanceof ApiError ? list.error : null}
          {...(isFiltered(search) && isTooSlow(list.error) && { text: t("contacts.tooSlow") })}
        >
          <Button onPress={() => void list.refetch()}>{t("kit.retry")}</Button>
        </Failure>
      )}
      {isNobody ? (
        <Nobody filtered={isFiltered(search)} go={go} create={() => setDialog("new")} />
      ) : (
        list.data && (
          <>
            {selected.size > 0 && (
              <BulkBar
                selected={selected}
                filter={filterOf(search)}
                total={total}
                attributes={defined}
                wholePage={items.every(({ id }) => selected.has(id))}
                clear={() => setSelected(NOBODY)}
              />
            )}
            <DataTable
              name={t("contacts.title")}
              columns={columns}
              rows={items}
              id={({ id }) => id}
              href={({ id }) => `/contacts/${id}`}
              sorting={sortAsTable(sort)}
              sort={(sorting) => order(sortOfTable(sorting))}
              busy={list.isPlaceholderData}
              {...(mayChange && {
                selecting: { selected, name: nameOf, change: setSelected },
              })}
            />
            {ended && list.data.more && <p className="hint">{t("contacts.end")}</p>}
            <Pager
              text={range(page, items.length, total)}
              previous={
                page > 1 ? () => go({ page: page === 2 ? undefined : String(page - 1) }) : undefined
              }
              next={list.data.more && !ended ? () => go({ page: String(page + 1) }) : undefined}
            />
          </>
        )
      )}
      {dialog === "new" && <NewContact attributes={defined} close={() => setDialog(null)} />}
    </Page>
  );
}

/** The page of contacts that the address names, and how many contacts its filter has. */
function useContactList(search: ContactsSearch, sort: Sort) {
  const page = Number(search.page ?? 1);
  const query = { ...filterOf(search), sort, page, pageSize: PAGE_SIZE };
  const list = useQuery({
    queryKey: ["contacts", query],
    queryFn: ({ signal }) => call("listContacts", { query, signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const total = useTotal(
    search,
    list.data?.total ?? null,
    list.isSuccess && !list.isPlaceholderData,
  );
  const items = list.data?.items ?? [];
  const bounded = isFiltered(search) || sort !== "newest";
  const ended = bounded && page * PAGE_SIZE >= DEEPEST;
  const isNobody = list.data !== undefined && items.length === 0 && !list.isPlaceholderData;
  return { list, items, page, total, ended, isNobody };
}

/** The server gives a list up after some seconds; it says the same when it has too much to do. */
const isTooSlow = (error: Error): boolean =>
  error instanceof ApiError && error.code === "OVERLOADED";

/** Saves how the member wants the list: its columns or its order. */
const useSaveList = () =>
  useCall((changes: { contactColumns: string[] } | { contactSort: Sort }) => saveSettings(changes));

/** Undefined values are left out of the address. */
function given(search: {
  readonly [K in keyof ContactsSearch]: ContactsSearch[K] | undefined;
}): ContactsSearch {
  const { q, definition, segment, sort, page } = search;
  return {
    ...(q !== undefined && { q }),
    ...(definition !== undefined && { definition }),
    ...(segment !== undefined && { segment }),
    ...(sort !== undefined && { sort }),
    ...(page !== undefined && { page }),
  };
}

/**
 * How many contacts the list has, as it is shown: exact when the list came with its total, else `1,000+` from a
 * thousand on; null while it is not known. It is counted after the rows are there (`come`): both at once would take twice
 * as long, because each may read all contacts.
 */
function useTotal(search: ContactsSearch, whole: number | null, come: boolean): string | null {
  const filter = filterOf(search);
  const counted = useQuery({
    queryKey: ["contacts", "count", filter],
    queryFn: ({ signal }) => call("countContacts", { query: filter, signal }),
    enabled: come && whole === null,
    retry: false,
  });
  if (whole !== null) return count(whole);
  const { data } = counted;
  if (!data || data.count === null) return null;
  return data.exact ? count(data.count) : countTo(CAP, CAP);
}

function range(page: number, shown: number, total: string | null): string {
  const from = count((page - 1) * PAGE_SIZE + Math.min(1, shown));
  const to = count((page - 1) * PAGE_SIZE + shown);
  return total === null
    ? t("contacts.range.open", { from, to })
    : t("contacts.range", { from, to, total });
}

function Nobody({
  filtered,
  go,
  create,
}: {
  readonly filtered: boolean;
  readonly go: Go;
  readonly create: () => void;
}) {
  if (filtered)
    return (
      <EmptyState title={t("contacts.noMatch")} text={t("contacts.noMatch.text")}>
        <Button onPress={() => go({ q: undefined, definition: undefined, segment: undefined })}>
          {t("contacts.clearFilters")}
        </Button>
      </EmptyState>
    );
  return (
    <EmptyState title={t("contacts.empty")} text={t("contacts.empty.text")}>
      <Button className="primary" onPress={create}>
        {t("contacts.new")}
      </Button>
    </EmptyState>
  );
}

function Actions({
  search,
  create,
}: {
  readonly search: ContactsSearch;
  /** Undefined: the page below offers it. */
  readonly create: (() => void) | undefined;
}) {
  const mayImport = useMay("startContactJob");
  const mayDefine = useMay("putContactAttribute");
  const address = `/api/app/contacts/export?${new URLSearchParams(Object.entries(filterOf(search)))}`;
  return (
    <>
      <Link className="button" href="/contacts/duplicates">
        <Icon name="users-round" />
        {t("contacts.duplicates")}
      </Link>
      {mayDefine && (
        <Link className="button" href="/settings/attributes">
          <Icon name="tag" />
          {t("contacts.attributes")}
        </Link>
      )}
      {mayImport && (
        <>
          <Link className="button" href="/contacts/import">
            <Icon name="upload" />
            {t("contacts.import")}
          </Link>
          <ProvenDownload address={address} name={t("contacts.export")} />
        </>
      )}
      {create && (
        <Button className="primary" onPress={create}>
          <Icon name="plus" />
          {t("contacts.new")}
        </Button>
      )}
    </>
  );
}
