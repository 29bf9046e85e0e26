import type { WebhookEvent } from "./generated/types.js";
export type WebhookErrorCode = 
/** Neither `X-Service-Signature` nor the Standard Webhooks headers. */
"NO_SIGNATURE" | "MALFORMED_SIGNATURE"
/** Made with another secret, or over other bytes. */
 | "WRONG_SIGNATURE"
/** Too old or from the future: a replay, or a clock that is wrong. */
 | "STALE_SIGNATURE"
/** Signed, yet no event. */
 | "MALFORMED_BODY";
/** Why a delivery is not believed. Answer it with 400. */
export declare class WebhookError extends Error {
    readonly name = "WebhookError";
    readonly code: WebhookErrorCode;
    constructor(code: WebhookErrorCode, why: string);
}
export interface VerifyOptions {
    /** How far the signature's time may be from ours. Default 300. */
    readonly toleranceSeconds?: number | undefined;
    /** Our time. */
    readonly now?: Date | undefined;
}
/** A `Headers`, the object of Node, Express and Fastify, or the value of `X-Service-Signature` alone. */
export type WebhookHeaders = string | readonly string[] | null | undefined | {
    get(name: string): string | null;
} | Readonly<Record<string, string | readonly string[] | undefined>>;
/**
 * Proves that a delivery came from Parley and gives its event. `rawBody` is the body as it was received: parsed and
 * written again it has other bytes. `headers` are the request's (`X-Service-Signature` is taken, else those of Standard
 * Webhooks), or the value of `X-Service-Signature` alone. `secret` is the endpoint's (`whsec_…`), or several while one
 * replaces another; a variable of the environment that is not set is refused by a TypeError. Compares in constant time.
 * Throws a WebhookError.
 */
export declare function verifyWebhook(rawBody: string | Uint8Array | ArrayBuffer, headers: WebhookHeaders, secret: string | readonly string[] | undefined, options?: VerifyOptions): Promise<WebhookEvent>;
