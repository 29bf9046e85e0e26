import { call, type AnswerOf } from "../api/call.ts";
import { queryClient } from "../api/query-client.ts";

/** A person as the server tells of them. */
export type Person = AnswerOf<"readPerson">;
export type Contact = Person["contact"];

export const personQuery = (id: string) => ({
  queryKey: ["contact", id],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    call("readPerson", { params: { id }, signal }),
  throwOnError: true,
});

/** What was read of this contact is read again, and so are lists. */
export async function refreshContact(id: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ["contact", id] }),
    queryClient.invalidateQueries({ queryKey: ["contacts"] }),
  ]);
}
