import type { BotTurnAnswer } from "./generated/types.ts";
import { readBaseUrl } from "./parley.ts";
import { segment } from "./segment.ts";
import { world } from "./surroundings.ts";
import { Transport } from "./transport.ts";

/** A turn takes its answer so long after it was posted. */
const TURN_MS = 60_000;

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
export async function answerBotTurn(
  baseUrl: string | undefined,
  token: string,
  answer: BotTurnAnswer,
  options: AnswerOptions = {},
): Promise<void> {
  const transport = new Transport(
    {
      baseUrl: readBaseUrl(baseUrl),
      apiKey: null,
      timeoutMs: options.timeoutMs ?? 10_000,
      giveUpAfterMs: TURN_MS,
      maxRetries: undefined,
      maxWaitMs: TURN_MS,
      waitForRateLimit: false,
      headers: {},
      fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
      onAttempt: undefined,
    },
    world,
  );
  await sendAnswer(transport, token, answer, options);
}

export async function sendAnswer(
  transport: Transport,
  token: string,
  answer: BotTurnAnswer,
  { signal }: AnswerOptions = {},
): Promise<void> {
  const path = `/v1/bot-turns/${segment("token", token)}`;
  const request = { id: "answerBotTurn", method: "POST", path, body: answer, repeatable: true };
  await transport.call(request, { signal });
}
