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
   * Hands over the parts of one message in order, and stops at the first that is not taken. When the peer is too busy
   * for a later part, that part is tried again a few times, because half of the text has already gone. Returns what
   * came of each part.
   */
  submit(
    peer: SmppPeer,
    id: string,
    parts: (reference: number) => readonly object[],
  ): Promise<readonly Handover[]>;
  /**
   * Keeps the links to exactly these peers bound, so that their receipts come in. A link that is no longer wanted (its
   * account was changed or removed) is unbound as soon as no text is on its way over it: the peer may accept only one
   * link at a time. Links that were never kept end when they are idle.
   */
  keep(peers: readonly SmppPeer[]): void;
  /** Unbinds all links. Nothing is bound afterwards. */
  close(): Promise<void>;
}

const TIMES: SmppTimes = {
  bindMs: 10_000,
  enquireMs: 30_000,
  answerMs: 10_000,
  rebindMs: 1_000,
};
/** The wait before a part is tried again. It doubles each time, because gateways limit calls by the second. */
const PART_AGAIN_MS = 300;
const PART_TRIES = 4;
/** ESME_RMSGQFUL and ESME_RTHROTTLED: the peer takes nothing for now. */
const BUSY: readonly number[] = [0x14, 0x58];
/** For all parts of one message together: as long as a call over HTTP may take. */
const SUBMIT_MS = 15_000;
const IDLE_MS = 300_000;

/** Opens the sessions. `take` stores inbound events. When it throws, the peer is asked to send the event again. */
export function createSmppSessions(
  take: TakeSmppEvent,
  options: {
    readonly times?: Partial<SmppTimes>;
    readonly submitMs?: number;
    readonly partAgainMs?: number;
    /** Judges the addresses of guarded peers. Without it no guarded peer is bound. */
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
  /** For each link, the number of texts on their way. */
  const texts = new Map<SmppLink, number>();
  const unwanted = new Set<SmppLink>();
  const drop = (link: SmppLink): Promise<void> => {
    links.delete(link.peer.key);
    unwanted.delete(link);
    return link.close();
  };
  /** Between two parts of a text no answer is awaited, but the rest still has to go. */
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
