import type { Queryable } from "./database.ts";
import { readSchemaState, type SchemaState } from "./migrate.ts";

/** Anybody may ask for readiness, and PostgreSQL takes some 15 ms to read the catalogue. */
const EVERY_MS = 1_000;

/**
 * Makes a function that gives `readSchemaState`, read at most once a second however many ask. A failed look is not
 * kept.
 */
export function watchSchema(
  db: Queryable,
  now: () => number = () => performance.now(),
): () => Promise<SchemaState> {
  let look: { readonly at: number; readonly state: Promise<SchemaState> } | undefined;
  return () => {
    if (look === undefined || now() - look.at >= EVERY_MS) {
      const begun = { at: now(), state: readSchemaState(db) };
      look = begun;
      begun.state.catch(() => {
        if (look === begun) look = undefined;
      });
    }
    return look.state;
  };
}
