import type { Request, StreamOptions } from "./call.cjs";
import type { Transport } from "./transport.cjs";
/**
 * Events as they happen. A connection that ends is opened again after the last id; `maxRetries` bounds how often in a
 * row that may fail. Throws a ParleyError when it cannot go on, or the signal's reason.
 */
export declare function readStream(transport: Transport, request: Request, options: StreamOptions): AsyncGenerator<unknown, void, undefined>;
