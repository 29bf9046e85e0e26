import {
  SmppLink,
  type Handover,
  type SmppPeer,
  type SmppTimes,
  type TakeSmppEvent,
} from "./link.ts";

/** The links of this process, one per account, shared by everybody who sends. */
export interface SmppSessions {
  /** Hands over the parts of one message in order, and stops at the first that is not taken. */
  submit(
    peer: SmppPeer,
    id: string,
    parts: (reference: number) => readonly object[],
  ): Promise<readonly Handover[]>;
  /** Keeps links to exactly these bound, so that their receipts come in; others go when they are idle. */
  keep(peers: readonly SmppPeer[]): void;
  /** Unbinds all. Nothing is bound afterwards. */
  close(): Promise<void>;
}

const TIMES: SmppTimes = { bindMs: 10_000, enquireMs: 30_000, answerMs: 10_000, rebindMs: 1_000 };
/** For all parts of one message: as long as a call over HTTP may take. */
const SUBMIT_MS = 15_000;
const IDLE_MS = 300_000;

/** `take` stores what comes in; when it throws, the peer is asked to send it again. */
export function createSmppSessions(
  take: TakeSmppEvent,
  options: { readonly times?: Partial<SmppTimes>; readonly submitMs?: number } = {},
): SmppSessions {
  const links = new Map<string, SmppLink>();
  let closed = false;
  const linkTo = (peer: SmppPeer): SmppLink => {
    const link = links.get(peer.key) ?? new SmppLink(peer, take, { ...TIMES, ...options.times });
    links.set(peer.key, link);
    return link;
  };
  const drop = (link: SmppLink): Promise<void> => {
    links.delete(link.peer.key);
    return link.close();
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
      for (const [index, fields] of all.entries()) {
        const one = await link.submit(id, fields, index === all.length - 1, deadline);
        handed.push(one);
        if (one.kind !== "answered" || one.status !== 0) break;
      }
      return handed;
    },
    keep(peers) {
      if (closed) return;
      const wanted = new Set(peers.map(({ key }) => key));
      for (const peer of peers) linkTo(peer).keep(true);
      for (const link of links.values()) if (!wanted.has(link.peer.key)) link.keep(false);
    },
    async close() {
      closed = true;
      clearInterval(sweep);
      await Promise.all([...links.values()].map(drop));
    },
  };
}
