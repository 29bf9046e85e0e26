import type { Actor } from "../../actor.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import type { Face } from "./face.ts";

/** What a POST operation takes beside its input: work that runs inside its transaction, before the commit. */
interface Within<R> {
  readonly within?: (tx: Tx, result: R) => Promise<void>;
}

/** A request that was admitted and validated. `P` is the principal of its door. */
export interface Call<P, Q = unknown, B = unknown> {
  readonly context: Context;
  readonly principal: P;
  /** The principal as the actor of its changes: the first argument of every write. */
  readonly actor: Actor;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Q;
  readonly body: B;
  /** The header `If-Match` of the request. */
  readonly ifMatch?: string | undefined;
  /** Sets a header of the answer (a cookie). A replayed answer does not have it. */
  readonly setHeader: (name: string, value: string) => void;
  /**
   * For the operation of a POST: with an Idempotency-Key, stores the answer in the transaction of the effect.
   * `present` gives the JSON text of the answer; return the same text from the handler.
   */
  readonly once: <R>(present: (result: R) => string) => Within<R>;
  /**
   * For an effect outside the database (a passcode): stores that the record exists, in the transaction that
   * creates it. The handler's answer settles it; after a crash `recover` reads the outcome from the record.
   */
  readonly begun: <R extends { readonly id: string }>() => Within<R>;
}

/** The part of a route that runs. Methods, so that routes with different inputs fit one list. */
export interface Answering<P, Q = unknown, B = unknown> {
  /** Answers with JSON text, a GET perhaps with its bytes. */
  handler(call: Call<P, Q, B>): Promise<string | Buffer>;
  /** The answer to a repeated Idempotency-Key whose first call never ended; null while it is unknown. */
  recover?(context: Context, principal: P, recordId: string): Promise<string | null>;
}

export type Route<P, F extends Face = Face> = F & Answering<P>;
