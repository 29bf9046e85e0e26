import { Type } from "typebox";
import { ID, id, nullableText, nullableTime, oneOf, text, time, type Shown } from "./schema.ts";
import { VERIFICATION_STATUSES } from "./words.ts";

export const VerificationJson = Type.Object(
  {
    id: id("The verification's id."),
    status: oneOf(
      VERIFICATION_STATUSES,
      "`pending`: a code was sent and can be checked. `approved`: a check had the right code. `exhausted`: all tries were used. `expired`: its time is over. `canceled`: it was ended, or a new code went to the number. `failed`: the gateway or WhatsApp refused the message; `errorCode` says why.",
    ),
    to: text("The last four digits of the number, after two dots."),
    channel: oneOf(["sms", "whatsapp"] as const, "How the code is sent."),
    purpose: nullableText("What it is for, as it was given."),
    requestId: id("The message in the log of passcodes, which `otp.status` events name."),
    triesLeft: Type.Integer({ minimum: 0, description: "Checks that may still be wrong." }),
    errorCode: nullableText("Why the gateway refused the message, as for `POST /otp/send`."),
    createdAt: time("When the code was sent."),
    expiresAt: time("Until when the code is valid."),
    endedAt: nullableTime("When it was approved, canceled, exhausted or failed."),
  },
  {
    $id: "Verification",
    description: "A code that was made and sent to a number. The code itself is never shown.",
  },
);
export type VerificationJson = Shown<typeof VerificationJson>;

export const verificationExample: VerificationJson = {
  id: ID,
  status: "pending",
  to: "··4567",
  channel: "sms",
  purpose: "sign-in",
  requestId: ID,
  triesLeft: 5,
  errorCode: null,
  createdAt: "2026-11-21T10:00:00.000Z",
  expiresAt: "2026-11-21T10:10:00.000Z",
  endedAt: null,
};
