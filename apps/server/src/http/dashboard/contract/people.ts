import { Type } from "typebox";
import { count, id, NO_NUL, oneOf, text, time } from "../../../wire/schema.ts";
import { MemberJson } from "./desk-shapes.ts";
import { ADMINS, EVERYONE, face } from "./face.ts";

/** Signing in, one's own login, and the team. Sessions travel in a cookie, so no answer holds their secret. */

const Email = Type.String({ minLength: 3, maxLength: 200, ...NO_NUL });
const Password = Type.String({ minLength: 1, maxLength: 1000, ...NO_NUL });
const Name = Type.String({ minLength: 1, maxLength: 200, ...NO_NUL });
const Code = Type.String({ minLength: 6, maxLength: 40, ...NO_NUL });
const Role = oneOf(["owner", "admin", "agent"], "What the member may do.");
const Nothing = Type.Object({});

/** A browser that is signed in. */
export const SessionJson = Type.Object({
  id: id("The session."),
  current: Type.Boolean({ description: "It is the one that asks." }),
  ip: text("Where it signed in from."),
  agent: text("The browser's own words for itself."),
  createdAt: time("When it signed in."),
  seenAt: time("When it was last used, an hour late at most."),
});

export const InvitationJson = Type.Object({
  id: text("The invitation."),
  email: text("For whom."),
  role: Role,
  expiresAt: time("Until when it can be taken up."),
});

/** A link that is shown once: whoever asked for it hands it on. */
const Link = Type.Object({
  link: text("A path of the dashboard, below its own address."),
  expiresAt: time("Until when."),
});

