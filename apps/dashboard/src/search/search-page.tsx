import { useEffect, useState, type ReactNode } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Button, Input, SearchField } from "react-aria-components";
import { ApiError } from "../api/api-error.ts";
import { call, type AnswerOf } from "../api/call.ts";
import { nameOf } from "../contacts/contact-words.tsx";
import { channelWord, listTime } from "../kit/words.ts";
import { previewOf } from "../desk/words.ts";
import type { Bootstrap } from "../api/shapes.ts";
import { useBootstrap, useInbox } from "../desk/use-inbox.ts";
import { EmptyState } from "../kit/empty.tsx";
import { Failure } from "../kit/failure.tsx";
import { count } from "../kit/format.ts";
import { Page } from "../kit/page.tsx";
import { PersonName } from "../kit/phone.tsx";
import { t } from "../text/t.ts";
import { FoundText, hitsOf } from "./found-text.tsx";
import "../kit/fields.css";
import "./search.css";

const REGIONS = ["people", "conversations", "messages"] as const;
type Region = (typeof REGIONS)[number];
type Found = AnswerOf<"search">;
/** How long the typing must rest before a search begins. */
const REST_MS = 250;
/** How often it is asked again while messages wait for the search. */
const BEHIND_MS = 2_000;

/** `/search?q=`: people, conversations, and messages with the notes between them. */
export function SearchPage() {
  const { q = "" } = useSearch({ from: "/members/search" });
  const navigate = useNavigate();
  const [text, setText] = useState(q);
  const words = text.trim();
  useEffect(() => {
    const timer = setTimeout(() => {
      if (words !== q)
        void navigate({ to: "/search", search: words === "" ? {} : { q: words }, replace: true });
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [words, q, navigate]);
  return (
    <Page title={t("search.title")} narrow>
      <SearchField
        autoFocus
        aria-label={t("search.box")}
        className="react-aria-SearchField search-field search-main"
        value={text}
        onChange={setText}
      >
        <Input
          placeholder={t("search.start")}
          maxLength={200}
          {...(text !== "" && { dir: "auto" })}
        />
      </SearchField>
      {q === "" ? (
        <EmptyState title={t("search.start")} text={t("search.start.text")} />
      ) : (
        REGIONS.map((region) => <Results key={`${region} ${q}`} {...{ region, q }} />)
      )}
    </Page>
  );
}

function Results({ region, q }: { readonly region: Region; readonly q: string }) {
  const bootstrap = useBootstrap();
  const { data, error, hasNextPage, fetchNextPage, isFetching, refetch } = useInfiniteQuery({
    queryKey: ["search", region, q],
    queryFn: ({ signal, pageParam }) =>
      call("search", {
        query: { q, in: region, limit: 10, ...(pageParam !== null && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last[region].nextCursor,
    // Messages that came meanwhile must be found.
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.behind === true ? BEHIND_MS : false),
  });
  const first = data?.pages[0]?.[region];
  return (
    <section aria-labelledby={`search-${region}`} className="search-region">
      <header>
        <h2 id={`search-${region}`}>{t(`search.${region}`)}</h2>
        <p role="status" className="search-total">
          {first === undefined ? "" : totalWords(first)}
        </p>
      </header>
      {data?.pages[0]?.behind === true && (
        <p role="status" className="search-behind">
          {t("search.behind")}
        </p>
      )}
      {error !== null && (
        <Failure of={error instanceof ApiError ? error : null} text={t("search.failed")}>
          <Button onPress={() => void refetch()}>{t("kit.retry")}</Button>
        </Failure>
      )}
      {first !== undefined && first.total > 0 && (
        <ul>{data?.pages.flatMap((page) => linesOf(region, page, q, bootstrap))}</ul>
      )}
      {hasNextPage && (
        <Button
          className="search-more"
          isDisabled={isFetching}
          onPress={() => void fetchNextPage()}
        >
          {t("search.more")}
        </Button>
      )}
    </section>
  );
}

/** `3 results`; `at least 40` when a common word was not counted further. */
function totalWords({ total, exact }: { readonly total: number; readonly exact: boolean }): string {
  if (total === 0) return t("search.nothing");
  return exact ? t("search.total", { count: total }) : t("search.atLeast", { n: count(total) });
}

function linesOf(
  region: Region,
  found: Found,
  q: string,
  bootstrap: Bootstrap,
): readonly ReactNode[] {
  switch (region) {
    case "people":
      return found.people.items.map(({ id, name, phone, email }) => (
        <li key={id}>
          <Link className="search-line" to="/contacts/$id" params={{ id }}>
            <Name text={nameOf({ id, name, phone, email })} q={q} />
            {[phone === null ? null : `+${phone}`, email].map(
              (one) =>
                one !== null &&
                one !== "" &&
                one !== nameOf({ id, name, phone, email }) && (
                  <bdi key={one} dir="ltr" className="search-more-of">
                    <FoundText text={one} hits={hitsOf(one, q)} />
                  </bdi>
                ),
            )}
          </Link>
        </li>
      ));
    case "conversations":
      return found.conversations.items.map((row) => {
        const { by, text } = previewOf(row, bootstrap);
        return (
          <li key={row.id}>
            <ToConversation id={row.id}>
              <Name text={row.name} q={q} />
              <span className="search-more-of">{channelWord(row.channelType)}</span>
              {row.labels.map((label) => (
                <bdi key={label} className="badge">
                  {label}
                </bdi>
              ))}
              <When at={row.deskAt} />
              <span className="search-text">
                {by !== "" && `${by}: `}
                <bdi>{text}</bdi>
              </span>
            </ToConversation>
          </li>
        );
      });
    case "messages":
      return found.messages.items.map((message) => (
        <li key={message.id}>
          <ToConversation id={message.conversationId} entry={message.id}>
            <PersonName className="search-name" of={message.name} />
            <span className="search-more-of">{channelWord(message.channelType)}</span>
            {message.side === "us" && <span className="search-more-of">{t("search.ours")}</span>}
            {message.side === "note" && (
              <span className="badge search-note">{t("search.note")}</span>
            )}
            <When at={message.at} />
            <span className="search-text" dir="auto">
              <FoundText text={message.text} hits={message.hits} />
            </span>
          </ToConversation>
        </li>
      ));
  }
}

function Name({ text, q }: { readonly text: string; readonly q: string }) {
  return (
    <bdi className="search-name" {...(text.startsWith("+") && { dir: "ltr" })}>
      <FoundText text={text} hits={hitsOf(text, q)} />
    </bdi>
  );
}

/** Leads to a conversation; with `entry` to that message or note. */
function ToConversation({
  id,
  entry,
  children,
}: {
  readonly id: string;
  readonly entry?: string;
  readonly children: ReactNode;
}) {
  return (
    <Link
      className="search-line"
      to="/inbox/$view/{-$talk}"
      params={{ view: "all", talk: id }}
      {...(entry !== undefined && { hash: `m-${entry}` })}
    >
      {children}
    </Link>
  );
}

function When({ at }: { readonly at: string }) {
  return <time dateTime={at}>{listTime(at, useInbox().now())}</time>;
}
