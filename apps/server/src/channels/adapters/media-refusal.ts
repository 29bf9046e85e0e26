import type { HttpStream } from "../../lib/http.ts";
import type { FailedOutcome } from "../adapter.ts";

/** A file that will never come, with the reason that the inbox shows. */
export const refuseFile = (code: string, detail: string): FailedOutcome => ({
  ok: false,
  reason: "rejected",
  code,
  detail,
  scope: "recipient",
});

/** Choices that the channel shows no buttons for: the caller numbers such ones. */
export const tooManyChoices = (): FailedOutcome =>
  refuseFile("CHOICES_UNSUPPORTED", "the channel takes no buttons of this number or length");

/** Asking for a file changes nothing at the platform, so anything but a known failure may be asked again. */
export function retriable(failure: FailedOutcome): FailedOutcome {
  return failure.reason === "unknown" ? { ...failure, reason: "unreachable" } : failure;
}

const ENOUGH = 16 * 1024;

/** What a platform says instead of a file: its first bytes. */
export async function refusedBody(stream: HttpStream): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream.body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= ENOUGH) break;
  }
  return Buffer.concat(chunks).subarray(0, ENOUGH);
}
