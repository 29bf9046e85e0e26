import { setTimeout } from "node:timers/promises";
import type { AddressGuard } from "../address-guard.ts";
import {
  SmppLink,
  type Handover,
  type SmppPeer,
  type SmppTimes,
  type TakeSmppEvent,
} from "./link.ts";

/** The links of this process, one per account, shared by all senders. */
export interface SmppSessions {
  /**
   * Hands over the parts of one message in order, and stops at the first that is not taken. One behind the first for
   * which the peer is too busy is handed over again, a few times: half a text has gone by then. Gives what came of each
   * part.
   */
  submit(
    peer: SmppPeer,
    id: string,
    parts: (reference: number) => readonly object[],
  ): Promise<readonly Handover[]>;
  /**
   * Keeps links to exactly these bound, so that their receipts come in. One that was kept and is wanted no more (its
   * account was changed or removed) is unbound once no text is on its way over it: the peer may take one link at a
   * time. Others go when they are idle.
   */
  keep(peers: readonly SmppPeer[]): void;
  /** Unbinds all. Nothing is bound afterwards. */
  close(): Promise<void>;
}

const TIMES: SmppTimes = {
  bindMs: 10_000,
  enquireMs: 30_000,
  answerMs: 10_000,
  rebindMs: 1_000,
};
/** Before a part is handed over again; doubles, for the limits of gateways are so many a second. */
const PART_AGAIN_MS = 300;
const PART_TRIES = 4;
/** ESME_RMSGQFUL and ESME_RTHROTTLED: not taken, for now. */
const BUSY: readonly number[] = [0x14, 0x58];
/** For all parts of one message: as long as a call over HTTP may take. */
const SUBMIT_MS = 15_000;
const IDLE_MS = 300_000;

/** `take` stores what comes in; when it throws, the peer is asked to send it again. */
export function createSmppSessions(
  take: TakeSmppEvent,
  options: {
    readonly times?: Partial<SmppTimes>;
    readonly submitMs?: number;
    readonly partAgainMs?: number;
    /** Judges the addresses of guarded peers; without one none of those is bound. */
    readonly guard?: AddressGuard;
  } = {},
): SmppSessions {
  const links = new Map<string, SmppLink>();
  const times = { ...TIMES, ...options.times };
  const partAgainMs = options.partAgainMs ?? PART_AGAIN_MS;
  let closed = false;
  const linkTo = (peer: SmppPeer): SmppLink => {
    const link = links.get(peer.key) ?? new SmppLink(peer, take, times, options.guard);
    links.set(peer.key, link);
    return link;
  };
  /** Texts on their way, of each link that has some. */
  const texts = new Map<SmppLink, number>();
  const unwanted = new Set<SmppLink>();
  const drop = (link: SmppLink): Promise<void> => {
    links.delete(link.peer.key);
    unwanted.delete(link);
    return link.close();
  };
  /** Between two parts of a text nothing waits for an answer, and the rest of it is still to go. */
  const dropIfDone = (link: SmppLink) => {
    if (unwanted.has(link) && !texts.has(link)) void drop(link);
  };
  const begin = (link: SmppLink) => texts.set(link, (texts.get(link) ?? 0) + 1);
  const end = (link: SmppLink) => {
    const left = (texts.get(link) ?? 1) - 1;
    if (left > 0) texts.set(link, left);
    else texts.delete(link);
    dropIfDone(link);
  };
  const sweep = setInterval(() => {
    for (const link of links.values())
      if (!link.kept && performance.now() - link.usedAt > IDLE_MS) void drop(link);
  }, 60_000);
  sweep.unref();
  return {
    async submit(peer, id, parts) {
      if (closed) return [{ kind: "not_sent", code: "CLOSED" }];
      const link = linkTo(peer);
      const deadline = performance.now() + (options.submitMs ?? SUBMIT_MS);
      const handed: Handover[] = [];
      const all = parts(link.nextReference());
      begin(link);
      try {
        for (const [index, fields] of all.entries()) {
          const part = { index, total: all.length };
          let one = await link.submit(id, fields, part, deadline);
          for (let tries = 1; index > 0 && tries < PART_TRIES && isBusy(one); tries++) {
            const gap = partAgainMs * 2 ** (tries - 1);
            if (performance.now() + gap >= deadline) break;
            await setTimeout(gap);
            one = await link.submit(id, fields, part, deadline);
          }
          handed.push(one);
          if (one.kind !== "answered" || one.status !== 0) break;
        }
        return handed;
      } finally {
        end(link);
      }
    },
    keep(peers) {
      if (closed) return;
      const wanted = new Set(peers.map(({ key }) => key));
      for (const peer of peers) {
        const link = linkTo(peer);
        unwanted.delete(link);
        link.keep(true);
      }
      for (const link of links.values()) {
        if (!link.kept || wanted.has(link.peer.key)) continue;
        link.keep(false);
        unwanted.add(link);
        dropIfDone(link);
      }
    },
    async close() {
      closed = true;
      clearInterval(sweep);
      await Promise.all([...links.values()].map(drop));
    },
  };
}

const isBusy = (one: Handover): boolean => one.kind === "answered" && BUSY.includes(one.status);
