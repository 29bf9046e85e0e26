import { Type } from "typebox";
import {
  AT,
  count,
  ID,
  id,
  nullableCount,
  nullableText,
  nullableTime,
  oneOf,
  text,
  time,
  type Shown,
} from "./schema.ts";
import { CHANNEL_STATUSES, CHANNEL_TYPES } from "./words.ts";

const PROBLEM_KINDS = [
  "error",
  "not_set_up",
  "wrong_signature",
  "wrong_verify_token",
  "silent",
] as const;

const Problem = Type.Object(
  {
    kind: oneOf(PROBLEM_KINDS, "What is wrong."),
    field: nullableText("The value to look at, by its name in the form."),
    reason: nullableText("The platform's own code and words."),
    calls: nullableCount("How many calls with a wrong signature."),
    at: nullableTime("Since when, or when last."),
    othersRight: Type.Boolean({ description: "Calls with the right signature arrive too." }),
  },
  { $id: "ChannelProblem", description: "What is wrong with a channel." },
);
export type ProblemJson = Shown<typeof Problem>;

export const ChannelFormJson = Type.Object(
  {
    type: oneOf(CHANNEL_TYPES, "The kind of channel."),
    defaultApiUrl: text("The platform's public address; empty: it has none."),
    fields: Type.Array(
      Type.Object({
        name: text("Its name."),
        secret: Type.Boolean({ description: "Kept sealed and never shown again." }),
        required: Type.Boolean({ description: "Asked for at every connect." }),
        pattern: nullableText("A regular expression that its values match."),
        changeable: Type.Boolean({ description: "Can be replaced on a connected channel." }),
      }),
      { description: "The values that a connect takes, by their names." },
    ),
  },
  { $id: "ChannelForm", description: "What a channel of a type needs." },
);
export type ChannelForm = Shown<typeof ChannelFormJson>;

const members = {
  id: id("The channel."),
  type: oneOf(CHANNEL_TYPES, "Its kind."),
  name: text("Its name."),
  status: oneOf(CHANNEL_STATUSES, "Its status."),
  account: text("The account's id at the platform; of web chat one that is made up."),
  sandbox: Type.Boolean({ description: "Its platform is emulated." }),
  settings: Type.Record(Type.String(), Type.String(), {
    description: "Values that are no secrets, by the names of the form.",
  }),
  apiUrl: nullableText("Null: the platform's public address."),
  hookUrl: nullableText("Where the platform calls in; null: it does not."),
  throttledUntil: nullableTime("While in the future, the platform asked us to wait."),
  syncedAt: nullableTime("When the platform was last asked about the account, with success."),
  lastWebhookAt: nullableTime("When a call of its platform was last stored, to the minute."),
  tokenEndsAt: nullableTime("When its access token ends; null: it does not, as far as is known."),
  problems: Type.Array(Problem, { description: "What is wrong; empty: nothing is known." }),
  createdAt: time("When it was first connected."),
};

export const ChannelRecordJson = Type.Object(members, {
  $id: "Channel",
  description: "A connected account of a platform, without its secrets.",
});
export type ChannelRecordJson = Shown<typeof ChannelRecordJson>;

export const ChannelPageJson = Type.Object(
  {
    items: Type.Array(ChannelRecordJson, { description: "Oldest first, disconnected ones too." }),
    nextCursor: nullableText("Give it as `cursor` to read on. Null at the end."),
  },
  { $id: "ChannelPage", description: "Read on with `cursor` until `nextCursor` is null." },
);

export const ChannelTypesJson = Type.Object(
  { items: Type.Array(ChannelFormJson, { description: "Every type." }) },
  { $id: "ChannelTypeList", description: "What a channel of each type needs." },
);

export const ChannelConnectedJson = Type.Object(
  {
    ...members,
    identitySecret: nullableText(
      "Of web chat: signs the ids of a site's users. It is shown this once.",
    ),
  },
  { $id: "ChannelConnected", description: "The channel." },
);

export const ChannelTestJson = Type.Object(
  {
    channel: ChannelRecordJson,
    fault: Type.Union(
      [
        Type.Object({
          field: text("The value."),
          orField: nullableText("Another that may be the wrong one."),
          reason: text("The platform's code and words."),
        }),
        Type.Null(),
      ],
      { description: "The value that the platform refuses; null when it takes them all." },
    ),
  },
  { $id: "ChannelTest", description: "What the platform says of the channel's values." },
);

export const PaceJson = Type.Object(
  {
    most: nullableCount("Messages a minute of all campaigns on its number; null: no bound."),
    ceiling: nullableCount("What the platform's refusals hold it to at present."),
  },
  { $id: "ChannelPace", description: "How fast campaigns may send on a number." },
);
export type PaceJson = Shown<typeof PaceJson>;

export const TemplateSyncJson = Type.Object(
  {
    ok: Type.Boolean({ description: "False: the list could not be read; what was known stays." }),
    total: count("Templates that the platform has."),
    changed: count("Those that are new or moved to another status."),
    fault: nullableText("Why the list could not be read."),
  },
  { $id: "TemplateSync", description: "What reading the platform's list changed." },
);

export const channelExample: ChannelRecordJson = {
  id: ID,
  type: "WEB",
  name: "Shop",
  status: "connected",
  account: "3378d5cf5d8c861ae104e514d835a687",
  sandbox: false,
  settings: { allowedOrigins: "*" },
  apiUrl: null,
  hookUrl: null,
  throttledUntil: null,
  syncedAt: null,
  lastWebhookAt: null,
  tokenEndsAt: null,
  problems: [],
  createdAt: AT,
};
