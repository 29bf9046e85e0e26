import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** The advisory lock that every command holds shared while it uses a database which another command runs. */
const SHARED = 7_404_551_203;
const LOOK_MS = 100;

/**
 * Joins the database that another command runs. It keeps running until the returned function is called. Null when that
 * command is about to end it, or when nobody answers.
 */
export async function shareDatabase(databaseUrl: string): Promise<(() => Promise<void>) | null> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // When this connection breaks, the command's own statements fail.
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
 * Resolves when nobody shares the database any more. From then on nobody can join, so it may be ended at once. It looks
 * again and again. Waiting in line for the lock would keep others from joining meanwhile.
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
