import type { QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * Puts what a write answered in place of what was read. A read that is under way may have begun before the write, and
 * would put the old back: it is made again.
 */
export function keepAnswer<Read>(
  client: QueryClient,
  queryKey: QueryKey,
  answer: Read | ((known: Read | undefined) => Read | undefined),
): void {
  client.setQueryData<Read>(queryKey, answer);
  if (client.isFetching({ queryKey, exact: true }) > 0)
    void client.invalidateQueries({ queryKey, exact: true });
}
