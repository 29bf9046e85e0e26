import { Type } from "typebox";
import {
  AT,
  count,
  cursorPage,
  ID,
  id,
  NO_NUL,
  nullableCount,
  nullableOneOf,
  nullableText,
  nullableTime,
  oneOf,
  text,
  time,
  type Shown,
} from "./schema.ts";
import { DefinitionInput, definitionExample } from "./segment.ts";

const line = (maxLength: number, description: string, example: string) =>
  Type.String({ maxLength, ...NO_NUL, description, examples: [example] });
const Tags = Type.Array(line(200, "A tag.", "vip"), {
  minItems: 1,
  maxItems: 50,
  description: "The tags.",
});
const closed = { additionalProperties: false } as const;
const act = <const A extends string>(action: A, description: string) =>
  Type.Literal(action, { description });

/** What a change to many contacts does to each. */
export const ContactChangeInput = Type.Union(
  [
    Type.Object({ action: act("tag", "Adds tags."), tags: Tags }, closed),
    Type.Object({ action: act("untag", "Removes tags."), tags: Tags }, closed),
    Type.Object(
      {
        action: act("set_attribute", "Sets one attribute."),
        key: Type.String({
          minLength: 1,
          maxLength: 200,
          ...NO_NUL,
          description: "Its key.",
          examples: ["tier"],
        }),
        value: Type.Union(
          [line(2_000, "A text.", "gold"), Type.Number(), Type.Boolean(), Type.Null()],
          { description: "Its value; null removes the attribute." },
        ),
      },
      closed,
    ),
    Type.Object(
      {
        action: act("opt_out", "Opts out."),
        reason: Type.Optional(line(200, "For the history of the consent.", "asked at the shop")),
      },
      closed,
    ),
    Type.Object(
      {
        action: act("opt_in", "Opts in. It needs a reason."),
        reason: Type.Optional(
          line(200, "Why these people may be written to again.", "asked for the newsletter"),
        ),
      },
      closed,
    ),
    Type.Object({ action: act("delete", "Deletes the contact.") }, closed),
  ],
  { description: "What is done to each contact." },
);

/** Which contacts a change is for: one of the three. */
export const ContactJobFilter = Type.Object(
  {
    ids: Type.Optional(
      Type.Array(line(100, "A contact.", ID), {
        minItems: 1,
        maxItems: 10_000,
        description: "These contacts. A body of 256 KiB holds about 6,500 of them.",
      }),
    ),
    segmentId: Type.Optional(line(100, "Those of this segment.", ID)),
    definition: Type.Optional(DefinitionInput),
  },
  { ...closed, description: "Which contacts: `ids`, `segmentId` or `definition`." },
);

const JOB_ACTIONS = ["tag", "untag", "set_attribute", "opt_out", "opt_in", "delete"] as const;
export const ContactJobJson = Type.Object(
  {
    id: id("The change."),
    action: oneOf(JOB_ACTIONS, "What it does."),
    details: Type.Record(Type.String(), Type.Unknown(), {
      description: "The other members of the change.",
    }),
    state: oneOf(["running", "paused", "done", "cancelled", "failed"], "Where it is."),
    reason: nullableText("Why it failed, in words."),
    failure: nullableOneOf(
      ["rules", "other"],
      "rules: its rules are no longer valid; other: read `reason`.",
    ),
    matched: count("Contacts it was for, so far."),
    changed: count("Contacts it changed; the others were so already, or refused it."),
    looked: nullableCount("Of a change in progress: how many contacts it has processed."),
    total: nullableCount("Of how many."),
    by: text("Who began it: `member:`, `key:` or `bot:` and a name of it, or `cli`."),
    createdAt: time("When it began."),
    finishedAt: nullableTime("When it ended."),
  },
  { $id: "ContactJob", description: "A change to many contacts, which goes on in the background." },
);
export type ContactJobJson = Shown<typeof ContactJobJson>;
export const ContactJobPageJson = cursorPage("ContactJobPage", ContactJobJson, "Newest first.");

export const contactJobExample: ContactJobJson = {
  id: ID,
  action: "tag",
  details: { tags: ["vip"] },
  state: "running",
  reason: null,
  failure: null,
  matched: 0,
  changed: 0,
  looked: 0,
  total: 1,
  by: `key:${ID}`,
  createdAt: AT,
  finishedAt: null,
};
export const contactChangeExample = {
  filter: { definition: definitionExample },
  change: { action: "tag" as const, tags: ["vip"] },
};
