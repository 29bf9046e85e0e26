import { actorName, type Actor } from "../actor.ts";
import { listKeys } from "../api-keys/list-keys.ts";
import type { Context } from "../context.ts";
import type { NoteAuthor } from "./note.ts";

/** The acting one as the author of a note; of a key with its name. */
export async function authorOf(
  actor: Actor,
  context: Pick<Context, "db">,
  workspaceId: string,
): Promise<NoteAuthor> {
  if (actor.kind === "member") return { memberId: actor.memberId, author: null, authorName: null };
  const keys = actor.kind === "key" ? await listKeys(context, workspaceId) : [];
  const key = keys.find(({ id }) => actor.kind === "key" && id === actor.keyId);
  return { memberId: null, author: actorName(actor), authorName: key?.name ?? null };
}
