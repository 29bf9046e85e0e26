import type { Context } from "../context.ts";
import { Count } from "../lib/counts.ts";
import { HttpFailure, type HttpFailureKind } from "../lib/http.ts";
import type { DueRow, LaneHead } from "./delivery-store.ts";
import { isAcknowledged } from "./delivery-policy.ts";
import { addressPlace, secretPlace } from "./endpoint.ts";
import type { AttemptResult } from "./settle-deliveries.ts";
import { signatureHeaders } from "./sign.ts";

/** How long a receiver may take to answer, connecting included, and how much of its answer is stored (contract §5). */
const TIMEOUT_MS = 10_000;
const KEPT_BYTES = 4_096;

const attempts = new Count(
  "parley_webhook_attempts_total",
  "Calls to receivers of webhooks, by what failed; none: acknowledged with 2xx",
  {
    failure: [
      "none",
      "status",
      "dns",
      "connect",
      "tls",
      "timeout",
      "reset",
      "blocked",
      "aborted",
      "client",
    ],
  },
);

/** An endpoint's address and its secrets. The old secret signs until its time; then the present one takes over. */
export interface EndpointSecrets {
  readonly url: string;
  readonly present: string;
  readonly old: { readonly secret: string; readonly until: Date } | null;
}

/** Opens the sealed address and secrets of an endpoint. */
export function openEndpointSecrets(
  context: Pick<Context, "sealer">,
  row: LaneHead,
): EndpointSecrets {
  const place = secretPlace(row.workspaceId, row.endpointId);
  const present = context.sealer.open(row.secretSealed, place);
  const url =
    row.urlSealed === null
      ? row.url
      : context.sealer.open(row.urlSealed, addressPlace(row.workspaceId, row.endpointId));
  if (row.oldSecretSealed === null || row.oldSecretUntil === null)
    return { url, present, old: null };
  const secret = context.sealer.open(row.oldSecretSealed, place);
  return { url, present, old: { secret, until: row.oldSecretUntil } };
}

/** The secrets that sign an attempt at this time. The first one makes `X-Service-Signature`. */
function signers({ present, old }: EndpointSecrets, at: Date): [string, ...string[]] {
  return old !== null && old.until > at ? [old.secret, present] : [present];
}

/**
 * Makes one attempt: signs the stored bytes, posts them and returns the result. Null when we cut the request off
 * ourselves, which says nothing about the receiver. Never throws.
 */
export async function deliver(
  context: Pick<Context, "guardedHttp" | "clock">,
  { workspaceId, endpointId }: LaneHead,
  row: DueRow,
  secrets: EndpointSecrets,
  signal: AbortSignal,
): Promise<Omit<AttemptResult, "counts"> | null> {
  const body = Buffer.from(row.body);
  const attemptedAt = context.clock.now();
  const started = performance.now();
  let statusCode: number | null = null;
  let failure: HttpFailureKind | "status" | null = null;
  let answer: string | null = null;
  try {
    const response = await context.guardedHttp.request({
      method: "POST",
      url: secrets.url,
      headers: {
        "content-type": "application/json",
        "user-agent": "Parley-Webhooks/1.0",
        ...signatureHeaders(
          { id: row.eventId, body, at: attemptedAt },
          signers(secrets, attemptedAt),
        ),
      },
      body,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: KEPT_BYTES,
      acceptPartial: true,
      signal,
    });
    statusCode = response.status;
    answer = readable(response.body);
  } catch (error) {
    if (signal.aborted) return null;
    failure = error instanceof HttpFailure ? error.kind : "client";
    answer = error instanceof HttpFailure ? error.message : null;
  }
  if (statusCode !== null && !isAcknowledged({ attemptedAt, statusCode, failure }))
    failure = "status";
  attempts.add({ failure: failure ?? "none" });
  return {
    workspaceId,
    endpointId,
    sequence: row.sequence,
    number: row.attempts + 1,
    roundFailures: row.roundFailures,
    attemptedAt,
    durationMs: Math.round(performance.now() - started),
    statusCode,
    failure,
    answer,
  };
}

/** A receiver's bytes as text that PostgreSQL can hold. */
function readable(bytes: Buffer): string | null {
  return bytes.length === 0 ? null : bytes.toString("utf8").replaceAll("\0", "\uFFFD");
}
