import { listOf } from "./parameter.ts";

/** PostgreSQL's extended query protocol, as far as reads need it: https://www.postgresql.org/docs/18/protocol-message-formats.html */

/** Execute without a limit of rows, on the unnamed portal; and Sync. */
const EXECUTE_AND_SYNC = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4]);

/** Parse, the parameters' types left to the server, and Describe. */
export function parseMessage(name: string, text: string): Buffer {
  const parse = message("P", Buffer.from(`${name}\0${text}\0\0\0`));
  return Buffer.concat([parse, message("D", Buffer.from(`S${name}\0`))]);
}

/** Close: the server forgets the named statement. */
export const closeMessage = (name: string): Buffer => message("C", Buffer.from(`S${name}\0`));

/** Bind to the unnamed portal, everything as text, Execute and Sync. Throws for a value that has no text. */
export function bindMessage(name: string, values: readonly unknown[]): Buffer {
  const texts = values.map(toText);
  const sizes = texts.map((text) => (text === null ? 0 : Buffer.byteLength(text)));
  const length = 4 + 1 + name.length + 1 + 2 + 2 + 2 + sizes.reduce((sum, n) => sum + 4 + n, 0);
  const bytes = Buffer.allocUnsafe(1 + length + EXECUTE_AND_SYNC.length);
  bytes[0] = 0x42;
  let at = bytes.writeInt32BE(length, 1);
  bytes[at++] = 0;
  at += bytes.write(`${name}\0`, at, "latin1");
  at = bytes.writeInt16BE(0, at);
  at = bytes.writeInt16BE(texts.length, at);
  for (const [index, text] of texts.entries()) {
    at = bytes.writeInt32BE(text === null ? -1 : (sizes[index] ?? 0), at);
    if (text !== null) at += bytes.write(text, at);
  }
  at = bytes.writeInt16BE(0, at);
  EXECUTE_AND_SYNC.copy(bytes, at);
  return bytes;
}

function message(type: string, body: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(5 + body.length);
  bytes.write(type, "latin1");
  bytes.writeInt32BE(4 + body.length, 1);
  body.copy(bytes, 5);
  return bytes;
}

/** A parameter as PostgreSQL reads it in text form; its type is what the statement says. */
function toText(value: unknown): string | null {
  if (value === null) return null;
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint")
    return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`;
  const list = Array.isArray(value) ? listOf(value) : undefined;
  if (list !== undefined) return list;
  throw new TypeError("a parameter without a text");
}
