import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Context } from "../context.ts";

/** What a browser's token says. The holder is that browser; a bare id is worth nothing. */
export interface Visitor {
  readonly channelId: string;
  /** Made by us, 128 random bits: the browser. */
  readonly visitorId: string;
  /** The site's user that was proven in this browser; null: anonymous. */
  readonly userId: string | null;
  /** Of the browser: sign-in and sign-out end the tokens before. */
  readonly version: number;
  /** Of the channel: the operator ends all tokens with it. */
  readonly channelVersion: string;
}

/** Renewed at every session, so it ends for browsers that did not come back. */
export const TOKEN_LIFE_MS = 180 * 24 * 3_600_000;
const MOST_CHARACTERS = 2_048;

/** 128 random bits: nobody guesses a visitor. */
export const newVisitorId = (): string => `v_${randomBytes(16).toString("base64url")}`;

/** The visitor's identity on the channel: the user on every device, else the browser. */
export function externalIdOf({ visitorId, userId }: Pick<Visitor, "visitorId" | "userId">): string {
  return userId === null ? visitorId : userExternalId(userId);
}
/** No browser's id looks like this. */
export const userExternalId = (userId: string): string => `user:${userId}`;

/** HMAC-SHA256 under a key that is derived from the master key and in no database. */
export function signVisitor(
  context: Pick<Context, "sealer" | "clock">,
  { channelId, visitorId, userId, version, channelVersion }: Visitor,
): string {
  const issued = Math.trunc(context.clock.now().getTime() / 1000);
  const claims = [1, channelId, visitorId, userId, version, channelVersion, issued];
  const text = Buffer.from(JSON.stringify(claims)).toString("base64url");
  return `${text}.${mac(context, text).toString("base64url")}`;
}

/** What a token of this channel says; null for anything else: forged, changed, of another channel, expired. */
export function readToken(
  context: Pick<Context, "sealer" | "clock">,
  channelId: string,
  token: string,
): Visitor | null {
  if (token.length > MOST_CHARACTERS) return null;
  const [text = "", signature = "", ...rest] = token.split(".");
  const given = Buffer.from(signature, "base64url");
  const right = mac(context, text);
  // The second comparison: base64 can be written in several ways, and only ours is taken.
  if (rest.length > 0 || given.length !== right.length || !timingSafeEqual(given, right))
    return null;
  if (right.toString("base64url") !== signature) return null;
  const claims = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as unknown[];
  const [form, channel, visitorId, userId, version, channelVersion, issued] = claims;
  if (form !== 1 || channel !== channelId || typeof visitorId !== "string") return null;
  if (typeof version !== "number" || typeof channelVersion !== "string") return null;
  if (typeof issued !== "number" || (userId !== null && typeof userId !== "string")) return null;
  if (context.clock.now().getTime() >= issued * 1000 + TOKEN_LIFE_MS) return null;
  return { channelId, visitorId, userId, version, channelVersion };
}

function mac(context: Pick<Context, "sealer">, text: string): Buffer {
  return createHmac("sha256", context.sealer.derive("web chat visitor")).update(text).digest();
}
