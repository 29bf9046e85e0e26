import type { Tx } from "../db/database.ts";
import type { Conversation } from "./conversation.ts";
import { writeDesk } from "./conversation-store.ts";

/** Opens a locked conversation that is snoozed or resolved. Gives it as it is then; the caller emits the event. */
export async function openAgain(tx: Tx, before: Conversation): Promise<Conversation> {
  if (before.status === "open") return before;
  const conversation = { ...before, status: "open" } as const;
  await writeDesk(tx, conversation);
  return conversation;
}
