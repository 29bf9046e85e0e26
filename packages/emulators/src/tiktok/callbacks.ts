import { CallbackLine } from "../core/callback-line.ts";
import type { SimClock } from "../core/clock.ts";
import { envelope, type TikTokEvent } from "./events.ts";
import type { TikTokBusiness, TikTokOptions } from "./options.ts";
import { signed, type TikTokSigning } from "./signature.ts";

interface Queued {
  readonly business: TikTokBusiness;
  readonly event: TikTokEvent;
  /** When it was first signed. */
  firstAt: number | null;
}

/** 1 s, 4 s, 16 s … until 72 hours have passed. */
const RETRIES: readonly number[] = Array.from({ length: 9 }, (_, n) => 1000 * 4 ** n).concat(
  Array.from({ length: 3 }, () => 57_000_000),
);

/** The platform's calls to the apps' addresses, one event each. */
export class TikTokCallbacks extends CallbackLine<Queued, TikTokSigning> {
  constructor(
    { webhook, delivery, journalSize }: TikTokOptions,
    clock: SimClock,
    urlOf: (business: TikTokBusiness) => string | undefined,
  ) {
    super({
      clock,
      mode: delivery ?? "timed",
      batchSize: 1,
      concurrency: webhook?.concurrency ?? 8,
      timeoutMs: webhook?.timeoutMs ?? 10_000,
      retryDelaysMs: webhook?.retryDelaysMs ?? RETRIES,
      journalSize: journalSize ?? 500,
      groupOf: ({ business }) => business.businessId,
      urlOf: ({ business }) => urlOf(business),
      sign: ([item], mode, now) => {
        item.firstAt ??= now;
        const at = webhook?.keepTime === true ? item.firstAt : now;
        return signed(envelope(item.business, item.event), item.business.appSecret, at, mode);
      },
    });
  }

  pushEvent(business: TikTokBusiness, event: TikTokEvent, due: number): void {
    this.push({ business, event, firstAt: null }, due);
  }

  verify(url: string, challenge: string): Promise<boolean> {
    return this.handshake(url, { challenge }, challenge);
  }
}
