import { useSyncExternalStore } from "react";
import { call, type AnswerOf, type InputOf } from "../../api/call.ts";
import type { NoteEntry } from "../../api/shapes.ts";
import type { Inbox } from "../../desk/inbox.ts";
import { Outbox } from "../outbox/outbox.ts";
import type { OutboxItem } from "../outbox/outbox-item.ts";
import { browserStorage } from "../outbox/outbox-storage.ts";
import { noteEntry } from "./note-entry.ts";
import { useInbox } from "../../desk/use-inbox.ts";
import { ThreadStore, type ThreadShown } from "./thread-store.ts";
import { ThreadWork } from "./thread-work.ts";

type Sent = AnswerOf<"sendReply"> | NoteEntry;

/** The threads of a tab, and the messages being sent. */
export interface Threads {
  readonly store: ThreadStore;
  readonly work: ThreadWork;
  readonly outbox: Outbox<Sent>;
}

const byInbox = new WeakMap<Inbox, Threads>();

/** The tab's threads, begun at their first use. */
export function threadsOf(inbox: Inbox): Threads {
  const known = byInbox.get(inbox);
  if (known !== undefined) return known;
  const store = new ThreadStore();
  const server = {
    async openConversation(input: InputOf<"openConversation">) {
      await inbox.fresh;
      return call("openConversation", input);
    },
    readThread: (input: InputOf<"readThread">) => call("readThread", input),
  };
  const work = new ThreadWork(store, server, {
    changeOf: (id) => inbox.store.row(id)?.change ?? -1,
    learn: (row, mine) => {
      inbox.store.takeRows([row]);
      inbox.store.takeMine([mine]);
    },
  });
  const outbox = startOutbox(inbox, store);
  inbox.on("thread", ({ conversationId }) => {
    if (store.thread(conversationId).state === "ready") void work.refresh(conversationId);
  });
  inbox.onMissed(() => void work.resume());
  const threads = { store, work, outbox };
  byInbox.set(inbox, threads);
  return threads;
}

export const useThreads = (): Threads => threadsOf(useInbox());

export function useThread(id: string): ThreadShown {
  const { store } = useThreads();
  return useSyncExternalStore(store.subscribe, () => store.thread(id));
}

export function useOutbox(id: string): readonly OutboxItem[] {
  const { outbox } = useThreads();
  return useSyncExternalStore(outbox.subscribe, () => outbox.items(id));
}

/**
 * The holder of the lock is the one tab that sends. In a browser without locks every tab sends: the keys prevent a
 * second message.
 */
function startOutbox(inbox: Inbox, threads: ThreadStore): Outbox<Sent> {
  const { memberId } = inbox.store;
  const channel = new BroadcastChannel("parley-outbox");
  const outbox = new Outbox<Sent>({
    memberId,
    storage: browserStorage(),
    send,
    sent: ({ conversationId }, answer) => {
      if ("row" in answer) inbox.store.takeRows([answer.row]);
      threads.add(conversationId, ["row" in answer ? answer.message : answer]);
    },
    tellTabs: () => channel.postMessage("changed"),
    now: () => Date.now(),
    after: (ms, run) => void setTimeout(run, ms),
  });
  const load = () => void outbox.load().catch(() => undefined);
  channel.addEventListener("message", load);
  window.addEventListener("online", () => outbox.wake());
  load();
  if (navigator.locks === undefined) outbox.lead();
  else
    void navigator.locks.request(`parley-outbox ${memberId}`, async () => {
      // Messages that an earlier tab left are read before the first message is sent.
      await outbox.load().catch(() => undefined);
      outbox.lead();
      await new Promise(() => undefined);
    });
  return outbox;
}

/** A try without an answer after this time is made again. */
const SEND_MS = 30_000;

async function send({ id, conversationId, what }: OutboxItem): Promise<Sent> {
  const params = { id: conversationId };
  const signal = AbortSignal.timeout(SEND_MS);
  switch (what.kind) {
    case "reply":
      return call("sendReply", {
        params,
        body: { ...what.body, clientId: id },
        idempotencyKey: id,
        signal,
      });
    case "suggested":
      return call("useSuggestion", {
        params: { id: what.suggestionId },
        body: { ...what.body, clientId: id },
        idempotencyKey: id,
        signal,
      });
    case "template":
      return call("sendTemplate", {
        params,
        body: { ...what.body, clientId: id },
        idempotencyKey: id,
        signal,
      });
    case "note":
      return noteEntry(
        await call("writeNote", { params, body: what.body, idempotencyKey: id, signal }),
      );
  }
}
