import type { Dispatcher, Pool as PoolOf } from "undici";
import Pool from "undici/lib/dispatcher/pool.js";

/**
 * Connections by origin. An origin is forgotten with its last connection, because customers name ever new ones. The
 * library's own agent would keep an origin for good (22 KB each) when its last call was given up before the answer, as
 * with a receiver that hangs.
 */
export class OriginPools {
  readonly #settings: PoolOf.Options;
  readonly #pools = new Map<string, Pool>();

  constructor(settings: PoolOf.Options) {
    this.#settings = settings;
  }

  /** Origins with a connection, or with a call that waits for one. */
  get size(): number {
    return this.#pools.size;
  }

  /** Makes the call over a connection of this origin, and opens one where there is none. */
  dispatch(
    origin: string,
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): void {
    const pool = this.#pools.get(origin) ?? this.#open(origin);
    pool.dispatch(options, handler);
  }

  #open(origin: string): Pool {
    const pool = new Pool(origin, this.#settings);
    // Looks one turn later. Until then a call that was given up still counts.
    const look = () => setImmediate(() => this.#forgetUnused(origin, pool));
    pool.on("disconnect", look).on("connectionError", look);
    this.#pools.set(origin, pool);
    return pool;
  }

  #forgetUnused(origin: string, pool: Pool): void {
    if (pool.stats.connected > 0 || pool.stats.size > 0) return;
    if (this.#pools.get(origin) === pool) this.#pools.delete(origin);
    if (!pool.destroyed) void pool.close();
  }
}
