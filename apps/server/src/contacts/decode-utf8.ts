/** A file that cannot be read on from a line. */
export class UnreadableFile extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.name = "UnreadableFile";
    this.line = line;
  }
}

/** Text of a stream as far as it is UTF-8, without a byte order mark; `broken` on the piece after which it is not. */
export async function* decodeUtf8(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ text: string; broken: boolean }> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (bytes?: Uint8Array): { text: string; broken: boolean } => {
    try {
      return {
        text: bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode(),
        broken: false,
      };
    } catch {
      const text = new TextDecoder().decode(bytes);
      return { text: text.slice(0, Math.max(0, text.indexOf("\ufffd"))), broken: true };
    }
  };
  for await (const bytes of source) {
    const piece = decode(bytes);
    yield piece;
    if (piece.broken) return;
  }
  yield decode();
}
