import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";

/** A new endpoint secret: `whsec_` and 32 random bytes in base64, the form of the Standard Webhooks libraries. */
export function newSecret(): string {
  return PREFIX + randomBytes(32).toString("base64");
}

/**
 * The headers that prove that a delivery came from us, signed over the exact bytes of the body. There are two forms:
 * - `X-Service-Signature` (spec, Webhook endpoint requirements and signing): hex HMAC-SHA256 of `<t>.<body>`. Its key
 *   is the secret as it is shown, with its prefix.
 * - The three Standard Webhooks headers: base64 HMAC-SHA256 of `<id>.<t>.<body>`. The key is the bytes behind `whsec_`.
 *
 * `X-Service-Signature` always has one `v1`, made with the first secret. `webhook-signature` has one for every secret,
 * so two during a rotation, as Standard Webhooks requires (contract §5, Secret rotation).
 */
export function signatureHeaders(
  delivery: { readonly id: string; readonly body: Buffer; readonly at: Date },
  secrets: readonly [string, ...string[]],
): Record<string, string> {
  const t = Math.floor(delivery.at.getTime() / 1_000);
  const ours = createHmac("sha256", secrets[0]).update(`${t}.`).update(delivery.body);
  const standard: string[] = [];
  for (const secret of secrets) {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    const mac = createHmac("sha256", key).update(`${delivery.id}.${t}.`).update(delivery.body);
    standard.push(`v1,${mac.digest("base64")}`);
  }
  return {
    "x-service-signature": `t=${t},v1=${ours.digest("hex")}`,
    "webhook-id": delivery.id,
    "webhook-timestamp": String(t),
    "webhook-signature": standard.join(" "),
  };
}
