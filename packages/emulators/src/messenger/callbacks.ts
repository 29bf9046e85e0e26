import { CallbackLine, hubQuery } from "../core/callback-line.ts";
import type { SimClock } from "../core/clock.ts";
import { META_RETRIES } from "../whatsapp/callbacks.ts";
import { signed, type Signing } from "../whatsapp/envelope.ts";
import type { Dialect, PageMessagingOptions, PageOptions } from "./options.ts";

/** Where in its entry an event stands. */
export type Form = "messaging" | "standby" | "changes";

export interface QueuedEvent {
  readonly page: PageOptions;
  readonly form: Form;
  readonly item: Readonly<Record<string, unknown>>;
}

/** The platform's calls to the pages' callback addresses. Pages that share callback and app are told in one call. */
export class PageCallbacks extends CallbackLine<QueuedEvent, Signing> {
  constructor(
    dialect: Dialect,
    { webhook, delivery, journalSize }: PageMessagingOptions,
    clock: SimClock,
  ) {
    super({
      clock,
      mode: delivery ?? "timed",
      batchSize: webhook?.batchSize ?? 1,
      concurrency: webhook?.concurrency ?? 8,
      timeoutMs: webhook?.timeoutMs ?? 10_000,
      retryDelaysMs: webhook?.retryDelaysMs ?? META_RETRIES,
      journalSize: journalSize ?? 500,
      groupOf: ({ page }) => `${page.webhook?.url ?? ""} ${page.appSecret}`,
      urlOf: ({ page }) => page.webhook?.url,
      sign: (events, mode, now) => {
        const [{ page }] = events;
        return signed(envelope(dialect, events, now), page.appSecret, mode);
      },
    });
  }

  /** Posts a document as it is, signed. Gives the HTTP status. */
  postDocument(
    { webhook, appSecret }: PageOptions,
    document: unknown,
    signing: Signing,
  ): Promise<number | null> {
    if (!webhook) throw new Error("the page has no webhook");
    return this.post(webhook.url, signed(document, appSecret, signing));
  }

  verify(url: string, challenge: string, verifyToken: string): Promise<boolean> {
    return this.handshake(url, hubQuery(challenge, verifyToken), challenge);
  }
}

/** Entries by page, each with its events in order. Messenger's entry time is in milliseconds, Instagram's in seconds. */
function envelope(dialect: Dialect, events: readonly QueuedEvent[], now: number): object {
  const time = dialect.object === "page" ? now : Math.floor(now / 1000);
  const entries: { id: string; time: number; [form: string]: unknown }[] = [];
  const open = { key: "", items: [] as object[] };
  for (const { page, form, item } of events) {
    const key = `${page.id} ${form}`;
    if (open.key !== key) {
      open.key = key;
      open.items = [];
      entries.push({ id: page.id, time, [form]: open.items });
    }
    open.items.push(item);
  }
  return { object: dialect.object, entry: entries };
}
