import { QueryClient, queryOptions } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import { call } from "./call.ts";

/** What pages read by `useQuery`. The inbox has its own store. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (count, error) => count < 3 && error instanceof ApiError && error.passing,
      retryDelay: (count, error) =>
        (error instanceof ApiError && error.retryAfter !== null ? error.retryAfter : 2 ** count) *
        1000,
    },
  },
});

/**
 * For `throwOnError`: a page fails that has nothing to show, or that was refused to the member. What is shown stays while
 * it cannot be read again, as during a restart of the server, and so does what somebody is writing beside it.
 */
export const failsPage = (
  error: Error,
  { state }: { readonly state: { readonly data: unknown } },
): boolean => state.data === undefined || !(error instanceof ApiError && error.passing);

/** Who is signed in, and the workspace's lists. */
export const bootstrapQuery = queryOptions({
  queryKey: ["bootstrap"],
  queryFn: ({ signal }) => call("bootstrap", { signal }),
});

/** The member's newest notifications. */
export const NOTICES = ["notices"] as const;
