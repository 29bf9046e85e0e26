import { setTimeout as sleep } from "node:timers/promises";
import type { Shop, ShopServer } from "./shop.ts";

/** A reply that a client asked for. */
interface Asked {
  readonly text: string;
  readonly keyed: boolean;
  /** The id of the 201, or null while there is none. */
  id: string | null;
}

/**
 * A client that keeps a ledger: it writes down every reply it asks for and every id it gets a 201 for. Half of its
 * requests carry an Idempotency-Key and are repeated until they are answered; the other half is asked once.
 */
export class ReplyClient {
  readonly ledger: Asked[] = [];
  /** Answers by status; "cut" for requests that got none. */
  readonly answers = new Map<string, number>();
  /** Answers that are neither a success nor a reason to come back later. */
  readonly odd: string[] = [];
  readonly #shop: Shop<ShopServer>;
  readonly #random: () => number;
  #stopped = false;
  #turn = 0;

  constructor(shop: Shop<ShopServer>, random: () => number) {
    this.#shop = shop;
    this.#random = random;
  }

  /** Asks with so many requests at a time until `stop`, each line resting `restMs` in between. */
  async run(lines: number, restMs: number): Promise<void> {
    const line = async () => {
      while (!this.#stopped) {
        await this.#ask();
        await sleep(restMs);
      }
    };
    await Promise.all(Array.from({ length: lines }, line));
  }

  stop(): void {
    this.#stopped = true;
  }

  /** What was confirmed: the text of each id. */
  get accepted(): Map<string, string> {
    return new Map(this.ledger.flatMap(({ id, text }) => (id === null ? [] : [[id, text]])));
  }

  async #ask(): Promise<void> {
    const turn = ++this.#turn;
    const asked: Asked = { text: `reply ${turn}`, keyed: turn % 2 === 0, id: null };
    this.ledger.push(asked);
    const { conversations, bearers } = this.#shop;
    const conversationId = conversations[Math.floor(this.#random() * conversations.length)];
    const bearer = bearers[turn % bearers.length] ?? "";
    const init = {
      bearer,
      method: "POST",
      body: JSON.stringify({ conversationId, text: asked.text }),
      headers: asked.keyed ? { "idempotency-key": asked.text } : {},
    };
    for (;;) {
      const { status, body } = await this.#send(init);
      this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
      if (status === "201") {
        asked.id = (JSON.parse(body) as { id: string }).id;
        return;
      }
      // 409: the first of this key is still under way, or was when its process died.
      if (!["cut", "503", "429", "409"].includes(status)) this.odd.push(`${status} ${body}`);
      if (!asked.keyed || this.#stopped) return;
      await sleep(150);
    }
  }

  async #send(init: Parameters<Shop["call"]>[1]): Promise<{ status: string; body: string }> {
    try {
      const answer = await this.#shop.call("/messages", init);
      return { body: await answer.text(), status: String(answer.status) };
    } catch {
      return { status: "cut", body: "" };
    }
  }
}
