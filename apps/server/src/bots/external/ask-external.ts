import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { Value } from "typebox/value";
import type { Context } from "../../context.ts";
import type { FaultDetail } from "../../errors.ts";
import { failureCode, HttpFailure, type HttpFailureKind } from "../../lib/http.ts";
import { storable } from "../../lib/storable.ts";
import { shapeFaults } from "../record/shape-faults.ts";
import { signatureHeaders } from "../../webhooks/sign.ts";
import {
  BotTurnAnswer,
  TURN_SECONDS,
  type BotTurnCall,
  type TurnFault,
} from "../../wire/external-bot.ts";

/** How long the call itself waits for an answer when the bot does not say. */
const WAIT_SECONDS = 10;
/** Between two tries of a connection that was not taken: a bot that restarts is back within seconds. The last repeats. */
const PAUSES_MS = [250, 500, 1_000, 2_000];
const ANSWER_BYTES = 64 * 1024;
const PAYLOAD_BYTES = 64;
const VARIABLE_BYTES = 16_384;
/** Of one answer, the first that are said. */
const MOST_FAULTS = 20;

/** The outcome of a call to an external bot. */
export type TurnOutcome =
  | { readonly kind: "answered"; readonly answer: BotTurnAnswer }
  /** It took the turn and answers by the token. */
  | { readonly kind: "later" }
  | {
      readonly kind: "failed";
      readonly why: string;
      readonly code: TurnFault;
      /** The status, the place in the answer, or the failure of the network. */
      readonly value: string | null;
    };

const failed = (code: TurnFault, why: string, value: string | null = null): TurnOutcome => ({
  kind: "failed",
  why,
  code,
  value,
});

/** Why there was no answer, for members. */
const IN_WORDS: Readonly<Partial<Record<HttpFailureKind, string>>> = {
  connect: "its address took no connection",
  dns: "the name of its address was not found",
  tls: "no safe connection to its address was possible",
  timeout: "its address took no connection in time",
  reset: "the connection broke off before it answered",
  blocked: "its address may not be called",
};

/** Where an external bot is called, and what signs it. */
export interface ExternalBot {
  readonly url: string;
  readonly secret: string;
  readonly waitSeconds?: number | undefined;
}

/** A signed turn. */
interface Turn {
  readonly id: string;
  readonly body: Buffer;
}

/**
 * Posts a turn to an external bot, once, signed as webhooks are (`webhook-id` is the id of the turn). 200 with a body is
 * the answer; 200 without one, 202, 204 and no answer in time mean that it answers by the token. Everything else failed.
 * When the bot takes no connection, so that nothing was sent, it is tried again for `waitSeconds`, unless `once` is set:
 * a bot that restarts keeps its customers.
 */
export async function askExternal(
  context: Pick<Context, "guardedHttp" | "clock">,
  bot: ExternalBot,
  turnId: string,
  call: BotTurnCall,
  { once = false } = {},
): Promise<TurnOutcome> {
  const turn = { id: turnId, body: Buffer.from(JSON.stringify(call)) };
  const waitMs = Math.min(bot.waitSeconds ?? WAIT_SECONDS, TURN_SECONDS) * 1_000;
  const begun = performance.now();
  for (let tries = 0; ; tries++) {
    const waited = performance.now() - begun;
    // The answer has its whole time, also after a late connection; but the turn is over when its time is.
    const leftMs = Math.min(waitMs, TURN_SECONDS * 1_000 - waited);
    const result = await postOnce(context, bot, turn, leftMs);
    if (!result.nothingSent || once) return result.outcome;
    const pause = PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)] ?? 0;
    if (performance.now() - begun + pause >= waitMs) return result.outcome;
    await sleep(pause);
  }
}

interface Posted {
  readonly outcome: TurnOutcome;
  /** No connection was taken, so that the bot cannot have the turn. */
  readonly nothingSent: boolean;
}

