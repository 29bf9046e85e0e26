import { Value } from "typebox/value";
import type { Context } from "../../context.ts";
import { failureCode, HttpFailure } from "../../lib/http.ts";
import { signatureHeaders } from "../../webhooks/sign.ts";
import {
  BotTurnAnswer,
  TURN_SECONDS,
  type BotTurnCall,
  type TurnFault,
} from "../../wire/external-bot.ts";

/** How long the call itself waits for an answer when the bot does not say. */
const WAIT_SECONDS = 10;
const ANSWER_BYTES = 64 * 1024;
const PAYLOAD_BYTES = 64;
const VARIABLE_BYTES = 16_384;

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

/** Where an external bot is called, and what signs it. */
export interface ExternalBot {
  readonly url: string;
  readonly secret: string;
  readonly waitSeconds?: number | undefined;
}

/**
 * Posts a turn to an external bot, once, signed as webhooks are (`webhook-id` is the id of the turn). 200 with a body is
 * the answer; 200 without one, 202, 204 and no answer in time mean that it answers by the token. Everything else failed.
 */
export async function askExternal(
  { guardedHttp, clock }: Pick<Context, "guardedHttp" | "clock">,
  bot: ExternalBot,
  turnId: string,
  call: BotTurnCall,
): Promise<TurnOutcome> {
  const body = Buffer.from(JSON.stringify(call));
  try {
    const answer = await guardedHttp.request({
      method: "POST",
      url: bot.url,
      headers: {
        "content-type": "application/json",
        ...signatureHeaders({ id: turnId, body, at: clock.now() }, [bot.secret]),
      },
      body,
      timeoutMs: Math.min(bot.waitSeconds ?? WAIT_SECONDS, TURN_SECONDS) * 1_000,
      maxResponseBytes: ANSWER_BYTES,
    });
    const { status } = answer;
    if (status === 202 || status === 204) return { kind: "later" };
    if (status !== 200) return failed("STATUS", `it answered ${status}`, String(status));
    if (answer.partial) return failed("TOO_LONG", "its answer is longer than 64 KiB");
    if (answer.body.length === 0) return { kind: "later" };
    return readTurnAnswer(answer.body.toString("utf8"));
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    // It may have the turn: its answer may still arrive by the token.
    if (error.kind === "timeout" && error.sent) return { kind: "later" };
    return failed("NETWORK", failureCode(error), failureCode(error));
  }
}

/** The answer in a body, or what is wrong with it. */
export function readTurnAnswer(body: string): TurnOutcome {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return failed("NOT_JSON", "its answer is not JSON");
  }
  if (!Value.Check(BotTurnAnswer, value)) {
    const [fault] = Value.Errors(BotTurnAnswer, value);
    const place = fault?.instancePath.slice(1).replaceAll("/", ".") ?? "";
    const why = `${place === "" ? "its answer" : place} ${fault?.message ?? ""}`;
    return failed("SHAPE", why, place);
  }
  for (const { choices } of value.messages ?? [])
    if (choices?.some(({ payload }) => Buffer.byteLength(payload) > PAYLOAD_BYTES))
      return failed(
        "SHAPE",
        "a payload must not be longer than 64 bytes",
        "messages.choices.payload",
      );
  if (Buffer.byteLength(JSON.stringify(value.variables ?? {})) > VARIABLE_BYTES)
    return failed("SHAPE", "variables must not be longer than 16 KiB together", "variables");
  if (!value.messages?.length && !value.end && !value.handOver)
    return failed("EMPTY", "its answer has no message, no end and no handOver");
  return { kind: "answered", answer: value };
}
