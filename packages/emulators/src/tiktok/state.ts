import { SimClock } from "../core/clock.ts";
import { Faults } from "../core/fault.ts";
import { Ledger } from "../core/ledger.ts";
import { Random } from "../core/random.ts";
import { BoundedMap, Ring } from "../core/ring.ts";
import type { SeenRequest } from "../core/server.ts";
import { Conversations, type Conversation } from "./conversation.ts";
import { DEFAULT_APP_ID } from "./events.ts";
import { Files } from "./files.ts";
import { closedBy, Turns } from "./limits.ts";
import type { TikTokBusiness, TikTokMessage, TikTokOptions } from "./options.ts";
import { Tokens } from "./tokens.ts";

/** What the emulated platform knows: accounts, conversations, messages, journals. */
export class TikTokState {
  readonly options: TikTokOptions;
  /** Whether magic addresses have their meaning; may be turned on and off. */
  magic: boolean;
  readonly clock: SimClock;
  readonly random: Random;
  readonly faults: Faults;
  readonly businesses = new Map<string, TikTokBusiness>();
  readonly conversations = new Conversations();
  readonly tokens = new Tokens();
  readonly files = new Files();
  readonly turns: Turns;
  /** Acceptances per customer and text: there is no correlation, so a text that is sent twice on purpose counts. */
  readonly ledger: Ledger;
  readonly #messages = new BoundedMap<string, TikTokMessage>(20_000);
  readonly #requests: Ring<SeenRequest>;
  /** The address of each app. */
  readonly #urls = new Map<string, string>();
  #ids: bigint;

  constructor(options: TikTokOptions) {
    this.options = options;
    this.magic = options.magic ?? true;
    this.#ids = options.firstId ?? 7_430_000_000_000_000_000n;
    this.clock = new SimClock(options.clock);
    this.random = new Random(options.seed ?? 1);
    this.faults = new Faults(this.random);
    this.ledger = new Ledger(options.ledgerSize ?? 1_000_000);
    this.turns = new Turns(options.callsPerSecond ?? null);
    this.#requests = new Ring(options.journalSize ?? 500);
    for (const business of options.businesses ?? []) this.addBusiness(business);
  }

  /** Adds an account, or gives a known one a new token or address. */
  addBusiness(business: TikTokBusiness): void {
    this.businesses.set(business.businessId, business);
    this.tokens.give(business);
    if (business.webhookUrl !== undefined) this.#urls.set(appOf(business), business.webhookUrl);
  }
  business(businessId: string): TikTokBusiness {
    const business = this.businesses.get(businessId);
    if (!business) throw new Error(`no business ${businessId}`);
    return business;
  }
  urlOf(business: TikTokBusiness): string | undefined {
    return this.#urls.get(appOf(business));
  }
  /** Whether an account is on that app with that secret. */
  hasApp(appId: string, secret: string): boolean {
    return [...this.businesses.values()].some(
      (one) => appOf(one) === appId && one.appSecret === secret,
    );
  }
  webhookOf(appId: string): string | undefined {
    return this.#urls.get(appId);
  }
  /** Sets the address of an app; null: it has none. */
  setWebhook(appId: string, url: string | null): void {
    if (url === null) this.#urls.delete(appId);
    else this.#urls.set(appId, url);
  }
  /** Why the customer's window takes no message, or null. */
  closedBy(conversation: Conversation): string | null {
    return closedBy(this.options.window, conversation, this.clock.now());
  }

  requests(): readonly SeenRequest[] {
    return this.#requests.all();
  }
  noteRequest(request: SeenRequest): void {
    this.#requests.push(request);
  }
  messages(): TikTokMessage[] {
    return this.#messages.values();
  }
  message(id: string): TikTokMessage {
    const message = this.#messages.get(id);
    if (!message) throw new Error(`no message ${id}`);
    return message;
  }
  noteMessage(message: TikTokMessage): void {
    this.#messages.set(message.id, message);
  }
  newId(): string {
    this.#ids += BigInt(this.random.between(1, 1_000_000));
    return String(this.#ids);
  }

  /** Forgets journals, messages and faults; keeps businesses and conversations. */
  protected forget(): void {
    this.#requests.clear();
    this.ledger.clear();
    this.faults.clear();
    for (const { id } of this.#messages.values()) this.#messages.delete(id);
  }
}

const appOf = (business: TikTokBusiness): string => business.appId ?? DEFAULT_APP_ID;
