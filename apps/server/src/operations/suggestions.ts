import { Type } from "typebox";
import { ID, Nothing, NO_NUL } from "../wire/schema.ts";
import { suggestionExample, SuggestionJson, SuggestionListJson } from "../wire/suggestion.ts";
import { TemplateChoice, templateParts } from "../wire/template-message.ts";
import { anyId } from "./ids.ts";
import { operation } from "./operation.ts";
import { EVERYONE } from "./roles.ts";

const { reason, sources, text } = suggestionExample;
const byPrograms = {
  roles: EVERYONE,
  scope: "messages:draft",
  bots: true,
} as const;
const byMembers = { roles: EVERYONE, scope: null, bots: false, doors: ["app", "cli"] } as const;

/** Replies that programs propose and members send. */
export const suggestions = {
  suggestReply: operation("suggestion.write", {
    says: "Suggest a reply, which a member sends, changes or discards",
    more: "It appears over the composer of the conversation. No customer sees it before a member sends it. Another text by the same key replaces the open one; the same call twice changes nothing more. `template` in place of `text` suggests a template, which may go after the reply window has closed.",
    at: "PUT /conversations/{id}/suggestion",
    input: {
      id: anyId("The conversation."),
      text: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 4096,
          ...NO_NUL,
          description: "What the customer would read.",
          examples: [text],
        }),
      ),
      template: Type.Optional(TemplateChoice),
      ...templateParts,
      reason: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1000,
          ...NO_NUL,
          description: "Why, for the member.",
          examples: [reason],
        }),
      ),
      sources: Type.Optional(
        Type.Array(
          Type.Object(
            {
              title: Type.String({
                minLength: 1,
                maxLength: 200,
                ...NO_NUL,
                description: "What it is called.",
              }),
              url: Type.Optional(
                Type.String({
                  maxLength: 2048,
                  pattern: "^https?://[^\\s\\u0000]+$",
                  "x-fault": "must be an address that begins with https:// or http://",
                  description: "Where a member can read it.",
                }),
              ),
            },
            {
              $id: "SuggestionSource",
              additionalProperties: false,
              description: "What a suggested text rests on.",
            },
          ),
          { maxItems: 10, description: "What the text rests on.", examples: [sources] },
        ),
      ),
    },
    answer: SuggestionJson,
    example: {
      input: {
        id: ID,
        text,
        reason: reason ?? "",
        sources: [{ title: "Order 1042", url: "https://shop.example.com/orders/1042" }],
      },
      answer: suggestionExample,
    },
    errors: ["NOT_FOUND", "TEMPLATE_NOT_APPROVED", "TEMPLATE_PARAMETERS", "CHANNEL_NEEDED"],
    trace: "author",
    doors: ["v1", "cli", "mcp"],
    tool: {
      name: "suggest_reply",
      class: "draft",
      without: ["header", "buttons"],
      reaches: ["id"],
    },
    ...byPrograms,
  }),
  readSuggestion: operation("suggestion.show", {
    says: "The newest suggestion of the key in a conversation, and what a member did with it",
    at: "GET /conversations/{id}/suggestion",
    input: { id: anyId("The conversation.") },
    answer: SuggestionJson,
    example: { input: { id: ID }, answer: suggestionExample },
    errors: ["NOT_FOUND"],
    trace: null,
    doors: ["v1", "cli", "mcp"],
    tool: { name: "read_suggestion", class: "read" },
    ...byPrograms,
  }),
  withdrawSuggestion: operation("suggestion.withdraw", {
    says: "Withdraw the open suggestion of the key",
    more: "A suggestion that a member has used or discarded stays as it is: 404.",
    at: "DELETE /conversations/{id}/suggestion",
    input: { id: anyId("The conversation.") },
    answer: Nothing,
    example: { input: { id: ID }, answer: {} },
    errors: ["NOT_FOUND"],
    trace: "author",
    doors: ["v1", "cli"],
    ...byPrograms,
  }),
  listSuggestions: operation("suggestion.list", {
    says: "List the open suggestions of a conversation, newest first",
    at: "GET /conversations/{id}/suggestions",
    input: { id: anyId("The conversation.") },
    answer: SuggestionListJson,
    example: { input: { id: ID }, answer: { items: [suggestionExample] } },
    errors: ["NOT_FOUND"],
    trace: null,
    ...byMembers,
  }),
  sendSuggestion: operation("suggestion.send", {
    says: "Send a suggestion as the operator, also where the workspace has no member",
    more: "Members send it in the dashboard, as a message of theirs.",
    at: "POST /suggestions/{id}/send",
    input: {
      id: anyId("The suggestion."),
      text: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 4096,
          ...NO_NUL,
          description: "Another text than the suggested one. A template is sent as it is.",
          examples: ["Your order 1042 left our store."],
        }),
      ),
    },
    answer: SuggestionJson,
    example: {
      input: { id: ID },
      answer: {
        ...suggestionExample,
        state: "used",
        settledAt: suggestionExample.createdAt,
        messageId: ID,
      },
    },
    errors: [
      "NOT_FOUND",
      "NOT_ALLOWED_IN_STATE",
      "CONTACT_OPTED_OUT",
      "TEMPLATE_NOT_APPROVED",
      "TEMPLATE_PARAMETERS",
    ],
    trace: "author",
    ...byMembers,
    doors: ["cli"],
  }),
  discardSuggestion: operation("suggestion.discard", {
    says: "Discard a suggestion",
    at: "POST /suggestions/{id}/discard",
    input: { id: anyId("The suggestion.") },
    answer: SuggestionJson,
    example: {
      input: { id: ID },
      answer: { ...suggestionExample, state: "discarded", settledAt: suggestionExample.createdAt },
    },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    trace: "author",
    ...byMembers,
  }),
} as const;
