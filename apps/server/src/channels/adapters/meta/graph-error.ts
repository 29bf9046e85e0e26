import type { HttpResponse } from "../../../lib/http.ts";
import { retryAfterOf } from "../../../lib/retry-after.ts";
import { idOrNull, number, record, textOrNull, type JsonRecord } from "./json.ts";

/** The error envelope of the Graph API (channels.md §1.2). As Meta asks, only `code` and `details` are relied on. */
export interface GraphError {
  readonly code: string;
  readonly subcode: string | null;
  readonly detail: string;
  readonly transient: boolean;
}

const LONGEST_DETAIL = 500;

/** The answer's JSON object, or null for HTML, an empty answer or half a document. */
export function readGraphAnswer(response: HttpResponse): JsonRecord | null {
  try {
    const parsed: unknown = JSON.parse(response.body.toString("utf8"));
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
      ? (parsed as JsonRecord)
      : null;
  } catch {
    return null;
  }
}

/** The error in an answer, or null. `secret` is removed from the words, because Meta repeats bad tokens. */
export function readGraphError(answer: JsonRecord | null, secret: string): GraphError | null {
  const error = record(answer?.["error"]);
  const code = idOrNull(error["code"]);
  if (code === null) return null;
  return {
    code,
    subcode: idOrNull(error["error_subcode"]),
    detail: describeError(error, secret),
    transient: error["is_transient"] === true,
  };
}

/**
 * The words of an error that tell most: details, else message, else title. Also fits the errors in status
 * callbacks.
 */
export function describeError(error: JsonRecord, secret = ""): string {
  const words =
    textOrNull(record(error["error_data"])["details"]) ??
    textOrNull(error["message"]) ??
    textOrNull(error["title"]) ??
    "no details were given";
  const safe = secret === "" ? words : words.replaceAll(secret, "[token]");
  return safe.slice(0, LONGEST_DETAIL).toWellFormed();
}

/**
 * How long the answer's headers ask us to wait, in ms, or null. `X-Business-Use-Case-Usage` counts in minutes
 * (channels.md §1.3); a proxy in between may send `Retry-After`.
 */
export function readWaitMs(headers: Readonly<Record<string, string>>): number | null {
  const asked = retryAfterOf({ headers });
  const waits = asked === null ? [] : [asked];
  try {
    const usage = record(JSON.parse(headers["x-business-use-case-usage"] ?? "{}"));
    for (const entry of Object.values(usage).flat()) {
      const minutes = number(record(entry)["estimated_time_to_regain_access"]);
      if (minutes !== null && minutes > 0) waits.push(minutes * 60_000);
    }
  } catch {
    // A header that is not JSON says nothing.
  }
  return waits.length > 0 ? Math.min(Math.max(...waits), 24 * 3_600_000) : null;
}
