import { Type } from "typebox";
import { count, NO_NUL, text } from "../../../wire/schema.ts";
import { ADMINS, EVERYONE, face } from "./face.ts";
import { Nothing } from "./inputs.ts";

const RecoveryCodes = Type.Object({
  recoveryCodes: Type.Array(text("Works once, in place of a code."), {
    description: "Shown once; stored nowhere.",
  }),
});

const Code = Type.String({ minLength: 1, maxLength: 40, ...NO_NUL });

/** Codes of an app as the second step of a sign-in. They belong to the login, so they count in all workspaces. */
export const twoFactor = {
  readTwoFactor: face({
    method: "GET",
    path: "/me/two-factor",
    who: EVERYONE,
    beforeTwoFactor: true,
    answer: Type.Object({
      on: Type.Boolean(),
      recoveryCodes: count("How many are left."),
      required: Type.Boolean({ description: "The workspace requires it of every member." }),
    }),
  }),
  /** A secret for the app. Nothing is stored before `switchOnTwoFactor`. */
  proposeTwoFactor: face({
    method: "POST",
    secret: true,
    path: "/me/two-factor/proposals",
    who: EVERYONE,
    proven: true,
    beforeTwoFactor: true,
    answer: Type.Object({
      secret: text("In base32, to be typed."),
      picture: text("What the app scans: a QR code as SVG."),
      proposal: text("To be given back with the first code."),
    }),
  }),
  /**
   * Ends every other session. 400 for a code that is wrong. When two-factor is on already, it moves to the new app: then
   * a code of the old app or a recovery code is asked for, 401 INVALID_CREDENTIALS for a wrong one.
   */
  switchOnTwoFactor: face({
    method: "POST",
    secret: true,
    path: "/me/two-factor",
    who: EVERYONE,
    proven: true,
    beforeTwoFactor: true,
    body: Type.Object({
      proposal: Type.String({ minLength: 1, maxLength: 1_000, ...NO_NUL }),
      code: Code,
      currentCode: Type.Optional(Code),
      currentRecoveryCode: Type.Optional(Code),
    }),
    answer: RecoveryCodes,
  }),
  /** With a code of the app or a recovery code; 401 INVALID_CREDENTIALS for a wrong one. */
  switchOffTwoFactor: face({
    method: "DELETE",
    path: "/me/two-factor",
    who: EVERYONE,
    proven: true,
    body: Type.Object({ code: Type.Optional(Code), recoveryCode: Type.Optional(Code) }),
    answer: Nothing,
  }),
  /** Replaces the old codes. 409 NOT_ALLOWED_IN_STATE while two-factor is off. */
  renewRecoveryCodes: face({
    method: "POST",
    secret: true,
    path: "/me/two-factor/recovery-codes",
    who: EVERYONE,
    proven: true,
    answer: RecoveryCodes,
  }),
  /** For a member who lost the app and the recovery codes; ends their sessions. Admins may do it only for agents. */
  resetTwoFactor: face({
    method: "POST",
    path: "/team/{id}/two-factor-reset",
    who: ADMINS,
    proven: true,
    answer: Nothing,
  }),
} as const;
