import { Type } from "typebox";
import { AssistJson, QuestionsJson } from "../wire/assist.ts";
import { ID, NO_NUL, oneOf } from "../wire/schema.ts";
import { REWRITINGS } from "../wire/words.ts";
import { anyId } from "./ids.ts";
import { operation } from "./operation.ts";
import { ADMINS, EVERYONE } from "./roles.ts";

const byMembers = {
  roles: EVERYONE,
  scope: null,
  bots: false,
  trace: "author",
  doors: ["app"],
} as const;
const conversation = anyId("The conversation.");
const lang = (description: string) => oneOf(["en", "ar"], description);
const made = {
  text: "We open at nine.",
  model: "large",
  tokens: 52,
  cost: 0.000038,
  ms: 840,
} as const;

/** What members have a model write while they answer. No one is sent it, and it is no AI reply; it costs what it takes. */
export const assistOperations = {
  summarise: operation("assist.summarise", {
    says: "Have a model summarise a conversation for members",
    more: "It reads the newest 20 messages.",
    at: "POST /conversations/{id}/summary",
    input: {
      id: conversation,
      lang: Type.Optional(lang("Its language; absent: the workspace's.")),
    },
    answer: AssistJson,
    example: {
      input: { id: ID, lang: "en" },
      answer: made,
    },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE", "MODEL_UNAVAILABLE"],
    ...byMembers,
  }),
  translate: operation("assist.translate", {
    says: "Have a model translate a message of a conversation",
    at: "POST /conversations/{id}/translate",
    input: { id: conversation, messageId: anyId("The message."), to: lang("Into which language.") },
    answer: AssistJson,
    example: {
      input: { id: ID, messageId: ID, to: "ar" },
      answer: made,
    },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE", "MODEL_UNAVAILABLE"],
    ...byMembers,
  }),
  rewrite: operation("assist.rewrite", {
    says: "Have a model write a member's text in other words, or in another language",
    at: "POST /rewrite",
    input: {
      text: Type.String({
        minLength: 1,
        maxLength: 4_096,
        ...NO_NUL,
        description: "What the member wrote.",
        examples: ["we open at 9"],
      }),
      how: oneOf(REWRITINGS, "What is changed. `en`, `ar`: the language."),
    },
    answer: AssistJson,
    example: {
      input: { text: "we open at 9", how: "formal" },
      answer: made,
    },
    errors: ["NOT_ALLOWED_IN_STATE", "MODEL_UNAVAILABLE"],
    ...byMembers,
  }),
  suggestQuestions: operation("knowledge.suggest_questions", {
    says: "Have a model propose how customers ask for what a source says, in both languages",
    more: "Nothing is stored: a member chooses, and saves the source with them.",
    at: "POST /knowledge/{id}/questions",
    input: { id: anyId("The source.") },
    answer: QuestionsJson,
    example: {
      input: { id: ID },
      answer: {
        items: [{ text: made.text, lang: "en" }],
        model: made.model,
        tokens: made.tokens,
        cost: made.cost,
        ms: made.ms,
      },
    },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE", "MODEL_UNAVAILABLE"],
    ...byMembers,
    roles: ADMINS,
  }),
} as const;
