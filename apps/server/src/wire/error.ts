import { Type } from "typebox";
import { count, oneOf, text, type Shown } from "./schema.ts";
import { LIMIT_CODES } from "./words.ts";

/** What every error answers (spec, Errors). */
export const ErrorJson = Type.Object(
  {
    statusCode: Type.Integer({ description: "The HTTP status." }),
    error: text("Short HTTP reason text."),
    message: text("A stable code, not a sentence: switch on this."),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          path: text("The member or parameter, like `tags.0`."),
          message: text("What it must be."),
        }),
        {
          description:
            "With VALIDATION_FAILED: every fault of the request. With NOT_ALLOWED_IN_STATE and BROADCAST_NOT_STARTABLE: the present state and those that allow the call. With BODY_TOO_LARGE: how many bytes it may have. With RATE_LIMITED of a limit beside the key's own: `policy` and its name.",
        },
      ),
    ),
    requestId: Type.Optional(text("With INTERNAL: the id of the request in the log.")),
  },
  { $id: "Error", description: "What every error answers." },
);
export type ErrorJson = Shown<typeof ErrorJson>;

export const PlanLimitErrorJson = Type.Object(
  {
    ...ErrorJson.properties,
    code: oneOf(LIMIT_CODES, "The same as `message`."),
    limit: Type.Optional(count("The plan limit.")),
    usage: Type.Optional(count("The use at this moment.")),
  },
  { $id: "PlanLimitError", description: "The body of Error, with the limit and the usage." },
);
export type PlanLimitErrorJson = Shown<typeof PlanLimitErrorJson>;
