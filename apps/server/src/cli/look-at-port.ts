import { createServer, connect } from "node:net";
import { hostname } from "node:os";
import type { Config } from "../config.ts";
import type { ProcessPlace } from "../db/process-life.ts";
import { listenFault } from "../lib/listen-fault.ts";
import { addressable } from "../lib/setting-text.ts";

/** The time for an answer. A program that takes longer is no Parley. */
const ANSWER_MS = 2_000;

/** A process that runs, and whether it answers at its address; null: on another machine, and not asked. */
export interface AskedProcess extends ProcessPlace {
  readonly answers: boolean | null;
}

/**
 * Asks each of these processes at its own address, wherever the settings of a command point to. Gives a fault for each
 * one of this machine that does not answer.
 */
export async function askProcesses(
  places: readonly ProcessPlace[],
  machine = hostname(),
): Promise<{ readonly processes: readonly AskedProcess[]; readonly faults: readonly string[] }> {
  const processes = await Promise.all(
    places.map(async (place) => ({
      ...place,
      answers: place.machine === machine ? await isParley(place.address) : null,
    })),
  );
  const faults = processes
    .filter(({ answers }) => answers === false)
    .map(({ role, address }) => `the ${role} process at ${address} runs but does not answer`);
  return { processes, faults };
}

/** What answers at the address of the settings. */
export interface PortReport {
  readonly port:
    | "chosen at start"
    | "free"
    | "Parley"
    | "another Parley"
    | "another program"
    | "no";
  /** Why a server could not start there, for the operator. Null: it could, or it runs there. */
  readonly fault: string | null;
}

/**
 * Looks what answers at HOST and PORT. `server`: whether a server runs on this data folder. It is "unknown" with an
 * external database, because other machines may serve from that too. A server that runs here but does not listen there
 * was started with other settings, which is no fault of these, as long as a start with these would succeed.
 */
export async function lookAtPort(
  { host, port }: Pick<Config, "host" | "port">,
  server: "running" | "not running" | "unknown",
): Promise<PortReport> {
  if (port === 0) return { port: "chosen at start", fault: null };
  const taken = `PORT ${port} on ${host} is taken`;
  if (!(await listens(host, port))) {
    const fault = await bindFault(host, port);
    return { port: fault === null ? "free" : "no", fault };
  }
  if (!(await isParley(`http://${addressable(host)}:${port}`)))
    return {
      port: "another program",
      fault: server === "running" ? null : `${taken} by another program; set another PORT`,
    };
  if (server !== "not running") return { port: "Parley", fault: null };
  const other = `${taken} by a Parley with another data folder; set another PORT`;
  return { port: "another Parley", fault: other };
}

function listens(host: string, port: number): Promise<boolean> {
  const socket = connect({ host: addressable(host).replace(/^\[|\]$/g, ""), port });
  return new Promise<boolean>((resolve) => {
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.setTimeout(ANSWER_MS, () => resolve(false));
  }).finally(() => socket.destroy());
}

const isParley = async (address: string): Promise<boolean> => (await whyNoParley(address)) === null;

/** Null: a Parley answers there. Every answer of Parley has the id of its request, a UUIDv7, and /healthz says exactly this. */
async function whyNoParley(address: string): Promise<string | null> {
  try {
    const answer = await fetch(`${address}/healthz`, {
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const said = Buffer.from(await answer.arrayBuffer()).toString();
    const id = answer.headers.get("x-request-id") ?? "";
    if (said === '{"status":"ok"}' && /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(id)) return null;
    const to = answer.headers.get("location");
    return `something else answers there, with ${answer.status}${to === null ? "" : ` to ${to}`}`;
  } catch (error) {
    const why = error instanceof Error ? (error.cause ?? error) : error;
    return why instanceof Error ? why.message : String(why);
  }
}

/**
 * Looks whether PARLEY_PUBLIC_URL leads to a Parley, as platforms and browsers see it. Null: it does. A machine may not
 * be able to reach its own public address, so this is a warning and no fault. A port that a server chose at its start is
 * not known here.
 */
export async function publicUrlWarning(publicUrl: string): Promise<string | null> {
  if (URL.parse(publicUrl)?.port === "0") return null;
  const why = await whyNoParley(publicUrl);
  if (why === null) return null;
  return `PARLEY_PUBLIC_URL ${publicUrl} does not lead here, seen from this machine: ${why}. Platforms, the sandbox and links in mail use it`;
}

/** Listens for a moment, as the server would, and gives the fault of that. */
async function bindFault(host: string, port: number): Promise<string | null> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once("error", reject).listen(port, host, resolve);
    });
    return null;
  } catch (error) {
    return listenFault(error, host, port) ?? `HOST ${host} with PORT ${port}: ${String(error)}`;
  } finally {
    probe.close();
  }
}
