import { Type, type Static } from "typebox";
import type { Principal } from "../../api-keys/api-key.ts";
import type { Context } from "../../context.ts";
import { recoverOtp } from "../../otp/recover-otp.ts";
import { sendOtp } from "../../otp/send-otp.ts";
import type { Call } from "./route.ts";
import { ID } from "./shapes.ts";

export const NewOtp = Type.Object(
  {
    mobile: Type.String({ minLength: 6, maxLength: 20 }),
    message: Type.String({ minLength: 1, maxLength: 1000 }),
    lang: Type.Optional(
      Type.Unsafe<"E" | "A">({
        type: "string",
        enum: ["E", "A"],
        default: "E",
        description: "E Latin, A Arabic.",
      }),
    ),
  },
  { $id: "NewOtp", description: "The text is kept nowhere." },
);

export const SmsResult = Type.Object(
  {
    requestId: Type.String({ description: "The record in the OTP log." }),
    sent: Type.Boolean(),
    provider: Type.String(),
    error: Type.Optional(Type.String({ description: "Only when sent is false." })),
    errorCode: Type.Optional(
      Type.String({
        description:
          "Only when sent is false. For good: `UNREACHABLE_NUMBER`, `INVALID_NUMBER`, `BLOCKED_BY_RECIPIENT`. For now: `GATEWAY_UNAVAILABLE`, `GATEWAY_TIMEOUT`, `GATEWAY_RATE_LIMITED`. For the account's owner: `GATEWAY_CREDIT`, `GATEWAY_AUTH`. Anything else: `REJECTED`.",
      }),
    ),
  },
  { $id: "SmsResult" },
);

export const newOtpExample = { mobile: "201001234567", message: "Your code is 482913", lang: "E" };
export const smsResultExample = { requestId: ID, sent: true, provider: "twilio" };

/** POST /v1/otp/send */
export async function postOtp({
  context,
  principal,
  body,
  begun,
}: Call<unknown, Static<typeof NewOtp>>): Promise<string> {
  const input = { mobile: body.mobile, message: body.message, lang: body.lang ?? ("E" as const) };
  return JSON.stringify(await sendOtp(context, principal.workspaceId, input, begun()));
}

/** What became of a send whose first call never answered. */
export async function recoverOtpCall(
  context: Context,
  { workspaceId }: Principal,
  requestId: string,
): Promise<string | null> {
  const result = await recoverOtp(context, workspaceId, requestId);
  return result && JSON.stringify(result);
}
