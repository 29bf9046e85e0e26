import { randomBytes } from "node:crypto";
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import path from "node:path";
import { parseEnv } from "node:util";
import { addressable, asCidr, clip } from "./lib/setting-text.ts";
import {
  isDatabaseAddress,
  isMailAddress,
  isRedisAddress,
  isWebAddress,
} from "./lib/setting-text.ts";
import { codeOf, makeFolder, writeOnce } from "./lib/private-file.ts";
import { readS3Address, type S3Settings } from "./lib/s3-address.ts";
import { unknownSettings, type SettingName } from "./lib/setting-names.ts";
import type { LogLevel } from "./lib/logger.ts";
import { PLANS, type Plan } from "./wire/words.ts";

type Role = "all" | "api" | "worker";

/** The checked settings of the process (contract §2). Secrets are kept apart, in `Secrets`. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly dataDir: string;
  /** Undefined means the embedded PostgreSQL in the data folder. */
  readonly databaseUrl: string | undefined;
  /** True with DATABASE_URL: other processes may use the same database, so exact limits must be counted there. */
  readonly sharedDatabase?: boolean;
  /** The token that lets others than this machine read /metrics; undefined: nobody else reads it. */
  readonly metricsToken?: string | undefined;
  readonly redisUrl: string | undefined;
  readonly role: Role;
  /** "auto" (never with DATABASE_URL or NODE_ENV=production): on when the data folder is empty. */
  readonly demo: boolean | "auto";
  /** CIDRs that customers' webhooks may reach although they are private, also with http. */
  readonly outboundAllow: readonly string[];
  /** Base addresses of language models that workspaces may name although they are private, also with http. */
  readonly modelUrls?: readonly string[];
  readonly smtpUrl: string | undefined;
  /**
   * Reverse proxies whose `X-Forwarded-For` is believed. Without any, the other end of the connection is the visitor.
   */
  readonly trustedProxies?: readonly string[];
  /** The store for files; undefined: the data folder. */
  readonly s3?: S3Settings | undefined;
  /** The largest file that is fetched or uploaded, in bytes. */
  readonly mediaMaxBytes: number;
  /** What the files of one workspace that no message carries yet may have together, in bytes. */
  readonly unsentMaxBytes: number;
  /** What a file must leave free of the data folder's disk, in bytes. Undefined: the smaller of 5 % and 1 GiB. */
  readonly diskReserve?: number | undefined;
  /**
   * How many requests this process works on at once, and how many of one key when there are many. Undefined: 256 and 16
   * (`http/edge/request-room.ts`).
   */
  readonly requestRoom?: { readonly requests: number; readonly perKey: number };
  /** The plan of a workspace that is made on `/setup`. */
  readonly defaultPlan: Plan;
  readonly logLevel: LogLevel;
}

export interface Secrets {
  /** 32 bytes. */
  readonly masterKey: Buffer;
  /** The file that holds it; undefined: it was given in the environment. */
  readonly keyFile?: string;
}

/** Settings that cannot be used: one line for each, which names the variable and what it takes. */
export class ConfigError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join("\n"));
    this.name = "ConfigError";
    this.faults = faults;
  }
}

/** The folder of the installation: `.env` lies here, and `data` by default. */
export const INSTALLATION = path.resolve(import.meta.dirname, "../../..");

/** A variable's text, and the folder at which its relative paths start. */
interface Variable {
  readonly text: string;
  readonly base: string;
}
export type Environment = ReadonlyMap<string, Variable>;

/**
 * Step 1: reads the variables that are set. The environment wins over `.env`. An empty variable counts as unset. Throws
 * ConfigError.
 */
export function readEnvironment(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  envFile: string = path.join(INSTALLATION, ".env"),
): Environment {
  const found = new Map<string, Variable>();
  const add = (values: Readonly<Record<string, string | undefined>>, base: string) => {
    for (const [name, text] of Object.entries(values))
      if (text !== undefined && text.trim() !== "") found.set(name, { text: text.trim(), base });
  };
  if (existsSync(envFile)) add(parseEnv(readEnvFile(envFile)), path.dirname(envFile));
  add(environment, process.cwd());
  return found;
}

