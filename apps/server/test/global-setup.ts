import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { buildDashboardPages } from "../src/http/dashboard/built-dashboard.ts";
import { migrate } from "../src/db/migrate.ts";
import { startTestPostgres } from "./postgres.ts";

let stop: () => Promise<void> = async () => {};

/** Once a run: one PostgreSQL and one migrated template, from which every test file gets its own database. */
export async function globalSetup(): Promise<void> {
  const postgres = await startTestPostgres();
  stop = postgres.stop;
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query("create database parley_template");
  await client.end();
  await migrate(postgres.url.replace("/postgres?", "/parley_template?"));
  process.env["PARLEY_TEST_POSTGRES"] = postgres.url;
  // Made by the first test that starts a server with a database of its own (`process/first-start.ts`).
  process.env["PARLEY_TEST_FIRST_START"] = path.join(postgres.directory, "first-start");
  // Once for all servers that tests start.
  const log = { info: () => {}, error: (facts: object) => console.error(facts) };
  await buildDashboardPages({ dataDir: tmpdir(), log });
}

export async function globalTeardown(): Promise<void> {
  await stop();
}
