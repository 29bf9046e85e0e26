import type { MemberRole } from "../actor.ts";

/** A person in a workspace. Each takes a seat of the plan. */
export interface Member {
  readonly id: string;
  readonly workspaceId: string;
  /** The person's sign-in, here and in other workspaces. */
  readonly loginId: string;
  readonly email: string;
  readonly name: string;
  readonly role: MemberRole;
  readonly createdAt: Date;
  /** When the member was locked out, and since then takes no seat. Null: the member works here. */
  readonly disabledAt: Date | null;
  readonly availability: Availability;
}

const AVAILABILITIES = ["online", "away"] as const;
/**
 * Whether the member is present, by the member's own setting. A conversation that opens again does not go back to a
 * member who is away.
 */
export type Availability = (typeof AVAILABILITIES)[number];

/** An e-mail address as it is stored and compared: trimmed, in lower case; null when it does not look like one. */
export function normalEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return email.length <= 200 && /^[^\s@"<>()\0]+@[^\s@.]+(\.[^\s@.]+)+$/.test(email) ? email : null;
}
