import type { CallOptions, Request } from "./call.js";
import type { Transport } from "./transport.js";
/**
 * A file as it arrives. Until its first byte it is tried again as a call is. A connection that breaks later, or is silent
 * for `timeoutMs`, is a ParleyError: what was read until then is no whole file.
 */
export declare function readPieces(transport: Transport, request: Request, options: CallOptions): AsyncGenerator<Uint8Array, void, undefined>;
