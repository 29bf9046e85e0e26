/** A UUIDv7 (RFC 9562, 5.7): ids that were made later sort later. `at`: ms since 1970. */
export function uuid7(at: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  let left = at;
  for (let index = 5; index >= 0; index--) {
    bytes[index] = left % 256;
    left = Math.floor(left / 256);
  }
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}
