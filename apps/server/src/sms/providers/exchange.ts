import {
  HttpFailure,
  type Http,
  type HttpFailureKind,
  type HttpRequest,
  type HttpResponse,
} from "../../lib/http.ts";
import {
  keptId,
  type InboundSms,
  type OutboundSms,
  type SmsAccount,
  type SmsOutcome,
} from "../provider.ts";
import { countSegments } from "../segments.ts";
import { withoutEcho } from "../without-echo.ts";
import type { Meaning } from "./meaning.ts";

// Shorter than any lease, and than the 20 s that a request to us may take.
const TIMEOUT_MS = 15_000;
const WORDS_KEPT = 300;

/** Calls a gateway. When no answer comes, the outcome says whether the gateway could have acted on the call. */
export async function ask(
  http: Http,
  request: HttpRequest,
): Promise<{ readonly response: HttpResponse } | { readonly outcome: SmsOutcome }> {
  try {
    return { response: await http.request({ timeoutMs: TIMEOUT_MS, ...request }) };
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error;
    const fault = error.kind === "tls" || error.kind === "client" ? error.message : undefined;
    return { outcome: noAnswer(error.kind, error.sent, fault) };
  }
}

/**
 * The outcome of a call without an answer. `sent`: the gateway could have acted on it. `fault`: what is wrong with
 * its certificate or with our own client, in words for the person who must repair it.
 */
export function noAnswer(kind: HttpFailureKind, sent: boolean, fault?: string): SmsOutcome {
  const smsCode = sent && kind === "timeout" ? "GATEWAY_TIMEOUT" : "GATEWAY_UNAVAILABLE";
  const common = { ok: false, code: kind.toUpperCase(), smsCode } as const;
  if (kind === "blocked") {
    const detail = "the gateway's address may not be called (PARLEY_OUTBOUND_ALLOW)";
    return { ...common, reason: "misconfigured", scope: "account", detail };
  }
  const detail = `no answer from the gateway (${fault ? `${kind}: ${fault}` : kind})`;
  return { ...common, reason: sent ? "unknown" : "unreachable", scope: "recipient", detail };
}

/** A call to a gateway: the secrets and the text that must not appear in error words. */
export interface GatewayCall {
  readonly account: Pick<SmsAccount, "secrets">;
  readonly sms: Pick<OutboundSms, "text">;
}

/** A refusal in the gateway's words, without what they repeat of the text or of the account's secrets. */
export function refusal(
  call: GatewayCall,
  meaning: Meaning,
  code: string,
  words: string,
  retryAfterMs: number | null = null,
): SmsOutcome {
  return {
    ok: false,
    ...meaning,
    code: clean(call, code).slice(0, 60),
    detail: clean(call, words).slice(0, WORDS_KEPT),
    ...(retryAfterMs !== null && retryAfterMs > 0 && { retryAfterMs }),
  };
}

function clean({ account, sms }: GatewayCall, words: string): string {
  // Longer words than anybody reads are not searched to their end.
  let left = words.slice(0, 2_000).replaceAll("\0", "");
  const secrets = Object.values(account.secrets).filter((secret) => secret.length >= 4);
  // As in `Authorization: Basic`, where the encoded secret comes after a name and so differs from the secret
  // encoded alone.
  left = left.replaceAll(/[\w+/-]{8,}={0,2}/g, (run) => {
    const told = Buffer.from(run, "base64").toString("utf8");
    return secrets.some((secret) => told.includes(secret)) ? "…" : run;
  });
  for (const secret of secrets) {
    const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")];
    for (const form of forms) left = left.replaceAll(form, "…");
  }
  return withoutEcho(left, sms.text);
}

/** As `refusal`, for a text of which some parts were accepted before. */
export function refusalOfPart(
  outcome: SmsOutcome,
  partsTaken: number,
  words = `${partsTaken} parts were taken`,
): SmsOutcome {
  if (outcome.ok || partsTaken === 0) return outcome;
  return { ...outcome, partsTaken, detail: `${words}, then: ${outcome.detail}` };
}

/** The gateway accepted the message under this id, or gave no id. */
export function takenAs(id: string): SmsOutcome {
  const externalId = keptId(id);
  return externalId === "" ? unreadable() : { ok: true, externalId };
}

/** A success without a message id: the message may have been sent. */
export function unreadable(): SmsOutcome {
  return {
    ok: false,
    reason: "unknown",
    scope: "recipient",
    code: "UNREADABLE_ANSWER",
    detail: "the answer names no message",
    smsCode: "GATEWAY_UNAVAILABLE",
  };
}

/** Refuses a text that is longer than the gateway accepts, before any call; null when it fits. */
export function overlong(
  sms: Pick<OutboundSms, "text">,
  most: { readonly characters?: number; readonly parts?: number; readonly ucs2?: boolean },
): SmsOutcome | null {
  const { characters = Infinity, parts = Infinity, ucs2 = false } = most;
  const { segments } = countSegments(sms.text, ucs2);
  if (sms.text.length <= characters && segments <= parts) return null;
  const detail =
    segments > parts
      ? `the text takes ${segments} SMS parts, the gateway takes ${parts} at most`
      : `the text has ${sms.text.length} characters, the gateway takes ${characters} at most`;
  return {
    ok: false,
    reason: "rejected",
    scope: "template",
    code: "TEXT_TOO_LONG",
    detail,
    smsCode: "REJECTED",
  };
}

/** A body as text, without the byte order mark that some scripts put in front. */
export function wordsOf(body: Buffer): string {
  return body.toString("utf8").replace(/^\ufeff/, "");
}

/** The members of a JSON object; none for anything else. */
export function readJsonObject(body: Buffer): Record<string, unknown> {
  try {
    return membersOf(JSON.parse(wordsOf(body)));
  } catch {
    return {};
  }
}

/** Any value as an object; what is not an object has no members. */
export function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** A text without NUL, which PostgreSQL cannot hold, or a number as text; "" for anything else. */
export function wordOf(value: unknown): string {
  if (typeof value === "string") return value.replaceAll("\0", "");
  return typeof value === "number" && Number.isFinite(value) ? String(value) : "";
}

/** The time that a gateway gives an inbound SMS; nothing when it is none. */
export function writtenAtOf(text: string): Pick<InboundSms, "writtenAt"> {
  const at = new Date(text);
  return at.getTime() > 0 ? { writtenAt: at } : {};
}
