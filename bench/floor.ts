import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Db, Tx } from "../apps/server/src/db/database.ts";
import type { Sql } from "../apps/server/src/db/sql.ts";

const run = promisify(execFile);

/** True when PostgreSQL's own load generator is installed (Debian: postgresql-contrib). */
export async function hasPgbench(): Promise<boolean> {
  return run("pgbench", ["--version"]).then(
    () => true,
    () => false,
  );
}

/** Runs a pgbench script with prepared statements, a transaction per item: what PostgreSQL alone can do. */
export async function pgbench(
  target: { directory: string; database: string },
  script: string,
  options: { clients: number; seconds: number },
): Promise<number> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parley-floor-"));
  const file = path.join(folder, "floor.sql");
  writeFileSync(file, script);

  try {
    const { stdout } = await run(
      "pgbench",
      [
        `-h ${target.directory} -U postgres -n -M prepared -j 1`,
        `-c ${options.clients} -T ${options.seconds} -f ${file} ${target.database}`,
      ].flatMap((words) => words.split(" ")),
    );
    const tps = /tps = ([\d.]+)/.exec(stdout)?.[1];
    if (tps === undefined) throw new Error(`pgbench gave no figure: ${stdout}`);
    return Number(tps);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

class Undo extends Error {}

/** The statements that `work` runs, as it runs them today; nothing of it stays. */
export async function recordTransaction(
  db: Db,
  work: (tx: Tx) => Promise<unknown>,
): Promise<Sql[]> {
  const seen: Sql[] = [];
  await db
    .transaction(async (tx) => {
      const last: (() => Promise<unknown>)[] = [];
      await work({
        ...tx,
        query: (statement) => {
          seen.push(statement);
          return tx.query(statement);
        },
        beforeCommit: (statement) => void last.push(statement),
        afterCommit: () => {},
      });
      for (const statement of last) await statement();
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  return seen;
}

/** The same for what reads without a transaction. */
export async function recordReads(db: Db, work: (db: Db) => Promise<unknown>): Promise<Sql[]> {
  const seen: Sql[] = [];
  const query: Db["query"] = (statement) => {
    seen.push(statement);
    return db.query(statement);
  };
  await work({ ...db, query, read: query });
  return seen;
}

/**
 * The statements as a pgbench script with their values written in; a value of `fresh` becomes that expression, for
 * what must differ each time (ids) or be spread (workspaces). Statements of a transaction are pipelined: one by one,
 * each would wait for the answer to the one before, and the floor would be lower than PostgreSQL's own.
 */
export function toScript(
  statements: readonly Sql[],
  fresh: ReadonlyMap<string, string> = new Map(),
  variables: readonly string[] = [],
): string {
  const lines = statements.map((statement) => {
    const { strings, values } = statement;
    return `${strings.reduce((text, part, index) => `${text}${literal(values[index - 1], fresh)}${part}`)};`;
  });
  const body =
    lines.length === 1
      ? lines
      : [String.raw`\startpipeline`, "begin;", ...lines, "commit;", String.raw`\endpipeline`];
  return [...variables.map((one) => String.raw`\set ${one}`), ...body].join("\n");
}

function literal(value: unknown, fresh: ReadonlyMap<string, string>): string {
  if (value === null) return "null";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value instanceof Date) return literal(value.toISOString(), fresh);
  if (Array.isArray(value)) return `array[${value.map((one) => literal(one, fresh)).join(",")}]`;
  if (typeof value !== "string") throw new Error(`no literal for ${typeof value}`);
  // A colon would be taken for a variable of the script.
  return (
    fresh.get(value) ??
    `E'${value.replaceAll(/[\\']/g, String.raw`\$&`).replaceAll(":", String.raw`\x3a`)}'`
  );
}
