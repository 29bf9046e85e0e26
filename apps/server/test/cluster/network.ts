import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** PostgreSQL refuses to run as root: what runs on a machine runs as nobody. */
export const NOBODY = 65534;

function ip(command: string): string {
  return execFileSync("ip", command.split(" "), { stdio: ["ignore", "pipe", "pipe"] }).toString();
}

const pidsOf = (namespace: string) =>
  ip(`netns pids ${namespace}`).split("\n").filter(Boolean).map(Number);

/** Why this system has no network namespaces for us; false: it has. */
export function noNamespaces(): string | false {
  try {
    ip(`netns add pc${process.pid}`);
    ip(`netns del pc${process.pid}`);
    return false;
  } catch {
    return "network namespaces take root, Linux and iproute2";
  }
}

/** A machine of its own, as the network sees it: a namespace whose one cable leads to the bridge. */
export class Machine {
  readonly name: string;
  readonly address: string;
  readonly #cable: string;

  constructor(network: Network, number: number) {
    this.name = `${network.name}n${number}`;
    this.address = network.address(number);
    this.#cable = `${network.name}c${number}`;
    ip(`netns add ${this.name}`);
    ip(`link add ${this.#cable} type veth peer name eth0 netns ${this.name}`);
    ip(`link set ${this.#cable} master ${network.name}`);
    ip(`link set ${this.#cable} up`);
    ip(`-n ${this.name} addr add ${this.address}/24 dev eth0`);
    ip(`-n ${this.name} link set eth0 up`);
    ip(`-n ${this.name} link set lo up`);
  }

  /** Starts a program there. What it prints is added to `log`. */
  run(log: string, program: string, words: readonly string[]): ChildProcess {
    const as = `setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups`;
    const out = openSync(log, "a");
    const inside = ["netns", "exec", this.name, ...as.split(" "), program, ...words];
    const child = spawn("ip", inside, { stdio: ["ignore", out, out], cwd: "/" });
    closeSync(out);
    return child;
  }

  /** Sends a signal to everything that runs there. */
  signal(signal: NodeJS.Signals): number {
    const pids = pidsOf(this.name);
    for (const pid of pids) quietly(() => process.kill(pid, signal));
    return pids.length;
  }

  /** As when its power fails. Its cable stays. */
  async kill(): Promise<void> {
    while (this.signal("SIGKILL") > 0) await sleep(5);
  }

  /** With the cable out, what is sent to it is dropped, and what it sends is heard by nobody. */
  plug(state: "in" | "out"): void {
    ip(`link set ${this.#cable} ${state === "in" ? "up" : "down"}`);
  }
}

/**
 * A bridge in this namespace, which has the last address, and machines on it. `dispose` ends all that runs on them, also when this
 * process ends in another way; what a killed one left is removed by the next.
 */
export class Network implements Disposable {
  readonly name = `pc${process.pid}`;
  readonly #base = `10.214.${process.pid % 250}`;
  readonly #clear = () => clear(this.name);

  constructor() {
    for (const name of namespaces()) {
      const [, own, pid] = /^(pc(\d+))n\d+$/.exec(name) ?? [];
      if (own !== undefined && !existsSync(`/proc/${pid}`)) clear(own);
    }
    process.once("exit", this.#clear);
    for (const signal of SIGNALS) process.once(signal, END);
    ip(`link add ${this.name} type bridge`);
    ip(`addr add ${this.address(254)}/24 dev ${this.name}`);
    ip(`link set ${this.name} up`);
  }

  address(number: number): string {
    return `${this.#base}.${number}`;
  }

  machine(number: number): Machine {
    return new Machine(this, number);
  }

  [Symbol.dispose](): void {
    for (const signal of SIGNALS) process.off(signal, END);
    process.off("exit", this.#clear);
    this.#clear();
  }
}

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
/** Without it a signal would end the process, and nothing would run at its exit. */
const END = () => process.exit(1);

const namespaces = () =>
  ip("netns list")
    .split("\n")
    .map((line) => line.split(" ")[0] ?? "");

function clear(network: string): void {
  for (const name of namespaces().filter((one) => one.startsWith(`${network}n`))) {
    // Some may start others while they are being killed.
    for (let pids = pidsOf(name); pids.length > 0; pids = pidsOf(name))
      for (const pid of pids) quietly(() => process.kill(pid, "SIGKILL"));
    ip(`netns del ${name}`);
  }
  // A cable would end with its namespace, but the kernel takes its time for that.
  const links = readdirSync("/sys/class/net").filter((one) => one.startsWith(`${network}c`));
  for (const link of links) quietly(() => ip(`link del ${link}`));
  if (existsSync(`/sys/class/net/${network}`)) ip(`link del ${network}`);
}

function quietly(act: () => void): void {
  try {
    act();
  } catch {
    // It ended in this moment.
  }
}
