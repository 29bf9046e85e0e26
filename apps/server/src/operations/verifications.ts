import { Type } from "typebox";
import { RECIPIENT } from "../wire/contact.ts";
import { NO_NUL, oneOf } from "../wire/schema.ts";
import { verificationExample, VerificationJson } from "../wire/verification.ts";
import { anyId } from "./ids.ts";
import { operation } from "./operation.ts";
import { ADMINS } from "./roles.ts";

const byPrograms = { roles: ADMINS, scope: "otp:verify", bots: false, doors: ["v1"] } as const;

/** Codes that Parley makes, sends and compares, so that a program never holds one. */
export const verifications = {
  startVerification: operation("verification.start", {
    says: "Send a code to a number, and check it later",
    more: "Parley makes the code and keeps only a hash of it. The text is in the language of `locale`. A new code to a number for the same purpose ends the one before. A number gets one code in 30 seconds and five in ten minutes, over all channels and purposes, else 429 `OTP_NUMBER_LIMITED`. A code that was refused (`failed`) does not start the 30 seconds, so that another channel can follow at once; it is one of the five. The message costs SMS credits as `POST /otp/send` does. By WhatsApp it takes one of the month's messages, and its text is the template's; without a connected channel (`CHANNEL_NEEDED`) or an approved template (`TEMPLATE_NOT_APPROVED`) the error says what to do. When the gateway or WhatsApp refuses it the status is `failed`.",
    at: "POST /otp/verifications",
    input: {
      to: Type.String({
        minLength: 1,
        maxLength: 40,
        ...RECIPIENT,
        description:
          "The phone number, with its country code: 7 to 15 digits, and not a local number, which begins with 0.",
      }),
      channel: Type.Optional(
        oneOf(
          ["sms", "whatsapp"] as const,
          "How to send it. `sms` when left out. `whatsapp`: by an approved AUTHENTICATION template of the workspace with one variable.",
        ),
      ),
      locale: Type.Optional(
        oneOf(
          ["en", "ar"] as const,
          "The language of the text. The workspace's when left out, else English. By WhatsApp the template's; left out, any is taken when there is none in the workspace's.",
        ),
      ),
      codeLength: Type.Optional(
        Type.Integer({
          minimum: 4,
          maximum: 10,
          description: "Digits of the code, 4 to 10; 6 by default.",
        }),
      ),
      ttlSeconds: Type.Optional(
        Type.Integer({
          minimum: 60,
          maximum: 3_600,
          description: "How long the code is valid, in seconds, 60 to 3,600; 600 by default.",
        }),
      ),
      purpose: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          ...NO_NUL,
          description:
            "What it is for, in your own words. Codes for two purposes do not end each other.",
        }),
      ),
    },
    answer: VerificationJson,
    example: {
      input: { to: "201001234567", locale: "en", purpose: "sign-in" },
      answer: verificationExample,
    },
    errors: [
      "OTP_NUMBER_LIMITED",
      "OTP_COUNTRY_REFUSED",
      "SMS_PROVIDER_NOT_VERIFIED",
      "TEMPLATE_NOT_APPROVED",
      "CHANNEL_NEEDED",
      "MESSAGE_LIMIT_REACHED",
      "OTP_RATE_LIMITED",
      "INSUFFICIENT_CREDITS",
      "SUBSCRIPTION_SUSPENDED",
    ],
    ...byPrograms,
    trace: "author",
    status: 201,
  }),
  readVerification: operation("verification.read", {
    says: "Read a verification",
    more: "It is kept for a day after it expired.",
    at: "GET /otp/verifications/{id}",
    input: { id: anyId("The verification.") },
    answer: VerificationJson,
    example: {
      input: { id: verificationExample.id },
      answer: verificationExample,
      after: "verification.start",
    },
    errors: ["NOT_FOUND"],
    ...byPrograms,
    trace: null,
  }),
  checkVerification: operation("verification.check", {
    says: "Check the code that a person typed",
    more: "Decide by `status`: `approved` is answered to one check only, and every later one gets 409 `NOT_ALLOWED_IN_STATE`. A wrong code is answered `pending` and uses a try. With the fifth, `triesLeft` is 0: it has ended, `GET` shows `exhausted`, and so does every later check, also of the right code. What cannot be the code, as it has letters or another number of digits, is 400 and uses no try. One that was canceled, expired or failed is answered with that status.",
    at: "POST /otp/verifications/{id}/check",
    input: {
      id: anyId("The verification."),
      code: Type.String({
        minLength: 1,
        maxLength: 24,
        ...NO_NUL,
        description: "What the person typed. Spaces and hyphens are ignored; digits may be Arabic.",
      }),
    },
    answer: VerificationJson,
    example: {
      input: { id: verificationExample.id, code: "482913" },
      answer: { ...verificationExample, triesLeft: 4 },
      after: "verification.start",
    },
    errors: ["NOT_FOUND", "NOT_ALLOWED_IN_STATE"],
    ...byPrograms,
    trace: "author",
  }),
  cancelVerification: operation("verification.cancel", {
    says: "End a verification whose code is no longer wanted",
    more: "One that has ended is answered as it is.",
    at: "POST /otp/verifications/{id}/cancel",
    input: { id: anyId("The verification.") },
    answer: VerificationJson,
    example: {
      input: { id: verificationExample.id },
      answer: {
        ...verificationExample,
        status: "canceled",
        endedAt: verificationExample.createdAt,
      },
      after: "verification.start",
    },
    errors: ["NOT_FOUND"],
    ...byPrograms,
    trace: "author",
  }),
} as const;
