import { Type } from "typebox";
import {
  savedReplyExample,
  SavedReplyPageJson,
  SavedReplyRecord,
  SavedReplyShortcut,
} from "../wire/saved-reply.ts";
import { NO_NUL, Nothing } from "../wire/schema.ts";
import { operation } from "./operation.ts";
import { ADMINS, EVERYONE } from "./roles.ts";

const { shortcut, title, text } = savedReplyExample;
const byAdmins = {
  roles: ADMINS,
  scope: "conversations:write",
  bots: false,
  trace: "audit",
  doors: ["v1", "cli"],
} as const;

/** Texts that the team shares. Members have texts of their own beside them, in the dashboard alone. */
export const savedReplies = {
  listSavedReplies: operation("saved_reply.list", {
    says: "List the saved replies that the team shares",
    at: "GET /saved-replies",
    input: {},
    answer: SavedReplyPageJson,
    example: {
      input: {},
      answer: { items: [savedReplyExample], nextCursor: null },
      after: "saved_reply.put",
    },
    errors: [],
    roles: EVERYONE,
    scope: "messages:read",
    bots: true,
    trace: null,
    doors: ["v1", "cli"],
  }),
  putSavedReply: operation("saved_reply.put", {
    says: "Create a saved reply that the team shares, or change the one with this shortcut",
    more: "Its files stay. A source of the knowledge that follows it is read again at once. The same call twice changes nothing more. There are 500 at most.",
    at: "PUT /saved-replies/{shortcut}",
    input: {
      shortcut: SavedReplyShortcut,
      title: Type.String({
        minLength: 1,
        maxLength: 80,
        ...NO_NUL,
        description: "What the list shows.",
        examples: [title],
      }),
      text: Type.String({
        minLength: 1,
        maxLength: 4_096,
        ...NO_NUL,
        description:
          "What is inserted. `{{contact.name}}`, `{{contact.firstName}}` and `{{agent.name}}` are filled when a member inserts it; anything else in braces stays for the member to fill.",
        examples: [text],
      }),
    },
    answer: SavedReplyRecord,
    example: { input: { shortcut, title, text }, answer: savedReplyExample },
    errors: [],
    ...byAdmins,
  }),
  removeSavedReply: operation("saved_reply.remove", {
    says: "Delete the saved reply that the team shares under this shortcut",
    at: "DELETE /saved-replies/{shortcut}",
    input: { shortcut: SavedReplyShortcut },
    answer: Nothing,
    example: { input: { shortcut }, answer: {}, after: "saved_reply.put" },
    errors: ["NOT_FOUND"],
    ...byAdmins,
  }),
} as const;
