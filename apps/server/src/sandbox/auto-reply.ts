/** A sandbox customer's answer to a text, in the language of the text. `turn` chooses one of several. */
export function autoReply(text: string, turn: number): string {
  const lines = /[\u0600-\u06ff]/.test(text)
    ? ["شكرًا لكم! 🙏", "تمام، وصلتني رسالتكم.", "ممتاز، بانتظار التفاصيل."]
    : ["Thank you! 🙏", "Got it, thanks for the quick answer.", "Great, looking forward to it."];
  return lines[turn % lines.length] ?? "👍";
}

/** Whether this customer may answer now: at most once a minute. `now` is in milliseconds. */
/** Limits the answers of sandbox customers, so that two machines never talk to each other for ever. */
export class AnswerPace {
  readonly #last = new Map<string, number>();
  allow(customer: string, now: number): boolean {
    const last = this.#last.get(customer);
    if (last !== undefined && now - last < 60_000) return false;
    if (this.#last.size > 10_000) this.#last.clear();
    this.#last.set(customer, now);
    return true;
  }
}
