import { Type } from "typebox";
import { DAY, TIME_IN_ZONE } from "./calendar.ts";
import {
  AT,
  ETAG,
  count,
  cursorPage,
  ID,
  id,
  nullableId,
  nullableText,
  nullableTime,
  NO_NUL,
  oneOf,
  text,
  time,
  type Shown,
} from "./schema.ts";

export const KNOWLEDGE_KINDS = ["snippet", "file", "page", "saved_reply"] as const;
/** `out_of_date`: its last valid day is over, so it is not used. */
export const KNOWLEDGE_STATUSES = ["ready", "reading", "failed", "out_of_date"] as const;
export const GAP_REASONS = ["no_source", "check_failed", "rated_bad", "asked"] as const;
export type GapReason = (typeof GAP_REASONS)[number];

const source = {
  id: id("The source's id."),
  kind: oneOf(KNOWLEDGE_KINDS, "What it is."),
  title: text("What it is called."),
  externalId: nullableText("The id that a program gave it."),
  texts: Type.Object(
    { en: nullableText("The text in English."), ar: nullableText("The text in Arabic.") },
    { description: "Of a snippet, its text in each language." },
  ),
  askedAs: Type.Array(Type.String(), { description: "How customers ask for it." }),
  address: nullableText("Of a page its address, of a file its name."),
  status: oneOf(KNOWLEDGE_STATUSES, "Whether answers may rest on it."),
  reason: nullableText("Why it could not be read."),
  languages: Type.Array(oneOf(["en", "ar"], "A language of its chunks."), {
    description: "The languages of its chunks.",
  }),
  chunks: count("In how many chunks it was cut."),
  used: count("Answers of the last 30 days that rest on it."),
  validUntil: nullableTime("After this moment no answer rests on it."),
  readAt: nullableTime("When it was last read."),
  createdAt: time("When it was added."),
  updatedAt: time("When it was last changed."),
};

export const SourceJson = Type.Object(source, {
  $id: "KnowledgeSource",
  description: "What bots may answer from.",
});
export type SourceJson = Shown<typeof SourceJson>;

export const SourcePageJson = cursorPage("KnowledgeSourcePage", SourceJson, "Newest first.");

export const SourceDetailJson = Type.Object(
  {
    ...source,
    etag: text("This version: a change takes it as `If-Match`."),
    parts: Type.Array(
      Type.Object({
        chunkId: id("The chunk's id."),
        lang: oneOf(["en", "ar"], "Its language."),
        title: text("Its heading."),
        text: text("What it says."),
      }),
      { description: "The chunks that answers may cite, in their order; the first 200." },
    ),
  },
  { $id: "KnowledgeSourceDetail", description: "A source with its chunks." },
);
export type SourceDetailJson = Shown<typeof SourceDetailJson>;

export const ReplySourcesJson = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        id: id("The saved reply's id."),
        title: text("What the list shows."),
        text: text("What members insert."),
        sourceId: nullableId("The source that it is; null: it is none."),
      }),
      { description: "By shortcut." },
    ),
  },
  { $id: "SavedReplySources", description: "The shared saved replies." },
);

export const sourceExample: SourceJson = {
  id: ID,
  kind: "snippet",
  title: "Delivery time",
  externalId: "delivery-time",
  texts: { en: "We deliver within 2 working days.", ar: "نوصل خلال يومي عمل." },
  askedAs: ["when will my parcel arrive"],
  address: null,
  status: "ready",
  reason: null,
  languages: ["ar", "en"],
  chunks: 2,
  used: 0,
  validUntil: null,
  readAt: AT,
  createdAt: AT,
  updatedAt: AT,
};

const limitedText = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, ...NO_NUL, description, examples: [example] });

/** The members of a snippet in a request. */
export const snippetInput = {
  title: limitedText(200, "What it is called.", sourceExample.title),
  text: Type.Optional(
    limitedText(
      20_000,
      "Its text in the language `lang`. The text in the other language stays as it is.",
      "We deliver within 2 working days.",
    ),
  ),
  lang: Type.Optional(
    oneOf(["en", "ar"], "The language of `text`; else its letters decide.", "en"),
  ),
  texts: Type.Optional(
    Type.Object(
      {
        en: Type.Optional(limitedText(20_000, "In English.", "We deliver within 2 working days.")),
        ar: Type.Optional(limitedText(20_000, "In Arabic.", "نوصل خلال يومي عمل.")),
      },
      {
        additionalProperties: false,
        description: "In place of `text`: the texts in both languages; one left out is removed.",
      },
    ),
  ),
  askedAs: Type.Optional(
    Type.Array(limitedText(300, "One way to ask.", "when will my parcel arrive"), {
      maxItems: 50,
      description: "How customers ask for it. It is found by these; no answer rests on them.",
      examples: [sourceExample.askedAs],
    }),
  ),
  validUntil: Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      maxLength: 40,
      pattern: `^${DAY}(${TIME_IN_ZONE})?$`,
      "x-fault": "must be a moment like 2026-12-31T20:00:00Z or a day like 2026-12-31",
      description: "After this moment no answer rests on it; a day ends at midnight UTC.",
      examples: ["2026-12-31"],
    }),
  ),
};

export const ExternalId = Type.String({
  minLength: 1,
  maxLength: 200,
  ...NO_NUL,
  description: "The id that the source has at its origin.",
  examples: ["delivery-time"],
});

export const FoundJson = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        sourceId: id("The source."),
        externalId: nullableText("The id that a program gave the source."),
        chunkId: id("The chunk."),
        title: text("Its heading."),
        text: text("What it says."),
        lang: oneOf(["en", "ar"], "Its language."),
        score: Type.Number({ description: "How well it fits; comparable within one search only." }),
        matched: Type.Array(Type.String(), {
          description: "The words of the question that it has.",
        }),
      }),
      { description: "Best first." },
    ),
  },
  { $id: "KnowledgeFound", description: "What fits a question." },
);

export const foundExample: Shown<typeof FoundJson> = {
  items: [
    {
      sourceId: ID,
      externalId: null,
      chunkId: ID,
      title: "Delivery time",
      text: "We deliver within 2 working days.",
      lang: "en",
      score: 5.46,
      matched: ["deliver"],
    },
  ],
};

export const SynonymsJson = Type.Object(
  {
    groups: Type.Array(Type.Array(Type.String()), {
      description: "Words that customers use for one another, a group each.",
    }),
    etag: text("This version: a change takes it as `If-Match`."),
  },
  { $id: "KnowledgeSynonyms", description: "The workspace's own words of one meaning." },
);
export const synonymsExample: Shown<typeof SynonymsJson> = {
  groups: [["abaya", "cloak", "عباية"]],
  etag: ETAG,
};

export const GapJson = Type.Object(
  {
    id: id("The id of the group."),
    question: text("As it was asked last."),
    asked: count("How often it was asked."),
    lastAskedAt: time("When it was asked last."),
    lang: oneOf(["en", "ar"], "Its language."),
    why: oneOf(GAP_REASONS, "Why it was not answered."),
    conversationId: nullableId("A conversation in which it was asked."),
    botId: nullableId("The bot that was asked."),
  },
  { $id: "KnowledgeGap", description: "A question that no source answered." },
);
export const GapPageJson = cursorPage("KnowledgeGapPage", GapJson, "The last asked first.");
export const gapExample: Shown<typeof GapJson> = {
  id: ID,
  question: "Do you repair bicycles?",
  asked: 1,
  lastAskedAt: AT,
  lang: "en",
  why: "no_source",
  conversationId: null,
  botId: null,
};
