/** An idempotency key that no other call has. */
export declare function newKey(): Promise<string>;
