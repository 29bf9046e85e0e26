import { CallbackLine, hubQuery } from "../core/callback-line.ts";
import type { SimClock } from "../core/clock.ts";
import type { BusinessNumber } from "./changes.ts";
import { envelope, signed, type Change, type Signing } from "./envelope.ts";
import type { WhatsAppOptions } from "./options.ts";

interface Queued {
  readonly number: BusinessNumber;
  readonly change: Change;
}

const HOUR = 3_600_000;

/** Gaps before Meta tries a webhook again: growing ones, for seven days in all. */
export const META_RETRIES: readonly number[] = [
  1000,
  5000,
  30_000,
  120_000,
  600_000,
  ...[1, 2, 4, 8, 16, 32, 48, 56].map((hours) => hours * HOUR),
];

/** The platform's calls to the numbers' callback addresses. Numbers that share callback and app are told in one call. */
export class WhatsAppCallbacks extends CallbackLine<Queued, Signing> {
  constructor({ webhook, delivery, journalSize }: WhatsAppOptions, clock: SimClock) {
    super({
      clock,
      mode: delivery ?? "timed",
      batchSize: webhook?.batchSize ?? 1,
      concurrency: webhook?.concurrency ?? 8,
      timeoutMs: webhook?.timeoutMs ?? 10_000,
      retryDelaysMs: webhook?.retryDelaysMs ?? META_RETRIES,
      journalSize: journalSize ?? 500,
      groupOf: ({ number }) => `${number.webhook?.url ?? ""} ${number.appSecret}`,
      urlOf: ({ number }) => number.webhook?.url,
      sign: (items, mode) => {
        const [{ number }] = items;
        return signed(envelope(items.map(({ change }) => change)), number.appSecret, mode);
      },
    });
  }

  /** Posts a document as it is, signed. Gives the HTTP status. */
  postDocument(
    { webhook, appSecret }: BusinessNumber,
    document: unknown,
    signing: Signing,
  ): Promise<number | null> {
    if (!webhook) throw new Error("the number has no webhook");
    return this.post(webhook.url, signed(document, appSecret, signing));
  }

  verify(url: string, challenge: string, verifyToken: string): Promise<boolean> {
    return this.handshake(url, hubQuery(challenge, verifyToken), challenge);
  }
}
