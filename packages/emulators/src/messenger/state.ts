import { randomBytes } from "node:crypto";
import { Emulator } from "../core/emulator.ts";
import { BoundedMap } from "../core/ring.ts";
import { Throttle } from "../core/throttle.ts";
import { FileStore } from "./files.ts";
import type {
  CustomerOptions,
  Dialect,
  PageMessage,
  PageMessagingOptions,
  PageOptions,
} from "./options.ts";

/**
 * The state of the emulated platform: pages, customers and when they wrote, subscriptions. Its ledger counts a
 * message without metadata by its text.
 */
export abstract class PageState extends Emulator<PageMessagingOptions, PageMessage> {
  readonly dialect: Dialect;
  readonly pages = new Map<string, PageOptions>();
  readonly files: FileStore;
  readonly #replaced = new BoundedMap<string, PageOptions>(100);
  readonly #customers = new BoundedMap<string, CustomerOptions>(20_000);
  readonly #acted = new BoundedMap<string, number>(200_000);
  readonly #subscriptions = new Map<string, readonly string[] | null>();
  readonly #sends: Throttle;

  constructor(dialect: Dialect, options: PageMessagingOptions) {
    super(options);
    this.dialect = dialect;
    this.files = new FileStore(this.clock);
    this.#sends = new Throttle(this.clock);
    for (const page of options.pages ?? []) this.addPage(page);
  }

  addPage(page: PageOptions): void {
    this.pages.set(page.id, page);
    if (page.subscribed === false) this.#subscriptions.set(page.id, null);
    else this.#subscriptions.delete(page.id);
  }
  page(id: string): PageOptions {
    const page = this.pages.get(id);
    if (!page) throw new Error(`no page ${id}`);
    return page;
  }
  /** The page's new token; the old one stays valid for the rest of its time. */
  renewToken(id: string, accessToken: string, tokenIssuedAt: number): void {
    const page = this.page(id);
    this.#replaced.set(page.accessToken, page);
    this.pages.set(id, { ...page, accessToken, tokenIssuedAt });
  }
  /** The page as this token knows it. */
  pageOfToken(token: string): PageOptions | undefined {
    for (const page of this.pages.values()) if (page.accessToken === token) return page;
    return this.#replaced.get(token);
  }
  /** What the platform shows of a customer from now on. Fields that are left out are made up. */
  setCustomer(id: string, customer: CustomerOptions): void {
    this.#customers.set(id, customer);
  }
  customer(id: string): Required<CustomerOptions> {
    const end = id.slice(-4);
    return {
      firstName: "Customer",
      lastName: end,
      name: `Customer ${end}`,
      username: `customer.${end}`,
      profilePic: null,
      ...this.#customers.get(id),
    };
  }
  /** The fields to which the app subscribed; null: it gets nothing. */
  subscription(pageId: string): readonly string[] | null {
    const fields = this.#subscriptions.get(pageId);
    return fields === undefined ? ["*"] : fields;
  }
  subscribe(pageId: string, fields: readonly string[] | null): void {
    this.#subscriptions.set(pageId, fields);
  }

  /** The customer wrote at that time (milliseconds) without a webhook: for a restarted emulator. */
  restoreWindow(pageId: string, customer: string, at: number): void {
    this.#acted.set(`${pageId} ${customer}`, at);
  }

  /** Whether this customer wrote to the page before: only then can it be addressed. */
  knows(pageId: string, customer: string): boolean {
    return this.#acted.get(`${pageId} ${customer}`) !== undefined;
  }
  hoursSince(pageId: string, customer: string): number {
    const last = this.#acted.get(`${pageId} ${customer}`);
    return last === undefined ? Infinity : (this.clock.now() - last) / 3_600_000;
  }
  /** Counts a send against the page's limit; sound and film have a limit of their own. False: the limit is reached. */
  takeRate(pageId: string, isFilm: boolean): boolean {
    const { messagesPerSecond = 300, filmsPerSecond = 10 } = this.options;
    return this.#sends.take(`${pageId} ${isFilm}`, isFilm ? filmsPerSecond : messagesPerSecond);
  }
  newMessageId(): string {
    const body = randomBytes(36).toString("base64url");
    return this.dialect.name === "messenger" ? `m_${body}` : `aWdfZG1faXRlbToxOm${body}`;
  }
}
