import { Type, type Static } from "typebox";
import {
  AT,
  freeForm,
  ID,
  id,
  count,
  nullableCount,
  nullableText,
  nullableTime,
  oneOf,
  text,
  time,
  type Shown,
} from "./schema.ts";

/** Who is meant, as a caller gives it. `segments/parse-definition.ts` checks the rules by name. */
export const DefinitionInput = Type.Object(
  {
    match: oneOf(["all", "any"], "Whether a contact must fit all rules or any."),
    rules: Type.Array(Type.Record(Type.String(), Type.Unknown(), { maxProperties: 3 }), {
      maxItems: 100,
      description:
        "Each rule has `field`, `op` and `value`, or is a group with `match` and `rules`. Without rules: everyone who has not opted out.",
    }),
  },
  {
    $id: "ContactDefinition",
    additionalProperties: false,
    description: "Which contacts are meant, by the grammar of segments.",
  },
);

export const definitionExample: Static<typeof DefinitionInput> = {
  match: "all",
  rules: [{ field: "tag", op: "eq", value: "vip" }],
};

export const SegmentJson = Type.Object(
  {
    id: id("The segment's id."),
    name: text("The team's name for it."),
    definition: Type.Object(
      {
        match: oneOf(["all", "any"], "Whether a contact must fit all rules or any."),
        rules: Type.Array(freeForm, { description: "Each rule has `field`, `op` and `value`." }),
      },
      { description: "Who is in it. Without rules: everyone who has not opted out." },
    ),
    cachedCount: nullableCount("How many were in it when it was last counted. For display only."),
    cachedAt: nullableTime("When it was last counted."),
    createdAt: time("When it was made."),
  },
  {
    $id: "Segment",
    description: "A saved audience. Membership is evaluated again when a campaign starts.",
  },
);
export type SegmentJson = Shown<typeof SegmentJson>;

export const segmentExample: SegmentJson = {
  id: ID,
  name: "VIP",
  definition: definitionExample,
  cachedCount: 128,
  cachedAt: AT,
  createdAt: AT,
};

/** Ten of the contacts that a definition names. */
export const SegmentSampleJson = Type.Object(
  {
    contacts: Type.Array(
      Type.Object({
        id: id("The contact."),
        name: nullableText("Its name."),
        phone: nullableText("Its number."),
        email: nullableText("Its address."),
        tags: Type.Array(text("A tag."), { description: "Its tags." }),
      }),
      { description: "The newest ten that were found in time." },
    ),
    whole: Type.Boolean({ description: "False: there may be more; looking took too long." }),
    total: nullableCount("How many fit, when these are all; null: they are to be counted."),
  },
  { $id: "SegmentSample", description: "Some of the contacts that a definition names." },
);
export type SegmentSampleJson = Shown<typeof SegmentSampleJson>;

export const SegmentCountJson = Type.Object(
  {
    count: count("How many fit."),
    exact: Type.Boolean({ description: "False: it took too long, there are at least so many." }),
  },
  { $id: "SegmentCount", description: "How many contacts a definition names." },
);
