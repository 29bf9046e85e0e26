import { createHash } from "node:crypto";
import { BoundedMap } from "../core/ring.ts";
import type { Person } from "./events.ts";

/** What the platform knows of a business and a customer. */
export interface Conversation {
  readonly id: string;
  readonly businessId: string;
  customer: Person;
  /** Milliseconds; null: the customer has not written. */
  lastInboundAt: number | null;
  /** What the business sent since. */
  replies: number;
}

export class Conversations {
  readonly #known = new BoundedMap<string, Conversation>(200_000);

  find(id: string): Conversation | undefined {
    return this.#known.get(id);
  }
  of(businessId: string): Conversation[] {
    return this.#known.values().filter((one) => one.businessId === businessId);
  }
  /** The conversation of a business and a person; a given name is stored. */
  open(businessId: string, person: { id: string; name?: string | undefined }): Conversation {
    const id = conversationId(businessId, person.id);
    const known = this.#known.get(id);
    const customer = { id: person.id, name: person.name ?? known?.customer.name ?? "customer" };
    if (known) {
      known.customer = customer;
      return known;
    }
    const fresh: Conversation = { id, businessId, customer, lastInboundAt: null, replies: 0 };
    this.#known.set(id, fresh);
    return fresh;
  }
}

/** Base64 with `+`, `/` and `=`, like the platform's: such an id must never be put raw into an address. */
function conversationId(businessId: string, customer: string): string {
  const digest = createHash("sha256").update(`${businessId} ${customer}`).digest("base64");
  return `u5+/${digest}=`;
}
