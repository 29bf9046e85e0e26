import type { JoinFollower } from "../context.ts";
import { moveNotices } from "../workspaces/member-notice.ts";
import { moveDrafts } from "./draft-store.ts";
import { moveNotes } from "./note-store.ts";
import { moveSuggestions } from "./suggestion-store.ts";

/** Moves notes, drafts, suggestions and notices of a conversation that is joined into another one. */
export const moveInbox: JoinFollower = async (tx, { workspaceId, fromId, intoId }) => {
  await moveNotes(tx, workspaceId, fromId, intoId);
  await moveDrafts(tx, workspaceId, fromId, intoId);
  await moveSuggestions(tx, workspaceId, fromId, intoId);
  await moveNotices(tx, workspaceId, fromId, intoId);
};
