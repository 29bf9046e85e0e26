import type { WebhookEvent } from "./generated/types.ts";
import { webCrypto } from "./surroundings.ts";

export type WebhookErrorCode =
  /** Neither `X-Service-Signature` nor the Standard Webhooks headers. */
  | "NO_SIGNATURE"
  | "MALFORMED_SIGNATURE"
  /** Made with another secret, or over other bytes. */
  | "WRONG_SIGNATURE"
  /** Too old or from the future: a replay, or a clock that is wrong. */
  | "STALE_SIGNATURE"
  /** Signed, yet no event. */
  | "MALFORMED_BODY";

/** Why a delivery is not believed. Answer it with 400. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly code: WebhookErrorCode;
  constructor(code: WebhookErrorCode, why: string) {
    super(`${code} (${why})`);
    this.code = code;
  }
}

export interface VerifyOptions {
  /** How far the signature's time may be from ours. Default 300. */
  readonly toleranceSeconds?: number | undefined;
  /** Our time. */
  readonly now?: Date | undefined;
}

/** A `Headers`, the object of Node, Express and Fastify, or the value of `X-Service-Signature` alone. */
export type WebhookHeaders =
  | string
  | readonly string[]
  | null
  | undefined
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

interface Claim {
  /** Unix seconds, as signed. */
  readonly time: string;
  readonly signed: string;
  readonly signatures: readonly Bytes[];
  readonly keyOf: (secret: string) => Bytes;
}
type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Proves that a delivery came from Parley and gives its event. `rawBody` is the body as it was received: parsed and
 * written again it has other bytes. `headers` are the request's (`X-Service-Signature` is taken, else those of Standard
 * Webhooks), or the value of `X-Service-Signature` alone. `secret` is the endpoint's (`whsec_…`), or several while one
 * replaces another; a variable of the environment that is not set is refused by a TypeError. Compares in constant time.
 * Throws a WebhookError.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[] | undefined,
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  return readEvent(await prove(rawBody, headers, secret, options));
}

