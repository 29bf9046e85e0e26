import { useSuspenseQuery } from "@tanstack/react-query";
import { narrow } from "virtual:contract";
import { callOfPage } from "../api/page-rights.ts";
import { bootstrapQuery } from "../api/query-client.ts";
import type { CallName } from "../api/call.ts";

/** Whether the member's role may make this call. Pages do not offer other calls; the server refuses them as well. */
export function useMay(name: CallName): boolean {
  const { role } = useSuspenseQuery(bootstrapQuery).data.member;
  return narrow[name]?.includes(role) ?? true;
}

/** Says of each page's address whether the member's role opens it (`api/page-rights.ts`). */
export function useOpens(): (page: string) => boolean {
  const { role } = useSuspenseQuery(bootstrapQuery).data.member;
  return (page) => {
    const name = callOfPage(page);
    return name === undefined || (narrow[name]?.includes(role) ?? true);
  };
}
