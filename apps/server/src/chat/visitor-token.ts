import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Context } from "../context.ts";

/** What a browser's token says. Only the holder of the token is that browser; the id alone proves nothing. */
export interface Visitor {
  readonly channelId: string;
  /** The browser: 128 random bits that we made. */
  readonly visitorId: string;
  /** The site's user that this browser proved; null: anonymous. */
  readonly userId: string | null;
  /** The version of the browser's tokens: sign-in and sign-out end the earlier ones. */
  readonly version: number;
  /** The version of the channel's tokens: the operator ends all of them with it. */
  readonly channelVersion: string;
}

/** Renewed at every session. So it expires only for browsers that stay away. */
export const TOKEN_LIFE_MS = 180 * 24 * 3_600_000;
const MOST_CHARACTERS = 2_048;

/** 128 random bits: nobody can guess a visitor. */
export const newVisitorId = (): string => `v_${randomBytes(16).toString("base64url")}`;

/** The visitor's identity on the channel: the user, the same on every device, or else the browser. */
export function externalIdOf({ visitorId, userId }: Pick<Visitor, "visitorId" | "userId">): string {
  return userId === null ? visitorId : userExternalId(userId);
}
/** No browser's id has this form. */
export const userExternalId = (userId: string): string => `user:${userId}`;

/** HMAC-SHA256 with a key that is derived from the master key and stored in no database. */
export function signVisitor(
  context: Pick<Context, "sealer" | "clock">,
  { channelId, visitorId, userId, version, channelVersion }: Visitor,
): string {
  const issued = Math.trunc(context.clock.now().getTime() / 1000);
  const claims = [1, channelId, visitorId, userId, version, channelVersion, issued];
  const text = Buffer.from(JSON.stringify(claims)).toString("base64url");
  return `${text}.${macWith(context.sealer.derive("web chat visitor"), text).toString("base64url")}`;
}

/** What a token of this channel says; null for everything else: forged, changed, of another channel, expired. */
export function readToken(
  context: Pick<Context, "sealer" | "clock">,
  channelId: string,
  token: string,
): Visitor | null {
  if (token.length > MOST_CHARACTERS) return null;
  const [text = "", signature = "", ...rest] = token.split(".");
  const given = Buffer.from(signature, "base64url");
  const isOurs = context.sealer.accepted("web chat visitor").some((key) => {
    const right = macWith(key, text);
    return given.length === right.length && timingSafeEqual(given, right);
  });
  // The second comparison is needed because base64 can be written in several ways. Only our way is accepted.
  if (rest.length > 0 || !isOurs || given.toString("base64url") !== signature) return null;
  const claims = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as unknown[];
  const [form, channel, visitorId, userId, version, channelVersion, issued] = claims;
  if (form !== 1 || channel !== channelId || typeof visitorId !== "string") return null;
  if (typeof version !== "number" || typeof channelVersion !== "string") return null;
  if (typeof issued !== "number" || (userId !== null && typeof userId !== "string")) return null;
  if (context.clock.now().getTime() >= issued * 1000 + TOKEN_LIFE_MS) return null;
  return { channelId, visitorId, userId, version, channelVersion };
}

const macWith = (key: Buffer, text: string): Buffer =>
  createHmac("sha256", key).update(text).digest();