export const people = {
  /** Whether the first owner is still to be set up. */
  readSetup: face({
    method: "GET",
    path: "/setup",
    who: "anybody",
    answer: Type.Object({ needed: Type.Boolean() }),
  }),
  /** The first workspace and its owner, who is signed in. 404 once a login exists. */
  setUp: face({
    method: "POST",
    path: "/setup",
    who: "anybody",
    status: 201,
    body: Type.Object({ workspaceName: Name, name: Name, email: Email, password: Password }),
    answer: Nothing,
  }),
  /**
   * `codeNeeded`: the password was right, and nobody is signed in yet; the same call again, with `code` or `recoveryCode`,
   * signs in. 401 INVALID_CREDENTIALS or INVALID_CODE; 429 after too many tries.
   */
  signIn: face({
    method: "POST",
    path: "/sign-in",
    who: "anybody",
    body: Type.Object({
      email: Email,
      password: Password,
      code: Type.Optional(Code),
      recoveryCode: Type.Optional(Code),
    }),
    answer: Type.Object({ codeNeeded: Type.Boolean() }),
  }),
  signOut: face({ method: "POST", path: "/sign-out", who: EVERYONE, answer: Nothing }),

  /** Answers the same whether or not the address is known. */
  askForReset: face({
    method: "POST",
    path: "/password-resets",
    who: "anybody",
    body: Type.Object({ email: Email }),
    answer: Nothing,
  }),
  /** Ends all sessions of the login. 404 for a link that was used or ran out. */
  useReset: face({
    method: "POST",
    path: "/password-resets/{token}",
    who: "anybody",
    body: Type.Object({ password: Password }),
    answer: Nothing,
  }),
  readInvitation: face({
    method: "GET",
    path: "/invitations/{token}",
    who: "anybody",
    answer: Type.Object({
      workspaceName: text("Where to."),
      email: text("For whom."),
      hasPassword: Type.Boolean({
        description: "The address has a login already: its password is asked for.",
      }),
    }),
  }),
  /** Joins and signs in. Of an address that has a login, `password` is that login's. */
  useInvitation: face({
    method: "POST",
    path: "/invitations/{token}",
    who: "anybody",
    status: 201,
    body: Type.Object({ name: Name, password: Password }),
    answer: Nothing,
  }),

  /** Asks for the password again, for what answers 403 REAUTH_REQUIRED ten minutes after the last time. */
  proveAgain: face({
    method: "POST",
    path: "/account/proof",
    who: EVERYONE,
    body: Type.Object({ password: Password }),
    answer: Nothing,
  }),
  saveProfile: face({
    method: "PUT",
    path: "/account/profile",
    who: EVERYONE,
    body: Type.Object({ name: Name }),
    answer: MemberJson,
  }),
  /** Ends the login's other sessions. 403 REAUTH_REQUIRED. */
  changePassword: face({
    method: "PUT",
    path: "/account/password",
    who: EVERYONE,
    body: Type.Object({ password: Password }),
    answer: Nothing,
  }),
  listSessions: face({
    method: "GET",
    path: "/account/sessions",
    who: EVERYONE,
    answer: Type.Object({ items: Type.Array(SessionJson) }),
  }),
  endSession: face({
    method: "DELETE",
    path: "/account/sessions/{id}",
    who: EVERYONE,
    answer: Nothing,
  }),
  endOtherSessions: face({
    method: "POST",
    path: "/account/sessions/end-others",
    who: EVERYONE,
    answer: Type.Object({ ended: count("How many.") }),
  }),
  readTwoFactor: face({
    method: "GET",
    path: "/account/two-factor",
    who: EVERYONE,
    answer: Type.Object({
      on: Type.Boolean(),
      recoveryCodes: count("How many recovery codes are left."),
    }),
  }),
  /** A fresh secret, which nothing stores before it is confirmed. */
  beginTwoFactor: face({
    method: "POST",
    path: "/account/two-factor/secrets",
    who: EVERYONE,
    status: 201,
    answer: Type.Object({
      secret: text("In base 32, to be typed into an app."),
      qr: text("The same as an SVG document."),
    }),
  }),
  /** Switches it on. 401 INVALID_CODE, 403 REAUTH_REQUIRED. */
  confirmTwoFactor: face({
    method: "PUT",
    path: "/account/two-factor",
    who: EVERYONE,
    body: Type.Object({ secret: Type.String({ pattern: "^[A-Z2-7]{32}$" }), code: Code }),
    answer: Type.Object({
      recoveryCodes: Type.Array(Type.String(), { description: "Shown once; each works once." }),
    }),
  }),
  /** Switches it off. 403 REAUTH_REQUIRED. */
  dropTwoFactor: face({
    method: "DELETE",
    path: "/account/two-factor",
    who: EVERYONE,
    answer: Nothing,
  }),

  listTeam: face({
    method: "GET",
    path: "/team",
    who: ADMINS,
    answer: Type.Object({
      members: Type.Array(MemberJson),
      invitations: Type.Array(InvitationJson),
      /** Members who are not disabled, and invitations. */
      seats: count("Seats taken."),
    }),
  }),
  /** 402 SEAT_LIMIT_REACHED, 409 CONFLICT for an address that is a member. Owners are invited by owners. */
  invite: face({
    method: "POST",
    path: "/team/invitations",
    who: ADMINS,
    status: 201,
    body: Type.Object({ email: Email, role: Role }),
    answer: Link,
  }),
  withdrawInvitation: face({
    method: "DELETE",
    path: "/team/invitations/{id}",
    who: ADMINS,
    answer: Nothing,
  }),
  /** 409 LAST_OWNER. Owners are made and changed by owners; admins change the roles of agents and admins. */
  changeMember: face({
    method: "PATCH",
    path: "/team/{id}",
    who: ADMINS,
    body: Type.Object({ role: Type.Optional(Role), disabled: Type.Optional(Type.Boolean()) }),
    answer: MemberJson,
  }),
  endMemberSessions: face({
    method: "POST",
    path: "/team/{id}/end-sessions",
    who: ADMINS,
    answer: Type.Object({ ended: count("How many.") }),
  }),
  resetTwoFactor: face({
    method: "POST",
    path: "/team/{id}/reset-two-factor",
    who: ADMINS,
    answer: Nothing,
  }),
  /** For an installation that sends no mail: the admin hands the link on. */
  makeResetLink: face({
    method: "POST",
    path: "/team/{id}/password-reset",
    who: ADMINS,
    status: 201,
    answer: Link,
  }),
} as const;
