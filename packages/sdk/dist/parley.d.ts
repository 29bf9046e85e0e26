import { Resources } from "./generated/resources.js";
import type { RateLimit } from "./rate-limit.js";
import { type Attempt } from "./transport.js";
export interface ParleyOptions {
    /**
     * The address of the API: it ends in `/api`, as `https://parley.example.com/api`. May be `process.env.X` as it is: a
     * variable that is not set is refused when the client is made, here as in `apiKey`.
     */
    readonly baseUrl: string | undefined;
    /** Both halves of an API key, joined by a colon. It acts as the whole workspace: never give it to a browser. */
    readonly apiKey: string | undefined;
    /** For each try. Default 30,000. */
    readonly timeoutMs?: number | undefined;
    /** How long after its start a call that may be repeated is still tried again. Default 90,000; none when `maxRetries` is given. */
    readonly giveUpAfterMs?: number | undefined;
    /** How often a call that may be repeated is tried again at most. Default: as often as `giveUpAfterMs` lets it. */
    readonly maxRetries?: number | undefined;
    /** The longest wait between two tries, whatever the server asks; beyond it the call fails. Default 60,000. */
    readonly maxWaitMs?: number | undefined;
    /** Wait before a request that the rate limit would refuse, instead of being refused first. Default false. */
    readonly waitForRateLimit?: boolean | undefined;
    /** Sent with every request, for a proxy. */
    readonly headers?: Readonly<Record<string, string>> | undefined;
    /** Instead of the global one. */
    readonly fetch?: typeof globalThis.fetch | undefined;
    /** Told of every try, for logs and metrics. */
    readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
}
/** A client of one workspace. */
export declare class Parley extends Resources {
    #private;
    /** Throws a TypeError for options that cannot work. */
    constructor(options: ParleyOptions);
    /** What the server last said of this key's rate; null before the first answer. */
    get rateLimit(): RateLimit | null;
}
/** Throws a TypeError for what is no address of an API. */
export declare function readBaseUrl(text: string | undefined): string;
