import type { MemberRole } from "../actor.ts";

/** How long a session lasts after its last request. */
export const SESSION_MS = 30 * 24 * 3_600_000;

/** How long a password that was asked for proves who is there. */
export const PROVEN_MS = 600_000;

/** What a session's secret stands for. */
export interface SignedIn {
  readonly sessionId: string;
  readonly workspaceId: string;
  readonly memberId: string;
  readonly loginId: string;
  readonly role: MemberRole;
  /** When the password was last asked for. */
  readonly provenAt: Date;
  /** The workspace requires two-factor, and the person has none: nothing else is done before it is set up. */
  readonly needsTwoFactor: boolean;
}

/** A session as its person sees it. */
export interface Session {
  readonly id: string;
  readonly createdAt: Date;
  readonly seenAt: Date;
  readonly ip: string;
  /** The browser's own name, at most 300 characters. */
  readonly agent: string;
}
