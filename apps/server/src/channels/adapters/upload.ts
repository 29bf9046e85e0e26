import { HttpFailure } from "../../lib/http.ts";
import { multipart } from "../../lib/multipart.ts";
import type { FailedOutcome, OutboundMedia } from "../adapter.ts";
import { outcomeOfNoAnswer } from "./no-answer.ts";

/** A form with a file that is being uploaded. */
export interface Upload {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
  /** What it proves that nobody answered. */
  outcomeOf(error: unknown): FailedOutcome;
}

/**
 * A form with one file, watched. A call that broke before the last byte was given is proven to have changed
 * nothing, because its announced length was not reached. Only after that byte a lost answer proves nothing.
 */
export function uploadForm(
  fields: readonly (readonly [name: string, value: string])[],
  name: string,
  media: OutboundMedia,
): Upload {
  const { fileName, mimeType, size } = media;
  let given = 0;
  let unreadable = false;
  async function* open(): AsyncIterable<Uint8Array> {
    try {
      yield* media.open();
    } catch (error) {
      unreadable = true;
      throw error;
    }
  }
  const form = multipart(fields, { name, fileName, mimeType, size, open });
  const whole = Number(form.headers["content-length"]);
  async function* body(): AsyncIterable<Uint8Array> {
    for await (const chunk of form.body) {
      given += chunk.length;
      yield chunk;
    }
  }
  return {
    headers: form.headers,
    body: { [Symbol.asyncIterator]: () => body()[Symbol.asyncIterator]() },
    outcomeOf(error) {
      const outcome = outcomeOfNoAnswer(error);
      if (unreadable)
        return {
          ok: false,
          // The store may be back in a minute, and nothing was sent.
          reason: "unreachable",
          code: "FILE_UNREADABLE",
          detail: "the file could not be read from the store",
        };
      const cut = error instanceof HttpFailure && error.sent && given < whole;
      return cut
        ? {
            ...outcome,
            reason: "unreachable",
            detail: "the connection broke before the file was sent",
          }
        : outcome;
    },
  };
}
