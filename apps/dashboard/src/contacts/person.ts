import { call, type AnswerOf } from "../api/call.ts";
import { failsPage, queryClient } from "../api/query-client.ts";

/** A person as the server describes them. */
export type Person = AnswerOf<"readPerson">;
export type Contact = Person["contact"];

export const personQuery = (id: string) => ({
  queryKey: ["contact", id],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    call("readPerson", { params: { id }, signal }),
  throwOnError: failsPage,
});

/** Reads this contact again, and the lists. */
export async function refreshContact(id: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ["contact", id] }),
    queryClient.invalidateQueries({ queryKey: ["contacts"] }),
  ]);
}
