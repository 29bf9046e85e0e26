import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Context } from "../../context.ts";
import { renderCounts } from "../../lib/counts.ts";
import { memoryLimit } from "../../lib/memory-limit.ts";
import { VERSION } from "../../version.ts";
import { openStreams } from "../edge/live-stream.ts";
import type { RequestRoom } from "../edge/request-room.ts";
import { createDatabaseFacts, type DatabaseFacts } from "./database-facts.ts";
import { diskRoom } from "./disk-room.ts";

const ROLES = ["all", "api", "worker"] as const;

export interface Metrics {
  observe(method: string, route: string, status: number, seconds: number): void;
  /** Prometheus text. Without a database it has all that is known without one. */
  render(): Promise<string>;
  readonly contentType: string;
}

type Measured = Pick<Context, "db" | "rateLimits" | "clock" | "config">;

/**
 * What `/metrics` says (docs/operations.md, Health and metrics): counts of this process, and what the database knows of
 * all processes together. No family has a workspace among its labels.
 */
export function createMetrics(context: Measured, room?: RequestRoom): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "parley_http_request_duration_seconds",
    help: "Time from the request line to the last byte of the answer",
    labelNames: ["method", "route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const gauge = gaugesOf(registry);
  const build = gauge(
    "parley_build_info",
    "Always 1; the labels say which Parley and which Node run",
    ["version", "node"],
  );
  build.set({ version: VERSION, node: process.versions.node }, 1);
  if (room) countRoom(registry, room);
  const measureProcess = processGauges(context, gauge);
  const showFacts = databaseGauges(context, gauge);
  const factsOf = createDatabaseFacts(context);
  return {
    observe: (method, route, status, seconds) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    async render() {
      const [facts] = await Promise.all([factsOf(), measureProcess()]);
      showFacts(facts);
      return `${await registry.metrics()}\n${renderCounts()}`;
    },
    contentType: registry.contentType,
  };
}

type MakeGauge = <L extends string = never>(
  name: string,
  help: string,
  labelNames?: L[],
) => Gauge<L>;

/** Makes gauges of a registry. One that was never set has no line. */
const gaugesOf =
  (registry: Registry): MakeGauge =>
  (name, help, labelNames = []) => {
    const made = new Gauge({ name, help, labelNames, registers: [registry] });
    // Without labels the library begins at 0, which would be a lie until it is measured.
    if (labelNames.length === 0) made.remove();
    return made;
  };

/** What this process knows without the database. The returned function measures it. */
function processGauges(
  { db, rateLimits, config }: Measured,
  gauge: MakeGauge,
): () => Promise<void> {
  const fallback = gauge(
    "parley_rate_limits_fallback",
    "1 while Redis is away and PostgreSQL counts the rate limits",
  );
  const streams = gauge("parley_open_streams", "Open streams of server-sent events, by kind", [
    "kind",
  ]);
  const size = gauge("parley_pool_size", "How many connections to PostgreSQL a pool may have", [
    "pool",
  ]);
  const connections = gauge(
    "parley_pool_connections",
    "Connections to PostgreSQL, by pool; in_use: lent to a statement or transaction",
    ["pool", "state"],
  );
  const waiting = gauge("parley_pool_waiting", "Callers that wait for a connection, by pool", [
    "pool",
  ]);
  const memory = gauge(
    "parley_memory_limit_bytes",
    "The most memory that this process may have: of its control group, or of the machine",
  );
  const diskSize = gauge("parley_disk_size_bytes", "Size of the disk that holds the data folder");
  const diskFree = gauge(
    "parley_disk_free_bytes",
    "Room that Parley may still write on the disk that holds the data folder",
  );
  return async () => {
    fallback.set(rateLimits.usesFallback() ? 1 : 0);
    for (const [kind, n] of Object.entries(openStreams())) streams.set({ kind }, n);
    for (const use of db.poolUse()) {
      const { pool } = use;
      size.set({ pool }, use.size);
      connections.set({ pool, state: "in_use" }, use.inUse);
      connections.set({ pool, state: "idle" }, use.idle);
      waiting.set({ pool }, use.waiting);
    }
    memory.set(memoryLimit());
    const room = await diskRoom(config.dataDir);
    if (room === null) return;
    diskSize.set(room.size);
    diskFree.set(room.free);
  };
}

/** What the database knows. The returned function shows what one scrape has read; what is missing has no line. */
function databaseGauges({ clock }: Measured, gauge: MakeGauge): (facts: DatabaseFacts) => void {
  const up = gauge("parley_database_up", "1 when PostgreSQL answers this process, else 0");
  const offset = gauge(
    "parley_clock_offset_seconds",
    "How far the clock of this machine is ahead of PostgreSQL's; below 0: behind",
  );
  const oldest = gauge(
    "parley_queue_oldest_seconds",
    "How long the work has been due that is due longest, by queue; 0: nothing is due",
    ["queue"],
  );
  const rows = gauge(
    "parley_queue_rows",
    "Rows that wait, by queue and state, counted up to 1,000",
    ["queue", "state"],
  );
  const processes = gauge("parley_processes", "Processes that run on this database, by role", [
    "role",
  ]);
  const backup = gauge(
    "parley_backup_age_seconds",
    "Time since the last parley backup of this database; no line: none was made",
  );
  return (facts) => {
    const now = clock.now().getTime();
    const ageOf = (at: Date) => Math.max(0, (now - at.getTime()) / 1_000);
    up.set(facts.clockAheadMs === undefined ? 0 : 1);
    if (facts.clockAheadMs === undefined) offset.remove();
    else offset.set(-facts.clockAheadMs / 1_000);
    oldest.reset();
    for (const { queue, since } of facts.oldestDue ?? [])
      oldest.set({ queue }, since === null ? 0 : ageOf(since));
    rows.reset();
    for (const { queue, state, n } of facts.queueRows ?? []) rows.set({ queue, state }, n);
    processes.reset();
    if (facts.processes)
      for (const role of ROLES)
        processes.set({ role }, facts.processes.find((one) => one.role === role)?.n ?? 0);
    if (facts.backupMade) backup.set(ageOf(facts.backupMade));
    else backup.remove();
  };
}

/** The requests that this process works on, and those that it refused because it had enough to do. */
function countRoom(registry: Registry, room: RequestRoom): void {
  const refused = new Counter({
    name: "parley_requests_refused_total",
    help: "Requests answered 503 because this process had enough to do, by importance and cause",
    labelNames: ["importance", "cause"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { importance, cause, count } of room.refusals())
        this.inc({ importance, cause }, count);
    },
  });
  const working = new Gauge({
    name: "parley_requests_in_flight",
    help: "Requests that this process works on",
    registers: [registry],
    collect() {
      this.set(room.inFlight);
    },
  });
  for (const one of [refused, working]) registry.registerMetric(one);
}
