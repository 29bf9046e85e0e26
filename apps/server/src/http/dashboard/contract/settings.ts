import { Type } from "typebox";
import { count, NO_NUL, nullableOneOf, nullableText, oneOf, text } from "../../../wire/schema.ts";
import { MemberJson } from "../../../wire/desk-shapes.ts";
import { EVERYONE, face, OWNER } from "./face.ts";
import { Name, Nothing } from "./inputs.ts";

const Locale = nullableOneOf(["en", "ar"], "Null: the browser's.");

const WorkspaceSettings = Type.Object({
  name: text("Shown."),
  timeZone: text("IANA: of campaigns and reports."),
  country: nullableText("ISO 3166-1: local phone numbers get its code. Null: they get none."),
  locale: nullableOneOf(
    ["en", "ar"],
    "Of members who chose none, and of mails. Null: the browser's.",
  ),
  twoFactorRequired: Type.Boolean({
    description: "Members set two-factor up before anything else.",
  }),
  withoutTwoFactor: count("Members who have not set it up."),
});

/** The member's own profile, and the workspace's settings. */
export const settings = {
  saveProfile: face({
    method: "PATCH",
    path: "/me",
    who: EVERYONE,
    body: Type.Object({ name: Name }),
    answer: MemberJson,
  }),
  /** Reopened conversations do not return to a member who is away. */
  setAvailability: face({
    method: "PUT",
    path: "/me/availability",
    who: EVERYONE,
    body: Type.Object({ availability: oneOf(["online", "away"], "Whether the member is there.") }),
    answer: Nothing,
  }),
  readWorkspace: face({
    method: "GET",
    path: "/workspace",
    who: OWNER,
    answer: WorkspaceSettings,
  }),
  /** To end the two-factor rule needs a fresh proof. */
  saveWorkspace: face({
    method: "PATCH",
    path: "/workspace",
    who: OWNER,
    body: Type.Object({
      name: Type.Optional(Name),
      timeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 100, ...NO_NUL })),
      country: Type.Optional(
        Type.Union([Type.String({ minLength: 2, maxLength: 2, ...NO_NUL }), Type.Null()]),
      ),
      locale: Type.Optional(Locale),
      twoFactorRequired: Type.Optional(Type.Boolean()),
    }),
    answer: WorkspaceSettings,
  }),
  /** Deletes the workspace with everything in it. Everybody is signed out at once. 400 when the name is another one. */
  deleteWorkspace: face({
    method: "POST",
    path: "/workspace/removal",
    who: OWNER,
    proven: true,
    body: Type.Object({ name: Name }),
    answer: Nothing,
  }),
} as const;
