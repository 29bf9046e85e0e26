import type { Request, StreamOptions } from "./call.cjs";
import type { Transport } from "./transport.cjs";
/**
 * Events as they happen. A connection that ends is opened again after the last id, however long the server is away:
 * a reader of a stream wants it to outlast a restart. One that never opened gives up as a call does; so does every one
 * after `options.maxRetries` failures in a row, when they are given. Throws a ParleyError when it cannot go on, or the
 * signal's reason.
 */
export declare function readStream(transport: Transport, request: Request, options: StreamOptions): AsyncGenerator<unknown, void, undefined>;
