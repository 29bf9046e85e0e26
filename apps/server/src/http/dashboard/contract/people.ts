import { Type } from "typebox";
import { MEMBER_ROLES } from "../../../actor.ts";
import { id, NO_NUL, oneOf, text, time, type Shown } from "../../../wire/schema.ts";
import { EVERYONE, face } from "./face.ts";
import { Name, Nothing } from "./inputs.ts";

/** Who is signed in, and where. */
export const SignedInJson = Type.Object({
  member: Type.Object({
    id: id("The member."),
    name: text("Shown."),
    email: text("Its address."),
    role: oneOf(MEMBER_ROLES, "What it may do."),
  }),
  workspace: Type.Object({ id: id("The workspace."), name: text("Its name.") }),
  /** All workspaces of the person. `signIn` with another one's id opens that one. */
  workspaces: Type.Array(Type.Object({ id: id("A workspace."), name: text("Its name.") })),
});
export type SignedInJson = Shown<typeof SignedInJson>;

/** The password was right, and a code is asked for: there is no session yet. */
const CodeNeededJson = Type.Object({ codeNeeded: Type.Literal(true) });

const SessionJson = Type.Object({
  id: id("The session."),
  createdAt: time("When the person signed in."),
  seenAt: time("The last request, an hour late at most."),
  ip: text("The address it came from."),
  agent: text("The browser, as it names itself."),
  current: Type.Boolean({ description: "The session that asks." }),
});
export type SessionJson = Shown<typeof SessionJson>;

const Email = Type.String({ minLength: 1, maxLength: 200, ...NO_NUL });
const Password = Type.String({ minLength: 1, maxLength: 1_000, ...NO_NUL });
const Code = Type.String({ minLength: 1, maxLength: 40, ...NO_NUL });

/** Signing in, and a person's own sessions. */
export const people = {
  /** Whether the first owner must be set up: as long as nobody can sign in. */
  readSetUp: face({
    method: "GET",
    path: "/set-up",
    who: "anybody",
    answer: Type.Object({
      needed: Type.Boolean(),
      /** The set-up asks for a code: the caller is not this machine under a loopback name. */
      withCode: Type.Optional(Type.Literal(true)),
    }),
  }),
  /** Creates the first workspace and its owner, and signs the owner in. 404 once a login exists, and without the code. */
  setUp: face({
    method: "POST",
    path: "/set-up",
    who: "anybody",
    status: 201,
    body: Type.Object({
      workspaceName: Name,
      name: Name,
      email: Email,
      password: Password,
      /** IANA; UTC when absent. */
      timeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 100, ...NO_NUL })),
      /** Printed at the server's start and by `parley set-up-link`. This machine itself needs none. */
      code: Type.Optional(Type.String({ maxLength: 100, ...NO_NUL })),
    }),
    answer: SignedInJson,
  }),
  /**
   * A new session, or with two-factor the question for the code (`verifyCode`). 401 INVALID_CREDENTIALS both for
   * an unknown address and for a wrong password.
   */
  signIn: face({
    method: "POST",
    path: "/sign-in",
    who: "anybody",
    body: Type.Object({
      email: Email,
      password: Password,
      /** One of the person's workspaces; the first when absent. */
      workspaceId: Type.Optional(Type.String({ minLength: 1, maxLength: 100, ...NO_NUL })),
    }),
    answer: Type.Union([SignedInJson, CodeNeededJson]),
  }),
  /**
   * The second step of a sign-in: the app's code, or a recovery code, which works once. 401 INVALID_CREDENTIALS
   * for a wrong or used one, UNAUTHENTICATED when the password was given too long ago.
   */
  verifyCode: face({
    method: "POST",
    path: "/sign-in/code",
    who: "anybody",
    body: Type.Object({ code: Type.Optional(Code), recoveryCode: Type.Optional(Code) }),
    answer: SignedInJson,
  }),
  readSignedIn: face({
    method: "GET",
    path: "/me",
    who: EVERYONE,
    beforeTwoFactor: true,
    answer: SignedInJson,
  }),
  signOut: face({
    method: "POST",
    path: "/sign-out",
    who: EVERYONE,
    beforeTwoFactor: true,
    answer: Nothing,
  }),
  listSessions: face({
    method: "GET",
    path: "/sessions",
    who: EVERYONE,
    answer: Type.Array(SessionJson),
  }),
  endSession: face({
    method: "DELETE",
    path: "/sessions/{id}",
    who: EVERYONE,
    answer: Nothing,
  }),
  endOtherSessions: face({
    method: "POST",
    path: "/sessions/end-others",
    who: EVERYONE,
    answer: Type.Object({ ended: Type.Integer() }),
  }),
  /** Asks for the password again. 401 INVALID_CREDENTIALS, 429 after too many tries. */
  proveAgain: face({
    method: "POST",
    path: "/me/prove",
    who: EVERYONE,
    beforeTwoFactor: true,
    body: Type.Object({ password: Password }),
    answer: Nothing,
  }),
  /** Does nothing. Called before the browser follows a link that needs a fresh proof (an export). */
  checkProven: face({
    method: "GET",
    path: "/me/proven",
    who: EVERYONE,
    proven: true,
    answer: Nothing,
  }),
  /** Ends every other session. */
  changePassword: face({
    method: "PUT",
    path: "/me/password",
    who: EVERYONE,
    body: Type.Object({ old: Password, fresh: Password }),
    answer: Nothing,
  }),
} as const;
