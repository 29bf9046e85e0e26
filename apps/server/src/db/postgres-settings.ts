import os from "node:os";

/** Only names the socket: nothing listens on a network. */
export const PORT = 5432;

const GIBIBYTE = 2 ** 30;
/** What this machine or container has, in bytes. */
const memory = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, os.totalmem());

/**
 * The embedded PostgreSQL's settings: durable, for two cores and a small machine. Parallel plans are off: they want
 * more of /dev/shm than containers have.
 */
export const SETTINGS: Readonly<Record<string, string | number>> = {
  listen_addresses: "",
  port: PORT,
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  max_connections: 60,
  // A batch of an import locks two thousand addresses; that many fit four times.
  max_locks_per_transaction: 256,
  shared_buffers: memory >= 2 * GIBIBYTE ? "256MB" : "128MB",
  // It writes out ahead what others would have to write before they can read: of 129,000 pages of an import it writes
  // all but 10,300 so.
  bgwriter_delay: "50ms",
  bgwriter_lru_maxpages: 1_000,
  bgwriter_lru_multiplier: 4,
  effective_cache_size: "1GB",
  work_mem: "8MB",
  maintenance_work_mem: "64MB",
  wal_level: "minimal",
  max_wal_senders: 0,
  // A checkpoint ends with the disk busy for a tenth of a second and more, and each page's first change after it is
  // written whole: half as many of both beside large work.
  max_wal_size: "2GB",
  // What large work writes to the log goes to the disk as it comes, not all of it with one commit that those of others
  // wait behind: beside imports of 40,000 a create's p99 was 19 to 30 ms in four looks so, 20 to 216 in six without, in
  // turn.
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
  // Commits wait behind what it writes: 16 MB a second at most, not 40.
  autovacuum_vacuum_cost_delay: "5ms",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
  // Rows and statements may hold what no log may show.
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
};
