import type { SimClock } from "../core/clock.ts";
import { MetaCallbacks } from "../whatsapp/callbacks.ts";
import type { Dialect, PageMessagingOptions, PageOptions } from "./options.ts";

/** Where an event stands in its entry. */
export type Form = "messaging" | "standby" | "changes";

export interface QueuedEvent {
  readonly page: PageOptions;
  readonly form: Form;
  readonly item: Readonly<Record<string, unknown>>;
}

export class PageCallbacks extends MetaCallbacks<QueuedEvent> {
  constructor(dialect: Dialect, options: PageMessagingOptions, clock: SimClock) {
    const documentOf = (events: readonly QueuedEvent[], now: number) =>
      envelope(dialect, events, now);
    super(options, clock, ({ page }) => page, documentOf);
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
