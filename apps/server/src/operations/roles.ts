import type { MemberRole } from "../actor.ts";

/** The roles that operations name. */
export const EVERYONE = ["owner", "admin", "agent"] as const satisfies readonly MemberRole[];
export const ADMINS = ["owner", "admin"] as const satisfies readonly MemberRole[];
export const OWNER = ["owner"] as const satisfies readonly MemberRole[];
