import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { databaseHosts } from "../lib/database-hosts.ts";
import { cutAt } from "./time-limit.ts";

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
 * For a connection and for the question whether its server takes writes. A lost packet is sent again after one second.
 */
const CONNECT_MS = 3_000;
/** For so long a host may say nothing until the next one of several is asked too. */
const HEAD_START_MS = 250;

/**
 * Finds the first of several addresses with a server that takes writes. They are asked in their order. The next one is
 * asked as soon as the one before it failed, or after `HEAD_START_MS`: so a machine that vanished costs each connection
 * no more than that. Throws `ReadOnlyServer` when none takes writes, and the errors of all of them when none answers.
 */
async function findWritable(addresses: readonly string[]): Promise<string> {
  const attempts: Promise<string>[] = [];
  for (const address of addresses) {
    attempts.push(askForWrites(address).then(() => address));
    const found = await Promise.race([
      Promise.any(attempts).catch(() => null),
      sleep(HEAD_START_MS, null),
    ]);
    if (found !== null) return found;
  }
  return Promise.any(attempts).catch((error: AggregateError) => {
    throw error.errors.find((one) => one instanceof ReadOnlyServer) ?? error;
  });
}

/** Asks the server whether it takes writes, because a pooler does not pass on what a server reports of itself. */
async function askForWrites(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  // One that breaks is met by its statement.
  client.on("error", () => {});
  const stop = cutAt(performance.now() + CONNECT_MS, client);
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>(
      "show transaction_read_only",
    );
    if (rows[0]?.transaction_read_only === "on") throw new ReadOnlyServer();
  } finally {
    stop();
    await client.end().catch(() => {});
  }
}

type Connected = [error: Error] | [error: null, client: pg.Client];

const connectionStringOf = (settings: string | pg.ClientConfig | undefined): string =>
  (typeof settings === "string" ? settings : settings?.connectionString) ?? "";

/** The same settings with one address: the driver knows of no others. */
function withAddress(settings: string | pg.ClientConfig | undefined, address: string) {
  const connectionString = connectionStringOf(settings) === "" ? {} : { connectionString: address };
  return { ...(typeof settings === "object" && settings), ...connectionString };
}

/**
 * A connection to a server that takes writes. It is given up when it takes longer than `CONNECT_MS` to make. Of an address
 * with several hosts the first one that takes writes is taken, anew for each connection.
 *
 * It ends, after the answer in hand, once its server takes no writes. When a standby takes over, the address of the
 * database leads to it soon; a connection that stayed with the old server would go on reading what was there then (a key
 * that was revoked since, a list without what came since), for as long as the process lives.
 */
export class WritableClient extends pg.Client {
  #readOnly = false;
  #unconfirmed = false;
  #heardAt = -Infinity;
  readonly #addresses: readonly string[];

  constructor(settings?: string | pg.ClientConfig) {
    const addresses = databaseHosts(connectionStringOf(settings));
    super(withAddress(settings, addresses[0] ?? ""));
    this.#addresses = addresses;
    // The pool listens only once it was told of the connection. An error in the same packet as the first answer comes
    // before that, and without a listener it would end the process. The next statement meets it.
    this.on("error", () => {});
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
      this.#heardAt = performance.now();
      if (!this.#readOnly || status !== "I") return;
      // Later: the driver has its own hands on this answer first.
      setImmediate(() => connection.stream.destroy(new ReadOnlyServer()));
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (...told: Connected) => void): void;
  override connect(callback?: (...told: Connected) => void): Promise<pg.Client> | void {
    if (callback === undefined) return this.#open();
    void this.#tell(callback);
  }

  /** The pool asks for a connection by this callback. */
  async #tell(callback: (...told: Connected) => void): Promise<void> {
    try {
      await this.#open();
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    callback(null, this);
  }

  async #open(): Promise<pg.Client> {
    if (this.#addresses.length > 1) {
      const { hostname, port } = new URL(await findWritable(this.#addresses));
      // A socket's folder is percent-encoded.
      this.host = decodeURIComponent(hostname.replaceAll(/^\[|\]$/g, ""));
      this.port = Number(port || 5432);
    }
    const stop = cutAt(performance.now() + CONNECT_MS, this);
    return super.connect().finally(stop);
  }

  /** When its server last finished an answer, as `performance.now()` counts. */
  get heardAt(): number {
    return this.#heardAt;
  }

  /**
   * A commit of this connection waited for the synchronous standby and was cut short (`pg_cancel_backend`). PostgreSQL
   * answers that it is done, with a warning, but a failover takes it back.
   */
  get unconfirmed(): boolean {
    return this.#unconfirmed;
  }

  /** Its server takes no writes; the connection is about to end. */
  get readOnly(): boolean {
    return this.#readOnly;
  }
}
