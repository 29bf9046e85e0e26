import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** Held shared by every command that uses a database which another command runs. */
const SHARED = 7_404_551_203;
const LOOK_MS = 100;

/**
 * Joins the database that another command runs: it goes on until what this gives is called. Null when that command is
 * about to end it, or nobody answers.
 */
export async function shareDatabase(databaseUrl: string): Promise<(() => Promise<void>) | null> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // One that breaks is met by the statements of the command itself.
  client.on("error", () => {});
  const leave = () => client.end().catch(() => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ held: boolean }>(
      "select pg_try_advisory_lock_shared($1) as held",
      [SHARED],
    );
    if (rows[0]?.held === true) return leave;
  } catch {
    // It is being ended.
  }
  await leave();
  return null;
}

/**
 * Resolves when nobody shares the database any more, and from then on nobody can: it may be ended at once. It looks
 * again and again instead of waiting in line, where it would keep others from joining meanwhile.
 */
export async function awaitLastSharer(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on("error", () => {});
  try {
    await client.connect();
    for (;;) {
      const { rows } = await client.query<{ held: boolean }>(
        "select pg_try_advisory_lock($1) as held",
        [SHARED],
      );
      // The connection is left open, and with it the lock, until the database ends.
      if (rows[0]?.held === true) return;
      await sleep(LOOK_MS);
    }
  } catch {
    // A database that does not answer is ended all the same.
  }
}
