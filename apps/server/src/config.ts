import type { LogLevel } from "./lib/logger.ts";

export type Role = "all" | "api" | "worker";

/** Settings of the process (contract §2), checked. Secrets are apart, in `Secrets`. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly dataDir: string;
  /** Undefined: embedded PostgreSQL in the data folder. */
  readonly databaseUrl: string | undefined;
  /** True with DATABASE_URL: other processes may serve from the same database, so exact limits must live there. */
  readonly sharedDatabase?: boolean;
  readonly redisUrl: string | undefined;
  readonly role: Role;
  /** "auto": on when the data folder is empty and NODE_ENV is not production. */
  readonly demo: boolean | "auto";
  /** CIDRs that customer webhooks may reach although private, and with http. */
  readonly outboundAllow: readonly string[];
  readonly smtpUrl: string | undefined;
  readonly logLevel: LogLevel;
}

export interface Secrets {
  /** 32 bytes. */
  readonly masterKey: Buffer;
}
