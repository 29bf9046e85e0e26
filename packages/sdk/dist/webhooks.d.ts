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
/** What Parley asks a bot that runs in a program of yours (`docs/external-bots.md`). */
export interface BotTurn {
    readonly type: "bot.turn";
    readonly token: string;
    readonly conversationId: string;
    readonly contact: {
        readonly id: string;
        readonly firstName: string | null;
        readonly language: string | null;
    };
    /** The newest 20, oldest first. */
    readonly messages: readonly {
        readonly id: string;
        readonly from: "customer" | "bot" | "person" | "program";
        readonly type: string;
        readonly text: string | null;
        /** The payload of the button that the customer pressed. */
        readonly pressed: string | null;
        readonly at: string;
    }[];
    /** What the bot stored in this conversation with its last answer. */
    readonly variables: Readonly<Record<string, unknown>>;
}
/** As `verifyWebhook`, of a turn that Parley posts to a bot: `secret` is the bot's own. Throws a WebhookError. */
export declare function verifyBotTurn(rawBody: string | Uint8Array | ArrayBuffer, headers: WebhookHeaders, secret: string | readonly string[] | undefined, options?: VerifyOptions): Promise<BotTurn>;
