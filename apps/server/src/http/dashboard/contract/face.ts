import type { TSchema } from "typebox";
import type { MemberRole } from "../../../actor.ts";
import type { Face } from "../../edge/face.ts";

/** Who may call a face: members with these roles, or anybody, signed in or not (set-up, sign-in). */
export type Who = readonly MemberRole[] | "anybody";

/**
 * One call of the dashboard's API, below `/api/app`. These files import only typebox, so that the browser can use
 * their types.
 */
export interface AppFace extends Face {
  readonly who: Who;
  /**
   * Allowed only within ten minutes after the password was given: else 403 REAUTH_REQUIRED. The browser then asks
   * for it and repeats the call (`call`). For keys, exports, erasure, owners and everything that opens an account to
   * somebody else. Where only some of what a face does needs it, its handler calls `requireProof`.
   */
  readonly proven?: true;
  /** Also for members who must set up two-factor first. Every other face answers them 403 TWO_FACTOR_REQUIRED. */
  readonly beforeTwoFactor?: true;
  /** Open pages read their lists again afterwards. */
  readonly refreshes?: "lists";
  /** The JSON of a success. */
  readonly answer: TSchema;
}

/** Declares a face and keeps its exact type, from which the browser knows parameters, body and answer. */
export const face = <const F extends AppFace>(declared: F): F => declared;

export { ADMINS, EVERYONE, OWNER } from "../../../operations/roles.ts";
