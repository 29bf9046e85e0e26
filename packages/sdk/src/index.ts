export { Parley, type ParleyOptions } from "./parley.ts";
export type { CallOptions, ChangeOptions, StreamOptions } from "./call.ts";
export { answerBotTurn, type AnswerOptions } from "./bot-turns.ts";
export type { Attempt } from "./transport.ts";
export type { RateLimit } from "./rate-limit.ts";
export { ParleyError, type ClientErrorCode, type ErrorCode } from "./errors.ts";
export {
  verifyBotTurn,
  verifyWebhook,
  WebhookError,
  type BotTurn,
  type VerifyOptions,
  type WebhookErrorCode,
  type WebhookHeaders,
} from "./webhooks.ts";
export type * from "./generated/types.ts";
export type * from "./generated/resources.ts";
