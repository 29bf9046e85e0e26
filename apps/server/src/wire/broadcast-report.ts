import { Type } from "typebox";
import { BroadcastJson, broadcastExample, BroadcastReasonJson } from "./broadcast.ts";
import {
  AT,
  count,
  ID,
  id,
  nullable,
  nullableCount,
  nullableId,
  nullableOneOf,
  nullableText,
  nullableTime,
  oneOf,
  ref,
  text,
  time,
  type Shown,
} from "./schema.ts";
import { BROADCAST_STATUSES } from "./words.ts";

export const FunnelJson = Type.Object(
  {
    total: count("Everybody in the audience."),
    skipped: count("Opted out, without an address, or left out for another reason."),
    pending: count("Waiting to be sent."),
    sending: count("Being sent by a worker or the provider."),
    failed: count("Failed."),
    sent: count("The platform took the message."),
    delivered: count("The message arrived."),
    read: count("The message was read."),
    replied: count("The customer answered."),
    optedOut: count("The customer opted out because of the message."),
  },
  {
    $id: "Funnel",
    description:
      "How far the recipients are. Each step includes the recipients that went further. At every instant `total` = pending + sending + sent + failed + skipped.",
  },
);
export type FunnelJson = Shown<typeof FunnelJson>;

const byReason = (description: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description });

export const BroadcastReportJson = Type.Object(
  {
    broadcast: ref(BroadcastJson),
    statusReason: nullableText("The reason as it is stored: the code, then details after a colon."),
    reason: Type.Optional(ref(BroadcastReasonJson)),
    startedAt: nullableTime("When it started."),
    completedAt: nullableTime("When its last recipient was settled."),
    pendingCount: count("Recipients that wait."),
    sendingCount: count("Recipients that are being sent to, by a worker or the provider."),
    skipped: byReason("Contacts skipped, by reason."),
    failed: byReason("Recipients failed, by the platform's code."),
    unknownCount: count("Recipients whose message may or may not have arrived."),
    funnel: FunnelJson,
  },
  {
    $id: "BroadcastReport",
    description: "How far every recipient of a campaign is, all at one instant.",
  },
);
export type BroadcastReportJson = Shown<typeof BroadcastReportJson>;

export const broadcastReportExample: BroadcastReportJson = {
  broadcast: broadcastExample,
  statusReason: null,
  startedAt: null,
  completedAt: null,
  pendingCount: 0,
  sendingCount: 0,
  skipped: {},
  failed: {},
  unknownCount: 0,
  funnel: {
    total: 0,
    skipped: 0,
    pending: 0,
    sending: 0,
    failed: 0,
    sent: 0,
    delivered: 0,
    read: 0,
    replied: 0,
    optedOut: 0,
  },
};

const CANNOT_RUN =
  "Why it could not run now, or null. It begins with a code: `SEGMENT_GONE`, `TEMPLATE_NOT_APPROVED`, `TEMPLATE_CHANGED`, `SMS_PROVIDER_NOT_VERIFIED`, or one of the channel.";
const EstimateJson = Type.Object({
  cannotRun: nullableText(CANNOT_RUN),
  recipients: count("Who would get it. A campaign with 0 starts, and is completed at once."),
  unknownPlaceholders: Type.Array(text("The place, as it is written."), {
    description:
      "Places in the body that are filled with nothing of a contact: `{{frist_name}}` renders empty, `{{first_name` is sent as it is.",
  }),
  skipped: byReason("Who would not, by reason."),
  slotsLeft: nullableCount("Messages of this month that are left. Null: unlimited."),
  credits: nullable(
    Type.Object({
      needed: count("SMS parts of all texts."),
      left: nullableCount("Null: not counted."),
    }),
    "Of an SMS campaign.",
  ),
  covered: Type.Boolean({ description: "Slots and credits cover everybody." }),
  seconds: count(
    "How long it would take, at its pace or at what earlier campaigns reached here. Quiet hours and local times are not counted in.",
  ),
  pace: nullable(
    Type.Object({
      limit: oneOf(["set", "usual", "refused"], "Whose limit its pace passes."),
      most: count("Messages a minute that the number may send."),
    }),
    "Set when its pace passes what its number may send.",
  ),
});
export const BroadcastEstimateJson = Type.Object(
  {
    estimate: nullable(EstimateJson, "Null when counting the audience takes longer than 20 s."),
  },
  { $id: "BroadcastEstimate", description: "What a start would do now." },
);
export type BroadcastEstimateJson = Shown<typeof BroadcastEstimateJson>;

