export { Parley, type ParleyOptions } from "./parley.cjs";
export type { CallOptions, ChangeOptions, StreamOptions } from "./call.cjs";
export { answerBotTurn, type AnswerOptions } from "./bot-turns.cjs";
export type { Attempt } from "./transport.cjs";
export type { RateLimit } from "./rate-limit.cjs";
export { ParleyError, type ClientErrorCode, type ErrorCode } from "./errors.cjs";
export { verifyBotTurn, verifyWebhook, WebhookError, type BotTurn, type VerifyOptions, type WebhookErrorCode, type WebhookHeaders, } from "./webhooks.cjs";
export type * from "./generated/types.cjs";
export type * from "./generated/resources.cjs";
