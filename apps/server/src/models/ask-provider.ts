import { HttpFailure, type Http, type HttpResponse } from "../lib/http.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import type {
  ModelFailure,
  ModelOutcome,
  ModelProfile,
  ModelProtocol,
  ModelRequest,
  Tokens,
} from "./model.ts";
import { openaiChat } from "./openai-chat.ts";
import { member, NO_TOKENS, type ProviderProtocol } from "./provider-protocol.ts";
import { storable } from "../lib/storable.ts";

/** One call of a model; connecting takes 5 s of it at most (`lib/dial.ts`). */
export const CALL_MS = 30_000;
/** All calls of one request. */
export const WITHIN_MS = 45_000;
const MOST_BYTES = 256 * 1024;

const PROTOCOLS = {
  "openai-chat": openaiChat,
  "anthropic-messages": anthropicMessages,
} as const satisfies Readonly<Record<ModelProtocol, ProviderProtocol>>;

type Once<T> =
  | { readonly kind: "ok"; readonly value: T; readonly tokens: Tokens }
  | {
      readonly kind: ModelFailure;
      readonly detail: string;
      readonly tokens: Tokens;
      /** Another try may end differently. */
      readonly again?: true;
      /** The server does not know an option that was sent. */
      readonly unknownOption?: true;
    };

/**
 * Asks a model once, and once more where another try may help: it was not reached, it failed, its answer was no document
 * of the schema. Never throws. The text of an answer that does not fit is given to no one.
 */
export async function askProvider<T>(
  http: Http,
  profile: ModelProfile,
  request: ModelRequest<T>,
): Promise<ModelOutcome<T>> {
  const begun = performance.now();
  const passed = () => performance.now() - begun;
  const left = () => (request.withinMs ?? WITHIN_MS) - passed();
  let plain = false;
  let tokens = NO_TOKENS;
  let retried = false;
  for (let tries = 1; ; tries++) {
    const made = await askOnce(http, profile, request, {
      plain,
      timeoutMs: Math.min(CALL_MS, left()),
    });
    tokens = {
      input: tokens.input + made.tokens.input,
      output: tokens.output + made.tokens.output,
    };
    const facts = { tokens, ms: Math.round(passed()), tries };
    if (made.kind === "ok") return { kind: "ok", value: made.value, ...facts };
    const older = made.unknownOption === true && !plain;
    const again = made.again === true && !retried;
    if (left() < 1_000 || !(older || again))
      return { kind: made.kind, detail: made.detail, ...facts };
    if (older) plain = true;
    else retried = true;
  }
}

async function askOnce<T>(
  http: Http,
  profile: ModelProfile,
  request: ModelRequest<T>,
  { plain, timeoutMs }: { readonly plain: boolean; readonly timeoutMs: number },
): Promise<Once<T>> {
  const protocol = PROTOCOLS[profile.protocol];
  const { path, headers, body } = protocol.call(profile, request, plain);
  let response: HttpResponse;
  try {
    response = await http.request({
      method: "POST",
      url: `${profile.url}${path}`,
      headers: { ...headers, "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(body),
      timeoutMs,
      maxResponseBytes: MOST_BYTES,
    });
  } catch (error) {
    return withoutAnswer(error);
  }
  const document = response.partial ? null : parsed(response.body.toString("utf8"));
  if (response.status !== 200) return refusedBy(response, document);
  if (document === null) return malformed(response.partial ? "too_large" : "not_json", NO_TOKENS);
  const answer = protocol.read(document, request);
  const { tokens } = answer;
  if (answer.kind === "malformed") return malformed(answer.detail, tokens);
  if (answer.kind !== "document") return answer;
  const value = answer.document && request.read(storable(answer.document));
  return value === null ? malformed("not_the_schema", tokens) : { kind: "ok", value, tokens };
}

const malformed = (detail: string, tokens: Tokens) =>
  ({ kind: "malformed", detail, tokens, again: true }) as const;

function withoutAnswer(error: unknown): Once<never> {
  const tokens = NO_TOKENS;
  if (!(error instanceof HttpFailure)) return { kind: "misconfigured", detail: "client", tokens };
  switch (error.kind) {
    case "timeout":
    case "aborted":
      return { kind: "timeout", detail: error.kind, tokens };
    case "blocked":
    case "client":
      return { kind: "misconfigured", detail: error.kind, tokens };
    case "dns":
    case "connect":
    case "tls":
    case "reset":
      return { kind: "unreachable", detail: error.kind, tokens, again: true };
  }
}

/** What a status other than 200 means. */
function refusedBy(
  { status, body }: HttpResponse,
  document: Readonly<Record<string, unknown>> | null,
): Once<never> {
  const error = document?.["error"];
  const codes = [member(error, "code"), member(error, "type")].filter(
    (one) => typeof one === "string",
  );
  const detail = [String(status), ...codes.filter((one) => /^[\w.-]{1,40}$/.test(one))].join(" ");
  const tokens = NO_TOKENS;
  if (status === 429)
    return codes.includes("insufficient_quota")
      ? { kind: "misconfigured", detail, tokens }
      : { kind: "throttled", detail, tokens };
  if (status >= 500 || status === 408) return { kind: "unreachable", detail, tokens, again: true };
  const words = body.subarray(0, 4_096).toString("utf8");
  const unknownOption =
    (status === 400 || status === 422) &&
    /max_completion_tokens|response_format|json_schema/.test(words);
  return { kind: "misconfigured", detail, tokens, ...(unknownOption && { unknownOption }) };
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value }
      : null;
  } catch {
    return null;
  }
}