export const broadcastEstimateExample: BroadcastEstimateJson = {
  estimate: {
    cannotRun: null,
    recipients: 1,
    unknownPlaceholders: [],
    skipped: {},
    slotsLeft: null,
    credits: null,
    covered: true,
    seconds: 0,
    pace: null,
  },
};

export const BroadcastPreviewJson = Type.Object(
  {
    cannotRun: nullableText(CANNOT_RUN),
    contacts: Type.Array(
      Type.Object({
        contactId: id("The contact."),
        name: nullableText("Its name."),
        address: nullableText("Where it is reached."),
        text: nullableText("The words; null when it is skipped."),
        headerText: nullableText("The header's words, where they have a place."),
        buttons: Type.Array(
          Type.Object({
            index: Type.Integer({ description: "The place of the button, from 0." }),
            text: text("Its value."),
          }),
          { description: "The values of its buttons." },
        ),
        skipped: nullableText("Why it would be skipped."),
      }),
      { description: "The first contacts of the audience." },
    ),
  },
  { $id: "BroadcastPreview", description: "The messages that real contacts would get now." },
);
export type BroadcastPreviewJson = Shown<typeof BroadcastPreviewJson>;

export const broadcastPreviewExample: BroadcastPreviewJson = {
  cannotRun: null,
  contacts: [
    {
      contactId: ID,
      name: "Sara Haddad",
      address: "201001234567",
      text: "Hello Sara, ready and Sara",
      headerText: null,
      buttons: [],
      skipped: null,
    },
  ],
};

export const BroadcastTimelineJson = Type.Object(
  {
    timeZone: text("The workspace's, whose hours and days the counts are of."),
    entries: Type.Array(
      Type.Object({
        at: time("When."),
        kind: text("A move of the campaign, `halved`, `paced` or `waited`."),
        to: nullableOneOf(BROADCAST_STATUSES, "Where it moved."),
        cause: nullableText("Why."),
        actor: nullableText("`member:ID`, `key:ID`, `cli`; null: the engine."),
        rateFrom: nullableCount("The pace before."),
        rateTo: nullableCount("The pace after."),
        until: nullableTime("Until when nothing is sent."),
      }),
      { description: "What happened to it, oldest first; the latest 2,000." },
    ),
    chart: Type.Array(
      Type.Object({
        at: time("From when."),
        sent: count("Became sent."),
        delivered: count("Became delivered."),
        read: count("Became read."),
        failed: count("Became failed."),
      }),
      { description: "Recipients by time, oldest first; empty steps are left out." },
    ),
  },
  { $id: "BroadcastTimeline", description: "What happened to a campaign, and its counts by time." },
);
export type BroadcastTimelineJson = Shown<typeof BroadcastTimelineJson>;

export const broadcastTimelineExample: BroadcastTimelineJson = {
  timeZone: "UTC",
  entries: [
    {
      at: AT,
      kind: "start",
      to: "QUEUED",
      cause: null,
      actor: "cli",
      rateFrom: null,
      rateTo: null,
      until: null,
    },
  ],
  chart: [],
};

const rate = (description: string) =>
  Type.Object(
    {
      count: count("So many."),
      of: count("Of so many."),
      rate: Type.Number({ description: "Their share of those sent." }),
      low: Type.Number({ description: "The lower end of the 95 % interval." }),
      high: Type.Number({ description: "The upper end of the 95 % interval." }),
    },
    { description },
  );
