/** One event of a stream; `id` is the cursor to go on from. */
export interface SseFrame {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/**
 * Reads server-sent events from pieces of text cut anywhere, also inside a line end (WHATWG HTML §9.2.6). A byte order
 * mark at the beginning is none of the text: TextDecoder takes it off.
 * The browser's own EventSource cannot send a token in a header, so the stream is read by fetch.
 */
export class SseParser {
  #rest = "";
  #id: string | null = null;
  #event = "";
  #data: string[] = [];

  /** The frames that this piece completes. */
  feed(piece: string): SseFrame[] {
    const text = this.#rest + piece;
    const frames: SseFrame[] = [];
    let from = 0;
    for (const end of text.matchAll(/\r\n|\n|\r/g)) {
      // A \r at the very end may be the first half of \r\n: wait for the next piece.
      if (end[0] === "\r" && end.index === text.length - 1) break;
      const frame = this.#line(text.slice(from, end.index));
      if (frame) frames.push(frame);
      from = end.index + end[0].length;
    }
    this.#rest = text.slice(from);
    return frames;
  }

  #line(line: string): SseFrame | null {
    if (line === "") {
      const frame: SseFrame = {
        id: this.#id,
        event: this.#event || "message",
        data: this.#data.join("\n"),
      };
      const full = this.#data.length > 0;
      this.#event = "";
      this.#data = [];
      return full ? frame : null;
    }
    const colon = line.indexOf(":");
    if (colon === 0) return null;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#event = value;
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    return null;
  }
}
