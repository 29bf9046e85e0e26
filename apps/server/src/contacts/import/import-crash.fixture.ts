import type { App } from "../../app.ts";
import { sql } from "../../db/sql.ts";
import { inspectImport } from "./inspect-import.ts";
import { listImports, type ImportFile } from "./run-import.ts";

/** Rows for an import: some repeat a person, some change one and some are refused. */
export function csvOf(rows: number): string {
  let text = "name,phone,email,tags,optedOut\n";
  for (let n = 0; n < rows; n++) {
    const who = n % 10 === 9 ? n - 5 : n;
    text += `Name ${n},${n % 37 === 5 ? "none" : 96_550_000_000 + who},p${who}@example.com,t${n % 7},${n % 50 === 3}\n`;
  }
  return text;
}
/** A file in memory. */
export const fileOf = async (text: string): Promise<ImportFile> => {
  const all = Buffer.from(text);
  async function* open(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < all.length; at += 65_536) yield all.subarray(at, at + 65_536);
  }
  return { ...(await inspectImport(open())), name: "people.csv", open };
};

/** Everything that an import stores, without ids and times. */
export async function stateOf(app: App, w: string): Promise<unknown> {
  const rows = (statement: Parameters<App["db"]["query"]>[0]) => app.db.query(statement);
  return {
    contacts: await rows(sql`
      select name, phone, email, tags, opted_out_at is not null as out from contact
      where workspace_id = ${w} order by phone, name, id`),
    events: await rows(sql`
      select type, count(*) from event where workspace_id = ${w} group by type order by type`),
    gaps: await rows(sql`
      select max(sequence) - count(*) as missing from event where workspace_id = ${w}`),
    consent: await rows(sql`select count(*) from consent_entry where workspace_id = ${w}`),
    total: await rows(sql`select total from contact_total where workspace_id = ${w}`),
    refusals: await rows(sql`
      select position, line, reason, record from contact_import_refusal
      where workspace_id = ${w} order by position`),
    imports: (await listImports(app, w)).map(
      ({ state, rows: taken, created, updated, unchanged, refused }) => ({
        state,
        taken,
        created,
        updated,
        unchanged,
        refused,
      }),
    ),
  };
}
