import { setTimeout as sleep } from "node:timers/promises";
import { NUDGE_TOPIC, RESYNC_TOPIC, type Topics } from "./topics.ts";
import type { Queue, Wake } from "./wake.ts";

/** What workers wait on. Streams of events (`feed`) belong to the process that was asked, and look by themselves. */
const OF_WORKERS = [
  "messages",
  "broadcasts",
  "deliveries",
  "media",
  "profiles",
  "housekeeping",
] as const satisfies readonly Queue[];

/**
 * The least time between two notes of one process. A notification takes a lock at its commit that all of the server
 * share, so that one for each message would hold up every other one: under load it is one for many.
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

/** For a process with workers: hears what others tell. All queues are looked at after a gap. Gives the end of it. */
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
