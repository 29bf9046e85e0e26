import { CallbackLine, hubQuery, type CallbackLineOptions } from "../core/callback-line.ts";
import type { SimClock } from "../core/clock.ts";
import type { BusinessNumber } from "./changes.ts";
import { envelope, signed, type Change, type Signing } from "./envelope.ts";
import type { WhatsAppOptions } from "./options.ts";

const HOUR = 3_600_000;

/** Gaps before Meta tries a webhook again: growing, for seven days in all. */
const META_RETRIES: readonly number[] = [
  1000,
  5000,
  30_000,
  120_000,
  600_000,
  ...[1, 2, 4, 8, 16, 32, 48, 56].map((hours) => hours * HOUR),
];

/** A number, page or account, as Meta's callbacks name it. */
interface Subscriber {
  readonly appSecret: string;
  readonly webhook?: { readonly url: string };
}

interface MetaLineOptions {
  readonly delivery?: "timed" | "manual";
  readonly journalSize?: number;
  readonly webhook?: Partial<
    Pick<
      CallbackLineOptions<never, never>,
      "timeoutMs" | "retryDelaysMs" | "batchSize" | "concurrency"
    >
  >;
}

/** Meta's calls to its subscribers' callback addresses. Changes with the same callback and app share one call. */
export class MetaCallbacks<T> extends CallbackLine<T, Signing> {
  constructor(
    { webhook, delivery, journalSize }: MetaLineOptions,
    clock: SimClock,
    subscriberOf: (value: T) => Subscriber,
    documentOf: (values: readonly T[], now: number) => object,
  ) {
    super({
      clock,
      mode: delivery ?? "timed",
      batchSize: webhook?.batchSize ?? 1,
      concurrency: webhook?.concurrency ?? 8,
      timeoutMs: webhook?.timeoutMs ?? 10_000,
      retryDelaysMs: webhook?.retryDelaysMs ?? META_RETRIES,
      journalSize: journalSize ?? 500,
      groupOf: (value) => {
        const { webhook: target, appSecret } = subscriberOf(value);
        return `${target?.url ?? ""} ${appSecret}`;
      },
      urlOf: (value) => subscriberOf(value).webhook?.url,
      sign: (values, mode, now) =>
        signed(documentOf(values, now), subscriberOf(values[0]).appSecret, mode),
    });
  }

  /** Posts a document unchanged, signed. Gives the HTTP status. */
  postDocument(
    { webhook, appSecret }: Subscriber,
    document: unknown,
    signing: Signing,
  ): Promise<number | null> {
    if (!webhook) throw new Error("the subscriber has no webhook");
    return this.post(webhook.url, signed(document, appSecret, signing));
  }

  verify(url: string, challenge: string, verifyToken: string): Promise<boolean> {
    return this.handshake(url, hubQuery(challenge, verifyToken), challenge);
  }
}

interface Queued {
  readonly number: BusinessNumber;
  readonly change: Change;
}

export class WhatsAppCallbacks extends MetaCallbacks<Queued> {
  constructor(options: WhatsAppOptions, clock: SimClock) {
    const documentOf = (items: readonly Queued[]) => envelope(items.map(({ change }) => change));
    super(options, clock, ({ number }) => number, documentOf);
  }
}
