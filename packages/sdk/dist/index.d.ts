export { Parley, type ParleyOptions } from "./parley.js";
export type { CallOptions, ChangeOptions, StreamOptions } from "./call.js";
export { answerBotTurn, type AnswerOptions } from "./bot-turns.js";
export type { Attempt } from "./transport.js";
export type { RateLimit } from "./rate-limit.js";
export { ParleyError, type ClientErrorCode, type ErrorCode } from "./errors.js";
export { verifyBotTurn, verifyWebhook, WebhookError, type BotTurn, type VerifyOptions, type WebhookErrorCode, type WebhookHeaders, } from "./webhooks.js";
export type * from "./generated/types.js";
export type * from "./generated/resources.js";
