import type { CallOptions, Request } from "./call.js";
import type { ParleyError } from "./errors.js";
import { RateGate } from "./rate-limit.js";
import type { Surroundings } from "./surroundings.js";
/** What came of one try. */
export interface Attempt {
    /** The operation's name in the document. */
    readonly operation: string;
    readonly method: string;
    readonly url: string;
    /** 1 is the first. */
    readonly attempt: number;
    /** Null when no answer came. */
    readonly status: number | null;
    readonly requestId: string | null;
    /** The stored answer of an earlier call under the same key. */
    readonly replayed: boolean;
    readonly durationMs: number;
}
export interface TransportOptions {
    readonly baseUrl: string;
    /** Null of a call whose path is its proof. */
    readonly apiKey: string | null;
    readonly timeoutMs: number;
    readonly giveUpAfterMs: number | undefined;
    readonly maxRetries: number | undefined;
    readonly maxWaitMs: number;
    readonly waitForRateLimit: boolean;
    readonly headers: Readonly<Record<string, string>>;
    readonly fetch: typeof globalThis.fetch;
    readonly onAttempt: ((attempt: Attempt) => void) | undefined;
}
/** Sends requests: credential, idempotency key, time-out, retries. One per client. */
export declare class Transport {
    #private;
    readonly rate: RateGate;
    constructor(options: TransportOptions, around: Surroundings);
    get timeoutMs(): number;
    /** Throws a ParleyError, or the reason of `options.signal`. */
    call(request: Request, options: CallOptions): Promise<unknown>;
    /** Waits for the first try's turn. Gives the time after which there is no other try: who says how often means no time. */
    begin(options: CallOptions): Promise<number>;
    /** True when another try is worth it, and begins before `until`; then it has waited for it. */
    again(request: Request, error: ParleyError, attempt: number, until: number, options: CallOptions): Promise<boolean>;
    /** Opens a stream, or a file that is read as it arrives: the answer's body, or a ParleyError. `signal` ends it. */
    open(request: Request, options: CallOptions, signal: AbortSignal, attempt: number, headers: Readonly<Record<string, string>>): Promise<ReadableStream<Uint8Array>>;
}
