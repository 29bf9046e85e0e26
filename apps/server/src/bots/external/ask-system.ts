import type { Context } from "../../context.ts";
import { failureCode, HttpFailure, type HttpRequest } from "../../lib/http.ts";
import { signatureHeaders } from "../../webhooks/sign.ts";

/** A call of a bot to another system is over by then. */
const CALL_MS = 10_000;
const ANSWER_BYTES = 64 * 1024;

/** A signed call. */
export interface SystemCall {
  /** `webhook-id`: the same when it is tried again. */
  readonly id: string;
  readonly url: string;
  readonly secret: string;
  /** Posted, and signed as webhooks are. */
  readonly body: string;
  /** It is tried once more when it was not answered, or answered 429 or 5xx. */
  readonly twice: boolean;
  /** Less than the usual 10 s, in milliseconds. */
  readonly withinMs?: number;
}

/** Why a call gave no answer. */
export type SystemFault = "timeout" | "refused" | "unreachable" | "too_long" | "not_json";

export type SystemAnswer =
  | { readonly kind: "answered"; readonly value: unknown }
  | { readonly kind: "failed"; readonly why: string; readonly fault: SystemFault };

/**
 * Calls another system for a bot: through the address guard, within 10 s, signed as webhooks are, at most 64 KiB of an answer.
 * Any 2xx with a JSON body, or without one (`null`), is an answer. Never throws for what the other side does.
 */
export async function askSystem(
  context: Pick<Context, "guardedHttp" | "clock">,
  call: SystemCall,
): Promise<SystemAnswer> {
  const first = await askOnce(context, call);
  const second = call.twice && first.again ? await askOnce(context, call) : first;
  return second.answer;
}

interface Once {
  readonly answer: SystemAnswer;
  readonly again: boolean;
}

const failed = (fault: SystemFault, why: string, again = false): Once => ({
  answer: { kind: "failed", why, fault },
  again,
});

async function askOnce(
  { guardedHttp, clock }: Pick<Context, "guardedHttp" | "clock">,
  { id, url, secret, body, withinMs = CALL_MS }: SystemCall,
): Promise<Once> {
  const at = clock.now();
  const signature = signatureHeaders({ id, body: Buffer.from(body), at }, [secret]);
  const request: HttpRequest = {
    method: "POST",
    url,
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      ...signature,
    },
    body,
    timeoutMs: Math.min(withinMs, CALL_MS),
    maxResponseBytes: ANSWER_BYTES,
  };
  try {
    const { status, partial, body: bytes } = await guardedHttp.request(request);
    if (status < 200 || status > 299)
      return failed("refused", `it answered ${status}`, status === 429 || status >= 500);
    if (partial) return failed("too_long", "its answer is longer than 64 KiB");
    return { answer: readAnswer(bytes.toString("utf8")), again: false };
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    const fault = error.kind === "timeout" ? "timeout" : "unreachable";
    return failed(fault, failureCode(error), error.kind !== "blocked" && error.kind !== "client");
  }
}

function readAnswer(body: string): SystemAnswer {
  if (body.trim() === "") return { kind: "answered", value: null };
  try {
    const value: unknown = JSON.parse(body);
    return { kind: "answered", value };
  } catch {
    return { kind: "failed", why: "its answer is not JSON", fault: "not_json" };
  }
}
