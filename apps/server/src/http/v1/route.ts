import type { Static, TObject, TSchema } from "typebox";
import type { Principal } from "../../api-keys/api-key.ts";
import type { ErrorCode } from "../../errors.ts";
import type { Scope } from "../../wire/words.ts";
import type { Face } from "../edge/face.ts";
import type { Answering, Call as EdgeCall } from "../edge/route.ts";

/** A call that passed credential, rate, scope and validation. */
export type Call<Q = unknown, B = unknown> = EdgeCall<Principal, Q, B>;

/** One route of the API as data: checks, types and the document are made from it. */
export interface RouteFace<Q extends TObject = TObject, B extends TObject = TObject> extends Face {
  readonly scope: Scope;
  /** Any of these scopes opens the route too. Each then reads only what it covers. */
  readonly otherScopes?: readonly Scope[];
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** What the names in the path are, where they are no ids. */
  readonly params?: TObject;
  readonly query?: Q;
  /**
   * Unknown members are ignored and named in `Parley-Ignored` on the routes of the specification. On every other
   * route the schema says `additionalProperties: false` (contract §5).
   */
  readonly body?: B;
  readonly success: {
    readonly status: 200 | 201 | 202;
    readonly schema: TSchema;
    readonly example: unknown;
    /** JSON when absent. */
    readonly mediaType?: string;
  };
  /** The body is a file: its media type, and what it holds. It is read as it arrives. */
  readonly file?: { readonly mediaType: string; readonly about: string; readonly example: string };
  readonly bodyExample?: unknown;
  /** The answer may name in `Parley-Held` what was not done. */
  readonly holds?: true;
  /** Answers beyond those of every route, of every route with a body, or of every POST. */
  readonly errors: readonly ErrorCode[];
}

export interface Route<Q extends TObject = TObject, B extends TObject = TObject>
  extends RouteFace<Q, B>, Answering<Principal, Static<Q>, Static<B>> {}

/** Gives a row its types: the handler gets what its schemas let through. */
export function route<Q extends TObject, B extends TObject>(row: Route<Q, B>): Route {
  return { ...row, status: row.success.status };
}
