import type { Surroundings } from "./surroundings.js";
/** What the server last said of this key: `limit` requests in any 60 seconds. */
export interface RateLimit {
    readonly limit: number;
    /** How many would pass now, those in the air counted. */
    readonly remaining: number;
    /** When the oldest counted request stops counting. */
    readonly resetAt: Date;
}
/** Keeps what the RateLimit headers say, and lets callers wait for their turn. */
export declare class RateGate {
    #private;
    constructor(around: Surroundings);
    get current(): RateLimit | null;
    /** Waits until a request would pass, as far as is known; then counts it. False when that would be after `until`. */
    enter(wait: boolean, signal: AbortSignal | undefined, until?: number): Promise<boolean>;
    leave(headers: Headers | null): void;
}
