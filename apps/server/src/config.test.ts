import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import {
  ConfigError,
  folderFault,
  loadSecrets,
  parseConfig,
  readEnvironment,
  type Config,
} from "./config.ts";
import { databaseHosts } from "./lib/database-hosts.ts";

const NO_FILE = "/nonexistent/.env";
const KEY = Buffer.alloc(32, 7).toString("base64");

function parse(environment: Record<string, string>): Config {
  return parseConfig(readEnvironment(environment, NO_FILE));
}

function faultsOf(attempt: () => unknown): readonly string[] {
  try {
    attempt();
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

test("nothing set gives the defaults of the contract", () => {
  const config = parse({});
  assert.deepEqual(config, {
    host: "127.0.0.1",
    port: 3000,
    publicUrl: "http://127.0.0.1:3000",
    dataDir: path.resolve(import.meta.dirname, "../../../data"),
    databaseUrl: undefined,
    sharedDatabase: false,
    metricsToken: undefined,
    requestRoom: { requests: 256, perKey: 16 },
    redisUrl: undefined,
    role: "all",
    demo: "auto",
    outboundAllow: [],
    modelUrls: [],
    smtpUrl: undefined,
    trustedProxies: [],
    s3: undefined,
    mediaMaxBytes: 104_857_600,
    unsentMaxBytes: 4_294_967_296,
    diskReserve: undefined,
    defaultPlan: "business",
    logLevel: "info",
  });
});

const FAULTS: readonly [Record<string, string>, RegExp][] = [
  [{ HOST: "not a host" }, /^HOST takes an IP address or a host name, not "not a host"$/],
  [{ PORT: "abc" }, /^PORT takes a whole number from 0 to 65535, not "abc"$/],
  [{ PORT: "65536" }, /^PORT takes/],
  [{ PORT: "-1" }, /^PORT takes/],
  [{ PORT: "3e3" }, /^PORT takes/],
  [{ PARLEY_PUBLIC_URL: "example.com" }, /^PARLEY_PUBLIC_URL takes an http or https address/],
  [{ PARLEY_PUBLIC_URL: "https://a.b/?x=1" }, /^PARLEY_PUBLIC_URL takes/],
  [
    { DATABASE_URL: "mysql://u:secret@h/d", PARLEY_MASTER_KEY: KEY },
    /^DATABASE_URL takes an address/,
  ],
  [
    { DATABASE_URL: "postgres://u:secret@h:port/d", PARLEY_MASTER_KEY: KEY },
    /^DATABASE_URL takes an address/,
  ],
  [
    { DATABASE_URL: "postgres://u@/d?host=/run&port=x", PARLEY_MASTER_KEY: KEY },
    /^DATABASE_URL takes an address/,
  ],
  ...["a,b:port/d", "a,,b/d", "a,b/d?target_session_attrs=standby"].map(
    (rest): [Record<string, string>, RegExp] => [
      { DATABASE_URL: `postgres://u:secret@${rest}`, PARLEY_MASTER_KEY: KEY },
      /^DATABASE_URL takes an address .*several hosts/,
    ],
  ),
  [{ DATABASE_URL: "postgres://h/d" }, /^PARLEY_MASTER_KEY is required with DATABASE_URL/],
  [{ DATABASE_URL: "foo" }, /^DATABASE_URL takes an address [^\n]*$/],
  [{ REDIS_URL: "localhost:6379" }, /^REDIS_URL takes an address like redis:/],
  [{ REDIS_URL: "redis://host:6379/parley" }, /^REDIS_URL takes an address like redis:/],
  [{ REDIS_URL: "redis://host?db=x" }, /^REDIS_URL takes an address like redis:/],
  [{ PARLEY_ROLE: "web" }, /^PARLEY_ROLE takes one of all, api, worker, not "web"$/],
  [{ PARLEY_MASTER_KEY: "short" }, /^PARLEY_MASTER_KEY takes 32 bytes in base64/],
  [{ PARLEY_DEMO: "maybe" }, /^PARLEY_DEMO takes on or off, not "maybe"$/],
  [{ PARLEY_OUTBOUND_ALLOW: "10.0.0.0/8,10.0.0.0/33" }, /^PARLEY_OUTBOUND_ALLOW .*"10.0.0.0\/33"$/],
  [{ PARLEY_OUTBOUND_ALLOW: "localhost" }, /^PARLEY_OUTBOUND_ALLOW takes address ranges/],
  [{ PARLEY_TRUSTED_PROXIES: "nginx" }, /^PARLEY_TRUSTED_PROXIES takes address ranges/],
  [{ PARLEY_TRUSTED_PROXIES: "::1,0.0.0.0/0" }, /^PARLEY_TRUSTED_PROXIES takes .*"0.0.0.0\/0"$/],
  [{ PARLEY_METRICS_TOKEN: "two words" }, /^PARLEY_METRICS_TOKEN takes a token without blanks/],
  [{ SMTP_URL: "mail.example.com" }, /^SMTP_URL takes an address like smtp:/],
  [{ SMTP_URL: "smtp://mail.example.com?from=Parley" }, /^SMTP_URL takes an address like smtp:/],
  [{ SMTP_URL: "smtp://me:secret50%off@mail.example.com" }, /^SMTP_URL takes .* a % .* is %25/],
  [{ REDIS_URL: "redis://:secret50%off@host:6379" }, /^REDIS_URL takes .*a % .* is %25/],
  [{ S3_URL: "s3://KEY:secret@host/" }, /^S3_URL takes an address like s3:/],
  [{ S3_URL: "https://KEY:secret@host/bucket" }, /^S3_URL takes an address like s3:/],
  [{ PARLEY_MEDIA_MAX_BYTES: "100MB" }, /^PARLEY_MEDIA_MAX_BYTES takes a number.*not "100MB"$/],
  [{ PARLEY_MEDIA_MAX_BYTES: "0" }, /^PARLEY_MEDIA_MAX_BYTES takes/],
  [{ PARLEY_UNSENT_MAX_BYTES: "4GB" }, /^PARLEY_UNSENT_MAX_BYTES takes a number of bytes.*"4GB"$/],
  [{ PARLEY_DISK_RESERVE: "5%" }, /^PARLEY_DISK_RESERVE takes a number of bytes from 0 to .*"5%"$/],
  [{ LOG_LEVEL: "loud" }, /^LOG_LEVEL takes one of trace, debug/],
];

for (const [environment, expected] of FAULTS) {
  test(`one line names the fault of ${JSON.stringify(environment)}`, () => {
    const faults = faultsOf(() => parse(environment));
    assert.equal(faults.length, 1, faults.join("\n"));
    assert.match(faults[0] ?? "", expected);
    assert.doesNotMatch(faults[0] ?? "", /\n|secret/);
  });
}

test("every fault is reported at once", () => {
  const faults = faultsOf(() => parse({ PORT: "x", PARLEY_ROLE: "x", LOG_LEVEL: "x" }));
  assert.deepEqual(
    faults.map((line) => line.split(" ")[0] ?? "").toSorted((a, b) => a.localeCompare(b)),
    ["LOG_LEVEL", "PARLEY_ROLE", "PORT"],
  );
});

test("set variables are used, and an empty variable counts as unset", () => {
  const config = parse({
    HOST: "::",
    PORT: "0",
    PARLEY_PUBLIC_URL: "https://chat.example.com/p/",
    REDIS_URL: "rediss://:p%40ss@redis.lan/2?family=6",
    PARLEY_ROLE: "worker",
    S3_URL: "s3://KEY:SE%2FCRET@minio.lan:9000/files?tls=off",
    PARLEY_MEDIA_MAX_BYTES: "26214400",
    PARLEY_UNSENT_MAX_BYTES: "1073741824",
    PARLEY_DISK_RESERVE: "0",
    PARLEY_DEMO: "off",
    PARLEY_OUTBOUND_ALLOW: "127.0.0.1, ::1/128",
    LOG_LEVEL: "",
  });
  assert.equal(config.publicUrl, "https://chat.example.com/p");
  assert.equal(config.redisUrl, "rediss://:p%40ss@redis.lan/2?family=6");
  assert.deepEqual(config.outboundAllow, ["127.0.0.1/32", "::1/128"]);
  assert.deepEqual([config.role, config.demo, config.logLevel], ["worker", false, "info"]);
  assert.equal(config.mediaMaxBytes, 26_214_400);
  assert.deepEqual([config.unsentMaxBytes, config.diskReserve], [1_073_741_824, 0]);
  assert.deepEqual(config.s3, {
    endpoint: "http://minio.lan:9000",
    bucket: "files",
    region: "us-east-1",
    accessKeyId: "KEY",
    secretAccessKey: "SE/CRET",
  });
});

test("production and a database of the operator's own have no demo unless it is asked for", () => {
  const own = {
    DATABASE_URL: "postgres://a:b@h/d",
    PARLEY_MASTER_KEY: Buffer.alloc(32).toString("base64"),
  };
  for (const environment of [{ NODE_ENV: "production" }, own]) {
    assert.equal(parse(environment).demo, false);
    assert.equal(parse({ ...environment, PARLEY_DEMO: "on" }).demo, true);
  }
});

test(".env is read, its relative paths start at its folder, and the environment wins", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parley-config-"));
  try {
    const file = path.join(folder, ".env");
    writeFileSync(file, "# note\nPORT=4000\nPARLEY_DATA_DIR=./mine\nLOG_LEVEL=warn\n");
    const config = parseConfig(readEnvironment({ PORT: "5000" }, file));
    assert.deepEqual(
      [config.port, config.dataDir, config.logLevel],
      [5000, path.join(folder, "mine"), "warn"],
    );
    // The mark with which some editors begin a file is no part of the first name.
    writeFileSync(file, "\uFEFFPORT=4001\n");
    assert.equal(parseConfig(readEnvironment({}, file)).port, 4001);
    // When a mounted file is missing, a container makes a folder of that name.
    assert.deepEqual(
      faultsOf(() => readEnvironment({}, folder)),
      [`${folder} cannot be read (EISDIR)`],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the master key is made once, and only its owner may read the file", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parley-config-"));
  try {
    const environment = readEnvironment({ PARLEY_DATA_DIR: path.join(folder, "data") }, NO_FILE);
    const config = parseConfig(environment);
    const first = loadSecrets(config, environment).masterKey;
    const file = path.join(folder, "data", "master.key");
    assert.equal(first.length, 32);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(loadSecrets(config, environment).masterKey, first);
    const own = new Map(environment).set("PARLEY_MASTER_KEY", { text: KEY, base: "/" });
    assert.deepEqual(loadSecrets(config, own).masterKey, Buffer.alloc(32, 7));

    writeFileSync(file, "damaged");
    assert.match(
      faultsOf(() => loadSecrets(config, environment))[0] ?? "",
      /does not hold 32 bytes/,
    );
    rmSync(file);
    mkdirSync(path.join(folder, "data", "postgres"));
    writeFileSync(path.join(folder, "data", "postgres", "PG_VERSION"), "18\n");
    assert.match(faultsOf(() => loadSecrets(config, environment))[0] ?? "", /put the key back/);
    assert.throws(() => readFileSync(file), "no new key beside old data");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a data folder that cannot be made is named", () => {
  const environment = readEnvironment({ PARLEY_DATA_DIR: "/proc/parley" }, NO_FILE);
  const faults = faultsOf(() => loadSecrets(parseConfig(environment), environment));
  assert.match(faults[0] ?? "", /^PARLEY_DATA_DIR takes a folder.*\/proc\/parley/);
});

test("a data folder that cannot hold files is named: a file in its place, or in the place of its files", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parley-config-"));
  try {
    assert.equal(folderFault(folder), null);
    const file = path.join(folder, "uploads");
    writeFileSync(file, "");
    for (const bad of [folder, file])
      assert.equal(folderFault(bad), `PARLEY_DATA_DIR takes a folder; ${file} is none`);
    assert.match(folderFault(path.join(folder, "none")) ?? "", /^PARLEY_DATA_DIR .*\(ENOENT\)/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("DATABASE_URL may name several hosts, and each becomes an address of its own", () => {
  const url =
    "postgres://u:p%2Cw@a:5432,[2001:db8::1]:6000,c/d?target_session_attrs=read-write&sslmode=no-verify";
  const tail = "/d?target_session_attrs=read-write&sslmode=no-verify";
  assert.equal(parse({ DATABASE_URL: url, PARLEY_MASTER_KEY: KEY }).databaseUrl, url);
  assert.deepEqual(databaseHosts(url), [
    `postgres://u:p%2Cw@a:5432${tail}`,
    `postgres://u:p%2Cw@[2001:db8::1]:6000${tail}`,
    `postgres://u:p%2Cw@c${tail}`,
  ]);
  const socket = "postgres://u@/d?host=/run,with-comma";
  assert.deepEqual(databaseHosts(socket), [socket]);
});
