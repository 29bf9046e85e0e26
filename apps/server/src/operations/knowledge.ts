import { Type } from "typebox";
import {
  ExternalId,
  foundExample,
  FoundJson,
  gapExample,
  GapPageJson,
  ReplySourcesJson,
  snippetInput,
  sourceExample,
  SourceDetailJson,
  SourceJson,
  SourcePageJson,
  synonymsExample,
  SynonymsJson,
} from "../wire/knowledge.ts";
import { ETAG, ID, NO_NUL, Nothing } from "../wire/schema.ts";
import { anyId } from "./ids.ts";
import { operation } from "./operation.ts";
import { pageInput } from "./page.ts";
import { ADMINS, EVERYONE } from "./roles.ts";

const writing = { roles: ADMINS, scope: null, bots: false, trace: "audit" } as const;
const reading = { roles: EVERYONE, scope: null, bots: true, trace: null } as const;
const snippet = {
  title: sourceExample.title,
  text: "We deliver within 2 working days.",
  lang: "en",
} as const;
/** What the example makes. */
const made = {
  ...sourceExample,
  texts: { en: snippet.text, ar: null },
  externalId: null,
  askedAs: [],
  languages: ["en" as const],
  chunks: 1,
};
const id = anyId("The source.");

/** What bots may answer from. */
export const knowledgeOperations = {
  listKnowledge: operation("knowledge.list", {
    says: "List the sources that bots may answer from, newest first",
    at: "GET /knowledge",
    input: pageInput("`nextCursor` of the page before: the id of its last source.", ID),
    answer: SourcePageJson,
    example: { input: {}, answer: { items: [made], nextCursor: null }, after: "knowledge.add" },
    errors: [],
    ...reading,
    doors: ["app", "cli"],
  }),
  addSnippet: operation("knowledge.add", {
    says: "Add a snippet: a text that bots may answer from",
    at: "POST /knowledge/snippets",
    input: { ...snippetInput, externalId: Type.Optional(ExternalId) },
    answer: SourceJson,
    example: { input: snippet, answer: made },
    errors: ["NAME_TAKEN", "NOT_ALLOWED_IN_STATE"],
    status: 201,
    ...writing,
    doors: ["app", "cli"],
    refreshes: "lists",
  }),
  readSource: operation("knowledge.show", {
    says: "One source with its chunks",
    at: "GET /knowledge/{id}",
    input: { id },
    answer: SourceDetailJson,
    example: {
      input: { id: ID },
      answer: {
        ...made,
        etag: ETAG,
        parts: [{ chunkId: ID, lang: "en", title: made.title, text: snippet.text }],
      },
      after: "knowledge.add",
    },
    errors: ["NOT_FOUND"],
    ...reading,
    doors: ["app", "cli"],
  }),
  saveSource: operation("knowledge.write", {
    says: "Change a source",
    more: "Texts of a snippet only: a file or a page is read where it comes from.",
    at: "PUT /knowledge/{id}",
    input: { id, ...snippetInput, externalId: Type.Optional(ExternalId) },
    answer: SourceJson,
    example: { input: { id: ID, ...snippet }, answer: made, after: "knowledge.add" },
    errors: ["NOT_FOUND", "NAME_TAKEN", "NOT_ALLOWED_IN_STATE"],
    ...writing,
    doors: ["app", "cli"],
    refreshes: "lists",
  }),
  deleteSource: operation("knowledge.delete", {
    says: "Delete a source with its chunks",
    at: "DELETE /knowledge/{id}",
    input: { id },
    answer: Nothing,
    example: { input: { id: ID }, answer: {}, after: "knowledge.add" },
    errors: ["NOT_FOUND"],
    ...writing,
    doors: ["app"],
    refreshes: "lists",
  }),
  putKnowledge: operation("knowledge.put", {
    says: "Add a snippet, or change it, by the id that it has at its origin",
    more: "Bots answer from it at once. The same call twice changes nothing more.",
    at: "PUT /knowledge/{externalId}",
    input: { externalId: ExternalId, ...snippetInput },
    answer: SourceJson,
    example: {
      input: { externalId: "delivery-time", ...snippet },
      answer: { ...made, externalId: "delivery-time" },
    },
    errors: ["NOT_ALLOWED_IN_STATE"],
    ...writing,
    scope: "bots:write",
    doors: ["v1", "cli"],
  }),
  removeKnowledge: operation("knowledge.remove", {
    says: "Delete a source by the id that it has at its origin",
    at: "DELETE /knowledge/{externalId}",
    input: { externalId: ExternalId },
    answer: Nothing,
    example: { input: { externalId: "delivery-time" }, answer: {}, after: "knowledge.put" },
    errors: ["NOT_FOUND"],
    ...writing,
    scope: "bots:write",
    doors: ["v1", "cli"],
  }),
  addPages: operation("knowledge.add_pages", {
    says: "Add public pages, which are read soon and then once a day",
    more: "At most 200 pages in a workspace. A page is read where its robots.txt allows it. One that is there already stays as it is.",
    at: "POST /knowledge/pages",
    input: {
      addresses: Type.Array(Type.String({ minLength: 1, maxLength: 2048, ...NO_NUL }), {
        minItems: 1,
        maxItems: 200,
        description: "The addresses of the pages.",
        examples: [["https://shop.example.com/returns"]],
      }),
    },
    answer: Type.Object(
      { items: Type.Array(SourceJson, { description: "The new sources." }) },
      { $id: "KnowledgePagesAdded", description: "The pages that were added." },
    ),
    example: {
      input: { addresses: ["https://shop.example.com/returns"] },
      answer: {
        items: [
          {
            ...made,
            kind: "page",
            title: "shop.example.com/returns",
            texts: { en: null, ar: null },
            address: "https://shop.example.com/returns",
            status: "reading",
            languages: [],
            chunks: 0,
            readAt: null,
          },
        ],
      },
    },
    errors: [],
    status: 201,
    ...writing,
    doors: ["app", "cli"],
    refreshes: "lists",
  }),
  listReplySources: operation("knowledge.saved_replies", {
    says: "The saved replies that the team shares, and which of them are sources",
    at: "GET /knowledge/saved-replies",
    input: {},
    answer: ReplySourcesJson,
    example: { input: {}, answer: { items: [] } },
    errors: [],
    ...reading,
    doors: ["app", "cli"],
  }),
  addSavedReplies: operation("knowledge.add_saved_replies", {
    says: "Make saved replies that the team shares sources",
    more: "They follow the saved replies: one that is changed is read again at once, one that is deleted is no source any more. The customer's name is left out of what they say, and so is a sentence with a member's name. One that is a source already stays as it is.",
    at: "POST /knowledge/saved-replies",
    input: {
      savedReplyIds: Type.Array(anyId("A shared saved reply."), {
        minItems: 1,
        maxItems: 500,
        description: "The saved replies.",
        examples: [[ID]],
      }),
    },
    answer: Type.Object(
      { items: Type.Array(SourceJson, { description: "The new sources." }) },
      { $id: "SavedRepliesAdded", description: "The saved replies that became sources." },
    ),
    example: {
      input: { savedReplyIds: [ID] },
      answer: {
        items: [
          {
            ...made,
            kind: "saved_reply",
            title: "Delivery",
            texts: { en: null, ar: null },
          },
        ],
      },
    },
    errors: ["NOT_ALLOWED_IN_STATE"],
    status: 201,
    ...writing,
    doors: ["app", "cli"],
    refreshes: "lists",
  }),
  refreshSource: operation("knowledge.refresh", {
    says: "Read a file, a page or a saved reply again",
    at: "POST /knowledge/{id}/refresh",
    input: { id },
    answer: SourceJson,
    example: { input: { id: ID }, answer: made, after: "knowledge.add" },
    errors: ["NOT_FOUND"],
    status: 202,
    ...writing,
    doors: ["app", "cli"],
    refreshes: "lists",
  }),
  searchKnowledge: operation("knowledge.search", {
    says: "Find what fits a question, as a bot would",
    at: "POST /knowledge/search",
    input: {
      query: Type.String({
        minLength: 1,
        maxLength: 2000,
        ...NO_NUL,
        description: "The question.",
        examples: ["how fast do you deliver"],
      }),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 40,
          default: 10,
          description: "How many chunks at most.",
          examples: [10],
        }),
      ),
    },
    answer: FoundJson,
    example: {
      input: { query: "how fast do you deliver" },
      answer: foundExample,
      after: "knowledge.add",
    },
    errors: [],
    ...reading,
    doors: ["app", "cli"],
  }),
  readSynonyms: operation("knowledge.synonyms", {
    says: "The workspace's words of one meaning",
    at: "GET /knowledge/synonyms",
    input: {},
    answer: SynonymsJson,
    example: { input: {}, answer: synonymsExample, after: "knowledge.save_synonyms" },
    errors: [],
    ...reading,
    doors: ["app", "cli"],
  }),
  saveSynonyms: operation("knowledge.save_synonyms", {
    says: "Replace the workspace's words of one meaning",
    at: "PUT /knowledge/synonyms",
    input: {
      groups: Type.Array(
        Type.Array(Type.String({ minLength: 1, maxLength: 80, ...NO_NUL }), {
          minItems: 2,
          maxItems: 30,
        }),
        {
          maxItems: 500,
          description: "The groups; each word once in a group.",
          examples: [synonymsExample.groups],
        },
      ),
    },
    answer: SynonymsJson,
    example: { input: { groups: [["abaya", "cloak", "عباية"]] }, answer: synonymsExample },
    errors: [],
    ...writing,
    doors: ["app", "cli"],
    refreshes: "lists",
  }),
  listGaps: operation("gap.list", {
    says: "List questions that no source answered, the last asked first",
    at: "GET /gaps",
    input: pageInput("`nextCursor` of the page before: the id of its last question.", ID),
    answer: GapPageJson,
    example: { input: {}, answer: { items: [gapExample], nextCursor: null } },
    errors: [],
    ...reading,
    doors: ["app", "cli"],
  }),
  closeGap: operation("gap.close", {
    says: "Answer a question for the next time, or say that it is not ours",
    more: "The answer becomes a snippet, or goes into the snippet `sourceId`. What customers asked is kept as its `askedAs`.",
    at: "POST /gaps/{id}/close",
    input: {
      id: anyId("The question."),
      answer: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 20_000,
          ...NO_NUL,
          description: "What bots may say.",
          examples: ["We repair bicycles in Shuwaikh."],
        }),
      ),
      notOurs: Type.Optional(
        Type.Boolean({ description: "True in place of an answer.", examples: [true] }),
      ),
      sourceId: Type.Optional(anyId("The snippet that the answer goes into; else a new one.")),
      title: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          ...NO_NUL,
          description: "Of the new snippet; else the question.",
          examples: ["Bicycle repairs"],
        }),
      ),
    },
    answer: Type.Object(
      {
        sourceId: Type.Unsafe<string | null>({
          type: ["string", "null"],
          format: "uuid",
          description: "The snippet that the answer went into.",
        }),
      },
      { $id: "ClosedGap", description: "How a question was closed." },
    ),
    example: {
      input: { id: ID, answer: "We repair bicycles in Shuwaikh." },
      answer: { sourceId: ID },
    },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    ...writing,
    doors: ["app", "cli"],
    refreshes: "lists",
  }),
} as const;
