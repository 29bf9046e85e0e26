import { Type } from "typebox";
import { ID } from "./shapes.ts";

/** What every error answers (spec, Errors). */
export const ErrorShape = Type.Object(
  {
    statusCode: Type.Integer({ description: "The HTTP status." }),
    error: Type.Optional(Type.String({ description: "Short HTTP reason text." })),
    message: Type.String({ description: "A stable code, not a sentence: switch on this." }),
    details: Type.Optional(
      Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
        description: "With VALIDATION_FAILED: every fault.",
      }),
    ),
    requestId: Type.Optional(Type.String({ description: "With INTERNAL." })),
  },
  { $id: "Error" },
);

export const PlanLimitError = Type.Object(
  {
    ...ErrorShape.properties,
    code: Type.Optional(
      Type.Unsafe<string>({
        type: "string",
        enum: [
          "MESSAGE_LIMIT_REACHED",
          "SEAT_LIMIT_REACHED",
          "BOT_LIMIT_REACHED",
          "CHANNEL_LIMIT_REACHED",
          "AI_REPLY_LIMIT_REACHED",
          "SUBSCRIPTION_SUSPENDED",
          "INSUFFICIENT_CREDITS",
          "OTP_RATE_LIMITED",
        ],
      }),
    ),
    limit: Type.Optional(Type.Integer({ description: "The plan limit." })),
    usage: Type.Optional(Type.Integer({ description: "The use at this moment." })),
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
