import type { FailedOutcome } from "../../adapter.ts";

/** Uploads are given this much at least, and a second more for every 256 KiB. */
const LEAST_MS = 20_000;
const MOST_MS = 300_000;

export const uploadTimeoutMs = (bytes: number): number =>
  Math.min(MOST_MS, LEAST_MS + Math.ceil(bytes / (256 * 1024)) * 1000);

/**
 * What a failed upload means for the message: an upload sends nothing, so whatever became of it, the message did not
 * go and may be tried again where a send of unknown outcome may not.
 */
export const outcomeOfUpload = (failure: FailedOutcome): FailedOutcome =>
  failure.reason === "unknown" ? { ...failure, reason: "unreachable" } : failure;