function readEnvFile(file: string): string {
  try {
    // Some editors begin a file with a mark, which would become part of the first name.
    return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw new ConfigError([`${file} cannot be read (${codeOf(error)})`]);
  }
}

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
const ROLES = ["all", "api", "worker"] as const;
/** The largest file of any platform (WhatsApp: documents of 100 MB). */
const MEDIA_MAX_BYTES = 100 * 1024 * 1024;
const MOST_BYTES = 999_999_999_999_999;
const UNSENT_MAX_BYTES = 4 * 1024 ** 3;
const KEY_WORDS = "32 bytes in base64 (make one: openssl rand -base64 32)";
const ON = ["1", "true", "on", "yes"];
const OFF = ["0", "false", "off", "no"];

function faultOfKey(key: string | undefined, databaseUrl: string | undefined): string | null {
  if (key !== undefined)
    return parseKey(key) === null ? `PARLEY_MASTER_KEY takes ${KEY_WORDS}` : null;
  if (databaseUrl === undefined) return null;
  return `PARLEY_MASTER_KEY is required with DATABASE_URL: ${KEY_WORDS}`;
}

/** Reads settings one by one, and collects their faults. */
class SettingReader {
  readonly faults: string[] = [];
  readonly #environment: Environment;
  constructor(environment: Environment) {
    this.#environment = environment;
  }

  text(name: SettingName): string | undefined {
    return this.#environment.get(name)?.text;
  }

  fault(name: SettingName, takes: string, shown = this.text(name)): void {
    this.faults.push(
      `${name} takes ${takes}${shown === undefined ? "" : `, not "${clip(shown)}"`}`,
    );
  }

  oneOf<T extends string>(name: SettingName, values: readonly T[], standard: T): T {
    const given = this.text(name);
    const known = values.find((value) => value === given?.toLowerCase());
    if (given !== undefined && known === undefined) this.fault(name, `one of ${values.join(", ")}`);
    return known ?? standard;
  }

  /** Undefined when it is unset or wrong. An address may hold a password, and a token is one, so a fault never shows it. */
  address(name: SettingName, takes: string, fits: (url: string) => boolean): string | undefined {
    const given = this.text(name);
    if (given === undefined || fits(given)) return given;
    this.faults.push(`${name} takes ${takes}`);
    return undefined;
  }

  /** A number of bytes. Undefined when it is unset. */
  bytes(name: SettingName, least: number, most: number): number | undefined {
    const given = this.text(name);
    if (given === undefined) return undefined;
    const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
    if (!(value >= least && value <= most))
      this.fault(name, `a number of bytes from ${least} to ${most}`);
    return value;
  }

  /** A whole number of things; `standard` when it is unset. */
  count(name: SettingName, least: number, most: number, standard: number): number {
    const given = this.text(name) ?? String(standard);
    const value = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
    if (!(value >= least && value <= most)) this.fault(name, `a number from ${least} to ${most}`);
    return value;
  }

  webAddresses(name: SettingName): string[] {
    const given = (this.text(name) ?? "").split(",").map((part) => part.trim());
    const addresses = given.filter((part) => part !== "");
    for (const bad of addresses.filter((part) => !isWebAddress(part)))
      this.fault(
        name,
        "http or https addresses without query or password, with commas between",
        bad,
      );
    return addresses;
  }

  ranges(name: SettingName, isRefused = (_range: string) => false): string[] {
    const parts = (this.text(name) ?? "").split(",").map((part) => part.trim());
    const given = parts.filter((part) => part !== "").map((part) => asCidr(part) ?? part);
    for (const bad of given.filter((part) => asCidr(part) === null || isRefused(part)))
      this.fault(name, "address ranges like 127.0.0.0/8 with commas between", bad);
    return given;
  }
}

