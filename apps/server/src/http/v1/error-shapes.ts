import { Type } from "typebox";
import { count, ID, oneOf } from "./shapes.ts";

/** What every error answers (spec, Errors). */
export const ErrorShape = Type.Object(
  {
    statusCode: Type.Integer({ description: "The HTTP status." }),
    error: Type.String({ description: "Short HTTP reason text." }),
    message: Type.String({ description: "A stable code, not a sentence: switch on this." }),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: "The member or parameter, like `tags.0`." }),
          message: Type.String({ description: "What it must be." }),
        }),
        { description: "With VALIDATION_FAILED: every fault." },
      ),
    ),
    requestId: Type.Optional(
      Type.String({ description: "With INTERNAL: names the request in the log." }),
    ),
  },
  { $id: "Error", description: "What every error answers." },
);

export const PlanLimitError = Type.Object(
  {
    ...ErrorShape.properties,
    code: oneOf(
      [
        "MESSAGE_LIMIT_REACHED",
        "SEAT_LIMIT_REACHED",
        "BOT_LIMIT_REACHED",
        "CHANNEL_LIMIT_REACHED",
        "AI_REPLY_LIMIT_REACHED",
        "SUBSCRIPTION_SUSPENDED",
        "INSUFFICIENT_CREDITS",
        "OTP_RATE_LIMITED",
      ],
      "The same as `message`.",
    ),
    limit: Type.Optional(count("The plan limit.")),
    usage: Type.Optional(count("The use at this moment.")),
  },
  { $id: "PlanLimitError", description: "The Error body and what was spent." },
);

/** Facts that make the examples of some codes whole. */
export const exampleFacts: Record<string, object> = {
  VALIDATION_FAILED: {
    details: [{ path: "name", message: "must not have more than 200 characters" }],
  },
  MESSAGE_LIMIT_REACHED: { limit: 500, usage: 500 },
  SUBSCRIPTION_SUSPENDED: { limit: 500, usage: 120 },
  OTP_RATE_LIMITED: { limit: 60, usage: 60 },
  INSUFFICIENT_CREDITS: { limit: 0, usage: 0 },
};
export const exampleRequestId = ID;
