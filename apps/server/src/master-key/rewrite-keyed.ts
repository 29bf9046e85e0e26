import type { Context } from "../context.ts";
import { isPassingFault } from "../db/passing-fault.ts";
import { sqlState } from "../db/sql-state.ts";
import { hashOnceMore, isHashedWith, sealedBeginning, type Sealer } from "../lib/seal.ts";
import {
  replaceValues,
  selectRows,
  unlessBytes,
  whenText,
  type FoundRow,
  type Place,
} from "./rewrite-store.ts";
import { KEYED_COLUMNS, type HashedColumn, type SealedColumn } from "./sealed-columns.ts";

/** Rows that one transaction rewrites. Their locks last for milliseconds. */
const BATCH = 200;
const TRIES = 5;

/** The outcome of one pass over every column. */
export interface Rewritten {
  readonly values: number;
  /** Values that no key opens, as `table.column`: they could not be read before either. */
  readonly unreadable: Readonly<Record<string, number>>;
}

type RewriteContext = Pick<Context, "db"> & { readonly sealer: Sealer };

/**
 * Seals everything in the database with the key in use that an earlier one sealed, and hashes its hashes once more. What
 * changes meanwhile is left to the next pass: call it until it gives 0.
 */
export async function rewriteKeyed(context: RewriteContext): Promise<Rewritten> {
  let values = 0;
  const unreadable: Record<string, number> = {};
  for (const [name, column] of Object.entries(KEYED_COLUMNS)) {
    const done = await rewriteColumn(context, name, column);
    values += done.values;
    if (done.unreadable > 0) unreadable[name] = done.unreadable;
  }
  return { values, unreadable };
}

async function rewriteColumn(
  context: RewriteContext,
  name: string,
  column: SealedColumn | HashedColumn,
): Promise<{ values: number; unreadable: number }> {
  const { sealer, db } = context;
  const place = placeOf(name, column, sealer.mark);
  let values = 0;
  let unreadable = 0;
  let after: readonly string[] | null = null;
  for (;;) {
    const rows: FoundRow[] = await selectRows(db, place, after, BATCH);
    const last = rows.at(-1);
    if (!last) return { values, unreadable };
    after = last.key;
    const changed = rows.flatMap((row) => {
      const next =
        column.holds === "hash"
          ? hashed(sealer, column, row)
          : resealed(sealer, column, place, row);
      if (next === undefined) unreadable++;
      return next === null || next === undefined ? [] : [{ ...row, next }];
    });
    values += await patiently(() => replaceValues(db, place, changed));
  }
}

function placeOf(name: string, column: SealedColumn | HashedColumn, mark: string): Place {
  const [table = "", field = ""] = name.split(".");
  const also = column.holds === "sealed" ? (column.also ?? {}) : {};
  const begins = column.holds === "hash" ? column.begins : column.after;
  const isText = column.holds === "hash" ? column.bytes === undefined : begins !== undefined;
  const mine = column.holds === "hash" ? Buffer.from(`${mark}.`) : sealedBeginning(mark);
  const when = isText ? whenText(field, begins ?? "") : unlessBytes(field, mine);
  return { table, column: field, key: column.key, also, type: isText ? "text" : "bytea", when };
}

/** The value sealed with the key in use; null: it is; undefined: no key opens it. */
function resealed(
  sealer: Sealer,
  column: SealedColumn,
  { key, also }: Place,
  row: FoundRow,
): Buffer | string | null | undefined {
  const { after } = column;
  const sealed =
    typeof row.value === "string"
      ? Buffer.from(row.value.slice(after?.length ?? 0), "base64")
      : row.value;
  const mine = sealedBeginning(sealer.mark);
  if (sealed.subarray(0, mine.length).equals(mine)) return null;
  const named = [...Object.keys(key), ...Object.keys(also)];
  const texts = [...row.key, ...row.also];
  const facts = Object.fromEntries(named.map((one, index) => [one, texts[index] ?? ""]));
  try {
    const place = column.place(facts);
    const next = sealer.seal(sealer.open(sealed, place), place);
    return after === undefined ? next : after + next.toString("base64");
  } catch {
    return undefined;
  }
}

/** The hash, hashed once more; null: it was. */
function hashed(sealer: Sealer, column: HashedColumn, row: FoundRow): Buffer | string | null {
  const { bytes, begins, purpose } = column;
  const stored =
    typeof row.value === "string" ? row.value.slice(begins.length) : (bytes?.read(row.value) ?? "");
  if (isHashedWith(stored, sealer.mark)) return null;
  const next = hashOnceMore(stored, sealer.mark, sealer.derive(purpose));
  return bytes ? bytes.write(next) : begins + next;
}

/** Two changes of the same rows may lock them in two orders; the one that PostgreSQL ends is tried again. */
async function patiently(work: () => Promise<number>): Promise<number> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const again =
        isPassingFault(error) ||
        ["40P01", "40001", "23505", "55P03"].includes(sqlState(error) ?? "");
      if (!again || tries === TRIES) throw error;
    }
  }
}
