import { setImmediate as nextTurn } from "node:timers/promises";
import { Redis } from "ioredis";
import { AppError } from "../../errors.ts";
import type { RateLimits, RateRule } from "./rate-limits.ts";

// Redis runs nothing else meanwhile, and its clock counts. The count in a member's name keeps members of one moment
// apart.
const TAKE = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.3f', now - window))
-- Of a time to come: the clock was set back.
redis.call('ZREMRANGEBYSCORE', KEYS[1], string.format('%.3f', now + 1), '+inf')
local counted = redis.call('ZCARD', KEYS[1])
local allowed = 0
local member = ''
if counted < limit then
  member = string.format('%.3f-%d', now, counted)
  redis.call('ZADD', KEYS[1], string.format('%.3f', now), member)
  redis.call('PEXPIRE', KEYS[1], window)
  counted = counted + 1
  allowed = 1
end
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
return { allowed, counted, math.ceil(tonumber(oldest) + window - now), member }`;

const PROBES = Array.from({ length: 8 }, (_, at) => `check:${at}`);

/**
 * Counts in Redis or Valkey, for processes that share it: one server, or one address that leads to the one that takes
 * writes. `onError` hears of errors of the connection.
 */
export function createRedisRateLimits(url: string, onError: (error: Error) => void): RateLimits {
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 1,
    connectTimeout: 5_000,
    commandTimeout: 2_000,
    // A former primary takes no writes any more, and its address may already lead to the new one. Up to Redis 6 the
    // word stands within "Error running script".
    reconnectOnError: (error) => /\bREADONLY\b/.test(error.message),
  });
  // A command that waited in vain says "max retries", which is never the cause. The connection's own error is.
  let cause: string | null = null;
  redis.on("error", (error: Error) => {
    cause = error.message;
    onError(error);
  });
  redis.on("ready", () => (cause = null));
  const count = (key: string, { limit, windowMs }: RateRule): Promise<unknown> =>
    redis.eval(TAKE, 1, `parley:rate:${key}`, limit, windowMs);
  return {
    async take(key, rule) {
      const answer = await count(key, rule).catch((error: unknown) => {
        // Without a count nobody passes. A limit that ends with its store would be none.
        if (cause === null) onError(error instanceof Error ? error : new Error(String(error)));
        throw new AppError("OVERLOADED", { retryAfterSeconds: 5 });
      });
      if (!Array.isArray(answer)) throw new Error("Redis answered no verdict");
      const [allowed, counted, resetMs] = answer.slice(0, 3).map(Number);
      return {
        allowed: allowed === 1,
        remaining: Math.max(0, rule.limit - (counted ?? rule.limit)),
        resetMs: Math.max(0, resetMs ?? rule.windowMs),
        giveBack: () => {
          if (allowed === 1) redis.zrem(`parley:rate:${key}`, String(answer[3])).catch(() => {});
        },
      };
    },
    async fault() {
      try {
        // It counts instead of pinging: a replica answers pings, and so does a cluster, where each node has part of the
        // keys.
        await Promise.all(PROBES.map((key) => count(key, { limit: 1, windowMs: 1_000 })));
        return null;
      } catch (error) {
        // When this process itself was held up, the connection's own error is read only now.
        await nextTurn();
        return `REDIS_URL: ${cause ?? (error instanceof Error ? error.message : String(error))}`;
      }
    },
    usesFallback: () => false,
    close: () => Promise.resolve(redis.disconnect()),
  };
}
