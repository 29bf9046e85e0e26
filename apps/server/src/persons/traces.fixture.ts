import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";

/** The tables in which one of the words stands, in any column: texts, documents, arrays, and bytes. */
export async function tablesNaming(url: string, words: readonly string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(
        `select x::text as text from ${name} x`,
      );
      const all = rows.map((row) => row.text.toLowerCase()).join("\n");
      const hit = words.some((word) =>
        [word.toLowerCase(), Buffer.from(word).toString("hex")].some((form) => all.includes(form)),
      );
      if (hit) found.push(name);
    }
    return found;
  } finally {
    await client.end();
  }
}

/** Files in the data folder with one of the words in their name or bytes. */
export async function filesNaming(dataDir: string, words: readonly string[]): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const name = path.join(entry.parentPath, entry.name);
    const text = name + (await readFile(name, "latin1"));
    if (words.some((word) => text.includes(word))) found.push(name);
  }
  return found;
}
