import type { Request } from "./call.js";
import { ParleyError, type ErrorCode } from "./errors.js";
import type { ErrorBody, PlanLimitErrorBody } from "./generated/types.js";
export type Outcome = {
    readonly ok: true;
    readonly value: unknown;
} | {
    readonly ok: false;
    readonly error: ParleyError;
};
export interface Facts {
    readonly attempts: number;
    readonly idempotencyKey: string | null;
    readonly cause?: unknown;
    readonly hint?: string;
    readonly status?: number;
    readonly requestId?: string | null;
    readonly retryAfterMs?: number | null;
    readonly body?: Partial<ErrorBody & PlanLimitErrorBody>;
}
export declare function failed(code: ErrorCode, facts: Facts): ParleyError;
/** What an answer says: the value of a success, or why it is none. */
export declare function read(response: Response, text: string, facts: Facts): Outcome;
/** True when no byte of the request can have left: Node and Bun say it by a code, Deno in words. */
export declare function wasUnsent(cause: unknown): boolean;
/**
 * True when the same request again can only have the effect that one would have had. A PATCH may add to what it finds, as a
 * note: it is sent again only when the first did not arrive, whatever version it is bound to.
 */
export declare function mayRepeat(request: Request, { status, code, cause }: ParleyError): boolean;
