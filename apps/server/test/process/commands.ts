import assert from "node:assert/strict";
import { launch } from "./launch.ts";

/** What `/readyz` answers. */
export const ready = async (url: string) => (await fetch(`${url}/readyz`)).status;

/** What a shell may have set for another PostgreSQL: the driver takes it wherever an address says nothing else. */
export const ELSEWHERE = {
  PGHOST: "db.example.com",
  PGPORT: "1",
  PGUSER: "somebody",
  PGDATABASE: "shop",
  PGPASSWORD: "secret",
  PGOPTIONS: "-c search_path=shop",
  PGSSLMODE: "require",
  PGSSLNEGOTIATION: "direct",
  PGREPLICATION: "database",
};

/** Runs a command; gives the one JSON document it printed. */
export async function cli(dataDir: string, ...parameters: string[]): Promise<unknown> {
  const done = await launch("cli/main.ts", [...parameters, "--json"], {
    PARLEY_DATA_DIR: dataDir,
    ...ELSEWHERE,
  }).ended;
  assert.deepEqual([done.code, done.stderr], [0, ""]);
  return JSON.parse(done.stdout);
}

/** The names of a list that a command printed. */
export const names = (list: unknown) => (list as { name: string }[]).map(({ name }) => name);
