import type { Inbox } from "../../desk/inbox.ts";
import { threadsOf } from "./threads.ts";

/** Reads what is shown of a conversation that may be opened next, unless it is here. */
export function readAhead(inbox: Inbox, ids: readonly (string | undefined)[]): void {
  const { store, work } = threadsOf(inbox);
  for (const id of ids)
    if (id !== undefined && store.thread(id).state === "empty") void work.open(id);
}
