import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { databaseHosts } from "../lib/database-hosts.ts";
import { cutAt } from "./time-limit.ts";

/** The server takes no writes: it is a standby, or it was the primary until another took over. */
export class ReadOnlyServer extends Error {
  constructor() {
    super("the server takes no writes: is it a standby?");
  }
}

/** 25006: read_only_sql_transaction. */
const READ_ONLY_STATE = "25006";
/** PostgreSQL reports these at the start and, with the next answer, whenever they change. */
const TELLING = new Set(["in_hot_standby", "default_transaction_read_only"]);
/**
 * The routine in which PostgreSQL waits for its synchronous standby. A notice from it says that PostgreSQL no longer
 * waits.
 */
const WAITING_FOR_STANDBY = "SyncRepWaitForLSN";

/** Whether a parameter that the server reports means that it takes no writes. */
export function tellsReadOnly(name: string, value: string): boolean {
  return value === "on" && TELLING.has(name);
}

/**
 * How long it may take to connect and to ask whether the server takes writes. A lost packet is sent again after one
 * second.
 */
const CONNECT_MS = 3_000;
/** How long a host may be silent before the next one is asked too. */
const HEAD_START_MS = 250;

/**
 * Finds the first of several addresses whose server takes writes. They are asked in their order. The next is asked as
 * soon as the one before has failed, or after `HEAD_START_MS`, so a vanished machine costs each connection no more than
 * that. While one is silent, those that took no writes or failed are asked again: one may be taking over. Throws
 * `ReadOnlyServer` when a server answers but none takes writes, and the errors of all when none answers.
 */
async function findWritable(addresses: readonly string[]): Promise<string> {
  /** One was found, or all have answered: none is asked again. */
  const over = new AbortController();
  let unheard = addresses.length;
  const ask = (address: string) => askForWrites(address).then(() => address);
  const insist = async (first: Promise<string>, address: string): Promise<string> => {
    for (let asked = first; ; asked = ask(address)) {
      try {
        return await asked;
      } catch (error) {
        await sleep(HEAD_START_MS, null, { signal: over.signal }).catch(() => {
          throw error;
        });
      }
    }
  };
  const firsts: Promise<string>[] = [];
  const attempts: Promise<string>[] = [];
  try {
    for (const address of addresses) {
      const first = ask(address).finally(() => {
        if (--unheard === 0) over.abort();
      });
      firsts.push(first);
      attempts.push(insist(first, address));
      const found = await Promise.race([
        Promise.any(attempts).catch(() => null),
        Promise.any(firsts).catch(() => null),
        sleep(HEAD_START_MS, null),
      ]);
      if (found !== null) return found;
    }
    return await Promise.any(attempts);
  } catch (error) {
    const reasons: unknown[] = error instanceof AggregateError ? error.errors : [];
    throw reasons.find((one) => one instanceof ReadOnlyServer) ?? error;
  } finally {
    over.abort();
  }
}

/**
 * Throws `ReadOnlyServer` when the server takes no writes. It asks, because a pooler does not pass on what a server
 * reports of itself.
 */
async function askForWrites(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  // When it breaks, its statement fails.
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

/** The same settings with one address: the driver supports only one. */
function withAddress(settings: string | pg.ClientConfig | undefined, address: string) {
  const connectionString = connectionStringOf(settings) === "" ? {} : { connectionString: address };
  return { ...(typeof settings === "object" && settings), ...connectionString };
}

/**
 * A connection to a server that takes writes. Making it fails after `CONNECT_MS`. An address with several hosts leads
 * to the first that takes writes, found anew for each connection.
 *
 * The connection ends, after the current answer, once its server takes no writes. When a standby takes over, the
 * database's address soon leads to it. A connection that stayed with the old server would go on reading old data (a key
 * that was revoked since, a list without new entries) for as long as the process lives.
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
    // The pool begins to listen only after `connect`. An error in the same packet as the first answer comes before
    // that, and without a listener it would end the process. The next statement fails with it.
    this.on("error", () => {});
    const { connection } = this;
    connection.on("parameterStatus", (told: { parameterName: string; parameterValue: string }) => {
      if (tellsReadOnly(told.parameterName, told.parameterValue)) this.#readOnly = true;
    });
    // A pooler passes errors on, but not changed parameters.
    connection.on("errorMessage", ({ code }: { code?: string }) => {
      if (code === READ_ONLY_STATE) this.#readOnly = true;
    });
    connection.on("notice", ({ routine }: { routine?: string }) => {
      if (routine === WAITING_FOR_STANDBY) this.#unconfirmed = true;
    });
    connection.on("readyForQuery", ({ status }: { status: string }) => {
      this.#heardAt = performance.now();
      if (!this.#readOnly || status !== "I") return;
      // One turn later, because the driver handles this answer first.
      setImmediate(() => connection.stream.destroy(new ReadOnlyServer()));
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (...told: Connected) => void): void;
  override connect(callback?: (...told: Connected) => void): Promise<pg.Client> | void {
    if (callback === undefined) return this.#open();
    void this.#tell(callback);
  }

  /** Connects in the callback form that the pool uses. */
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

  /** When its server last finished an answer, in `performance.now()`. */
  get heardAt(): number {
    return this.#heardAt;
  }

  /**
   * True when a commit waited for the synchronous standby and was cut short (`pg_cancel_backend`). PostgreSQL answers
   * that it is done, with a warning, but a failover would undo it.
   */
  get unconfirmed(): boolean {
    return this.#unconfirmed;
  }

  /** True when its server takes no writes. The connection is about to end. */
  get readOnly(): boolean {
    return this.#readOnly;
  }
}
