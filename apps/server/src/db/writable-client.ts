import pg from "pg";

/** The server takes no writes: a standby, or what was the primary before another took over. */
export class ReadOnlyServer extends Error {
  constructor() {
    super("the server takes no writes: is it a standby?");
  }
}

/** 25006: read_only_sql_transaction. */
const READ_ONLY_STATE = "25006";
/** PostgreSQL tells these at the start and, beside the next answer, whenever they change. */
const TELLING = new Set(["in_hot_standby", "default_transaction_read_only"]);
/** Where PostgreSQL waits for its synchronous standby; what it says from there is that it no longer does. */
const WAITING_FOR_STANDBY = "SyncRepWaitForLSN";

/** Whether a parameter that the server tells of itself means that it takes no writes. */
export function tellsReadOnly(name: string, value: string): boolean {
  return value === "on" && TELLING.has(name);
}

/**
 * A connection that ends, after the answer in hand, once its server takes no writes. When a standby takes over, the address
 * of the database leads to it soon; a connection that stayed with the old server would go on reading what was there then
 * (a key that was revoked since, a list without what came since), for as long as the process lives.
 */
export class WritableClient extends pg.Client {
  #readOnly = false;
  #unconfirmed = false;

  constructor(settings?: string | pg.ClientConfig) {
    super(settings);
    const { connection } = this;
    connection.on("parameterStatus", (told: { parameterName: string; parameterValue: string }) => {
      if (tellsReadOnly(told.parameterName, told.parameterValue)) this.#readOnly = true;
    });
    // A pooler passes errors on, but not what changed.
    connection.on("errorMessage", ({ code }: { code?: string }) => {
      if (code === READ_ONLY_STATE) this.#readOnly = true;
    });
    connection.on("notice", ({ routine }: { routine?: string }) => {
      if (routine === WAITING_FOR_STANDBY) this.#unconfirmed = true;
    });
    connection.on("readyForQuery", ({ status }: { status: string }) => {
      if (!this.#readOnly || status !== "I") return;
      // Later: the driver has its own hands on this answer first.
      setImmediate(() => connection.stream.destroy(new ReadOnlyServer()));
    });
  }

  /**
   * Somebody cut a commit of it short (`pg_cancel_backend`) that waited for the synchronous standby: PostgreSQL answers that
   * it is done, with a warning, and a failover takes it back.
   */
  get unconfirmed(): boolean {
    return this.#unconfirmed;
  }

  /** Its server takes no writes; the connection is about to end. */
  get readOnly(): boolean {
    return this.#readOnly;
  }
}
