import type { Db } from "./database.ts";
import { isPassingFault } from "./passing-fault.ts";
import { sql } from "./sql.ts";
import { FULL, sqlState } from "./sql-state.ts";

/**
 * Knows whether PostgreSQL's disk is full: then reads go on, but every write fails. After PostgreSQL has reported it
 * (`note`), each question tries a small write that needs new room, until one succeeds.
 */
export class FullDisk {
  #met = false;
  #trying: Promise<boolean> | undefined;

  note(): void {
    this.#met = true;
  }

  /** Whether the disk is still full. Throws when the database does not answer. */
  async lasts(db: Db): Promise<boolean> {
    if (!this.#met) return false;
    return (this.#trying ??= this.#try(db).finally(() => (this.#trying = undefined)));
  }

  async #try(db: Db): Promise<boolean> {
    try {
      await db.transaction((tx) =>
        tx.query(
          sql`create temp table parley_room on commit drop as select n from generate_series(1, 2000) as n`,
        ),
      );
    } catch (error) {
      if (sqlState(error) === FULL) return true;
      if (isPassingFault(error)) throw error;
      // Our role may make no temporary tables. The next write will show it.
    }
    this.#met = false;
    return false;
  }
}
