import { Type } from "typebox";
import { MEMBER_ROLES } from "../../../actor.ts";
import { count, id, NO_NUL, oneOf, text, time, type Shown } from "../../../wire/schema.ts";
import { MemberJson } from "../../../wire/desk-shapes.ts";
import { ADMINS, face } from "./face.ts";
import { Name, Nothing } from "./inputs.ts";

const Email = Type.String({ minLength: 1, maxLength: 200, ...NO_NUL });
const Password = Type.String({ minLength: 1, maxLength: 1_000, ...NO_NUL });
const Role = oneOf(MEMBER_ROLES, "What the member may do.");

const InvitationJson = Type.Object({
  id: id("The invitation."),
  email: text("The invited person's e-mail address."),
  role: Role,
  expiresAt: time("Until when it can be taken up."),
});
export type InvitationJson = Shown<typeof InvitationJson>;

/** A link that is shown once, for the member who asked for it to pass on. */
const Link = Type.Object({
  path: text("A path of the dashboard; its secret is stored nowhere."),
  expiresAt: time("Until when it works."),
});

/** The members of the workspace, the invited people, and links for passwords. */
export const team = {
  listTeam: face({
    method: "GET",
    path: "/team",
    who: ADMINS,
    answer: Type.Object({
      members: Type.Array(
        Type.Object({
          ...MemberJson.properties,
          twoFactor: Type.Boolean({ description: "The person signs in with a code too." }),
        }),
      ),
      invitations: Type.Array(InvitationJson),
      seats: count("Seats taken: members who are not disabled, and invitations."),
    }),
  }),
  /**
   * An older invitation of the same address ends. 402 SEAT_LIMIT_REACHED, 409 CONFLICT for the address of a
   * member, 403 when an admin invites an owner.
   */
  inviteMember: face({
    method: "POST",
    secret: true,
    path: "/team/invitations",
    who: ADMINS,
    proven: true,
    status: 201,
    body: Type.Object({ email: Email, role: Role }),
    answer: Type.Object({
      ...Link.properties,
      mailed: Type.Boolean({ description: "The link goes out by mail, too." }),
    }),
  }),
  withdrawInvitation: face({
    method: "DELETE",
    path: "/team/invitations/{id}",
    who: ADMINS,
    answer: Nothing,
  }),
  /** Disabling a member or changing the role ends the member's sessions. 409 LAST_OWNER; only owners change owners. */
  changeMember: face({
    method: "PATCH",
    path: "/team/{id}",
    who: ADMINS,
    proven: true,
    body: Type.Object({ role: Type.Optional(Role), disabled: Type.Optional(Type.Boolean()) }),
    answer: MemberJson,
  }),
  endMemberSessions: face({
    method: "POST",
    path: "/team/{id}/end-sessions",
    who: ADMINS,
    answer: Type.Object({ ended: count("How many.") }),
  }),
  /** 403 for a person who also works in another workspace. */
  makeResetLink: face({
    method: "POST",
    secret: true,
    path: "/team/{id}/password-reset",
    who: ADMINS,
    proven: true,
    status: 201,
    answer: Link,
  }),
  /** Whether links for a new password are sent by mail; else an admin makes one. */
  readResets: face({
    method: "GET",
    path: "/password-resets",
    who: "anybody",
    answer: Type.Object({ byMail: Type.Boolean() }),
  }),
  /** The same answer for unknown addresses. 429 after five requests for an address in an hour. */
  askForReset: face({
    method: "POST",
    path: "/password-resets",
    who: "anybody",
    body: Type.Object({ email: Email, locale: oneOf(["en", "ar"], "Of the mail.") }),
    answer: Nothing,
  }),
  /** Ends all sessions of the person. 404 for a used or expired link. */
  useResetLink: face({
    method: "POST",
    path: "/password-resets/{token}",
    who: "anybody",
    body: Type.Object({ password: Password }),
    answer: Nothing,
  }),
  /**
   * 404 for a used, withdrawn or expired link. It does not say whether the address signs in already: whoever holds a
   * copied link would learn it.
   */
  readInvitation: face({
    method: "GET",
    path: "/invitations/{token}",
    who: "anybody",
    answer: Type.Object({
      workspaceName: text("Where to."),
      email: text("The invited person's e-mail address."),
    }),
  }),
  /**
   * Joins and signs in, with two-factor only after the code (`verifyCode`). For an address that can sign in
   * already, `password` is its present one.
   */
  useInvitation: face({
    method: "POST",
    path: "/invitations/{token}",
    who: "anybody",
    status: 201,
    body: Type.Object({ name: Name, password: Password }),
    answer: Type.Object({ codeNeeded: Type.Boolean() }),
  }),
} as const;
