import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Button, DialogTrigger, Input, Link, Popover, SearchField } from "react-aria-components";
import { call } from "../api/call.ts";
import { segmentsQuery } from "../api/segments-query.ts";
import { Icon } from "../kit/icon.tsx";
import { useMay } from "../kit/use-may.ts";
import { t } from "../text/t.ts";
import { isFiltered, type ContactsSearch } from "./contacts-search.ts";
import { readRules, ruleFields, ruleText, type ContactRule } from "./rules.ts";
import { RuleEditor } from "./rule-editor.tsx";

/** Changes of the address: a new filter begins at its first page. */
export type Go = (
  changes: { readonly [K in keyof ContactsSearch]: ContactsSearch[K] | undefined },
  replace?: boolean,
) => void;

export const attributesQuery = {
  queryKey: ["contact-attributes"],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => call("listAttributes", { signal }),
};

/** The search, the rules of the list one by one, and a saved segment. */
export function FilterBar({ search, go }: { readonly search: ContactsSearch; readonly go: Go }) {
  const { data } = useQuery(attributesQuery);
  const segments = useQuery(segmentsQuery).data?.segments ?? [];
  const fields = ruleFields(data?.attributes ?? []);
  const [adding, setAdding] = useState(false);
  const known = readRules(search.definition);
  const store = (rules: readonly ContactRule[]): void =>
    go({ definition: rules.length === 0 ? undefined : JSON.stringify({ match: "all", rules }) });
  const rules = known?.rules ?? [];
  const maySave = useMay("createSegment");
  return (
    <div className="filter-bar">
      <SearchText text={search.q ?? ""} change={(q) => go({ q: q === "" ? undefined : q }, true)} />
      <div className="filter-rules" role="group" aria-label={t("contacts.filters")}>
        {search.segment !== undefined && (
          <SavedSegment
            id={search.segment}
            name={segments.find(({ id }) => id === search.segment)?.name ?? search.segment}
            remove={() => go({ segment: undefined })}
          />
        )}
        {known === null && (
          <span className="filter-rule">
            <span>{t("contacts.filter.custom")}</span>
            <RemoveRule
              rule={t("contacts.filter.custom")}
              remove={() => go({ definition: undefined })}
            />
          </span>
        )}
        {rules.map((rule, index) => (
          <Rule
            key={JSON.stringify(rule)}
            rule={rule}
            fields={fields}
            change={(next) =>
              store(rules.flatMap((one, at) => (at === index ? (next ?? []) : one)))
            }
          />
        ))}
        {known !== null && (
          <DialogTrigger isOpen={adding} onOpenChange={setAdding}>
            <Button className="quiet">
              <Icon name="list-filter" />
              {t("contacts.addFilter")}
            </Button>
            <Popover className="popover" placement="bottom start">
              <RuleEditor
                title={t("contacts.addFilter")}
                fields={fields}
                segments={segments}
                chooseSegment={(segment) => {
                  setAdding(false);
                  go({ segment });
                }}
                apply={(rule) => {
                  setAdding(false);
                  store([...rules, rule]);
                }}
              />
            </Popover>
          </DialogTrigger>
        )}
        {isFiltered(search) && (
          <Button
            className="quiet"
            onPress={() => go({ q: undefined, definition: undefined, segment: undefined })}
          >
            {t("contacts.clearFilters")}
          </Button>
        )}
        {maySave && (search.definition !== undefined || search.q !== undefined) && (
          <Link className="quiet" href={segmentAddress(search)}>
            {t("contacts.filter.save")}
          </Link>
        )}
      </div>
    </div>
  );
}

/** The search text and a saved segment go along: the new segment means the list as it stands. */
const segmentAddress = ({ q, definition, segment }: ContactsSearch): string =>
  `/segments/new?${new URLSearchParams({
    ...(q !== undefined && { q }),
    ...(definition !== undefined && { definition }),
    ...(segment !== undefined && { segment }),
  })}`;

function SavedSegment({
  id,
  name,
  remove,
}: {
  readonly id: string;
  readonly name: string;
  readonly remove: () => void;
}) {
  const text = t("contacts.filter.segment.is", { name });
  return (
    <span className="filter-rule">
      <Link href={`/segments/${id}`}>
        <bdi>{text}</bdi>
      </Link>
      <RemoveRule rule={text} remove={remove} />
    </span>
  );
}

function Rule({
  rule,
  fields,
  change,
}: {
  readonly rule: ContactRule;
  readonly fields: ReturnType<typeof ruleFields>;
  /** Null: it is removed. */
  readonly change: (rule: ContactRule | null) => void;
}) {
  const [open, setOpen] = useState(false);
  const text = ruleText(rule, fields);
  return (
    <span className="filter-rule">
      <DialogTrigger isOpen={open} onOpenChange={setOpen}>
        <Button aria-label={t("contacts.filter.edit", { rule: text })}>
          <bdi>{text}</bdi>
        </Button>
        <Popover className="popover" placement="bottom start">
          <RuleEditor
            title={t("contacts.filter.edit", { rule: text })}
            fields={fields}
            rule={rule}
            apply={(next) => {
              setOpen(false);
              change(next);
            }}
          />
        </Popover>
      </DialogTrigger>
      <RemoveRule rule={text} remove={() => change(null)} />
    </span>
  );
}

const RemoveRule = ({ rule, remove }: { readonly rule: string; readonly remove: () => void }) => (
  <Button
    className="filter-remove"
    aria-label={t("contacts.filter.remove", { rule })}
    onPress={remove}
  >
    <Icon name="x" />
  </Button>
);

const PAUSE_MS = 250;

/** The search follows the typing after a pause. */
function SearchText({
  text,
  change,
}: {
  readonly text: string;
  readonly change: (text: string) => void;
}) {
  const [typed, setTyped] = useState(text);
  const [shown, setShown] = useState(text);
  // Back, or a cleared filter, changes the address from outside.
  if (shown !== text) {
    setShown(text);
    if (typed.trim() !== text) setTyped(text);
  }
  useEffect(() => {
    const next = typed.trim().slice(0, 200);
    if (next === text) return undefined;
    const timer = setTimeout(() => change(next), PAUSE_MS);
    return () => clearTimeout(timer);
  });
  return (
    <SearchField
      className="filter-search"
      aria-label={t("contacts.search")}
      value={typed}
      onChange={setTyped}
    >
      <Icon name="search" />
      {/* An empty field runs as the page does: its hint stands beside the sign. */}
      <Input {...(typed !== "" && { dir: "auto" })} placeholder={t("contacts.search.hint")} />
    </SearchField>
  );
}
