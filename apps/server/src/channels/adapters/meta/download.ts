import type { HttpStream } from "../../../lib/http.ts";
import type { FailedOutcome } from "../../adapter.ts";
import { refuseFile } from "../media-refusal.ts";

/** For a whole file; the caller may set a shorter limit. */
export const DOWNLOAD_MS = 300_000;
/** Meta's file servers answer a call without a client's name with a page for browsers. */
export const DOWNLOAD_AGENT = "Parley";

/** An open download, with what its headers say. */
export function openedStream({ headers, body }: HttpStream): {
  readonly ok: true;
  readonly body: AsyncIterable<Uint8Array>;
  readonly mimeType: string | null;
  readonly size: number | null;
} {
  const length = headers["content-length"] ?? "";
  return {
    ok: true,
    body,
    mimeType: headers["content-type"] ?? null,
    size: /^\d+$/.test(length) ? Number(length) : null,
  };
}

/**
 * The reason why a file server gave no file; ends the connection. 404 also means that an address given a moment
 * ago has ended: a new one may work. A redirect is never followed with a token.
 */
export async function outcomeOfDownload(stream: HttpStream): Promise<FailedOutcome> {
  await endOf(stream);
  const { status } = stream;
  const code = `HTTP_${status}`;
  if (status === 401 || status === 403) {
    const detail = "the file server refused the token";
    return { ok: false, reason: "misconfigured", code, detail, scope: "account" };
  }
  if (status === 404 || status === 408 || status === 429 || status >= 500 || status < 300) {
    const detail = "the file server did not give the file";
    return { ok: false, reason: "unreachable", code, detail };
  }
  return refuseFile(
    code,
    status < 400
      ? "the file server answered with a redirect, which is not followed"
      : "the file server refused",
  );
}

/** Ends an answer that nobody reads. */
export async function endOf({ body }: HttpStream): Promise<void> {
  try {
    for await (const _ of body) break;
  } catch {
    // It had ended by itself.
  }
}
