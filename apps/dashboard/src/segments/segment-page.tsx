import { queryOptions, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Button, Link } from "react-aria-components";
import type { FaultDetail } from "../api/api-error.ts";
import { call, type AnswerOf } from "../api/call.ts";
import { failsPage, queryClient } from "../api/query-client.ts";
import { filterOf, type ContactsSearch } from "../contacts/contacts-search.ts";
import { Badge } from "../kit/badge.tsx";
import { ChangedMeanwhile, useVersion } from "../kit/changed-meanwhile.tsx";
import { ConfirmDialog } from "../kit/dialog.tsx";
import { Failure } from "../kit/failure.tsx";
import { TextInput } from "../kit/fields.tsx";
import { Icon } from "../kit/icon.tsx";
import { Page, Part } from "../kit/page.tsx";
import { PageLate } from "../kit/page-late.tsx";
import { useCall } from "../kit/use-call.ts";
import { useMay } from "../kit/use-may.ts";
import { t } from "../text/t.ts";
import { segmentChoicesQuery } from "../contacts/segment-choices.ts";
import { asJson, isWhole, MOST_RULES, readDefinition, rulesIn, type Group } from "./definition.ts";
import { readingOf } from "./reading.ts";
import { RuleGroup } from "./rule-group.tsx";
import { Matches, useMatches } from "./matches.tsx";
import "./segments.css";

type Saved = AnswerOf<"readSegment">;
type Written = Pick<Saved, "name" | "definition">;

const EMPTY: Group = { match: "all", rules: [] };

/** `/segments/new`: a segment that is not saved yet; of a filter of the list of contacts when the address has one. */
export function NewSegment() {
  const search = useSearch({ from: "/members/segments/new" });
  if (search.q !== undefined || search.segment !== undefined) return <OfFilter search={search} />;
  return <Builder saved={null} first={definitionIn(search.definition) ?? EMPTY} />;
}

