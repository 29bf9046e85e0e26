import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { buildApp, type App } from "../src/app.ts";
import type { Overrides } from "../src/open-context.ts";
import type { Config } from "../src/config.ts";
import { unhindered } from "../src/lib/background.fixture.ts";
import type { Clock } from "../src/lib/clock.ts";
import type { Pressure } from "../src/lib/pressure.ts";
import { setHashCost } from "../src/logins/password.ts";

// A hash at full strength takes 70 ms of processor time. One test makes one (`workspaces.test.ts`).
setHashCost({ memoryKib: 64, passes: 1 });

/** A crowded machine makes the event loop late, and tests must not be refused for it. For a second app that serves, too. */
export const CALM: Pressure = { loopMs: () => 0, memory: () => 0 };

/** A clock that stands still until a test moves it. Starts at the true time, so that signatures stay fresh. */
export class TestClock implements Clock {
  #at = Date.now();
  now(): Date {
    return new Date(this.#at);
  }
  /** A moment in which others get their turn; the clock stands still. */
  async pass(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
  }
  advance(ms: number): void {
    this.#at += ms;
  }
  set(at: Date): void {
    this.#at = at.getTime();
  }
}

/** A database of its own, made from the migrated template or an empty one; dropped by `drop`. */
export async function createTestDatabase(
  template: "parley_template" | "template0" = "parley_template",
): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = process.env["PARLEY_TEST_POSTGRES"];
  if (!server) throw new Error("run tests with `npm test [-- FILE...]`: it starts PostgreSQL");
  const name = `t_${randomBytes(8).toString("hex")}`;
  await admin(server, `create database ${name} template ${template} strategy file_copy`);
  return {
    url: server.replace("/postgres?", `/${name}?`),
    drop: () => admin(server, `drop database ${name} with (force)`),
  };
}

async function admin(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    // Two files that copy the template at the same moment: the second is told to wait (55006).
    for (let attempt = 1; ; attempt++) {
      try {
        await client.query(statement);
        return;
      } catch (error) {
        if (attempt >= 100 || !(error instanceof pg.DatabaseError) || error.code !== "55006")
          throw error;
        await client.query("select pg_sleep(0.05)");
      }
    }
  } finally {
    await client.end();
  }
}

export interface TestApp extends AsyncDisposable {
  readonly app: App;
  readonly clock: TestClock;
  readonly databaseUrl: string;
}

/**
 * A whole app on its own database, workers not started: call `app.drain()` to run all due work.
 * `await using t = await startTestApp()`.
 */
export async function startTestApp(
  options: {
    config?: Partial<Config>;
    overrides?: Overrides;
    clock?: TestClock;
    masterKey?: Buffer;
  } = {},
): Promise<TestApp> {
  const database = await createTestDatabase();
  const clock = options.clock ?? new TestClock();
  const config: Config = {
    host: "127.0.0.1",
    port: 0,
    publicUrl: "http://127.0.0.1:0",
    // Made by the first file that is kept, if one is.
    dataDir: path.join(tmpdir(), `parley-test-${randomBytes(8).toString("hex")}`),
    databaseUrl: database.url,
    redisUrl: undefined,
    role: "all",
    demo: false,
    outboundAllow: ["127.0.0.0/8"],
    smtpUrl: undefined,
    mediaMaxBytes: 100 * 1024 * 1024,
    unsentMaxBytes: 4 * 1024 ** 3,
    defaultPlan: "business",
    logLevel: "silent",
    ...options.config,
  };
  const app = await buildApp(
    config,
    { masterKey: options.masterKey ?? randomBytes(32) },
    // Tests set accounts up as the operator does; those of the guard say otherwise.
    { clock, background: unhindered, operator: true, pressure: CALM, ...options.overrides },
  );
  return {
    app,
    clock,
    databaseUrl: database.url,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await database.drop();
      if (options.config?.dataDir === undefined)
        await rm(config.dataDir, { recursive: true, force: true });
    },
  };
}
