import { Type, type Static, type TObject } from "typebox";
import { AT, count, ETAG, NO_NUL, nullable, nullableTime, text, type Shown } from "./schema.ts";

/** As ISO 8601 counts them. */
export const WEEKDAYS = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Minutes of a day. */
export const DAY_MINUTES = 1_440;
/** The latest end of a span: 04:00 of the next day. */
export const LATEST_END = 1_680;
export const MOST_SPANS = 6;
export const MOST_PERIODS = 20;
export const MOST_DAYS = 200;

const Span = Type.Object(
  {
    from: Type.Integer({
      minimum: 0,
      maximum: DAY_MINUTES - 1,
      description: "Minute of the day at which it opens: 540 is 09:00.",
    }),
    to: Type.Integer({
      minimum: 1,
      maximum: LATEST_END,
      description: "Minute at which it closes; over 1440 it is after midnight: 1560 is 02:00.",
    }),
  },
  { additionalProperties: false },
);
export type Span = Shown<typeof Span>;

const spans = (description: string) => Type.Array(Span, { maxItems: MOST_SPANS, description });
const closed = spans("The spans that begin on this day. None: closed.");
const Week = Type.Object(
  {
    monday: closed,
    tuesday: closed,
    wednesday: closed,
    thursday: closed,
    friday: closed,
    saturday: closed,
    sunday: closed,
  },
  { additionalProperties: false },
);
export type Week = Shown<typeof Week>;

const date = (description: string) =>
  Type.String({
    pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
    maxLength: 10,
    description,
    "x-fault": "must be a day like 2027-02-08",
  });
const name = Type.String({ maxLength: 80, description: "What people call it.", ...NO_NUL });

const Period = Type.Object(
  {
    name,
    from: date("Its first day."),
    to: date("Its last day."),
    week: Week,
  },
  { additionalProperties: false, description: "Days that have another week, such as Ramadan." },
);
export type Period = Shown<typeof Period>;

const Day = Type.Object(
  { date: date("The day."), name, spans: spans("Its own spans. None: closed.") },
  { additionalProperties: false, description: "A day with hours of its own, such as a holiday." },
);
export type Day = Shown<typeof Day>;

/** What a member saves. */
export const HoursInput = {
  timeZone: Type.Unsafe<string | null>({
    type: ["string", "null"],
    maxLength: 64,
    ...NO_NUL,
    description: "IANA name, like Asia/Kuwait. Null: the zone of the workspace.",
  }),
  week: Week,
  periods: Type.Array(Period, { maxItems: MOST_PERIODS, description: "No two share a day." }),
  days: Type.Array(Day, {
    maxItems: MOST_DAYS,
    description: "They win over periods and the week. Each day once.",
  }),
};

export const HoursJson = Type.Object(
  {
    ...HoursInput,
    zone: text("The zone that counts."),
    version: count("How often they were saved. 0: never, and always open."),
    etag: text("This version: a change takes it as `If-Match`."),
    changedAt: nullableTime("When they were saved last."),
    now: Type.Object({
      open: Type.Boolean({ description: "Whether it is open at this moment." }),
      until: nullableTime("When that changes. Null: not within a year."),
    }),
    ramadan: nullable(
      Type.Object({
        from: text("First day."),
        to: text("Last day."),
      }),
      "The next Ramadan by the calendar of Umm al-Qura, as a proposal: the moon decides.",
    ),
  },
  { $id: "BusinessHours", description: "When a workspace is open." },
);
export type HoursJson = Shown<typeof HoursJson>;

const workday = [{ from: 540, to: 1_080 }];
/** Hours as a member saves them. */
export const hoursInputExample: Static<TObject<typeof HoursInput>> = {
  timeZone: "Asia/Kuwait",
  week: {
    monday: workday,
    tuesday: workday,
    wednesday: workday,
    thursday: workday,
    friday: [],
    saturday: [],
    sunday: workday,
  },
  periods: [],
  days: [{ date: "2027-02-25", name: "National Day", spans: [] }],
};

export const hoursExample: HoursJson = {
  ...hoursInputExample,
  zone: "Asia/Kuwait",
  version: 1,
  etag: ETAG,
  changedAt: AT,
  now: { open: false, until: "2026-11-22T06:00:00.000Z" },
  ramadan: { from: "2027-02-08", to: "2027-03-08" },
};
