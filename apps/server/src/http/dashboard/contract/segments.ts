import { Type } from "typebox";
import { BROADCAST_STATUSES, CHANNEL_TYPES } from "../../../wire/words.ts";
import { id, oneOf, text, type Shown } from "../../../wire/schema.ts";
import { SegmentJson } from "../../../wire/segment.ts";
import { EVERYONE, face } from "./face.ts";

/** A group of rules, as docs/segments.md has it; the engine names each fault by its path (`rules[2].value`). */
export const DefinitionJson = Type.Object({
  match: oneOf(["all", "any"], "Whether a contact must fit all rules or any."),
  rules: Type.Array(Type.Record(Type.String(), Type.Unknown()), { maxItems: 100 }),
});

/** A saved segment, and what uses it. */
export const SavedSegmentJson = Type.Object({
  ...SegmentJson.properties,
  etag: text("This version: a change takes it as `If-Match`."),
  usedBy: Type.Array(
    Type.Object({
      id: id("The campaign."),
      name: text("Its name."),
      status: oneOf(BROADCAST_STATUSES, "Where it stands."),
      holds: Type.Boolean({ description: "The segment cannot be deleted while it does." }),
    }),
    { description: "Campaigns that have not ended, the newest first." },
  ),
  bots: Type.Array(Type.Object({ id: id("The bot."), name: text("Its name.") }), {
    description:
      "Flows that answer or are paused and ask for it: it cannot be deleted while there are any.",
  }),
});
export type SavedSegmentJson = Shown<typeof SavedSegmentJson>;

/** The fields that rules can use in this workspace. */
export const SegmentChoicesJson = Type.Object({
  tags: Type.Array(text("A tag that contacts have, the most frequent first.")),
  channelTypes: Type.Array(oneOf(CHANNEL_TYPES, "A type that has a connected channel.")),
  attributes: Type.Array(
    Type.Object({
      key: text("As rules name it, behind `attribute.`."),
      label: text("As people call it."),
      type: oneOf(
        ["text", "number", "date", "boolean", "choice"],
        "Defined, or as the values look.",
      ),
      defined: Type.Boolean({ description: "Rules must fit the type." }),
      values: Type.Array(text("A value that it can have, or that contacts have.")),
    }),
  ),
});
export type SegmentChoicesJson = Shown<typeof SegmentChoicesJson>;

/** Saved groups of contacts, and the preview of a definition. */
export const segments = {
  listSegments: face({
    method: "GET",
    path: "/segments",
    who: EVERYONE,
    answer: Type.Object({ segments: Type.Array(SavedSegmentJson) }),
  }),
  /** From a sample of the newest and the oldest contacts, and from the defined attributes. */
  listSegmentChoices: face({
    method: "GET",
    path: "/segments/choices",
    who: EVERYONE,
    answer: SegmentChoicesJson,
  }),
  readSegment: face({
    method: "GET",
    path: "/segments/{id}",
    who: EVERYONE,
    answer: SavedSegmentJson,
  }),
} as const;