/** Step 2: checks all settings. Throws ConfigError with every fault at once. */
export function parseConfig(environment: Environment): Config {
  const read = new SettingReader(environment);
  const config: Config = {
    ...readPlace(read),
    ...readData(read, environment),
    ...readFileSettings(read),
    ...readWork(read, environment.has("DATABASE_URL")),
    ...readNetwork(read),
  };
  const keyFault = faultOfKey(read.text("PARLEY_MASTER_KEY"), config.databaseUrl);
  if (keyFault !== null) read.faults.push(keyFault);
  if (read.faults.length > 0) throw new ConfigError(read.faults);
  return config;
}

/** The address at which the server is reached. */
function readPlace(read: SettingReader) {
  const host = read.text("HOST") ?? "127.0.0.1";
  if (!isIP(host) && !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host))
    read.fault("HOST", "an IP address or a host name");
  const port = Number(read.text("PORT") ?? 3000);
  if (!/^\d+$/.test(read.text("PORT") ?? "3000") || port > 65_535)
    read.fault("PORT", "a whole number from 0 to 65535");
  const publicUrl = read.text("PARLEY_PUBLIC_URL");
  if (publicUrl !== undefined && !isWebAddress(publicUrl))
    read.fault("PARLEY_PUBLIC_URL", "an http or https address without query or password");
  return {
    host,
    port,
    publicUrl: (publicUrl ?? `http://${addressable(host)}:${port}`).replace(/\/+$/, ""),
  };
}

/** The place of the data, and the services in use. */
function readData(read: SettingReader, environment: Environment) {
  const data = environment.get("PARLEY_DATA_DIR") ?? { text: "data", base: INSTALLATION };
  if (data.text.includes("\0")) read.fault("PARLEY_DATA_DIR", "the path of a folder");
  const databaseUrl = read.address(
    "DATABASE_URL",
    "an address like postgres://user:password@host:5432/database (several hosts have commas between, and target_session_attrs can only be read-write)",
    isDatabaseAddress,
  );
  const redisUrl = read.address(
    "REDIS_URL",
    "an address like redis://:password@host:6379/0 (a % in the password is %25)",
    isRedisAddress,
  );
  const smtpUrl = read.address(
    "SMTP_URL",
    "an address like smtp://user:password@host:587?from=Parley%20<parley@example.com> (from may be left out; a % in the password is %25)",
    isMailAddress,
  );
  return {
    dataDir: path.resolve(data.base, data.text),
    databaseUrl,
    sharedDatabase: databaseUrl !== undefined,
    redisUrl,
    smtpUrl,
  };
}

/** The store for files, and how large they may be. */
function readFileSettings(read: SettingReader) {
  const s3Url = read.text("S3_URL");
  const s3 = s3Url === undefined ? undefined : (readS3Address(s3Url) ?? undefined);
  // The address holds a secret, so it is never shown.
  if (s3Url !== undefined && s3 === undefined)
    read.faults.push(
      "S3_URL takes an address like s3://KEY:SECRET@host:9000/bucket?region=us-east-1&tls=off (region and tls may be left out)",
    );
  return {
    s3,
    mediaMaxBytes: read.bytes("PARLEY_MEDIA_MAX_BYTES", 1, 9_999_999_999) ?? MEDIA_MAX_BYTES,
    unsentMaxBytes: read.bytes("PARLEY_UNSENT_MAX_BYTES", 1, MOST_BYTES) ?? UNSENT_MAX_BYTES,
    diskReserve: read.bytes("PARLEY_DISK_RESERVE", 0, MOST_BYTES),
  };
}

/** What this process does, and how. */
function readWork(read: SettingReader, ownDatabase: boolean) {
  const demo = read.text("PARLEY_DEMO")?.toLowerCase();
  if (demo !== undefined && ![...ON, ...OFF].includes(demo)) read.fault("PARLEY_DEMO", "on or off");
  // A database of the operator's own gets a demo only when it is asked for.
  const quiet = ownDatabase || read.text("NODE_ENV") === "production";
  return {
    role: read.oneOf("PARLEY_ROLE", ROLES, "all"),
    demo: demo === undefined ? (quiet ? false : ("auto" as const)) : ON.includes(demo),
    logLevel: read.oneOf("LOG_LEVEL", LOG_LEVELS, "info"),
    defaultPlan: read.oneOf("PARLEY_DEFAULT_PLAN", PLANS, "business"),
    metricsToken: read.address(
      "PARLEY_METRICS_TOKEN",
      "a token without blanks, of letters, digits and signs of ASCII, as a header carries it",
      (token) => /^[\x21-\x7e]+$/.test(token),
    ),
    requestRoom: {
      requests: read.count("PARLEY_MAX_REQUESTS", 16, 100_000, 256),
      perKey: read.count("PARLEY_MAX_REQUESTS_PER_KEY", 1, 100_000, 16),
    },
  };
}

