import { Type } from "typebox";
import {
  count,
  NO_NUL,
  nullableCount,
  nullableText,
  nullableTime,
  oneOf,
  text,
  time,
  type Shown,
} from "../../../wire/schema.ts";
import { NewOtp } from "../../../wire/otp.ts";
import { OTP_STATUSES, SMS_PROVIDERS } from "../../../wire/words.ts";
import { ADMINS, face, OWNER } from "./face.ts";
import { FormValue, Id, Nothing } from "./inputs.ts";

const Gateway = Type.Object({
  provider: oneOf(SMS_PROVIDERS, "The gateway."),
  defaultApiUrl: nullableText("Null: every account has its own, which is asked for. Empty: none."),
  receiptsByHand: Type.Boolean({
    description: "Reports come only after our address was entered at the gateway.",
  }),
  fields: Type.Array(
    Type.Object({
      name: text("Its name."),
      secret: Type.Boolean({ description: "Kept sealed and never shown again." }),
      required: Type.Boolean({ description: "Without it nothing is stored." }),
      words: text("What it takes, in English."),
    }),
  ),
});
export type SmsGateway = Shown<typeof Gateway>;

const Account = Type.Object({
  provider: oneOf(SMS_PROVIDERS, "The gateway."),
  apiUrl: nullableText("Null: the gateway's own address."),
  settings: Type.Record(Type.String(), Type.String(), {
    description: "Values that are no secrets.",
  }),
  sandbox: Type.Boolean({ description: "A made-up account at the emulator." }),
  verifiedAt: nullableTime("Since when it may be used; null: until a test send goes through."),
  inboundUrl: text("Where the gateway calls in; some need the token that saving shows."),
});
export type SmsAccountJson = Shown<typeof Account>;

const Passcode = Type.Object({
  id: text("The record in the log."),
  mobile: nullableText("The number; null: erased."),
  status: oneOf(["calling", ...OTP_STATUSES], "What is known. `calling`: no answer yet."),
  segments: count("SMS parts."),
  provider: text("The gateway."),
  memberId: nullableText("The member who sent it; null: a program."),
  errorCode: nullableText("In one of our words."),
  error: nullableText("The gateway's own code and words."),
  createdAt: time("When it was sent."),
});

/** The workspace's one SMS account. Secrets are never sent back. */
export const sms = {
  readSms: face({
    method: "GET",
    path: "/sms",
    who: ADMINS,
    answer: Type.Object({
      gateways: Type.Array(Gateway),
      account: Type.Union([Account, Type.Null()]),
      next: Type.Union([Account, Type.Null()]),
      credits: nullableCount("SMS parts that are left; null: not counted."),
      otpPerNumber: nullableCount(
        "Passcodes that one number may get in ten minutes; null: no limit.",
      ),
    }),
  }),
  /**
   * Sets the account. Secrets that are left out stay, for the same gateway at the same address. It sends nothing until
   * a test succeeded; a verified account keeps sending until then (`waits`). `receiptUrl` must be entered at the
   * gateway; it is shown only here.
   */
  setSms: face({
    method: "PUT",
    path: "/sms",
    who: ADMINS,
    body: Type.Object({
      provider: oneOf(SMS_PROVIDERS, "The gateway."),
      fields: Type.Record(Type.String({ maxLength: 64 }), FormValue, { maxProperties: 40 }),
      apiUrl: Type.Optional(Type.String({ maxLength: 2_000, ...NO_NUL })),
    }),
    answer: Type.Object({
      account: Account,
      waits: Type.Boolean({ description: "The verified account keeps sending until the test." }),
      receiptUrl: nullableText("Where reports go."),
    }),
  }),
  /** Limits the passcodes to one number; null: no limit. */
  setOtpLimit: face({
    method: "PUT",
    path: "/sms/otp-limit",
    who: OWNER,
    body: Type.Object({
      perNumber: Type.Unsafe<number | null>({
        type: ["integer", "null"],
        minimum: 1,
        maximum: 1_000,
      }),
    }),
    answer: Nothing,
  }),
  /** Sends one passcode now, as programs do. Its text is stored nowhere. A refusal by the gateway is an ordinary answer. */
  sendPasscode: face({
    method: "POST",
    path: "/sms/passcodes",
    who: ADMINS,
    body: Type.Object({ mobile: NewOtp.properties.mobile, message: NewOtp.properties.message }),
    answer: Type.Object({
      sent: Type.Boolean(),
      errorCode: nullableText("In one of our words."),
      error: nullableText("The gateway's own code and words."),
    }),
  }),
  /** The log of passcodes, newest first, without their texts. */
  listPasscodes: face({
    method: "GET",
    path: "/sms/passcodes",
    who: ADMINS,
    query: Type.Object({
      /** The `next` of the page before. */
      before: Type.Optional(Id),
    }),
    answer: Type.Object({ items: Type.Array(Passcode), next: nullableText("Read on here.") }),
  }),
  /** Discards the account that waits for its test. */
  discardSms: face({ method: "DELETE", path: "/sms/next", who: ADMINS, answer: Nothing }),
  /**
   * Sends a real SMS over the account that waits, otherwise over the present one. A refusal by the gateway is an
   * ordinary answer.
   */
  testSms: face({
    method: "POST",
    path: "/sms/test",
    who: ADMINS,
    body: Type.Object({ to: Type.String({ minLength: 1, maxLength: 40, ...NO_NUL }) }),
    answer: Type.Object({
      account: Account,
      sent: Type.Boolean(),
      errorCode: nullableText("In one of our words."),
      error: nullableText("The gateway's own code and words."),
    }),
  }),
} as const;
