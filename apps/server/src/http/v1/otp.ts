import { Type, type Static } from "typebox";
import type { Principal } from "../../api-keys/api-key.ts";
import type { Context } from "../../context.ts";
import { recoverOtp } from "../../otp/recover-otp.ts";
import { sendOtp } from "../../otp/send-otp.ts";
import type { Call } from "./route.ts";
import { ID, id, NO_NUL } from "./shapes.ts";

export const NewOtp = Type.Object(
  {
    mobile: Type.String({
      minLength: 6,
      maxLength: 20,
      ...NO_NUL,
      description: "The phone number, with its country code.",
    }),
    message: Type.String({
      minLength: 1,
      maxLength: 1000,
      ...NO_NUL,
      description: "The text with the passcode. It is stored nowhere.",
    }),
    lang: Type.Optional(
      Type.Unsafe<"E" | "A">({
        type: "string",
        enum: ["E", "A"],
        default: "E",
        description: "The script of the text: E Latin, A Arabic.",
      }),
    ),
  },
  { $id: "NewOtp", description: "A passcode to send." },
);

export const SmsResult = Type.Object(
  {
    requestId: id("The record in the log of passcodes."),
    sent: Type.Boolean({ description: "Whether the gateway took it. Check this." }),
    provider: Type.String({ description: "The SMS provider that was used." }),
    error: Type.Optional(
      Type.String({ description: "The gateway's own words. Only when `sent` is false." }),
    ),
    errorCode: Type.Optional(
      Type.String({
        description:
          "Only when `sent` is false. For good: `UNREACHABLE_NUMBER`, `INVALID_NUMBER`, `BLOCKED_BY_RECIPIENT`. For now: `GATEWAY_UNAVAILABLE`, `GATEWAY_TIMEOUT`, `GATEWAY_RATE_LIMITED`. For the account's owner: `GATEWAY_CREDIT`, `GATEWAY_AUTH`. Anything else: `REJECTED`.",
      }),
    ),
  },
  { $id: "SmsResult", description: "How the send went." },
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