/** Which private addresses it may call, and which proxies it believes. */
function readNetwork(read: SettingReader) {
  return {
    outboundAllow: read.ranges("PARLEY_OUTBOUND_ALLOW"),
    modelUrls: read.webAddresses("PARLEY_MODEL_URLS"),
    // With a range of length 0, everybody could claim any address as their own.
    trustedProxies: read.ranges("PARLEY_TRUSTED_PROXIES", (range) => /\/0+$/.test(range)),
  };
}

/**
 * Step 3: the master key. When it is unset, with the embedded database, it is read from the data folder (which is made
 * when missing). Without a database yet, it is made there, mode 0600. Throws ConfigError.
 */
export function loadSecrets(config: Config, environment: Environment): Secrets {
  try {
    makeFolder(config.dataDir);
  } catch (error) {
    throw new ConfigError([
      `PARLEY_DATA_DIR takes a folder that can be written; ${config.dataDir} cannot be made (${codeOf(error)})`,
    ]);
  }
  const given = parseKey(environment.get("PARLEY_MASTER_KEY")?.text ?? "");
  if (given) return { masterKey: given };
  const file = path.join(config.dataDir, "master.key");
  try {
    if (!existsSync(file)) {
      // With a new key beside old data, no stored credential could be read, and nobody would notice until the first
      // send.
      if (existsSync(path.join(config.dataDir, "postgres", "PG_VERSION")))
        throw new ConfigError([
          `PARLEY_MASTER_KEY is unset and ${file} is missing, but the data is sealed with it: put the key back`,
        ]);
      writeOnce(file, `${randomBytes(32).toString("base64")}\n`);
    }
    const masterKey = parseKey(readFileSync(file, "utf8").trim());
    if (masterKey) return { masterKey, keyFile: file };
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError([
      `PARLEY_DATA_DIR takes a folder that can be read and written; ${file} cannot be (${codeOf(error)})`,
    ]);
  }
  throw new ConfigError([`PARLEY_MASTER_KEY: ${file} does not hold 32 bytes in base64`]);
}

/**
 * Why this user cannot keep files in the data folder, which exists by now. Null: it can. A server without it would start,
 * and refuse every upload and every file of customers.
 */
export function folderFault(dataDir: string): string | null {
  // The folder of files, which a command of another user may have made.
  for (const folder of [dataDir, path.join(dataDir, "uploads")])
    try {
      if (folder !== dataDir && !existsSync(folder)) continue;
      if (!statSync(folder).isDirectory())
        return `PARLEY_DATA_DIR takes a folder; ${folder} is none`;
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      return `PARLEY_DATA_DIR takes a folder that can be read and written; ${folder} cannot be (${codeOf(error)}): does it belong to the user of the server?`;
    }
  return null;
}

/**
 * Does all three steps with the real environment. `unknown` lists variables that look like settings but are none.
 * Throws ConfigError.
 */
export function loadConfig() {
  const environment = readEnvironment();
  const config = parseConfig(environment);
  const unknown = unknownSettings(environment.keys());
  return { config, secrets: loadSecrets(config, environment), unknown };
}

/** The process number of `scripts/run.cjs` when it started this process, so that this one ends with it; else null. */
export function launcherPid(): number | null {
  return Number(process.env["PARLEY_LAUNCHER_PID"]) || null;
}

/** The 32 bytes of a master key in base64; null: it is none. */
export function parseKey(text: string): Buffer | null {
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  const key = Buffer.from(text, "base64");
  return key.length === 32 ? key : null;
}
