import { useSuspenseQuery } from "@tanstack/react-query";
import { narrow } from "virtual:contract";
import { callOfPage } from "../api/page-rights.ts";
import { bootstrapQuery } from "../api/query-client.ts";

/** Says of each page's address whether the member's role opens it (`api/page-rights.ts`). */
export function useOpens(): (page: string) => boolean {
  const { role } = useSuspenseQuery(bootstrapQuery).data.member;
  return (page) => {
    const name = callOfPage(page);
    return name === undefined || (narrow[name]?.includes(role) ?? true);
  };
}