function definitionIn(text: string | undefined): Group | null {
  try {
    return text === undefined ? null : readDefinition(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The server says which rules the list was filtered by: it alone knows what a search looks at. */
function OfFilter({ search }: { readonly search: ContactsSearch }) {
  const filter = filterOf(search);
  const { data } = useSuspenseQuery({
    queryKey: ["contacts", "filter", filter],
    queryFn: ({ signal }) => call("readContactFilter", { query: filter, signal }),
    retry: false,
  });
  return <Builder saved={null} first={readDefinition(data.definition) ?? EMPTY} />;
}

/** `/segments/:id` */
export function SegmentPage() {
  const { id } = useParams({ from: "/members/segments/$id" });
  const { data } = useQuery({ ...segmentQuery(id), throwOnError: failsPage });
  const [loads, setLoads] = useState(0);
  if (!data) return <PageLate />;
  return (
    <Builder
      key={`${id} ${loads}`}
      saved={data}
      first={readDefinition(data.definition) ?? EMPTY}
      loaded={() => setLoads((times) => times + 1)}
    />
  );
}

const segmentQuery = (id: string) =>
  queryOptions({
    queryKey: ["segment", id],
    queryFn: ({ signal }) => call("readSegment", { params: { id }, signal }),
  });

function Builder({
  saved,
  first,
  loaded,
}: {
  readonly saved: Saved | null;
  readonly first: Group;
  /** Begins again with the saved segment, which was read again. */
  readonly loaded?: () => void;
}) {
  const navigate = useNavigate();
  const mayWrite = useMay("createSegment");
  const { data: choices } = useSuspenseQuery(segmentChoicesQuery);
  const [name, setName] = useState(saved?.name ?? "");
  const [group, setGroup] = useState(first);
  const [said, setSaid] = useState("");
  const [deleting, setDeleting] = useState(false);
  const matches = useMatches(group);
  const version = useVersion(saved?.etag);
  const save = useCall(async (over?: string) => {
    setSaid("");
    const body = { name, definition: asJson(group) };
    const kept = saved
      ? await version.guard(
          (ifMatch) => call("updateSegment", { params: { id: saved.id }, body, ifMatch }),
          over,
        )
      : await call("createSegment", { body });
    const now = await readNow(kept.id);
    // Unless somebody saved another version since: then the next save asks.
    if (isSame(now, kept)) version.begin(now.etag);
    await queryClient.invalidateQueries({ queryKey: ["segments"] });
    // A new campaign for it asks again what there is.
    queryClient.removeQueries({ queryKey: ["campaigns", "choices"] });
    setSaid(t("kit.saved"));
    if (!saved) await navigate({ to: "/segments/$id", params: { id: kept.id } });
  });
  const load = async (): Promise<void> => {
    if (saved) await readNow(saved.id);
    loaded?.();
  };
  const fault = matches.fault ?? faultIn(save.failed?.details);
  return (
    <Page
      title={saved?.name ?? t("segments.new")}
      back={{ href: "/segments", name: t("segments.title") }}
      actions={saved && mayWrite && <Actions id={saved.id} remove={() => setDeleting(true)} />}
    >
      <Part title={t("segments.rules")}>
        <fieldset className="segment-form" disabled={!mayWrite}>
          <TextInput
            label={t("segments.name")}
            value={name}
            onChange={setName}
            maxLength={200}
            isReadOnly={!mayWrite}
          />
          <RuleGroup
            name={t("segments.rules")}
            path=""
            number=""
            depth={1}
            group={group}
            choices={choices}
            fault={fault}
            full={rulesIn(group) >= MOST_RULES}
            change={(next) => {
              setSaid("");
              setGroup(next);
            }}
          />
        </fieldset>
        <p className="segment-reading" dir="auto">
          {readingOf(group, choices)}
        </p>
        {!mayWrite && <p className="hint">{t("segments.readOnly")}</p>}
        {mayWrite && (
          <div className="segment-save">
            <Button
              className="primary"
              isDisabled={name.trim() === "" || !isWhole(group)}
              isPending={save.busy}
              onPress={() => save.start()}
            >
              {t("segments.save")}
            </Button>
            {said !== "" && <span role="status">{said}</span>}
          </div>
        )}
        <ChangedMeanwhile version={version} save={save} load={load} />
        {version.other === null && fault === null && <Failure of={save.failed} />}
      </Part>
      <Matches of={matches} />
      {saved && saved.usedBy.length + saved.bots.length > 0 && <UsedBy of={saved} />}
      {deleting && saved && <DeleteSegment segment={saved} close={() => setDeleting(false)} />}
    </Page>
  );
}

const isSame = (one: Written, other: Written): boolean =>
  one.name === other.name && JSON.stringify(one.definition) === JSON.stringify(other.definition);

const readNow = (id: string): Promise<Saved> =>
  queryClient.fetchQuery({ ...segmentQuery(id), staleTime: 0 });

function Actions({ id, remove }: { readonly id: string; readonly remove: () => void }) {
  return (
    <>
      <Button className="quiet destroys" onPress={remove}>
        <Icon name="trash" />
        {t("kit.delete")}
      </Button>
      <Link className="button" href={`/campaigns/new?segment=${id}`}>
        <Icon name="megaphone" />
        {t("campaigns.new")}
      </Link>
    </>
  );
}

/** The campaigns and bots that use the segment. */
function UsedBy({ of: { usedBy, bots } }: { readonly of: Saved }) {
  return (
    <Part title={t("segments.usedBy")}>
      <ul className="segment-campaigns">
        {bots.map(({ id, name }) => (
          <li key={id}>
            <Link href={`/bots/${id}`}>
              <bdi>{name}</bdi>
            </Link>
            <Badge>{t("segments.bot")}</Badge>
          </li>
        ))}
        {usedBy.map((one) => (
          <li key={one.id}>
            <Link href={`/campaigns/${one.id}`}>
              <bdi>{one.name}</bdi>
            </Link>
            <Badge>{t(`segments.campaign.${one.status}`)}</Badge>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Asks before the segment is deleted. While a campaign still needs it, it cannot be. */
function DeleteSegment({
  segment,
  close,
}: {
  readonly segment: Saved;
  readonly close: () => void;
}) {
  const navigate = useNavigate();
  const remove = useCall(async () => {
    await call("deleteSegment", { params: { id: segment.id } });
    await queryClient.invalidateQueries({ queryKey: ["segments"] });
    await navigate({ to: "/segments" });
  });
  const holders = [...segment.bots, ...segment.usedBy.filter(({ holds }) => holds)];
  return (
    <ConfirmDialog
      title={t("segments.delete.title", { name: segment.name })}
      verb={t("kit.delete")}
      call={remove}
      ready={holders.length === 0}
      close={close}
    >
      <p>
        {holders.length > 0
          ? t("segments.delete.held", { names: holders.map((one) => one.name).join(", ") })
          : t("segments.delete.text")}
      </p>
    </ConfirmDialog>
  );
}

/** The fault of a rule in a refused save. */
const faultIn = (details: readonly FaultDetail[] = []): FaultDetail | null =>
  details.find(({ path }) => path.startsWith("rules[")) ?? null;
