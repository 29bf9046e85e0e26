import type { QueryKey } from "@tanstack/react-query";
import { queryClient } from "../api/query-client.ts";

/** Reads the queries of the pages on the screen that count as old. Throws when one could not be read; it stays old. */
export async function rereadPages(): Promise<void> {
  await queryClient.refetchQueries(
    { type: "active", predicate: ({ state }) => state.isInvalidated },
    { throwOnError: true },
  );
}

/** Reads one query again if a page shows it. Throws when it could not be read. */
export async function rereadQuery(queryKey: QueryKey): Promise<void> {
  await queryClient.refetchQueries(
    { type: "active", queryKey, exact: true },
    { throwOnError: true },
  );
}

/** The parts of a query's result that reading it again needs. */
interface Shown {
  readonly data: unknown;
  readonly refetch: (options: { readonly throwOnError: true }) => Promise<unknown>;
}

/**
 * Reads a page's query again, after a hint. While its first answer is on its way there is nothing to cancel, and that
 * answer may be older than the hint: then it is read twice. Throws when it could not be read.
 */
export async function readAgain({ data, refetch }: Shown): Promise<void> {
  await refetch({ throwOnError: true });
  if (data === undefined) await refetch({ throwOnError: true });
}
