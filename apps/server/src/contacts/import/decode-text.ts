import type { Encoding } from "../../wire/words.ts";

/** A file that cannot be read from some line on. */
export class UnreadableFile extends Error {
  readonly line: number;
  constructor(line: number, message: string) {
    super(message);
    this.name = "UnreadableFile";
    this.line = line;
  }
}

/** The encoding that a byte order mark at the front names; null when there is no mark. */
export function markedEncoding(head: Uint8Array): Encoding | null {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return "utf-8";
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  return null;
}

/**
 * The text of a stream without its byte order mark, up to the first byte that is not in the encoding; the piece
 * before that byte is marked `broken`. Without `encoding` a byte order mark decides, else the text must be UTF-8.
 */
export async function* decodeText(
  source: AsyncIterable<Uint8Array>,
  encoding?: Encoding,
): AsyncGenerator<{ text: string; broken: Encoding | null }> {
  let head: Uint8Array | undefined = new Uint8Array(0);
  let decode: Decode | undefined;
  for await (const bytes of source) {
    let piece: Uint8Array = bytes;
    if (head) {
      piece = Buffer.concat([head, bytes]);
      head = piece.length < 3 ? piece : undefined;
      if (head) continue;
    }
    decode ??= decoder(encoding ?? markedEncoding(piece) ?? "utf-8");
    const decoded = decode(piece);
    yield decoded;
    if (decoded.broken) return;
  }
  const rest = head ?? new Uint8Array(0);
  decode ??= decoder(encoding ?? markedEncoding(rest) ?? "utf-8");
  const decoded = decode(rest);
  yield decoded;
  if (!decoded.broken) yield decode(undefined);
}

type Decode = (bytes: Uint8Array | undefined) => { text: string; broken: Encoding | null };

function decoder(encoding: Encoding): Decode {
  const strict = new TextDecoder(encoding, { fatal: true });
  return (bytes) => {
    try {
      return {
        text: bytes ? strict.decode(bytes, { stream: true }) : strict.decode(),
        broken: null,
      };
    } catch {
      const text = new TextDecoder(encoding).decode(bytes);
      return { text: text.slice(0, Math.max(0, text.indexOf("\ufffd"))), broken: encoding };
    }
  };
}
