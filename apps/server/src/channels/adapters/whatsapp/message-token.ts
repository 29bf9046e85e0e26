const TOKEN = /^[0-9A-Za-z]{8,128}$/;

/**
 * The part that all ids of one message share. A `wamid` is Base64 of a record (compact Thrift): the customer as
 * the platform names them (phone number or business-scoped user id), two small numbers, and a token from the
 * sender's device. A quote, reaction, edit or withdrawal may name the message with the customer's other id, which
 * gives another `wamid`. Null: no such id.
 */
export function messageToken(externalMessageId: string): string | null {
  if (!externalMessageId.startsWith("wamid.")) return null;
  const bytes = Buffer.from(externalMessageId.slice("wamid.".length), "base64");
  if (bytes[0] !== 0x1c) return null;
  const customer = textAt(bytes, 1);
  // A number of one byte, and one that the header of its field alone tells.
  if (customer === null || bytes[customer.end] !== 0x15) return null;
  const token = textAt(bytes, customer.end + 4);
  return token !== null && TOKEN.test(token.text) ? token.text : null;
}

/** A field that holds a text: 0x18, its length, its bytes. */
function textAt(bytes: Buffer, at: number): { readonly text: string; readonly end: number } | null {
  const [header, low = 0, high = 0] = bytes.subarray(at, at + 3);
  if (header !== 0x18) return null;
  const long = low >= 0x80;
  const start = at + (long ? 3 : 2);
  const end = start + (long ? (low & 0x7f) | (high << 7) : low);
  return end <= bytes.length ? { text: bytes.toString("latin1", start, end), end } : null;
}
