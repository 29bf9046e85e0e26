import { Type } from "typebox";
import type { BotCallSubject } from "./bot-call.ts";
import { count, NO_NUL, nullableOneOf, oneOf, text, type Shown } from "./schema.ts";

/** Look-ups of one turn. */
export const LOOKUPS_A_TURN = 3;
const NAME = "^[a-z][a-z0-9_]{0,39}$";
const closed = { additionalProperties: false } as const;

/** What an argument is: `date` is a day as 2027-02-08. */
export const LOOKUP_ARGUMENT_TYPES = ["text", "number", "date", "yes_no"] as const;
export type LookupArgumentType = (typeof LOOKUP_ARGUMENT_TYPES)[number];

/** An argument that the model fills. */
export const LookupArgument = Type.Object(
  {
    name: Type.String({ pattern: NAME, description: "Small letters, digits and _." }),
    type: oneOf(LOOKUP_ARGUMENT_TYPES, "What it must be."),
    description: Type.Optional(
      Type.String({ maxLength: 300, ...NO_NUL, description: "What it is, for the model." }),
    ),
    optional: Type.Optional(Type.Boolean({ description: "It may be left out." })),
  },
  closed,
);
export type LookupArgument = Shown<typeof LookupArgument>;

/** What an AI bot may ask another system while it answers. It changes nothing there. */
export const Lookup = Type.Object(
  {
    name: Type.String({
      pattern: NAME,
      description: "What the model names it by: small letters, digits and _.",
    }),
    description: Type.String({
      minLength: 1,
      maxLength: 500,
      ...NO_NUL,
      description: "What it gives and when it helps, for the model.",
    }),
    url: Type.String({ maxLength: 2_048, ...NO_NUL, description: "Where it is posted." }),
    arguments: Type.Optional(
      Type.Array(LookupArgument, { maxItems: 10, description: "What the model fills." }),
    ),
  },
  closed,
);
export type Lookup = Shown<typeof Lookup>;

/** Why a look-up gave nothing. */
export const LOOKUP_FAULTS = [
  "timeout",
  "refused",
  "unreachable",
  "too_long",
  "not_json",
  "unknown",
  "arguments",
  "not_set_up",
] as const;
export type LookupFault = (typeof LOOKUP_FAULTS)[number];

/** Arguments in their types. */
export type LookupValues = Readonly<Record<string, string | number | boolean>>;

/** A look-up of a turn, as it is kept with it. */
export const LookupDone = Type.Object(
  {
    id: text("What the answer cites it by: t1, t2, t3."),
    name: text("The look-up that the model named."),
    arguments: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: "object",
      additionalProperties: true,
      description: "What the model filled.",
    }),
    answer: text("What the model was shown of the answer; empty where it failed."),
    fault: nullableOneOf(LOOKUP_FAULTS, "Why it failed. Null: it was answered."),
    detail: text("The status, or what was wrong; empty where it was answered."),
    ms: count("How long it took."),
  },
  { description: "A question to another system." },
);
export type LookupDone = Shown<typeof LookupDone>;

/** What a look-up posts. The ids and names are ours, never a model's or a customer's. */
export interface BotLookup {
  readonly type: "bot.lookup";
  readonly workspaceId: string;
  readonly botId: string;
  /** Null, as the channel and the contact: a member tries the bot. */
  readonly conversationId: string | null;
  readonly channelType: BotCallSubject["channelType"] | null;
  readonly contact: BotCallSubject["contact"] | null;
  /** Its name. */
  readonly lookup: string;
  /** The arguments that it declares, as the model filled them. */
  readonly arguments: LookupValues;
}
