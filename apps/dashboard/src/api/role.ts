import { narrow } from "virtual:contract";
import type { MemberRole } from "../../../server/src/actor.ts";
import { ApiError } from "./api-error.ts";
import type { CallName } from "./call.ts";

let role: MemberRole | undefined;

/** The role of the member who is signed in, as the server last said. */
export function knowRole(known: MemberRole): void {
  role = known;
}

/**
 * Throws what the server would answer where the role does not open a call, without asking: a refused request is an error
 * in the browser's console, and a page that says "You do not have access" is none.
 */
export function permitCall(name: CallName): void {
  if (role !== undefined && narrow[name]?.includes(role) === false)
    throw new ApiError({ code: "FORBIDDEN", status: 403, roles: narrow[name] });
}

/** The `beforeLoad` of a page that exists for this call: throws what the page shows to roles that do not open it. */
export const opens = (name: CallName) => (): void => permitCall(name);
