import { sendAnswer } from "../../src/bot-turns.ts";
import type { BotTurnAnswer } from "../../src/generated/types.ts";
import { Resources } from "../../src/generated/resources.ts";
import { ParleyError } from "../../src/errors.ts";
import { readPieces } from "../../src/pieces.ts";
import { readStream } from "../../src/stream.ts";
import { Transport } from "../../src/transport.ts";
import { verifyBotTurn, verifyWebhook, WebhookError } from "../../src/webhooks.ts";
import type { Case, Hook, Said } from "./stand.ts";

const START = 1_000_000_000_000;

/** Runs one call of the table: its clock jumps over every wait, and chance is always a half. */
export async function runCall({ call, client = {}, options = {} }: Case, baseUrl: string) {
  const waits: number[] = [];
  const gaps: unknown[] = [];
  const warns: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => void warns.push(text);
  let now = START;
  const transport = new Transport(
    {
      baseUrl,
      // As a file of it would be.
      apiKey: call.noun === "bots" ? null : "pk:sk\n",
      timeoutMs: 10_000,
      giveUpAfterMs: client.giveUpAfterMs,
      maxRetries: client.maxRetries,
      maxWaitMs: 60_000,
      waitForRateLimit: client.waitForRateLimit ?? false,
      headers: {},
      fetch: globalThis.fetch,
      onAttempt: undefined,
    },
    {
      now: () => now,
      random: () => 0.5,
      sleep: async (ms) => {
        waits.push(ms);
        now += ms;
      },
    },
  );
  const parley = new Resources({
    call: <T>(...input: Parameters<Transport["call"]>) => transport.call(...input) as Promise<T>,
    pieces: (...input) => readPieces(transport, ...input),
    stream: <T>(...input: [Parameters<Transport["call"]>[0], object]) =>
      readStream(transport, ...input) as AsyncGenerator<T, void, undefined>,
  });
  const bots = {
    answerTurn: (token: string, answer: BotTurnAnswer) => sendAnswer(transport, token, answer),
  };
  const noun = (call.noun === "bots" ? bots : Reflect.get(parley, call.noun)) as object;
  const method = Reflect.get(noun, call.method) as (...input: unknown[]) => unknown;
  const items: unknown[] = [];
  const all = Array.from({ length: call.count ?? 0 }, (_, index) => ({ name: String(index) }));
  const lists = /^(iterate|stream)/.test(call.method);
  const input = [
    ...(call.ids ?? []),
    ...(call.count === undefined ? [] : [all]),
    ...(call.body === undefined ? [] : [call.body]),
    ...(call.query ? [call.query] : lists && call.body === undefined ? [{}] : []),
    { ...options, ...(lists && { onGap: (gap: unknown) => gaps.push(gap) }) },
  ];
  const rate = () => {
    const { current } = transport.rate;
    return current && { limit: current.limit, remaining: current.remaining, resetInMs: current.resetAt.getTime() - now }; // oxfmt-ignore
  };
  const said = (): Pick<Said, "waits" | "gaps" | "warns" | "rate"> => ({
    waits,
    gaps,
    warns,
    rate: rate(),
  });
  try {
    let gives: unknown;
    for (let time = 0; time < (call.times ?? 1); time++) gives = await method.apply(noun, input);
    if (typeof gives === "object" && gives !== null && Symbol.asyncIterator in gives) {
      for await (const one of gives as AsyncIterable<unknown>)
        if (items.push(one) === call.take) break;
      gives = items;
    }
    if (gives instanceof Uint8Array) gives = new TextDecoder().decode(gives);
    return { gives, items, ...said() } satisfies Said;
  } catch (error) {
    if (error instanceof TypeError) return { mistake: true, ...said() } satisfies Said;
    if (!(error instanceof ParleyError)) throw error;
    const { code, status, requestId, details, limit, usage, retryAfterMs, idempotencyKey, attempts, message } = error; // oxfmt-ignore
    const fails = { code, status, requestId, details, limit, usage, retryAfterMs, idempotencyKey, attempts, message }; // oxfmt-ignore
    return { fails, items, ...said() } satisfies Said;
  } finally {
    console.warn = warn;
  }
}

/** The id of the event, or why it is none. */
export async function runHook(hook: Hook): Promise<Hook["want"]> {
  try {
    const secret = hook.secret ?? undefined;
    const options = { now: new Date(hook.now * 1_000), toleranceSeconds: hook.toleranceSeconds };
    if (hook.turn)
      return { event: (await verifyBotTurn(hook.body, hook.headers, secret, options)).token };
    return { event: (await verifyWebhook(hook.body, hook.headers, secret, options)).id };
  } catch (error) {
    if (error instanceof WebhookError) return error.code;
    if (error instanceof TypeError) return "MISTAKE";
    throw error;
  }
}
