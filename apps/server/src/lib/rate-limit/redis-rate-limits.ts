import { Redis } from "ioredis";
import { AppError } from "../../errors.ts";
import type { RateLimits, RateRule } from "./rate-limits.ts";

// Runs alone on the server, on its clock. Members are made different by the number that is already there.
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

/** For processes that share a Redis or Valkey: one server, or one address that leads to the one that takes writes. */
export function createRedisRateLimits(url: string, onError: (error: Error) => void): RateLimits {
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 1,
    connectTimeout: 5_000,
    commandTimeout: 2_000,
    // The former primary takes no writes any more: its address may lead to the new one by now. Up to Redis 6 the word
    // stands inside of "Error running script".
    reconnectOnError: (error) => /\bREADONLY\b/.test(error.message),
  });
  // What a command says that waited for a connection in vain ("max retries") is never the cause; the connection's own
  // is.
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
        // Without the count nobody passes: a limit that ends with its store is none.
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
        // Counted, not pinged: a replica answers a ping, and so does a cluster, where each node has part of the keys.
        await Promise.all(PROBES.map((key) => count(key, { limit: 1, windowMs: 1_000 })));
        return null;
      } catch (error) {
        return `REDIS_URL: ${cause ?? (error instanceof Error ? error.message : String(error))}`;
      }
    },
    usesFallback: () => false,
    close: () => Promise.resolve(redis.disconnect()),
  };
}
