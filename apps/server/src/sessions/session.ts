import type { MemberRole } from "../actor.ts";

/** How long a session lasts after its last request. */
export const SESSION_MS = 30 * 24 * 3_600_000;

/** How long a session lasts at most, however much it is used. */
const LONGEST_MS = 90 * 24 * 3_600_000;

/** When a session ends that is used now. */
export const sessionEnd = (now: Date, createdAt: Date): Date =>
  new Date(Math.min(now.getTime() + SESSION_MS, createdAt.getTime() + LONGEST_MS));

/** How long a password that was asked for counts as a fresh proof. */
export const PROVEN_MS = 600_000;

/** The member that a session's secret stands for. */
export interface SignedIn {
  readonly sessionId: string;
  readonly workspaceId: string;
  readonly memberId: string;
  readonly loginId: string;
  readonly role: MemberRole;
  /** When the password was last asked for. */
  readonly provenAt: Date;
  /** The workspace requires two-factor and the person has none: it must be set up before anything else. */
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
