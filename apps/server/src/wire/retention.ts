import { Type } from "typebox";
import { AT, count, nullableTime, oneOf, time, type Shown } from "./schema.ts";

/** Months for which messages and files can be kept. */
export const MOST_MONTHS = 120;
/** Days for which events can be kept; the most is what an installation keeps them for. */
export const FEWEST_EVENT_DAYS = 7;
export const MOST_EVENT_DAYS = 30;
/** The most of one kind that a preview counts. */
export const MOST_PREVIEWED = 1_000_000;

const months = (description: string) =>
  Type.Optional(
    Type.Unsafe<number | null>({
      type: ["integer", "null"],
      minimum: 1,
      maximum: MOST_MONTHS,
      description,
    }),
  );

/** What a member or a program sets. A name that is absent stays as it is. */
export const RetentionInput = {
  messageMonths: months(
    "Months after which messages are deleted, with their files, notes and words in the search. Null: never.",
  ),
  fileMonths: months(
    "Months after which the files of messages are deleted; their messages stay. Null: with their messages.",
  ),
  eventDays: Type.Optional(
    Type.Unsafe<number | null>({
      type: ["integer", "null"],
      minimum: FEWEST_EVENT_DAYS,
      maximum: MOST_EVENT_DAYS,
      description: "Days after which events and their deliveries are deleted. Null: 30.",
    }),
  ),
};

/**
 * - off: nothing of what can be set here is deleted
 * - waiting: a shorter time was set; nothing is deleted before `beginsAt`
 * - deleting: what is too old is being deleted
 * - done: nothing older is left; what becomes too old is deleted once an hour
 */
export const RETENTION_STATES = ["off", "waiting", "deleting", "done"] as const;
export type RetentionState = (typeof RETENTION_STATES)[number];

const kept = (description: string) =>
  Type.Unsafe<number | null>({ type: ["integer", "null"], minimum: 1, description });

export const RetentionJson = Type.Object(
  {
    messageMonths: kept("Months for which messages are kept. Null: for good."),
    fileMonths: kept("Months for which files are kept. Null: as long as their messages."),
    eventDays: kept("Days for which events are kept. Null: 30."),
    state: oneOf(
      RETENTION_STATES,
      "`waiting`: nothing is deleted before `beginsAt`. `deleting`: what is too old is being deleted. `done`: nothing older is left.",
    ),
    beginsAt: nullableTime(
      "The first moment at which something may be deleted: 24 hours after a time was made shorter. Null: nothing is set.",
    ),
    changedAt: nullableTime("When it was changed last. Null: never."),
    passedAt: nullableTime("When everything too old had been deleted last. Null: not yet."),
    deleted: Type.Object(
      {
        messages: count("Messages."),
        files: count("Files."),
        notes: count("Notes."),
        events: count("Events."),
      },
      { description: "What was deleted since a time was made shorter last." },
    ),
  },
  { $id: "RetentionTimes", description: "For how long a workspace keeps its messages." },
);
export type RetentionJson = Shown<typeof RetentionJson>;

const upTo = (what: string) =>
  Type.Object(
    {
      count: count(`So many, at most ${MOST_PREVIEWED.toLocaleString("en")}.`),
      more: Type.Boolean({ description: "Whether there are more than that." }),
    },
    { description: `${what} that would be too old today.` },
  );

export const RetentionPreviewJson = Type.Object(
  {
    shorter: Type.Boolean({ description: "Whether something would be kept for a shorter time." }),
    messages: upTo("Messages"),
    files: upTo("Files of messages that stay"),
    beginsAt: time("When the deletion would begin, if it were set now."),
  },
  { $id: "RetentionPreview", description: "What a change of the retention would delete." },
);
export type RetentionPreviewJson = Shown<typeof RetentionPreviewJson>;

export const retentionExample: RetentionJson = {
  messageMonths: 24,
  fileMonths: 12,
  eventDays: null,
  state: "waiting",
  beginsAt: "2026-11-22T10:00:00.000Z",
  changedAt: AT,
  passedAt: null,
  deleted: { messages: 0, files: 0, notes: 0, events: 0 },
};

export const retentionPreviewExample: RetentionPreviewJson = {
  shorter: true,
  messages: { count: 0, more: false },
  files: { count: 0, more: false },
  beginsAt: "2026-11-22T10:00:00.000Z",
};
