import { Type } from "typebox";
import { ID, NO_NUL, Nothing } from "../wire/schema.ts";
import {
  definitionExample,
  DefinitionInput,
  SegmentCountJson,
  segmentExample,
  SegmentJson,
  SegmentSampleJson,
} from "../wire/segment.ts";
import { anyId } from "./ids.ts";
import { operation } from "./operation.ts";
import { RATES } from "./rates.ts";
import { ADMINS, EVERYONE } from "./roles.ts";

const id = anyId("The segment.");
const name = Type.String({
  minLength: 1,
  maxLength: 200,
  ...NO_NUL,
  description: "The team's name for it. No other segment has it.",
  examples: [segmentExample.name],
});
const writing = { roles: ADMINS, scope: "segments:write", bots: false, trace: "audit" } as const;
const reading = { roles: EVERYONE, scope: "contacts:read", bots: true, trace: null } as const;
/** A worker counts again every quarter of an hour, which is no change of the segment. */
export const segmentVersion = { without: ["cachedCount", "cachedAt"] } as const;
/** As it is right after it was made. */
const uncounted = { ...segmentExample, cachedCount: null, cachedAt: null };

/** Saved selections of contacts. */
export const segmentOperations = {
  createSegment: operation("segment.save", {
    says: "Save a segment",
    more: "A rule that does not fit is refused by its place. It is counted soon after.",
    at: "POST /segments",
    input: { name, definition: DefinitionInput },
    answer: SegmentJson,
    example: {
      input: { name: segmentExample.name, definition: definitionExample },
      answer: uncounted,
    },
    errors: ["NAME_TAKEN"],
    status: 201,
    ...writing,
    doors: ["app", "v1"],
  }),
  readSegment: operation("segment.show", {
    says: "One segment",
    at: "GET /segments/{id}",
    input: { id },
    answer: SegmentJson,
    example: { input: { id: ID }, answer: uncounted, after: "segment.save" },
    errors: ["NOT_FOUND"],
    versioned: segmentVersion,
    ...reading,
    doors: ["v1"],
  }),
  updateSegment: operation("segment.change", {
    says: "Change the name or the rules of a segment",
    more: "What is left out stays. A campaign that has stored its audience keeps it. Counts are no part of the version.",
    at: "PATCH /segments/{id}",
    input: { id, name: Type.Optional(name), definition: Type.Optional(DefinitionInput) },
    answer: SegmentJson,
    example: {
      input: { id: ID, definition: definitionExample },
      answer: uncounted,
      after: "segment.save",
    },
    errors: ["NOT_FOUND", "NAME_TAKEN"],
    versioned: segmentVersion,
    ...writing,
    doors: ["app", "v1"],
  }),
  deleteSegment: operation("segment.remove", {
    says: "Delete a segment; its contacts stay",
    more: "409 `NOT_ALLOWED_IN_STATE` while a scheduled or running campaign uses it, or a live or paused bot asks for it.",
    at: "DELETE /segments/{id}",
    input: { id },
    answer: Nothing,
    example: { input: { id: ID }, answer: {}, after: "segment.save" },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    versioned: segmentVersion,
    ...writing,
    doors: ["app", "v1"],
  }),
  countDefinition: operation("segment.count", {
    says: "How many contacts an unsaved definition names",
    more: "Counts for five seconds at most. Without rules: everyone who has not opted out.",
    at: "POST /segments/count",
    input: { definition: DefinitionInput },
    answer: SegmentCountJson,
    example: {
      input: { definition: definitionExample },
      answer: { count: 0, exact: true },
    },
    errors: [],
    rate: RATES.reports,
    ...reading,
    doors: ["app", "v1"],
  }),
  sampleDefinition: operation("segment.sample", {
    says: "Ten contacts that an unsaved definition names",
    more: "The newest that were found in time.",
    at: "POST /segments/sample",
    input: { definition: DefinitionInput },
    answer: SegmentSampleJson,
    example: {
      input: { definition: definitionExample },
      answer: { contacts: [], whole: true, total: 0 },
    },
    errors: [],
    rate: RATES.reports,
    ...reading,
    doors: ["app", "v1"],
  }),
} as const;