/** What Parley asks a bot that runs in a program of yours (`docs/external-bots.md`). */
export interface BotTurn {
  readonly type: "bot.turn";
  readonly token: string;
  readonly conversationId: string;
  readonly contact: {
    readonly id: string;
    readonly firstName: string | null;
    readonly language: string | null;
  };
  /** The newest 20, oldest first. */
  readonly messages: readonly {
    readonly id: string;
    readonly from: "customer" | "bot" | "person" | "program";
    readonly type: string;
    readonly text: string | null;
    /** The payload of the button that the customer pressed. */
    readonly pressed: string | null;
    readonly at: string;
  }[];
  /** What the bot stored in this conversation with its last answer. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** As `verifyWebhook`, of a turn that Parley posts to a bot: `secret` is the bot's own. Throws a WebhookError. */
export async function verifyBotTurn(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[] | undefined,
  options: VerifyOptions = {},
): Promise<BotTurn> {
  const turn = parse(await prove(rawBody, headers, secret, options)) as BotTurn | null;
  if (turn?.type === "bot.turn" && Array.isArray(turn.messages)) return turn;
  throw new WebhookError("MALFORMED_BODY", "signed, yet no turn of a bot");
}

/** The bytes of the body, once they are proven. */
async function prove(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[] | undefined,
  options: VerifyOptions,
): Promise<Bytes> {
  const secrets = typeof secret === "string" ? [secret] : (secret ?? []);
  if (secrets.length === 0 || secrets.some((one) => typeof one !== "string" || one === ""))
    throw new TypeError("secret must be the endpoint's secret: is the variable set that holds it?");
  const body = bytesOf(rawBody);
  const claim = serviceClaim(headers) ?? standardClaim(headers);
  if (!claim)
    throw new WebhookError(
      "NO_SIGNATURE",
      "neither X-Service-Signature nor webhook-id, webhook-timestamp and webhook-signature are here",
    );
  const { subtle } = await webCrypto();
  const signed = join(bytesOf(claim.signed), body);
  let proven = false;
  for (const one of secrets) {
    const hmac = { name: "HMAC", hash: "SHA-256" };
    const key = await subtle.importKey("raw", claim.keyOf(one), hmac, false, ["verify"]);
    for (const signature of claim.signatures)
      if (await subtle.verify("HMAC", key, signature, signed)) proven = true;
  }
  if (!proven)
    throw new WebhookError("WRONG_SIGNATURE", "not signed with this secret over these bytes");
  // After the proof: the time is to be believed only now.
  const now = (options.now ?? new Date()).getTime() / 1_000;
  if (!(Math.abs(now - Number(claim.time)) <= (options.toleranceSeconds ?? 300)))
    throw new WebhookError("STALE_SIGNATURE", `signed at ${claim.time}, it is ${Math.floor(now)}`);
  return body;
}

const SERVICE_HEADER = "x-service-signature";

/** `t=<unix seconds>,v1=<hex>[,v1=<hex>]`: of `<t>.<body>`, keyed with the secret as it is shown. */
function serviceClaim(headers: WebhookHeaders): Claim | null {
  const header = headerOf(headers, SERVICE_HEADER);
  if (header === null) return null;
  const parts = header.split(",").map((part) => part.trim().split("="));
  const times = parts.filter(([name]) => name === "t").map(([, value = ""]) => value);
  const signatures = parts
    .filter(([name]) => name === "v1")
    .map(([, value = ""]) => hexBytes(value));
  const [time = ""] = times;
  const readable = signatures.filter((one) => one !== null);
  if (times.length !== 1 || !/^\d{1,12}$/.test(time) || readable.length === 0)
    throw new WebhookError("MALFORMED_SIGNATURE", "X-Service-Signature is not t=…,v1=…");
  return { time, signed: `${time}.`, signatures: readable, keyOf: bytesOf };
}

/** `v1,<base64>[ v1,<base64>]`: of `<id>.<time>.<body>`, keyed with the bytes behind `whsec_`. */
function standardClaim(headers: WebhookHeaders): Claim | null {
  const header = headerOf(headers, "webhook-signature");
  const id = headerOf(headers, "webhook-id");
  const time = headerOf(headers, "webhook-timestamp");
  if (header === null || id === null || time === null) return null;
  const signatures = header
    .split(" ")
    .filter((one) => one.startsWith("v1,"))
    .map((one) => base64Bytes(one.slice(3)))
    .filter((one) => one !== null);
  if (!/^\d{1,12}$/.test(time) || signatures.length === 0)
    throw new WebhookError(
      "MALFORMED_SIGNATURE",
      "the webhook-* headers are not Standard Webhooks",
    );
  return {
    time,
    signed: `${id}.${time}.`,
    signatures,
    keyOf(secret) {
      const key = base64Bytes(secret.replace(/^whsec_/, ""));
      if (!key?.length) throw new TypeError("secret must be whsec_ and base64");
      return key;
    },
  };
}

function headerOf(headers: WebhookHeaders, name: string): string | null {
  // What a framework gives for a header that did not come.
  if (headers === null || headers === undefined) return null;
  if (typeof headers === "string" || Array.isArray(headers))
    return name === SERVICE_HEADER ? String(headers) : null;
  if (isHeaders(headers)) return headers.get(name);
  for (const [key, value] of Object.entries(headers))
    if (key.toLowerCase() === name && value !== undefined)
      return typeof value === "string" ? value : value.join(",");
  return null;
}

function isHeaders(headers: object): headers is { get(name: string): string | null } {
  return "get" in headers && typeof headers.get === "function";
}

function readEvent(body: Bytes): WebhookEvent {
  const event = parse(body) as WebhookEvent | null;
  if (typeof event?.type === "string" && typeof event.data === "object" && event.data !== null)
    return event;
  throw new WebhookError("MALFORMED_BODY", "signed, yet no event");
}

/** Null for what is no JSON. */
function parse(body: Bytes): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as unknown;
  } catch {
    return null;
  }
}

function bytesOf(value: string | Uint8Array | ArrayBuffer): Bytes {
  if (typeof value === "string") return new TextEncoder().encode(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value);
  // By name: a buffer of another realm is no instance of ours.
  if (Object.prototype.toString.call(value) === "[object ArrayBuffer]")
    return new Uint8Array(value);
  throw new TypeError(
    "rawBody must be the body as it was received: a string or bytes, not parsed JSON",
  );
}

function join(first: Bytes, second: Bytes): Bytes {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function hexBytes(text: string): Bytes | null {
  if (!/^(?:[0-9a-f]{2})+$/i.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function base64Bytes(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}
