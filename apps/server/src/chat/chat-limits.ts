import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import type { RateRule } from "../lib/rate-limit/rate-limits.ts";

const MINUTE = 60_000;

/** How much of what in any such time (docs/web-chat.md, Limits). Places are per address, per channel or per visitor. */
export const CHAT_LIMITS = {
  newByAddress: { limit: 30, windowMs: MINUTE },
  newByChannel: { limit: 1_200, windowMs: MINUTE },
  session: { limit: 30, windowMs: MINUTE },
  message: { limit: 20, windowMs: MINUTE },
  stream: { limit: 30, windowMs: MINUTE },
  receipt: { limit: 60, windowMs: MINUTE },
  typing: { limit: 40, windowMs: MINUTE },
  file: { limit: 10, windowMs: 10 * MINUTE },
  filesByAddress: { limit: 60, windowMs: 10 * MINUTE },
} as const satisfies Record<string, RateRule>;

/**
 * Who comes from an address: IPv6 customers have a /64 at least to themselves, so that counting single addresses would
 * count nobody; an IPv4 address is the same one in either form.
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

/** Whoever sends files from ever new addresses fills so many places, and no more memory or rows than those. */
const FILE_PLACES = 8_192;

/**
 * Where the files of an address on a channel are counted: one of a fixed number of places, drawn with a key so that
 * nobody can choose whose place to share. Two addresses that do share one have the limit together.
 */
export function placeOfFiles(
  context: Pick<Context, "sealer">,
  channelId: string,
  address: string,
): string {
  const drawn = createHmac("sha256", context.sealer.derive("web chat file place"))
    .update(JSON.stringify([channelId, placeOfAddress(address)]))
    .digest();
  return String(drawn.readUInt32BE(0) % FILE_PLACES);
}

/** Counts one; throws RATE_LIMITED with the wait when it is too many. Refused ones do not count. */
export async function takeChat(
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
