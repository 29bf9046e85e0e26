import type { BotTurnAnswer } from "./generated/types.cjs";
import { Transport } from "./transport.cjs";
/** What a late answer may ask for beside its input. */
export interface AnswerOptions {
    /** Ends the call, also while it waits between tries. The promise is rejected with the signal's reason. */
    readonly signal?: AbortSignal | undefined;
    /** For each try, in milliseconds. Default 10,000. */
    readonly timeoutMs?: number | undefined;
    /** Instead of the global one. */
    readonly fetch?: typeof globalThis.fetch | undefined;
}
/**
 * Gives the answer of a bot to a turn whose call it answered with 202, within 60 seconds after the turn. The token is the
 * proof, so it needs no key. `baseUrl` is the address of the API, as of a client. It is tried again as a call of a client
 * is: the same answer twice is sent once. Throws a ParleyError: `CONFLICT` when the turn is over, `VALIDATION_FAILED` when
 * the answer has another form.
 */
export declare function answerBotTurn(baseUrl: string | undefined, token: string, answer: BotTurnAnswer, options?: AnswerOptions): Promise<void>;
export declare function sendAnswer(transport: Transport, token: string, answer: BotTurnAnswer, { signal }?: AnswerOptions): Promise<void>;
