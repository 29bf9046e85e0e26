/** What one call may ask for beside its input. */
export interface CallOptions {
    /** Ends the call, also while it waits between tries. The promise is rejected with the signal's reason. */
    readonly signal?: AbortSignal | undefined;
    /** For each try, in milliseconds; instead of the client's. */
    readonly timeoutMs?: number | undefined;
    /** How often it is tried again at most; instead of the client's. */
    readonly maxRetries?: number | undefined;
    /**
     * For a POST: the name of this effect, 1 to 255 characters. The client makes one for each call; give your own when the
     * call must have its effect once over restarts of your program as well.
     */
    readonly idempotencyKey?: string | undefined;
}
/** Of a change that may be bound to the version that was read. */
export interface ChangeOptions extends CallOptions {
    /**
     * The `etag` that a `…WithEtag` method gave with the record: the change is made to that version, and fails with
     * `VERSION_MISMATCH` when somebody changed the record since.
     */
    readonly ifMatch?: string | undefined;
}
/** One operation of the document with its input. */
export interface Request {
    readonly id: string;
    readonly method: string;
    readonly path: string;
    readonly query?: object;
    readonly body?: object | string | Uint8Array | Blob;
    /** The answer is a file of any kind. */
    readonly binary?: boolean;
    /** The media type of a text, or of bytes, that are sent as they are. */
    readonly bodyType?: string;
    /** Takes an Idempotency-Key. */
    readonly keyed?: boolean;
    /** Without a key too the same again has its effect once. */
    readonly repeatable?: boolean;
    /** The version that is changed. */
    readonly ifMatch?: string | undefined;
    /** Gives the answer with its ETag, as a pair. */
    readonly withEtag?: boolean;
}
/** Of the events, as a stream, which lasts until it is left, or as a list that is read to its end. */
export interface StreamOptions extends Omit<CallOptions, "idempotencyKey"> {
    /**
     * How often a page is tried again, or in a row the opening of a stream; instead of the client's. Without it a stream that
     * was open is opened again until it is back, every few seconds.
     */
    readonly maxRetries?: number | undefined;
    /** Events after `after` are no longer kept; the oldest that is has this sequence. Read the state afresh. */
    readonly onGap?: ((gap: Gap) => void) | undefined;
}
interface Gap {
    readonly after: number;
    readonly oldestSequence: number | null;
}
export interface Caller {
    call<T>(request: Request, options: CallOptions): Promise<T>;
    /** A file, piece by piece. */
    pieces(request: Request, options: CallOptions): AsyncGenerator<Uint8Array, void, undefined>;
    stream<T>(request: Request, options: StreamOptions): AsyncGenerator<T, void, undefined>;
}
interface Page<T> {
    readonly items: readonly T[];
    readonly total?: number;
    readonly page?: number;
    readonly pageSize?: number;
    readonly nextCursor?: string | null;
    readonly nextAfter?: number;
    readonly hasMore?: boolean;
    readonly gap?: boolean;
    readonly oldestSequence?: number | null;
}
interface Position {
    readonly page?: number;
    readonly cursor?: string;
    readonly after?: number;
}
interface Reading {
    /** The page a numbered list begins with. */
    readonly first?: number | undefined;
    /** The place a feed begins at. */
    readonly after?: number | "latest" | undefined;
    readonly onGap?: StreamOptions["onGap"];
}
/**
 * Every item of a list, page after page. What comes new while it is read pushes others to the next page of a numbered
 * list: one that the page before showed is not shown again.
 */
export declare function everyOf<T>(read: (position: Position) => Promise<Page<T>>, { first, after, onGap }?: Reading): AsyncGenerator<T, void, undefined>;
/**
 * Sends any number of items in calls of at most `most`, one after the other, as the results are read. Each call has a key
 * of its own: `KEY:1`, `KEY:2` …
 */
export declare function inBatches<Item, Result>(items: Iterable<Item> | AsyncIterable<Item>, most: number, send: (part: Item[], idempotencyKey: string) => Promise<readonly Result[]>, idempotencyKey: string | undefined): AsyncGenerator<[Item, Result], void, undefined>;
export {};
