import { memoryLimit } from "../lib/memory-limit.ts";

/** Only part of the socket's name: nothing listens on a network. */
export const PORT = 5432;

const GIBIBYTE = 2 ** 30;
const memory = memoryLimit();

/**
 * The embedded PostgreSQL's settings: durable, and for a small machine with two cores. Parallel plans are off, because
 * they need more of /dev/shm than containers have.
 */
export const SETTINGS: Readonly<Record<string, string | number>> = {
  listen_addresses: "",
  port: PORT,
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  max_connections: 60,
  // A batch of an import locks two thousand addresses. Four such batches fit.
  max_locks_per_transaction: 256,
  shared_buffers: memory >= 2 * GIBIBYTE ? "256MB" : "128MB",
  // The background writer writes pages out before others need the room and would have to write them. Of an import's
  // 129,000 pages it now writes all but 10,300.
  bgwriter_delay: "50ms",
  bgwriter_lru_maxpages: 1_000,
  bgwriter_lru_multiplier: 4,
  effective_cache_size: "1GB",
  work_mem: "8MB",
  maintenance_work_mem: "64MB",
  wal_level: "minimal",
  max_wal_senders: 0,
  // At its end a checkpoint keeps the disk busy for a tenth of a second or more, and after it the first change of each
  // page is written to the log whole. With this size both happen half as often beside large work.
  max_wal_size: "2GB",
  // The log of large work goes to the disk as it is written, and not all at once with one commit that others wait for.
  // Beside imports of 40,000, a create's p99 was 19 to 30 ms in four runs with this, and 20 to 216 ms in six runs
  // without, in turn.
  wal_writer_delay: "20ms",
  wal_writer_flush_after: "256kB",
  // Log files are kept for reuse, so no commit waits while a new one is written.
  min_wal_size: "256MB",
  checkpoint_timeout: "15min",
  random_page_cost: 1.1,
  jit: "off",
  max_worker_processes: 4,
  max_parallel_workers_per_gather: 0,
  max_parallel_maintenance_workers: 0,
  autovacuum_naptime: "20s",
  // Commits wait behind what autovacuum writes: now 16 MB a second at most, not 40.
  autovacuum_vacuum_cost_delay: "5ms",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
  // Rows and statements may hold data that must not stand in a log.
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
};
