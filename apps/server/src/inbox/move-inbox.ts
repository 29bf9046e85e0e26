import type { JoinFollower } from "../context.ts";
import { moveNotices } from "../workspaces/member-notice.ts";
import { moveDrafts } from "./draft-store.ts";
import { moveNotes } from "./note-store.ts";
import { noteEvent } from "./note.ts";
import { moveSuggestions } from "./suggestion-store.ts";
import { settledEvent } from "./suggestion.ts";

/** Moves notes, drafts, suggestions and notices of a conversation that is joined into another one. */
export const moveInbox: JoinFollower = async (tx, { workspaceId, fromId, intoId, contactId }) => {
  const notes = await moveNotes(tx, workspaceId, fromId, intoId);
  await moveDrafts(tx, workspaceId, fromId, intoId);
  const suggestions = await moveSuggestions(tx, workspaceId, fromId, intoId);
  await moveNotices(tx, workspaceId, fromId, intoId);
  return [
    ...notes.map((note) => noteEvent("note.updated", workspaceId, contactId, note)),
    ...suggestions
      .filter(({ state }) => state !== "open")
      .map((one) => settledEvent(workspaceId, contactId, one)),
  ];
};
