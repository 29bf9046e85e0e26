import type { Context } from "../context.ts";
import type { Tx } from "../db/database.ts";
import { dropLease, selectRunner, claimSandboxLease } from "./lease-store.ts";
import { selectListedLines } from "./sandbox-store.ts";
import type { Sandbox } from "./sandbox.ts";
import { describeForLog } from "../db/describe-for-log.ts";

/** How soon a new sandbox channel is served, whichever process added it. */
const LOOK_MS = 1_000;
/** How soon another process takes over from one that was killed. */
const LEASE_MS = 5_000;
/** The lease is renewed only when less than this is left of it, because a renewal is a write. */
const RENEW_MS = 3_000;
/** How long `onLook` runs after a change of channels, because some data of new channels is stored a little later. */
const RESTLESS_MS = 60_000;

/** Keeps the sandbox of an installation running in exactly one process. */
export interface SandboxKeeper {
  /** The sandbox, when it runs in this process. */
  readonly sandbox: Sandbox | null;
  /** Looks once: takes the lease and serves all channels, or stops serving when another process has the lease. */
  look(): Promise<void>;
  close(): Promise<void>;
}

export interface KeeperOptions {
  readonly publicUrl: string;
  /** The HTTP address at which this process accepts the acts of sandbox customers. */
  readonly address: string;
  readonly delivery?: "timed" | "manual";
  /** The id of this process when others can see whether it lives. Default: a new id. */
  readonly holder?: string;
  /** Runs after the looks of the process that runs the sandbox, for a minute after its channels changed. */
  readonly onLook?: () => Promise<void>;
  /** False: it looks only when `look` is called. Default true. */
  readonly timed?: boolean;
  /** True: runs also without a sandbox channel, because one is about to be added. */
  readonly always?: boolean;
}

/**
 * Runs the sandbox in this process when there is something to serve and no other process does. The lease is a row. It
 * is given back at a stop, and free five seconds after a crash. The emulators' code is loaded only here.
 */
export async function startSandboxKeeper(
  context: Context,
  options: KeeperOptions,
): Promise<SandboxKeeper> {
  const holder = options.holder ?? context.ids.next();
  let sandbox: Sandbox | null = null;
  let closed = false;
  let leasedUntil = 0;
  let restlessUntil = 0;
  const stop = async () => {
    const ended = sandbox;
    sandbox = null;
    context.sandbox.desk = null;
    await ended?.close();
  };
  const lookOnce = async () => {
    if (closed) return;
    if (sandbox === null && options.always !== true)
      if ((await selectListedLines(context.db, null)).length === 0) return;
    const now = context.clock.now();
    const at = now.getTime();
    if (sandbox === null || leasedUntil - at < RENEW_MS) {
      const until = new Date(at + LEASE_MS);
      const ours = await claimSandboxLease(context.db, {
        holder,
        address: options.address,
        now,
        until,
      });
      if (!ours) return stop();
      leasedUntil = until.getTime();
    }
    let changed = true;
    if (sandbox === null) {
      const { startSandbox } = await import("./sandbox.ts");
      const { publicUrl, delivery } = options;
      sandbox = await startSandbox(context, { publicUrl, ...(delivery && { delivery }) });
      context.sandbox.desk = sandbox;
      context.log.info({ channels: sandbox.lines.length }, "the sandbox runs in this process");
    } else changed = await sandbox.refresh();
    if (changed) restlessUntil = at + RESTLESS_MS;
    if (at < restlessUntil) await options.onLook?.();
  };
  // One look at a time. The next look begins after a slow one.
  let looking: Promise<void> = Promise.resolve();
  const look = () => (looking = looking.catch(() => {}).then(lookOnce));
  let timer: NodeJS.Timeout | undefined;
  const again = () => {
    timer = setTimeout(() => {
      void look()
        .catch((error: unknown) =>
          context.log.warn(describeForLog(error), "the sandbox could not look for channels"),
        )
        .then(() => (closed ? undefined : again()));
    }, LOOK_MS);
    timer.unref();
  };
  await look();
  if (options.timed !== false) again();
  return {
    get sandbox() {
      return sandbox;
    },
    look,
    async close() {
      closed = true;
      clearTimeout(timer);
      await looking.catch(() => {});
      await stop();
      await dropLease(context.db, holder).catch(() => {});
    },
  };
}

/** Frees the lease of a process that is gone. Returns how many were freed. */
export async function freeSandbox(tx: Tx, processId: string): Promise<number> {
  return dropLease(tx, processId);
}

/** The address where the sandbox of this installation runs now; null when no process runs it. */
export function findRunner(context: Pick<Context, "db" | "clock">): Promise<string | null> {
  return selectRunner(context.db, context.clock.now());
}
