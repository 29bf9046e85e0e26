import type { MemberRole } from "../actor.ts";

/** How long a session lasts after its last request. */
export const SESSION_MS = 30 * 24 * 3_600_000;

/** What a session's secret stands for. */
export interface SignedIn {
  readonly sessionId: string;
  readonly workspaceId: string;
  readonly memberId: string;
  readonly loginId: string;
  readonly role: MemberRole;
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
