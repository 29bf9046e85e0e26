import type { Config } from "../../config.ts";
import type { Db } from "../../db/database.ts";
import type { Clock } from "../clock.ts";
import type { Logger } from "../logger.ts";
import { createFallbackRateLimits } from "./fallback-rate-limits.ts";
import { createMemoryRateLimits } from "./memory-rate-limits.ts";
import { createPostgresRateLimits } from "./postgres-rate-limits.ts";
import type { RateLimits } from "./rate-limits.ts";

/**
 * Opens the store that counts the rate limits (contract §2, REDIS_URL). With REDIS_URL it is Redis, and the database
 * while Redis is away. Otherwise it is the database when several processes may share it, and else this process. Only
 * the last uses the process's clock.
 */
export async function createRateLimits(
  config: Pick<Config, "redisUrl" | "sharedDatabase">,
  parts: { readonly db: Db; readonly clock: Clock; readonly log: Logger },
): Promise<RateLimits> {
  if (config.redisUrl !== undefined) {
    // Loaded only where it is used: the client takes a tenth of a command's time to load.
    const { createRedisRateLimits } = await import("./redis-rate-limits.ts");
    const redis = createRedisRateLimits(config.redisUrl, () => {});
    return createFallbackRateLimits(redis, createPostgresRateLimits(parts.db), (fault) => {
      if (fault === null) parts.log.warn("Redis counts the rate limits again");
      else parts.log.warn({ fault }, "Redis is away: PostgreSQL counts the rate limits meanwhile");
    });
  }
  return config.sharedDatabase
    ? createPostgresRateLimits(parts.db)
    : createMemoryRateLimits(parts.clock);
}