async function postOnce(
  context: Pick<Context, "guardedHttp" | "clock">,
  bot: ExternalBot,
  turn: Turn,
  timeoutMs: number,
): Promise<Posted> {
  try {
    return { outcome: await post(context, bot, turn, timeoutMs), nothingSent: false };
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    const { kind, sent } = error;
    // It may have the turn: its answer may still arrive by the token.
    if (kind === "timeout" && sent) return { outcome: { kind: "later" }, nothingSent: false };
    const code = failureCode(error);
    const words = IN_WORDS[kind];
    const outcome = failed("NETWORK", words === undefined ? code : `${words} (${code})`, code);
    return { outcome, nothingSent: kind === "connect" && !sent };
  }
}

/** Posts it, and reads the answer. Throws `HttpFailure` without one. */
async function post(
  { guardedHttp, clock }: Pick<Context, "guardedHttp" | "clock">,
  { url, secret }: ExternalBot,
  { id, body }: Turn,
  timeoutMs: number,
): Promise<TurnOutcome> {
  const answer = await guardedHttp.request({
    method: "POST",
    url,
    headers: {
      "content-type": "application/json",
      ...signatureHeaders({ id, body, at: clock.now() }, [secret]),
    },
    body,
    timeoutMs,
    maxResponseBytes: ANSWER_BYTES,
  });
  const { status } = answer;
  if (status === 202 || status === 204) return { kind: "later" };
  if (status !== 200) return failed("STATUS", `it answered ${status}`, String(status));
  if (answer.partial) return failed("TOO_LONG", "its answer is longer than 64 KiB");
  if (answer.body.length === 0) return { kind: "later" };
  const read = readTurnAnswer(answer.body.toString("utf8"));
  if (read.kind === "answered") return read;
  const [{ path, message }] = read.faults;
  const why = path === "" ? `its answer ${message}` : `${path}: ${message}`;
  return failed(read.code, why, read.code === "SHAPE" ? path : null);
}

/** What a body is: an answer, or what is wrong with it and where (an empty path: the whole). */
export type ReadAnswer =
  | { readonly kind: "answered"; readonly answer: BotTurnAnswer }
  | {
      readonly kind: "unfit";
      readonly code: "NOT_JSON" | "SHAPE" | "EMPTY";
      readonly faults: readonly [FaultDetail, ...FaultDetail[]];
    };

const unfit = (
  code: "NOT_JSON" | "SHAPE" | "EMPTY",
  message: string,
  path = "",
  ...more: readonly FaultDetail[]
): ReadAnswer => ({ kind: "unfit", code, faults: [{ path, message }, ...more] });

/** The answer in a body, or what is wrong with it. */
export function readTurnAnswer(body: string): ReadAnswer {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return unfit("NOT_JSON", "is not JSON");
  }
  if (!Value.Check(BotTurnAnswer, value)) {
    const [first, ...more] = shapeFaults(BotTurnAnswer, value)
      .slice(0, MOST_FAULTS)
      .map(({ at, message }): FaultDetail => ({ path: at, message }));
    return unfit("SHAPE", first?.message ?? "is not valid", first?.path, ...more);
  }
  const { variables = {}, messages = [] } = value;
  // What no database takes is the bot's fault to mend.
  if (!isDeepStrictEqual(storable({ variables, messages }), { variables, messages }))
    return unfit("SHAPE", "must hold no NUL, no half of a character and at most 18 levels");
  const blank = messages.findIndex(({ text }) => !/[^\s\p{Cf}]/u.test(text));
  if (blank >= 0) return unfit("SHAPE", "must have words", `messages.${blank}.text`);
  for (const { choices } of messages)
    if (choices?.some(({ payload }) => Buffer.byteLength(payload) > PAYLOAD_BYTES))
      return unfit("SHAPE", "must not be longer than 64 bytes", "messages.choices.payload");
  if (Buffer.byteLength(JSON.stringify(variables)) > VARIABLE_BYTES)
    return unfit("SHAPE", "must not be longer than 16 KiB together", "variables");
  if (messages.length === 0 && !value.end && !value.handOver)
    return unfit("EMPTY", "has no message, no end and no handOver");
  return { kind: "answered", answer: value };
}
