import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { RateRule } from "../lib/rate-limit/rate-limits.ts";

const MINUTE = 60_000;

/**
 * How much of each thing is allowed in which time (docs/web-chat.md, Limits). Places are per address, per channel
 * or per visitor.
 */
export const CHAT_LIMITS = {
  newByAddress: { limit: 30, windowMs: MINUTE },
  newByChannel: { limit: 1_200, windowMs: MINUTE },
  session: { limit: 30, windowMs: MINUTE },
  message: { limit: 20, windowMs: MINUTE },
  stream: { limit: 30, windowMs: MINUTE },
  receipt: { limit: 60, windowMs: MINUTE },
  typing: { limit: 40, windowMs: MINUTE },
  profile: { limit: 10, windowMs: MINUTE },
  file: { limit: 10, windowMs: 10 * MINUTE },
  filesByAddress: { limit: 60, windowMs: 10 * MINUTE },
} as const satisfies Record<string, RateRule>;

/**
 * What counts as one address. An IPv6 customer has at least a /64, so single addresses would limit nobody. An IPv4
 * address counts the same in both of its forms.
 */
export function placeOfAddress(address: string): string {
  const bare = address.replace(/%.*$/, "").toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare);
  if (mapped) return mapped[1] ?? bare;
  if (!isIPv6(bare)) return bare;
  const [head = "", tail = ""] = bare.split("::");
  const before = head.split(":").filter(Boolean);
  // A dotted end stands for two groups.
  const behind = tail
    .replace(/[\d.]+\.\d+$/, "0:0")
    .split(":")
    .filter(Boolean);
  const gap = Array.from({ length: Math.max(0, 8 - before.length - behind.length) }, () => "0");
  const network = [...before, ...gap, ...behind].slice(0, 4);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}

/** A caller with ever new addresses fills at most this many places, and no more memory or rows. */
const PLACES = 8_192;

/**
 * The place where an address on a channel is counted. There is a fixed number of places, and a key decides which,
 * so that nobody can choose whose place to share. Two addresses in one place share its limit.
 */
function drawnPlace(
  { sealer }: Pick<Context, "sealer">,
  purpose: "web chat file place" | "web chat newcomer place",
  channelId: string,
  address: string,
): string {
  const drawn = createHmac("sha256", sealer.derive(purpose))
    .update(JSON.stringify([channelId, placeOfAddress(address)]))
    .digest();
  return String(drawn.readUInt32BE(0) % PLACES);
}

/**
 * The place where the files of an address are counted. All channels share these places, because each visitor was
 * counted first.
 */
export function placeOfFiles(
  context: Pick<Context, "sealer">,
  channelId: string,
  address: string,
): string {
  return drawnPlace(context, "web chat file place", channelId, address);
}

/**
 * The place where new visitors from an address are counted. Each channel has places of its own: nothing is counted
 * before this, and a flood on one channel must not shut newcomers out of the others.
 */
export function placeOfNewcomers(
  context: Pick<Context, "sealer">,
  channelId: string,
  address: string,
): string {
  return `${channelId}:${drawnPlace(context, "web chat newcomer place", channelId, address)}`;
}

/** Counts one. Throws RATE_LIMITED with the time to wait when there were too many. Refused ones do not count. */
export async function countChatCall(
  context: Pick<Context, "rateLimits">,
  what: keyof typeof CHAT_LIMITS,
  ...place: readonly string[]
): Promise<void> {
  const key = `chat:${what}:${place.join(":")}`;
  const { allowed, resetMs } = await context.rateLimits.take(key, CHAT_LIMITS[what]);
  if (allowed) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(resetMs / 1000));
  throw new AppError("RATE_LIMITED", { retryAfterSeconds });
}
