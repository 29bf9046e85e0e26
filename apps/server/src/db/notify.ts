import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../lib/logger.ts";
import { RESYNC_TOPIC, TOPICS_CHANNEL, type Hint, type Topics } from "../lib/topics.ts";
import type { Queryable } from "./database.ts";
import { SESSION } from "./session.ts";
import { sql } from "./sql.ts";
import { cutAt } from "./time-limit.ts";
import { WritableClient } from "./writable-client.ts";
import { describeForLog } from "./describe-for-log.ts";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/** How long a notification may take from one connection to the other. */
const PROOF_MS = 3_000;
const DEAF_PAUSE_MS = 10 * 60_000;
/**
 * How often the connection is tested again: the database may have moved or vanished while this connection stayed where
 * it was.
 */
const PROOF_EVERY_MS = 5_000;
/** How long the set-up of the connection may take. */
const LISTEN_MS = 5_000;
/** Only the process that sends on this topic receives it. */
const PROOF_TOPIC = "proof";

const DEAF_WORDS =
  "no hints of other processes come in over DATABASE_URL, as behind a pooler in transaction mode: chat windows are looked after every 2 s, and replies accepted by a process of role api wait for up to a second";

/** No notification comes: a pooler in transaction mode accepts LISTEN but passes none on. */
class Deaf extends Error {}

interface EarOptions {
  readonly connectionString: string;
  readonly log: Logger;
  readonly processId: string;
  readonly proofMs: number;
  readonly proofEveryMs: number;
  /** Sends a hint to all processes, over another connection (one of the pool). */
  readonly notify: (topic: string, hint: Hint) => Promise<unknown>;
  readonly hear: (topic: string, hint: Hint) => void;
}

/** The connection on which a process receives the hints of others. It is opened again whenever it breaks. */
interface Ear {
  readonly connected: boolean;
  open(): void;
  cut(): Promise<void>;
  /** Ends it for good. */
  close(): Promise<void>;
}

function createEar(options: EarOptions): Ear {
  const { log } = options;
  const halt = new AbortController();
  let client: WritableClient | null = null;
  let connected = false;
  let keeping: Promise<void> | undefined;

  /** Resolves with `then` after `ms`, or with "over" when this process stops. */
  const pass = <T>(ms: number, then: T): Promise<T | "over"> =>
    sleep(ms, then, { signal: halt.signal, ref: false }).catch(() => "over" as const);

  async function listen(): Promise<void> {
    const mine = newClient(options.connectionString);
    const { over, nextProof } = heardOn(mine, options);
    client = mine;
    try {
      await mine.connect();
      const stop = cutAt(performance.now() + LISTEN_MS, mine);
      await mine.query(`${SESSION}; listen ${TOPICS_CHANNEL}`).finally(stop);
      for (;;) {
        const proof = nextProof();
        await options.notify(PROOF_TOPIC, { kind: "resync" });
        // When this process itself was held up, it first reads what came meanwhile.
        const late = pass(options.proofMs, "late").then((told) => nextTurn(told));
        const heard = await Promise.race([proof, over, late]);
        // A connection that worked before is opened again, perhaps to another server. One that never worked is `Deaf`.
        if (heard === "late" && !connected) throw new Deaf();
        // Cut without a goodbye: if the way to it is cut, nobody would answer one.
        if (heard === "late") mine.connection.stream.destroy();
        if (heard !== "heard") return;
        const before = connected;
        connected = true;
        if (!before) options.hear(RESYNC_TOPIC, { kind: "resync" });
        if ((await Promise.race([over, pass(options.proofEveryMs, "due")])) === "over") return;
      }
    } finally {
      connected = false;
      await mine.end().catch(() => {});
    }
  }

  async function keep(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!halt.signal.aborted) {
      let was = false;
      try {
        await listen();
        was = true;
      } catch (error) {
        if (error instanceof Deaf) {
          pause = DEAF_PAUSE_MS;
          log.warn({ triedAgainInMs: pause }, DEAF_WORDS);
        } else log.warn(describeForLog(error), "listening connection failed");
      }
      if (was) pause = FIRST_PAUSE_MS;
      if (halt.signal.aborted) return;
      await sleep(pause, undefined, { signal: halt.signal, ref: false }).catch(() => {});
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  }

  return {
    get connected() {
      return connected;
    },
    open() {
      if (!halt.signal.aborted) keeping ??= keep();
    },
    async cut() {
      await client?.end().catch(() => {});
    },
    async close() {
      halt.abort();
      await client?.end().catch(() => {});
      await keeping;
    },
  };
}

