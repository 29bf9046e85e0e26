import { randomBytes } from "node:crypto";
import { Emulator } from "../core/emulator.ts";
import { BoundedMap } from "../core/ring.ts";
import type { BusinessNumber, User } from "./changes.ts";
import { SendLimits } from "./limits.ts";
import { MediaStore } from "./media.ts";
import type {
  AcceptedMessage,
  InboundOptions,
  NumberOptions,
  UserOptions,
  WhatsAppOptions,
} from "./options.ts";
import { Samples } from "./sample-routes.ts";
import { TemplateRegistry } from "./templates.ts";

const DAY = 86_400_000;

/** The state of the emulated platform: numbers, customers, windows. */
export abstract class WhatsAppState extends Emulator<WhatsAppOptions, AcceptedMessage> {
  readonly templates = new TemplateRegistry();
  /** Examples for headers of templates. */
  readonly samples = new Samples();
  readonly media: MediaStore;
  readonly limits: SendLimits;
  readonly numbers = new Map<string, BusinessNumber>();
  readonly #unsubscribed = new Set<string>();
  readonly #users = new BoundedMap<string, User>(200_000);
  readonly #windows = new BoundedMap<string, number>(200_000);
  readonly #inboundIds = new BoundedMap<string, true>(10_000);

  constructor(options: WhatsAppOptions) {
    super(options);
    this.media = new MediaStore(this.random, this.clock);
    this.limits = new SendLimits(this.clock, {
      messagesPerSecond: 80,
      countedOverMs: 1_000,
      pairIntervalMs: 6000,
      pairBurst: 45,
      ...options.limits,
    });
    for (const number of options.numbers ?? []) this.addNumber(number);
    for (const user of options.users ?? []) this.addUser(user);
  }

  addNumber(number: NumberOptions): BusinessNumber {
    const made = `1555${number.phoneNumberId.slice(-7).padStart(7, "0")}`;
    const whole = { ...number, displayPhoneNumber: number.displayPhoneNumber ?? made };
    this.numbers.set(number.phoneNumberId, whole);
    return whole;
  }
  removeNumber(phoneNumberId: string): boolean {
    return this.numbers.delete(phoneNumberId);
  }
  /** Whether the id belongs to a number or to an account. */
  isAccount(id: string): boolean {
    return this.numbers.has(id) || [...this.numbers.values()].some((one) => one.wabaId === id);
  }
  /** An account is subscribed from the start, as one that was set up by hand. */
  isSubscribed(wabaId: string): boolean {
    return !this.#unsubscribed.has(wabaId);
  }
  setSubscribed(wabaId: string, subscribed: boolean): void {
    if (subscribed) this.#unsubscribed.delete(wabaId);
    else this.#unsubscribed.add(wabaId);
  }
  number(phoneNumberId: string): BusinessNumber {
    const number = this.numbers.get(phoneNumberId);
    if (!number) throw new Error(`no number ${phoneNumberId}`);
    return number;
  }

  addUser(user: UserOptions): User {
    const userId = user.userId ?? `US.${(BigInt(user.phone ?? "0") * 7919n + 104_729n).toString()}`;
    const whole = { phone: user.phone, userId, name: user.name ?? "Customer" };
    for (const form of user.phone === null ? [] : [user.phone, ...(user.dialled ?? [])])
      this.#users.set(form, whole);
    this.#users.set(userId, whole);
    return whole;
  }
  /** By phone or by user id; created when unknown. */
  user(key: string): User {
    const known = this.#users.get(key);
    return known ?? this.addUser(/^\d/.test(key) ? { phone: key } : { phone: null, userId: key });
  }

  /** The customer wrote at that time (milliseconds) without a webhook: for a restarted emulator. */
  restoreWindow(phoneNumberId: string, customer: string, at: number): void {
    this.#windows.set(`${phoneNumberId} ${customer}`, at);
  }
  noteInbound(id: string): void {
    this.#inboundIds.set(id, true);
  }
  /** The customer that an inbound message names, with the new facts that it gives. */
  senderOf(options: InboundOptions): User {
    const { from, userId, name } = options;
    if (from === undefined && userId === undefined) throw new Error("inbound needs from or userId");
    const known = this.user(from ?? userId ?? "");
    const same = (name ?? known.name) === known.name && (userId ?? known.userId) === known.userId;
    if (same) return known;
    return this.addUser({
      phone: from ?? null,
      userId: userId ?? known.userId,
      name: name ?? known.name,
    });
  }

  knowsInbound(id: string): boolean {
    return this.#inboundIds.get(id) === true;
  }
  windowOpen(phoneNumberId: string, user: User): boolean {
    const last = this.#windows.get(`${phoneNumberId} ${user.phone ?? user.userId}`);
    return last !== undefined && this.clock.now() - last < DAY;
  }

  newMessageId(to: string): string {
    const own = randomBytes(10).toString("hex").toUpperCase();
    const part = (text: string) => `\u0018${String.fromCharCode(text.length)}${text}`;
    const bytes = Buffer.from(
      `\u001c${part(to)}\u0015\u0002\u0000\u0012${part(own)}\u0000`,
      "latin1",
    );
    return `wamid.${bytes.toString("base64")}`;
  }
}
