import { webCrypto } from "./surroundings.ts";

/** An idempotency key that no other call has. */
export async function newKey(): Promise<string> {
  const bytes = (await webCrypto()).getRandomValues(new Uint8Array(18));
  return `sdk-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