function newClient(connectionString: string): WritableClient {
  return new WritableClient({
    connectionString,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: "parley topics",
  });
}

/**
 * Passes on the hints of a connection. `over` resolves when it has ended, and `nextProof` with the next hint of this
 * process.
 */
function heardOn(client: WritableClient, { processId, hear }: EarOptions) {
  const { promise: over, resolve: lost } = Promise.withResolvers<"over">();
  let proof = Promise.withResolvers<"heard">();
  client.on("error", () => lost("over"));
  client.on("end", () => lost("over"));
  client.on("notification", ({ payload }) => {
    const told = readPayload(payload ?? "");
    if (told === null) return;
    if (told.from !== processId) hear(told.topic, told.hint);
    else if (told.topic === PROOF_TOPIC) proof.resolve("heard");
  });
  const nextProof = () => (proof = Promise.withResolvers()).promise;
  return { over, nextProof };
}

/**
 * Topics over PostgreSQL's LISTEN and NOTIFY. Each process has one connection for them. The first listener opens it,
 * and it is opened again whenever it breaks. It counts as connected while notifications of another connection arrive on
 * it. Where none arrive (a pooler that shares connections between transactions), hints stay within the process, and
 * workers find all work by looking.
 */
export function createTopics(options: {
  readonly connectionString: string;
  readonly db: Queryable;
  readonly log: Logger;
  readonly processId: string;
  readonly proofMs?: number;
  readonly proofEveryMs?: number;
}): Topics {
  const { connectionString, db, log, processId } = options;
  const listeners = new Map<string, Set<(hint: Hint) => void>>();

  const tell = (hear: (hint: Hint) => void, hint: Hint) => {
    try {
      hear(hint);
    } catch (error) {
      log.error(describeForLog(error), "a listener failed");
    }
  };
  const dispatch = (topic: string, hint: Hint) => {
    for (const hear of listeners.get(topic) ?? []) tell(hear, hint);
  };
  const notify = (topic: string, hint: Hint) => {
    const payload = JSON.stringify({ from: processId, topic, note: hint });
    return db.query(sql`select pg_notify(${TOPICS_CHANNEL}, ${payload})`);
  };
  const { proofMs = PROOF_MS, proofEveryMs = PROOF_EVERY_MS } = options;
  const own = { connectionString, log, processId, proofMs, proofEveryMs };
  const ear = createEar({ ...own, notify, hear: dispatch });

  return {
    processId,
    get connected() {
      return ear.connected;
    },
    dispatch,
    async publish(topic, hint) {
      dispatch(topic, hint);
      try {
        await notify(topic, hint);
      } catch (error) {
        log.warn(describeForLog(error), "a hint did not reach other processes");
      }
    },
    subscribe(topic, hear) {
      ear.open();
      let set = listeners.get(topic);
      if (!set) listeners.set(topic, (set = new Set()));
      set.add(hear);
      return () => {
        set.delete(hear);
        if (set.size === 0 && listeners.get(topic) === set) listeners.delete(topic);
      };
    },
    cut: () => ear.cut(),
    close: () => ear.close(),
  };
}

function readPayload(text: string): { from: string; topic: string; hint: Hint } | null {
  try {
    // Processes of an earlier version listen too: the member keeps its name.
    const value = JSON.parse(text) as Partial<{ from: string; topic: string; note: Hint }>;
    const { from, topic, note: hint } = value;
    if (typeof from !== "string" || typeof topic !== "string" || typeof hint !== "object")
      return null;
    return { from, topic, hint };
  } catch {
    return null;
  }
}
