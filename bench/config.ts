import type { Config, Secrets } from "../apps/server/src/config.ts";

/** The product's settings as with the embedded database: exact limits in the process, logs written. */
export function benchConfig(databaseUrl: string): Config {
  return {
    host: "127.0.0.1",
    port: 0,
    publicUrl: "http://127.0.0.1:0",
    dataDir: "/nonexistent",
    databaseUrl,
    redisUrl: undefined,
    role: "all",
    demo: false,
    outboundAllow: ["127.0.0.0/8"],
    smtpUrl: undefined,
    mediaMaxBytes: 100 * 1024 * 1024,
    unsentMaxBytes: 4 * 1024 ** 3,
    defaultPlan: "business",
    logLevel: "info",
  };
}

/** Always the same, so that a seeded database can be used again. */
export const SECRETS: Secrets = { masterKey: Buffer.alloc(32, 7) };
