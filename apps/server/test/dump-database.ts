import pg from "pg";

/** Every row of every table as text: where a secret or a passcode must not be found. */
export async function dumpDatabase(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "select quote_ident(tablename) as name from pg_tables where schemaname = 'public'",
    );
    let stored = "";
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(
        `select x::text as text from ${name} x`,
      );
      stored += rows.map((row) => `${row.text}\n`).join("");
    }
    return stored;
  } finally {
    await client.end();
  }
}
