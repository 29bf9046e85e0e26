import { useEffect, useState, type ReactNode } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Button, Input, SearchField } from "react-aria-components";
import { call, type AnswerOf } from "../api/call.ts";
import { channelWord, listTime, previewOf } from "../inbox/list/words.ts";
import { useInbox } from "../inbox/use-inbox.ts";
import { t } from "../text/t.ts";
import "./search.css";

const REGIONS = ["people", "conversations", "messages"] as const;
type Region = (typeof REGIONS)[number];
type Found = AnswerOf<"search">;
/** A search begins when the typing rests for so long. */
const REST_MS = 250;

/** The search of people, conversations and messages. */
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
    <main id="main" className="search-page">
      <title>{`${t("search.title")} · Parley`}</title>
      <h1>{t("search.title")}</h1>
      <SearchField
        autoFocus
        aria-label={t("search.box")}
        className="search-field"
        value={text}
        onChange={setText}
      >
        <Input placeholder={t("search.start")} maxLength={200} dir="auto" />
      </SearchField>
      {q === "" ? (
        <p className="search-start">{t("search.start.text")}</p>
      ) : (
        REGIONS.map((region) => <Results key={`${region} ${q}`} {...{ region, q }} />)
      )}
    </main>
  );
}

function Results({ region, q }: { region: Region; q: string }) {
  const { data, error, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery({
    queryKey: ["search", region, q],
    queryFn: ({ signal, pageParam }) =>
      call("search", {
        query: { q, in: region, limit: 10, ...(pageParam !== null && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last[region].nextCursor,
  });
  const total = data?.pages[0]?.[region].total;
  return (
    <section aria-labelledby={`search-${region}`} className="search-region">
      <h2 id={`search-${region}`}>{t(`search.${region}`)}</h2>
      {error !== null && <p role="alert">{t("search.failed")}</p>}
      {total !== undefined && (
        <p role="status" className="search-total">
          {total === 0
            ? t("search.nothing")
            : total >= 1000
              ? "999+"
              : t("search.total", { count: total })}
        </p>
      )}
      <ul>{data?.pages.flatMap((page) => linesOf(region, page))}</ul>
      {hasNextPage && (
        <Button isDisabled={isFetching} onPress={() => void fetchNextPage()}>
          {t("search.more")}
        </Button>
      )}
    </section>
  );
}

function linesOf(region: Region, found: Found): readonly ReactNode[] {
  switch (region) {
    case "people":
      return found.people.items.map(({ id, name, phone, email }) => (
        <li key={id}>
          <a href={`/contacts/${encodeURIComponent(id)}`} className="search-line">
            <bdi className="search-name">{name ?? phone ?? email ?? id}</bdi>
            <bdi dir="ltr">{phone ?? email}</bdi>
          </a>
        </li>
      ));
    case "conversations":
      return found.conversations.items.map((row) => (
        <li key={row.id}>
          <ToConversation id={row.id}>
            <bdi className="search-name">{row.name}</bdi>
            <span>{channelWord(row.channelType)}</span>
            <When at={row.deskAt} />
            <span className="search-text" dir="auto">
              {previewOf(row).text}
            </span>
          </ToConversation>
        </li>
      ));
    case "messages":
      return found.messages.items.map((message) => (
        <li key={message.messageId}>
          <ToConversation id={message.conversationId}>
            <bdi className="search-name">{message.name}</bdi>
            {message.direction === "outbound" && <span>{t("search.you")}</span>}
            <When at={message.at} />
            <span className="search-text" dir="auto">
              {message.text}
            </span>
          </ToConversation>
        </li>
      ));
  }
}

function ToConversation({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Link className="search-line" to="/inbox/$view/{-$id}" params={{ view: "all", id }}>
      {children}
    </Link>
  );
}

function When({ at }: { at: string }) {
  return <time dateTime={at}>{listTime(at, useInbox().now())}</time>;
}
