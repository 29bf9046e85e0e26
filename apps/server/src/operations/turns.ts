import { Type } from "typebox";
import { ID, NO_NUL, oneOf } from "../wire/schema.ts";
import { suggestionExample, SuggestionJson } from "../wire/suggestion.ts";
import { AskedBotJson, askedExample, turnExample, TurnJson, TurnPageJson } from "../wire/turn.ts";
import { anyId } from "./ids.ts";
import { operation } from "./operation.ts";
import { pageInput } from "./page.ts";
import { EVERYONE } from "./roles.ts";

const byMembers = { roles: EVERYONE, scope: null, bots: false, doors: ["app"] } as const;

/** What models answer for bots, and for members who ask. */
export const turnOperations = {
  askBot: operation("bot.ask", {
    says: "Ask a bot a question, as a customer would; nobody is sent anything",
    more: "Its draft answers, or the version that is named. It costs what the provider takes, and no AI reply.",
    at: "POST /bots/{id}/ask",
    input: {
      id: anyId("The bot."),
      text: Type.String({
        minLength: 1,
        maxLength: 4_000,
        ...NO_NUL,
        description: "What the customer writes.",
        examples: ["Hello"],
      }),
      lang: Type.Optional(oneOf(["en", "ar"], "The customer's language; absent: the text's.")),
      version: Type.Optional(Type.Integer({ minimum: 1, description: "A published version." })),
    },
    answer: AskedBotJson,
    example: { input: { id: ID, text: "Hello" }, answer: askedExample },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    trace: "author",
    ...byMembers,
  }),
  listTurns: operation("turn.list", {
    says: "List the turns of a bot, the newest first",
    at: "GET /bots/{id}/turns",
    input: { id: anyId("The bot."), ...pageInput("`nextCursor` of the page before.", ID) },
    answer: TurnPageJson,
    example: { input: { id: ID }, answer: { items: [turnExample], nextCursor: null } },
    errors: ["NOT_FOUND"],
    trace: null,
    ...byMembers,
  }),
  readTurn: operation("turn.show", {
    says: "One turn: what the model was asked, its sources and checks",
    at: "GET /turns/{id}",
    input: { id: anyId("The turn.") },
    answer: TurnJson,
    example: { input: { id: ID }, answer: turnExample },
    errors: ["NOT_FOUND"],
    trace: null,
    ...byMembers,
  }),
  rateTurn: operation("bot.rate_turn", {
    says: "Say whether an answer of a bot was good",
    at: "POST /turns/{id}/rating",
    input: {
      id: anyId("The turn."),
      good: Type.Boolean({ description: "It was." }),
      why: Type.Optional(
        Type.String({ minLength: 1, maxLength: 1_000, ...NO_NUL, description: "Why." }),
      ),
    },
    answer: TurnJson,
    example: { input: { id: ID, good: true }, answer: { ...turnExample, good: true } },
    errors: ["NOT_FOUND"],
    trace: "author",
    ...byMembers,
  }),
  askSuggestion: operation("suggestion.ask", {
    says: "Have a bot suggest a reply in a conversation",
    more: "The oldest live AI bot writes it, from the workspace's knowledge. It uses one AI reply, unless nothing is suggested.",
    at: "POST /conversations/{id}/suggestions",
    input: { id: anyId("The conversation.") },
    answer: SuggestionJson,
    status: 201,
    example: {
      input: { id: ID },
      answer: { ...suggestionExample, text: askedExample.text, reason: null, sources: [] },
    },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE", "AI_REPLY_LIMIT_REACHED", "MODEL_UNAVAILABLE"],
    trace: "author",
    ...byMembers,
  }),
} as const;
