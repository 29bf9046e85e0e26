import { setTimeout as sleep } from "node:timers/promises";
import type { Shop } from "../crash/shop.ts";
import type { Gaps } from "./gaps.ts";
import { eventually } from "../crash/shop.ts";
import type { Stand } from "./stand.ts";

const DAY_MS = 24 * 3_600_000;
/** Longer than a call to a platform may take (20 s), so that the first calls end without an answer. */
const HUNG_MS = 25_000;
/** Longer than a look-up may take, several times over. */
const NAMES_AWAY_MS = 15_000;
/** A process compares its clock with PostgreSQL's every ten seconds. */
const WRONG_CLOCK_MS = 20_000;

interface Scene {
  readonly shop: Shop<Stand>;
  readonly gaps: Gaps;
}

/**
 * A fault from its beginning until everything is repaired. It waits in between until writes go well again (`gaps.back()`), or shows
 * that they cannot.
 */
export interface Fault {
  readonly name: string;
  /** The database itself takes no writes for a time. */
  readonly failover: boolean;
  readonly run: (scene: Scene) => Promise<void>;
}

/** A fault of the machine that leads, from which it is healed when another leads. */
const ofTheLeader = (
  name: string,
  strike: (machine: Stand["cluster"]["nodes"][number]["machine"]) => unknown,
  heal: (node: Stand["cluster"]["nodes"][number]) => void,
): Fault => ({
  name,
  failover: true,
  async run({ shop, gaps }) {
    const { cluster } = shop.server;
    const { leader } = await cluster.whole();
    await strike(leader.machine);
    await cluster.leader(leader);
    await gaps.back();
    heal(leader);
  },
});

const wrongClock = (name: string, role: "apis" | "workers", ahead: number): Fault => ({
  name,
  failover: false,
  async run({ shop, gaps }) {
    const [, program] = shop.server[role];
    program?.setClock(ahead);
    await sleep(WRONG_CLOCK_MS);
    await gaps.back();
    program?.setClock(0);
  },
});

export const FAULTS: readonly Fault[] = [
  ofTheLeader(
    "leader killed",
    (machine) => machine.kill(),
    (node) => node.start(),
  ),
  ofTheLeader(
    "leader frozen",
    (machine) => machine.signal("SIGSTOP"),
    ({ machine }) => machine.signal("SIGCONT"),
  ),
  ofTheLeader(
    "leader partitioned",
    (machine) => machine.plug("out"),
    ({ machine }) => machine.plug("in"),
  ),
  {
    name: "quorum lost",
    failover: true,
    async run({ shop }) {
      const { cluster } = shop.server;
      const { standby, third } = await cluster.whole();
      for (const { machine } of [standby, third]) machine.plug("out");
      await cluster.headless();
      for (const { machine } of [standby, third]) machine.plug("in");
    },
  },
  {
    name: "switchover",
    failover: true,
    async run({ shop }) {
      const { cluster } = shop.server;
      const { leader, standby } = await cluster.whole();
      const told = await leader.ask("switchover", { leader: leader.name, candidate: standby.name });
      if (!told?.startsWith("Successfully")) throw new Error(`no switchover: ${told}`);
      await cluster.leader(leader);
    },
  },
  {
    name: "standby gone",
    failover: true,
    async run({ shop, gaps }) {
      const { standby } = await shop.server.cluster.whole();
      await standby.machine.kill();
      await gaps.back();
      standby.start();
    },
  },
  {
    name: "worker killed",
    failover: false,
    async run({ shop, gaps }) {
      for (const worker of shop.server.workers) {
        await worker.kill();
        await gaps.back();
        worker.launch();
        await worker.ready();
      }
    },
  },
  {
    name: "Redis killed",
    failover: false,
    async run({ shop, gaps }) {
      await shop.server.redis?.kill();
      await gaps.back();
      shop.server.startRedis();
    },
  },
  wrongClock("worker's clock a day ahead", "workers", DAY_MS),
  wrongClock("worker's clock a day behind", "workers", -DAY_MS),
  wrongClock("API's clock a day ahead", "apis", DAY_MS),
  wrongClock("API's clock a day behind", "apis", -DAY_MS),
  {
    name: "names away",
    failover: false,
    async run({ shop }) {
      const { names } = shop.server;
      names.silent = true;
      const before = names.unanswered;
      await sleep(NAMES_AWAY_MS);
      await eventually("a question", 60_000, async () => (names.unanswered > before ? true : null));
      names.silent = false;
    },
  },
  {
    name: "provider hung",
    failover: false,
    async run({ shop }) {
      const { meta } = shop;
      // Half of the messages are taken; what the platform says of them is the only word of them.
      meta.fault({ kind: "hang", accepted: true, chance: 0.5, next: Infinity });
      meta.fault({ kind: "hang", accepted: false, next: Infinity });
      await sleep(HUNG_MS);
      meta.faults.clear();
    },
  },
];
