import { randomBytes } from "node:crypto";
import { SimClock } from "../core/clock.ts";
import { Faults } from "../core/fault.ts";
import { Ledger } from "../core/ledger.ts";
import { Random } from "../core/random.ts";
import { BoundedMap, Ring } from "../core/ring.ts";
import type { SeenRequest } from "../core/server.ts";
import { FileStore } from "./files.ts";
import type {
  CustomerOptions,
  Dialect,
  PageMessage,
  PageMessagingOptions,
  PageOptions,
} from "./options.ts";

/** What the emulated platform knows: pages, who wrote when, subscriptions, messages, journals. */
export class PageState {
  readonly dialect: Dialect;
  readonly options: PageMessagingOptions;
  /** Whether magic addresses have their meaning; may be turned on and off. */
  magic: boolean;
  readonly clock: SimClock;
  readonly random: Random;
  readonly faults: Faults;
  /** How often each customer got each message; what has no metadata counts by its text. */
  readonly ledger: Ledger;
  readonly pages = new Map<string, PageOptions>();
  readonly files: FileStore;
  readonly #replaced = new BoundedMap<string, PageOptions>(100);
  readonly #customers = new BoundedMap<string, CustomerOptions>(20_000);
  readonly #acted = new BoundedMap<string, number>(200_000);
  readonly #subscriptions = new Map<string, readonly string[] | null>();
  readonly #messages = new BoundedMap<string, PageMessage>(20_000);
  readonly #requests: Ring<SeenRequest>;
  readonly #stamps = new Map<string, number[]>();

  constructor(dialect: Dialect, options: PageMessagingOptions) {
    this.dialect = dialect;
    this.options = options;
    this.magic = options.magic ?? true;
    this.clock = new SimClock(options.clock);
    this.random = new Random(options.seed ?? 1);
    this.files = new FileStore(this.clock);
    this.faults = new Faults(this.random);
    this.ledger = new Ledger(options.ledgerSize ?? 1_000_000);
    this.#requests = new Ring(options.journalSize ?? 500);
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
  /** The page's new token; the old one holds for what is left of its time. */
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
  /** What the platform shows of a customer from now on; what is not given it makes up. */
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
  /** The fields that the app asked for; null: it gets nothing. */
  subscription(pageId: string): readonly string[] | null {
    const fields = this.#subscriptions.get(pageId);
    return fields === undefined ? ["*"] : fields;
  }
  subscribe(pageId: string, fields: readonly string[] | null): void {
    this.#subscriptions.set(pageId, fields);
  }

  /** The customer wrote at that time (milliseconds) without a webhook: what a restarted emulator is told. */
  restoreWindow(pageId: string, customer: string, at: number): void {
    this.#acted.set(`${pageId} ${customer}`, at);
  }
  requests(): readonly SeenRequest[] {
    return this.#requests.all();
  }
  messages(): PageMessage[] {
    return this.#messages.values();
  }
  message(id: string): PageMessage | undefined {
    return this.#messages.get(id);
  }
  noteMessage(message: PageMessage): void {
    this.#messages.set(message.id, message);
  }

  /** Somebody wrote to this page before: only they can be addressed. */
  knows(pageId: string, customer: string): boolean {
    return this.#acted.get(`${pageId} ${customer}`) !== undefined;
  }
  hoursSince(pageId: string, customer: string): number {
    const last = this.#acted.get(`${pageId} ${customer}`);
    return last === undefined ? Infinity : (this.clock.now() - last) / 3_600_000;
  }
  /** Counts a send against the page's limit, which sound and film have of their own; false: it meets it. */
  takeRate(pageId: string, isFilm: boolean): boolean {
    const { messagesPerSecond = 300, filmsPerSecond = 10 } = this.options;
    const most = isFilm ? filmsPerSecond : messagesPerSecond;
    if (most === null) return true;
    const now = this.clock.now();
    const key = `${pageId} ${isFilm}`;
    const stamps = (this.#stamps.get(key) ?? []).filter((at) => at > now - 1000 && at <= now);
    this.#stamps.set(key, stamps);
    if (stamps.length >= most) return false;
    stamps.push(now);
    return true;
  }
  noteRequest(request: SeenRequest): void {
    this.#requests.push(request);
  }
  newMessageId(): string {
    const body = randomBytes(36).toString("base64url");
    return this.dialect.name === "messenger" ? `m_${body}` : `aWdfZG1faXRlbToxOm${body}`;
  }

  /** Forgets journals, messages and faults; keeps pages and customers. */
  protected forget(): void {
    this.#requests.clear();
    this.ledger.clear();
    this.faults.clear();
    for (const { id } of this.#messages.values()) this.#messages.delete(id);
  }
}
