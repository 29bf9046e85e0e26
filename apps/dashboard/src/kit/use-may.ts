import { useSuspenseQuery } from "@tanstack/react-query";
import { narrow } from "virtual:contract";
import { bootstrapQuery } from "../api/query-client.ts";
import type { CallName } from "../api/call.ts";

/** Whether the member's role may make this call. Pages do not offer other calls; the server refuses them as well. */
export function useMay(name: CallName): boolean {
  const { role } = useSuspenseQuery(bootstrapQuery).data.member;
  return narrow[name]?.includes(role) ?? true;
}
