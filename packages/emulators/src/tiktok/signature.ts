import { createHmac } from "node:crypto";

/** How an event is signed; all but `valid` are for testing the receiver. */
export type TikTokSigning =
  | "valid"
  | "missing"
  | "wrong"
  | "upper_hex"
  | "short_hex"
  | "old"
  | "future"
  | "changed_body";

export const SIGNINGS: readonly TikTokSigning[] = [
  "valid",
  "missing",
  "wrong",
  "upper_hex",
  "short_hex",
  "old",
  "future",
  "changed_body",
];

/** `TikTok-Signature` of a body at a time in seconds: HMAC-SHA256 over `<t>.<body>`. */
export function tiktokSignature(secret: string, seconds: number, body: Buffer): string {
  const digest = createHmac("sha256", secret).update(`${seconds}.`).update(body).digest("hex");
  return `t=${seconds},s=${digest}`;
}

/** The bytes and the headers of one event. */
export function signed(
  document: object,
  secret: string,
  at: number,
  signing: TikTokSigning,
): { body: Buffer; headers: Record<string, string> } {
  let body = Buffer.from(JSON.stringify(document));
  const seconds = Math.floor(at / 1000);
  let signature: string | null = tiktokSignature(secret, seconds, body);
  const [time = "", digest = ""] = signature.split(",s=");
  switch (signing) {
    case "valid":
      break;
    case "missing":
      signature = null;
      break;
    case "wrong":
      signature = tiktokSignature(`${secret}x`, seconds, body);
      break;
    case "upper_hex":
      signature = `${time},s=${digest.toUpperCase()}`;
      break;
    case "short_hex":
      signature = `${time},s=${digest.slice(0, 31)}`;
      break;
    case "old":
      signature = tiktokSignature(secret, seconds - 301, body);
      break;
    case "future":
      signature = tiktokSignature(secret, seconds + 301, body);
      break;
    case "changed_body":
      // The same document with one more blank.
      body = Buffer.concat([body, Buffer.from(" ")]);
      break;
    default:
      signing satisfies never;
  }
  const headers = {
    "content-type": "application/json",
    ...(signature === null ? {} : { "tiktok-signature": signature }),
  };
  return { body, headers };
}
