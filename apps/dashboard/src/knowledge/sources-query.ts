import { infiniteQueryOptions } from "@tanstack/react-query";
import { call, type AnswerOf } from "../api/call.ts";
import { failsPage, queryClient } from "../api/query-client.ts";

export type Source = AnswerOf<"listKnowledge">["items"][number];

/** All calls of these pages begin with it. */
const KNOWLEDGE = "knowledge";
/** How soon the list looks again while something is being read. */
const READING_MS = 2_000;

/** The sources, page by page. */
export const sourcesQuery = infiniteQueryOptions({
  queryKey: [KNOWLEDGE, "sources"],
  queryFn: ({ pageParam, signal }) =>
    call("listKnowledge", { query: pageParam === "" ? {} : { cursor: pageParam }, signal }),
  initialPageParam: "",
  getNextPageParam: ({ nextCursor }) => nextCursor,
  throwOnError: failsPage,
  refetchInterval: ({ state }) =>
    state.data?.pages.some(({ items }) => items.some(({ status }) => status === "reading"))
      ? READING_MS
      : false,
});

export const queryKey = (...names: readonly string[]) => [KNOWLEDGE, ...names];

/** Reads everything of these pages again, after a change. */
export const readAgain = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: [KNOWLEDGE] });

/** The last day on which answers may rest on a source, as 2026-12-31: a day ends at midnight UTC. */
export const lastDay = (validUntil: string): string =>
  new Date(new Date(validUntil).getTime() - 1).toISOString().slice(0, 10);

/** A moment that is on this day in every browser's zone. */
export const noonOf = (day: string): string => `${day}T12:00:00`;
