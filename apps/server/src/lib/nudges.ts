import { setTimeout as sleep } from "node:timers/promises";
import { NUDGE_TOPIC, RESYNC_TOPIC, type Topics } from "./topics.ts";
import type { Queue, Wake } from "./wake.ts";

/**
 * The queues that workers wait on. Streams of events (`feed`) run in the process that was asked, and look by
 * themselves.
 */
const OF_WORKERS = [
  "messages",
  "broadcasts",
  "deliveries",
  "media",
  "profiles",
  "bots",
  "runs",
  "housekeeping",
] as const satisfies readonly Queue[];

/**
 * The least time between two notes of a process. At its commit a notification takes a lock that the whole database
 * server shares. With one note for each message they would hold each other up, so under load one note stands for many.
 */
const APART_MS = 20;

/**
 * For a process without workers. It passes each nudge on to the processes that have workers: the first at once, then at
 * most one note every 20 ms for all queues. A note can be lost: workers also look by themselves.
 */
export function sendNudges(wake: Wake, topics: Pick<Topics, "publish">): Wake {
  const pending = new Set<Queue>();
  let telling = false;
  const tell = async () => {
    telling = true;
    while (pending.size > 0) {
      const queues = [...pending];
      pending.clear();
      await topics.publish(NUDGE_TOPIC, { kind: "nudge", queues });
      await sleep(APART_MS, undefined, { ref: false });
    }
    telling = false;
  };
  return {
    ...wake,
    nudge(queue) {
      wake.nudge(queue);
      if (!OF_WORKERS.some((one) => one === queue)) return;
      pending.add(queue);
      if (!telling) void tell();
    },
  };
}

/**
 * For a process with workers: passes on the nudges of other processes. After a gap in the notes it nudges all queues.
 * Returns the function that ends it.
 */
export function receiveNudges({ wake, topics }: { wake: Wake; topics: Topics }): () => void {
  const ends = [
    topics.subscribe(NUDGE_TOPIC, (note) => {
      if (note.kind === "nudge") for (const queue of note.queues) wake.nudge(queue);
    }),
    topics.subscribe(RESYNC_TOPIC, () => {
      for (const queue of OF_WORKERS) wake.nudge(queue);
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
