import { Type } from "typebox";
import { ID, id, NO_NUL, text, type Shown } from "./schema.ts";

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
        description: "The script of the text: E for Latin, A for Arabic.",
      }),
    ),
  },
  { $id: "NewOtp", description: "A passcode to send." },
);
export type NewOtp = Shown<typeof NewOtp>;

export const SmsResultJson = Type.Object(
  {
    requestId: id("The record in the log of passcodes."),
    sent: Type.Boolean({ description: "Whether the gateway took the message. Check this." }),
    provider: text("The SMS provider that was used."),
    error: Type.Optional(text("The gateway's own words. Only when `sent` is false.")),
    errorCode: Type.Optional(
      text(
        "Only when `sent` is false. Trying again does not help: `UNREACHABLE_NUMBER`, `INVALID_NUMBER`, `BLOCKED_BY_RECIPIENT`. Trying later may help: `GATEWAY_UNAVAILABLE`, `GATEWAY_TIMEOUT`, `GATEWAY_RATE_LIMITED`. The account's owner must act: `GATEWAY_CREDIT`, `GATEWAY_AUTH`. Anything else: `REJECTED`.",
      ),
    ),
  },
  { $id: "SmsResult", description: "How the send went." },
);
export type SmsResultJson = Shown<typeof SmsResultJson>;

export const newOtpExample: NewOtp = {
  mobile: "201001234567",
  message: "Your code is 482913",
  lang: "E",
};
export const smsResultExample: SmsResultJson = { requestId: ID, sent: true, provider: "twilio" };