const METRICS = ["delivered", "read", "replied", "optedOut"] as const;

export const BroadcastComparisonJson = Type.Object(
  {
    variants: Type.Array(
      Type.Object({
        name: text("The variant."),
        share: Type.Number({ description: "Its share of the audience." }),
        total: count("Drawn for it."),
        sent: count("Sent."),
        rates: Type.Object(
          {
            delivered: rate("Whose message arrived."),
            read: rate("Who read it."),
            replied: rate("Who answered."),
            optedOut: rate("Who opted out because of it."),
          },
          { description: "The shares of those sent." },
        ),
      }),
      { description: "In the order of the draft." },
    ),
    holdout: Type.Object(
      {
        share: Type.Number({ description: "The share that got nothing." }),
        count: count("Left out by lot."),
      },
      { description: "Those who got nothing, for comparison." },
    ),
    comparisons: Type.Array(
      Type.Object({
        metric: oneOf(METRICS, "What is compared."),
        variant: text("This one."),
        against: text("The first one."),
        difference: Type.Number({ description: "Between the two rates." }),
        low: Type.Number({ description: "The lower end of its interval." }),
        high: Type.Number({ description: "The upper end of its interval." }),
        clear: Type.Boolean({ description: "Whether the difference is more than chance." }),
      }),
      { description: "Each variant with the first." },
    ),
  },
  { $id: "BroadcastComparison", description: "The variants of an A/B campaign side by side." },
);
export type BroadcastComparisonJson = Shown<typeof BroadcastComparisonJson>;

const noRate = { count: 0, of: 0, rate: 0, low: 0, high: 1 };
const noRates = { delivered: noRate, read: noRate, replied: noRate, optedOut: noRate };
const noDifference = { variant: "B", against: "A", difference: 0, low: -1, high: 1, clear: false };
export const broadcastComparisonExample: BroadcastComparisonJson = {
  variants: [
    { name: "A", share: 0.5, total: 0, sent: 0, rates: noRates },
    { name: "B", share: 0.5, total: 0, sent: 0, rates: noRates },
  ],
  holdout: { share: 0, count: 0 },
  comparisons: METRICS.map((metric) => ({ metric, ...noDifference })),
};

const Reached = {
  total: count("Recipients."),
  skipped: count("Skipped."),
  failed: count("Failed."),
  sent: count("Sent, delivered ones included."),
  delivered: count("Delivered, read ones included."),
  read: count("Read."),
  replied: count("Answered."),
  optedOut: count("Opted out because of it."),
};
export const BroadcastBreakdownJson = Type.Object(
  {
    values: Type.Array(
      Type.Object({ value: nullableText("Null: those without one."), ...Reached }),
      {
        description:
          "The 20 values that most of them have. By tag a recipient is under each of its tags.",
      },
    ),
    other: nullable(Type.Object(Reached), "All further values together."),
  },
  {
    $id: "BroadcastBreakdown",
    description: "How far recipients are, by a present fact of theirs.",
  },
);
export type BroadcastBreakdownJson = Shown<typeof BroadcastBreakdownJson>;

export const broadcastBreakdownExample: BroadcastBreakdownJson = { values: [], other: null };

export const BroadcastReplyJson = Type.Object(
  {
    contactId: nullableId("Null: erased since."),
    name: nullableText("Its name, else its number with a plus."),
    repliedAt: time("When."),
    conversationId: nullableId("Where."),
    text: nullableText("What it wrote."),
  },
  {
    $id: "BroadcastReply",
    description: "The first message that a recipient wrote after the campaign's.",
  },
);
export type BroadcastReplyJson = Shown<typeof BroadcastReplyJson>;

export const BroadcastReplyPageJson = Type.Object(
  {
    items: Type.Array(BroadcastReplyJson, { description: "Newest first." }),
    nextCursor: nullableText("Give it as `cursor` to read on. Null at the end."),
  },
  { $id: "BroadcastReplyPage", description: "Read on with `cursor` until `nextCursor` is null." },
);
