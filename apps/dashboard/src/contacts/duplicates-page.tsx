import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Button, Link } from "react-aria-components";
import { ApiError } from "../api/api-error.ts";
import { call, type AnswerOf } from "../api/call.ts";
import { Badge } from "../kit/badge.tsx";
import { EmptyState } from "../kit/empty.tsx";
import { Failure } from "../kit/failure.tsx";
import { Choice } from "../kit/fields.tsx";
import { dayOf } from "../kit/format.ts";
import { Page } from "../kit/page.tsx";
import { useMay } from "../kit/use-may.ts";
import { t } from "../text/t.ts";
import { nameOf, NameText, Tags } from "./contact-words.tsx";
import { Phone } from "../kit/phone.tsx";
import { PreviewMerge } from "./merge-dialog.tsx";
import "./contacts.css";

type By = "phone" | "email" | "externalId";
type Group = AnswerOf<"listContactDuplicates">["items"][number];

/** `/contacts/duplicates`: contacts that share a number, an address or an id, to be merged. */
export function DuplicatesPage() {
  const [by, setBy] = useState<By>("phone");
  const [merging, setMerging] = useState<{ readonly keep: string; readonly goes: string } | null>(
    null,
  );
  const pages = useInfiniteQuery({
    // Below the lists of contacts, so a merge reads it again.
    queryKey: ["contacts", "duplicates", by],
    queryFn: ({ pageParam, signal }) =>
      call("listContactDuplicates", {
        query: { by, ...(pageParam !== null && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const groups = pages.data?.pages.flatMap((page) => page.items) ?? [];
  const { hasNextPage, isFetching, fetchNextPage } = pages;
  // Among very many contacts a page may be empty without being the last.
  useEffect(() => {
    if (groups.length === 0 && hasNextPage && !isFetching) void fetchNextPage();
  }, [groups.length, hasNextPage, isFetching, fetchNextPage]);
  const mayMerge = useMay("mergeContact");
  const looking = pages.isPending || (groups.length === 0 && hasNextPage);
  return (
    <Page
      title={t("contacts.duplicates")}
      lead={t("contacts.duplicates.lead")}
      back={{ href: "/contacts", name: t("contacts.back") }}
      actions={
        <Choice
          label={t("contacts.duplicates.by")}
          value={by}
          options={[
            { value: "phone", name: t("contacts.duplicates.phone") },
            { value: "email", name: t("contacts.duplicates.email") },
            { value: "externalId", name: t("contacts.duplicates.externalId") },
          ]}
          change={setBy}
        />
      }
    >
      {!mayMerge && <p className="hint">{t("contacts.duplicates.readOnly")}</p>}
      {pages.error instanceof ApiError && <Failure of={pages.error} />}
      {looking && !pages.error && <p role="status">{t("contacts.looking")}</p>}
      {pages.data && groups.length === 0 && !looking && (
        <EmptyState
          title={t("contacts.duplicates.none")}
          text={t("contacts.duplicates.none.text")}
        />
      )}
      {groups.map((group) => (
        <GroupOfAlike
          key={group.address}
          by={by}
          group={group}
          merge={(keep, goes) => setMerging({ keep, goes })}
        />
      ))}
      {groups.length > 0 && hasNextPage && (
        <div>
          <Button isPending={pages.isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {t("contacts.duplicates.more")}
          </Button>
        </div>
      )}
      {merging && <PreviewMerge {...merging} close={() => setMerging(null)} />}
    </Page>
  );
}

function GroupOfAlike({
  by,
  group: { address, count, contacts },
  merge,
}: {
  readonly by: By;
  readonly group: Group;
  readonly merge: (keep: string, goes: string) => void;
}) {
  const mayMerge = useMay("mergeContact");
  const [oldest] = contacts;
  return (
    <section className="part" aria-label={address}>
      <div className="part-head">
        <h2>{by === "phone" ? <Phone of={address} /> : <bdi dir="ltr">{address}</bdi>}</h2>
        <span className="hint">{t("contacts.duplicates.count", { count })}</span>
      </div>
      <ul className="contact-lines">
        {contacts.map((contact) => (
          <li key={contact.id}>
            <Link href={`/contacts/${contact.id}`}>
              <NameText of={contact} />
            </Link>
            <span className="contact-preview">
              {by !== "phone" && contact.phone !== null && <Phone of={contact.phone} />}
              {by !== "email" && contact.email !== null && <bdi dir="ltr">{contact.email}</bdi>}
              <time dateTime={contact.createdAt}>{dayOf(contact.createdAt)}</time>
              <Tags of={contact.tags} />
            </span>
            {contact.id === oldest?.id ? (
              <Badge tone="accent">{t("contacts.duplicates.oldest")}</Badge>
            ) : (
              mayMerge &&
              oldest && (
                <Button
                  aria-label={t("contacts.duplicates.merge", { name: nameOf(contact) })}
                  onPress={() => merge(oldest.id, contact.id)}
                >
                  {t("contacts.merge")}
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
