import type { Config } from "../../config.ts";
import type { Db } from "../../db/database.ts";
import type { Clock } from "../clock.ts";
import { Count } from "../counts.ts";
import type { Logger } from "../logger.ts";
import { createFallbackRateLimits } from "./fallback-rate-limits.ts";
import { createMemoryRateLimits } from "./memory-rate-limits.ts";
import { createPostgresRateLimits } from "./postgres-rate-limits.ts";
import type { RateLimits } from "./rate-limits.ts";

/** What a key's count is about, as the key begins: `key:` of an API key and its narrower limits, `chat:` of web chat. */
const LIMITS = [
  "key",
  "member",
  "visitor",
  "chat",
  "otp",
  "sign-in",
  "code",
  "reset",
  "letter",
  "other",
] as const;

const refusals = new Count(
  "parley_rate_limit_refusals_total",
  "Calls that a rate limit refused, by what is counted",
  { limit: LIMITS },
);

/** Counts what `limits` refuses. */
function countRefusals(limits: RateLimits): RateLimits {
  return {
    ...limits,
    async take(key, rule) {
      const verdict = await limits.take(key, rule);
      if (!verdict.allowed) {
        const begin = key.slice(0, key.indexOf(":"));
        refusals.add({ limit: LIMITS.find((one) => one === begin) ?? "other" });
      }
      return verdict;
    },
  };
}

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
    const inDatabase = createPostgresRateLimits(parts.db);
    return countRefusals(
      createFallbackRateLimits(redis, inDatabase, (fault) => {
        if (fault === null) parts.log.warn("Redis counts the rate limits again");
        else
          parts.log.warn({ fault }, "Redis is away: PostgreSQL counts the rate limits meanwhile");
      }),
    );
  }
  return countRefusals(
    config.sharedDatabase
      ? createPostgresRateLimits(parts.db)
      : createMemoryRateLimits(parts.clock),
  );
}
