import { bootstrapNow, freshBootstrap, onBootstrap } from "../api/bootstrap.ts";
import { call } from "../api/call.ts";
import { ApiError } from "../api/api-error.ts";
import { sessionEnded } from "../api/entered.ts";
import { forgetKept } from "../api/kept.ts";
import { keepAnswer } from "../api/keep-answer.ts";
import { bootstrapQuery, NOTICES, queryClient } from "../api/query-client.ts";
import { rereadPages, rereadQuery } from "../live/reread-queries.ts";
import { Rereading } from "../live/rereading.ts";
import { StreamClient } from "../live/stream-client.ts";
import type { Bootstrap, DeskRow, FrameName, Frames } from "../api/shapes.ts";
import { Bell } from "./bell.ts";
import { FirstPages } from "./store/first-pages.ts";
import { InboxStore } from "./store/inbox-store.ts";
import { InboxWork } from "./store/inbox-work.ts";
import type { ListKey } from "./store/listing.ts";
import { ToldList } from "./store/told.ts";

/** Windows close and open without a message from the server. */
const TICK_MS = 30_000;
/** A server that has not answered for this long is out of reach. */
const LATE_MS = 3_000;

type Handlers = { readonly [Name in FrameName]: Set<(data: Frames[Name]) => void> };

/** The inbox of the member who is signed in, in this tab: its store, its calls and the browser's one stream. */
export class Inbox {
  readonly store: InboxStore;
  readonly work: InboxWork;
  readonly told = new ToldList();
  readonly pages: FirstPages;
  /**
   * The server's own answer to who is signed in; until it comes, the page draws what the browser kept. What is read of
   * conversations comes after it: the stream tells what changes from then on.
   */
  readonly fresh: Promise<Bootstrap>;
  /** How far the server's clock is ahead of this machine's, in milliseconds. */
  #ahead = 0;
  readonly #bell: Bell;
  readonly #stream: StreamClient;
  readonly #listeners = new Set<() => void>();
  readonly #missed = new Set<() => void>();
  readonly #handlers: Handlers = {
    desk: new Set(),
    mine: new Set(),
    thread: new Set(),
    presence: new Set(),
    notice: new Set(),
    broadcast: new Set(),
    import: new Set(),
    bot: new Set(),
    settings: new Set(),
    reset: new Set(),
    beat: new Set(),
    end: new Set(),
  };
  #live = true;
  /** The list on the screen. Its members' own parts are read when the stream brings rows. */
  #shown: ListKey | null = null;
  /** The lists that are kept loaded. */
  readonly #followed = new Map<"shown" | "mine", ListKey>();
  readonly #lists = new Rereading(() => this.#loadLists());
  readonly #counts = new Rereading(() => this.work.loadCounts());
  readonly #own = new Rereading((signal) => this.#readOwn(signal));
  /** After a break the member's own part of every row on the screen is read, not only that of new rows. */
  #allOwn = false;
  readonly #bootstrap = new Rereading(() => rereadQuery(bootstrapQuery.queryKey));
  readonly #notices = new Rereading(() => rereadQuery(NOTICES));
  readonly #pages = new Rereading(() => rereadPages());
  readonly #tick: ReturnType<typeof setInterval>;
  readonly #stopViews: () => void;
  readonly #wake = () => {
    if (document.visibilityState === "visible") this.#stream.wake();
  };
  /** The network is back, or the browser let the page sleep: also when the stream lived on, reads may have failed. */
  readonly #awake = () => {
    this.#stream.wake();
    this.#resume();
  };

  constructor(bootstrap: Bootstrap) {
    const { member } = bootstrap;
    this.fresh = freshBootstrap();
    this.store = new InboxStore({ memberId: member.id, now: this.now });
    this.store.setViews(bootstrap.views);
    this.pages = new FirstPages(member.id);
    this.work = new InboxWork(this.store, this.#server, this.told);
    this.#bell = new Bell(member.id, () => bootstrapNow().settings.sound);
    this.#stream = new StreamClient(browserOf(bootstrap.workspace.id), {
      frame: (name, data) => this.#take(name, data),
      live: (live) => this.#setLive(live),
      resumed: () => this.#resume(),
    });
    const late = setTimeout(() => this.#setLive(false), LATE_MS);
    void this.fresh.then(({ now, change }) => {
      clearTimeout(late);
      this.#ahead = Date.parse(now) - Date.now();
      this.#setLive(true);
      this.#stream.start(change);
      document.addEventListener("visibilitychange", this.#wake);
      window.addEventListener("online", this.#awake);
      document.addEventListener("resume", this.#awake);
      this.store.tick();
      void this.#counts.hint();
    });
    this.#stopViews = this.#followViews(bootstrap);
    this.#tick = setInterval(() => this.store.tick(), TICK_MS);
  }

  /** Milliseconds since 1970, by the server's clock. */
  readonly now = (): number => Date.now() + this.#ahead;

  /** False: the server has not been heard for three seconds. */
  readonly isLive = (): boolean => this.#live;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Listens to one kind of frame, until the returned function is called. */
  on<Name extends FrameName>(name: Name, handler: (data: Frames[Name]) => void): () => void {
    const handlers: Set<(data: Frames[Name]) => void> = this.#handlers[name];
    handlers.add(handler);
    return () => void handlers.delete(handler);
  }

  /** Shows a list: the stored page at once, then the server's answer. */
  async show(key: ListKey): Promise<void> {
    this.#shown = key;
    this.#followed.set("shown", key);
    if (this.store.stateOf(key) === "empty" && this.store.list(key).ids.length === 0) {
      const kept = await this.pages.read(key);
      if (kept && this.store.stateOf(key) === "empty") {
        this.store.takePage(key, kept, true);
        this.store.setState(key, "empty");
      }
    }
    await this.#lists.hint();
  }

  /** Keeps the member's own list loaded, which the tab's title counts. */
  followMine(key: ListKey): void {
    this.#followed.set("mine", key);
    void this.#lists.hint();
  }

  /**
   * Calls `listener` when hints may have been lost: the stream began again, the network is back, the page was frozen or
   * was too far behind. Until the returned function is called.
   */
  onMissed(listener: () => void): () => void {
    this.#missed.add(listener);
    return () => void this.#missed.delete(listener);
  }

  /** Ends the stream and forgets what the browser stored. */
  async end(): Promise<void> {
    this.#stream.stop();
    this.#stopViews();
    clearInterval(this.#tick);
    for (const one of [
      this.#lists,
      this.#counts,
      this.#own,
      this.#bootstrap,
      this.#notices,
      this.#pages,
    ])
      one.stop();
    document.removeEventListener("visibilitychange", this.#wake);
    window.removeEventListener("online", this.#awake);
    document.removeEventListener("resume", this.#awake);
    await forgetKept();
  }

  /** Everything that is shown is read again: what the browser has now may be older than the database. */
  #resume(): void {
    this.#allOwn = true;
    void this.#lists.resume();
    void this.#counts.resume();
    void this.#own.resume();
    void this.#bootstrap.resume();
    // Each page's query counts as old until it was read again.
    void queryClient.invalidateQueries({ refetchType: "none" });
    void this.#pages.resume();
    for (const listener of this.#missed) listener();
  }

  async #loadLists(): Promise<void> {
    await Promise.all([...this.#followed.values()].map((key) => this.work.load(key)));
  }

  async #readOwn(signal: AbortSignal): Promise<void> {
    if (this.#shown === null) return;
    await this.work.fillOwn(this.#shown, this.#allOwn, signal);
    this.#allOwn = false;
  }

  #setLive(live: boolean): void {
    if (this.#live === live) return;
    this.#live = live;
    for (const listener of this.#listeners) listener();
  }

  #take<Name extends FrameName>(name: Name, data: Frames[Name]): void {
    const handlers: Set<(data: Frames[Name]) => void> = this.#handlers[name];
    for (const handler of handlers) handler(data);
  }

  /** What the inbox itself does with frames. Called once. */
  listen(): void {
    this.on("desk", (frame) => {
      const news = frame.rows.filter((row) => this.#isNews(row));
      this.store.takeFrame(frame);
      if (this.#stream.holds) this.#bell.ring(news);
      void this.#own.hint();
    });
    this.on("mine", ({ mine }) => {
      this.store.takeMine(mine);
      // The member may have looked at a mention in another tab or browser: no row changed, so no counts are told.
      if ((this.store.counts()["mentions"] ?? 0) > 0) void this.#counts.hint();
    });
    this.on("notice", ({ unread }) => this.takeNotices(unread));
    this.on("settings", () => void this.#bootstrap.hint());
    this.on("reset", () => {
      this.store.forget();
      this.#resume();
    });
    this.on("end", sessionEnded);
  }

  /** The rules of members' own views come with the bootstrap. */
  #followViews({ views }: Bootstrap): () => void {
    let known = JSON.stringify(views);
    return onBootstrap(() => {
      const now = bootstrapNow().views;
      if (JSON.stringify(now) === known) return;
      known = JSON.stringify(now);
      this.store.setViews(now);
      // The rows and counts of a changed view are read anew.
      void this.#lists.hint();
      void this.#counts.hint();
    });
  }

  /** So many of the member's notifications are unread. */
  readonly takeNotices = (unread: number): void => {
    const { queryKey } = bootstrapQuery;
    keepAnswer<Bootstrap>(
      queryClient,
      queryKey,
      (known) => known && { ...known, unreadNotices: unread },
    );
    void this.#notices.hint();
  };

  /** Whether the customer wrote something that this tab did not know. */
  #isNews(row: DeskRow): boolean {
    const before = this.store.row(row.id);
    return before === undefined
      ? row.previewSide === "customer"
      : row.inboundCount > before.inboundCount;
  }

  readonly #server = {
    listConversations: async (input: Parameters<typeof listConversations>[0]) => {
      await this.fresh;
      const page = await listConversations(input);
      const { view, sort, unread, cursor } = input.query;
      if (cursor === undefined)
        void this.pages.keep({ view, order: sort ?? "newest", unread: unread === "1" }, page);
      return page;
    },
    changeConversations: (input: Parameters<typeof changeConversations>[0]) =>
      changeConversations(input),
    countViews: () => call("countViews"),
    markSeen: (input: Parameters<typeof markSeen>[0]) => markSeen(input),
  };
}

type Input<N extends Parameters<typeof call>[0]> = Parameters<typeof call<N>>[1];
const listConversations = (input: NonNullable<Input<"listConversations">>) =>
  call("listConversations", input);
const changeConversations = (input: NonNullable<Input<"changeConversations">>) =>
  call("changeConversations", input);
const markSeen = (input: NonNullable<Input<"markSeen">>) => call("markSeen", input);

function browserOf(workspaceId: string) {
  return {
    locks: navigator.locks,
    channel: () => new BroadcastChannel(`parley ${workspaceId}`),
    open: (after: number) => new EventSource(`/api/app/stream?after=${after}`),
    isVisible: () => document.visibilityState === "visible",
    isSignedIn: async () => {
      try {
        await call("bootstrap");
        return true;
      } catch (error) {
        return !(error instanceof ApiError && error.status === 401);
      }
    },
  };
}

let current: Inbox | undefined;

/** The tab's inbox, begun at its first use. */
export function inboxOf(bootstrap: Bootstrap): Inbox {
  if (current === undefined) {
    current = new Inbox(bootstrap);
    current.listen();
  }
  return current;
}

/** Call it at sign-out, before the page is left. */
export async function endInbox(): Promise<void> {
  await current?.end();
  current = undefined;
}
