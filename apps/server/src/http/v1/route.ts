import type { Static, TObject, TSchema } from "typebox";
import type { Principal, Scope } from "../../api-keys/api-key.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import type { ErrorCode } from "../../errors.ts";
import type { FurtherFaults } from "../edge/validation.ts";

/** What a POST operation takes beside its input: work of the caller inside its transaction, before commit. */
export interface Within<R> {
  readonly within?: (tx: Tx, result: R) => Promise<void>;
}

/** A call that passed credential, rate, scope and validation. */
export interface Call<Q = unknown, B = unknown> {
  readonly context: Context;
  readonly principal: Principal;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Q;
  readonly body: B;
  /**
   * For the operation of a POST: with an Idempotency-Key, stores the answer in the transaction of the effect.
   * `present` gives the JSON text of the answer; return the same text from the handler.
   */
  readonly once: <R>(present: (result: R) => string) => Within<R>;
  /**
   * For an effect outside the database (a passcode): stores that the record is under way, in the transaction that
   * makes it. The handler's answer settles it; after a crash `recover` says what became of the record.
   */
  readonly begun: <R extends { readonly id: string }>() => Within<R>;
}

/** One route of the API as data: checks, types and the document are made from it. */
export interface Route<Q extends TObject = TObject, B extends TObject = TObject> {
  readonly method: "GET" | "POST" | "PATCH";
  /** OpenAPI form, below `/api/v1`. */
  readonly path: string;
  readonly scope: Scope;
  /** Any of these opens the route too. Each then reads what it is for, and nothing else. */
  readonly otherScopes?: readonly Scope[];
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: Q;
  /**
   * None: the route takes no body and ignores one. Unknown members are ignored and named in `Parley-Ignored` on the routes
   * of the specification; on every other route the schema says `additionalProperties: false` (contract §5).
   */
  readonly body?: B;
  /** What the operation refuses beyond the schema. */
  readonly furtherFaults?: FurtherFaults;
  readonly success: {
    readonly status: 200 | 201;
    readonly schema: TSchema;
    readonly example: unknown;
    /** JSON when absent. */
    readonly mediaType?: string;
  };
  readonly bodyExample?: unknown;
  /** Beyond what every route, or every route with a body or a POST, can answer. */
  readonly errors: readonly ErrorCode[];
  /** Answers with JSON text, a GET perhaps with its bytes. A method, so that rows of different inputs fit one list. */
  handler(call: Call<Static<Q>, Static<B>>): Promise<string | Buffer>;
  /** The answer to a repeated key whose first call never ended, or null while nobody knows yet. */
  recover?(context: Context, principal: Principal, recordId: string): Promise<string | null>;
}

/** What of a route the checks before its work and the document need: also what the stream of events has. */
export type RouteFace = Omit<Route, "handler" | "recover">;

/** Gives a row its types: the handler sees what its schemas let through. */
export function route<Q extends TObject, B extends TObject>(row: Route<Q, B>): Route {
  return row;
}
