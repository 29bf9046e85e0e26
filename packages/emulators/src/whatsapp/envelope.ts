import { createHmac } from "node:crypto";

/** One change of a webhook: the content of a call, before it is put in its envelope. */
export interface Change {
  readonly wabaId: string;
  readonly field: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** `entry[].time`, seconds; only some fields have it. */
  readonly time?: number;
}

/** How a call is signed; all but `valid` are for testing the receiver. */
export type Signing =
  | "valid"
  | "missing"
  | "wrong"
  | "sha1_only"
  | "upper_hex"
  | "short_hex"
  | "utf8";

/** Marks a string that must be written as a bare number: template ids may exceed 2^53. */
export const bigNumber = (digits: string): string => `\u0000number:${digits}`;

/** Meta's form of JSON: everything but ASCII as lower-case \uXXXX, and the slash escaped. */
function escapeJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(/"\\u0000number:(\d+)"/g, "$1")
    .replaceAll("/", "\\/")
    .replaceAll(
      /[\u007f-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
}

/** Changes of one call: entries by account, each with its changes in order. */
export function envelope(changes: readonly Change[]): object {
  const entries: { id: string; time?: number; changes: object[] }[] = [];
  for (const change of changes) {
    const last = entries.at(-1);
    const body = { value: change.value, field: change.field };
    if (last?.id === change.wabaId && last.time === change.time) last.changes.push(body);
    else
      entries.push({
        id: change.wabaId,
        ...(change.time === undefined ? {} : { time: change.time }),
        changes: [body],
      });
  }
  return { object: "whatsapp_business_account", entry: entries };
}

const hmac = (algorithm: "sha256" | "sha1", secret: string, body: Buffer) =>
  createHmac(algorithm, secret).update(body).digest("hex");

/** The bytes and the headers of one webhook call: both signatures over exactly those bytes. */
export function signed(
  document: unknown,
  secret: string,
  signing: Signing = "valid",
): { body: Buffer; headers: Record<string, string> } {
  const escaped = Buffer.from(escapeJson(document), "latin1");
  const sha256 = hmac("sha256", secret, escaped);
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "user-agent": "facebookexternalua",
    accept: "*/*",
    "x-hub-signature": `sha1=${hmac("sha1", secret, escaped)}`,
    "x-hub-signature-256": `sha256=${sha256}`,
  };
  let body = escaped;
  switch (signing) {
    case "valid":
      break;
    case "missing":
      delete headers["x-hub-signature"];
      delete headers["x-hub-signature-256"];
      break;
    case "sha1_only":
      delete headers["x-hub-signature-256"];
      break;
    case "wrong":
      headers["x-hub-signature-256"] = `sha256=${hmac("sha256", `${secret}x`, escaped)}`;
      break;
    case "upper_hex":
      headers["x-hub-signature-256"] = `sha256=${sha256.toUpperCase()}`;
      break;
    case "short_hex":
      headers["x-hub-signature-256"] = `sha256=${sha256.slice(0, 31)}`;
      break;
    case "utf8":
      // Careless re-serialisation: the signature fits the escaped bytes, but the body has others.
      body = Buffer.from(JSON.stringify(document));
      break;
    default:
      signing satisfies never;
  }
  return { body, headers };
}
