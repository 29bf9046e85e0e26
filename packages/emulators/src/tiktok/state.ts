import { Emulator } from "../core/emulator.ts";
import { Throttle } from "../core/throttle.ts";
import { Conversations, type Conversation } from "./conversation.ts";
import { DEFAULT_APP_ID } from "./events.ts";
import { Files } from "./files.ts";
import { closedBy } from "./limits.ts";
import type { TikTokBusiness, TikTokMessage, TikTokOptions } from "./options.ts";
import { Tokens } from "./tokens.ts";

/**
 * The state of the emulated platform: accounts and conversations. Without a correlation id its ledger counts by
 * customer and text, so a text that is sent twice on purpose counts as a repeat.
 */
export abstract class TikTokState extends Emulator<TikTokOptions, TikTokMessage> {
  readonly businesses = new Map<string, TikTokBusiness>();
  readonly conversations = new Conversations();
  readonly tokens = new Tokens();
  readonly files = new Files();
  /** Calls of each business in the last second. */
  readonly turns: Throttle;
  /** The address of each app. */
  readonly #urls = new Map<string, string>();
  #ids: bigint;

  constructor(options: TikTokOptions) {
    super(options);
    this.#ids = options.firstId ?? 7_430_000_000_000_000_000n;
    this.turns = new Throttle(this.clock);
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
  /** Whether an account belongs to the app with that secret. */
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
  /** Why the customer's window accepts no message, or null. */
  closedBy(conversation: Conversation): string | null {
    return closedBy(this.options.window, conversation, this.clock.now());
  }

  override message(id: string): TikTokMessage {
    const message = super.message(id);
    if (!message) throw new Error(`no message ${id}`);
    return message;
  }
  newId(): string {
    this.#ids += BigInt(this.random.between(1, 1_000_000));
    return String(this.#ids);
  }
}

const appOf = (business: TikTokBusiness): string => business.appId ?? DEFAULT_APP_ID;
