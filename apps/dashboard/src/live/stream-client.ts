import { uuid7 } from "../api/uuid7.ts";
import type { FrameName, Frames } from "../api/shapes.ts";

/** The lock whose holder has the browser's one stream. */
const LOCK = "parley-stream";
/** The server beats every 15 s; a tab that hears nothing for this long takes over. */
const SILENT_MS = 25_000;
/** A shorter cut of the connection is not shown. */
const OFFLINE_MS = 3_000;
const RETRY_MS = [500, 1_000, 2_000, 5_000, 10_000] as const;
/** Desk frames that the holder can repeat for a tab that slept or has just begun. */
const FRAMES_KEPT = 500;

/** Each kind of frame once; the compiler refuses the list when the contract has another. */
const NAMES = Object.keys({
  desk: true,
  mine: true,
  thread: true,
  presence: true,
  notice: true,
  broadcast: true,
  import: true,
  bot: true,
  settings: true,
  reset: true,
  beat: true,
  end: true,
} satisfies Record<FrameName, true>) as FrameName[];

/** One frame as it is passed from tab to tab. `id`: the desk number after it; null: it has no place of its own. */
export interface Relayed {
  readonly name: FrameName;
  readonly data: string;
  readonly id: number | null;
}

/** The messages between tabs. */
type Said =
  | { readonly kind: "frame"; readonly frame: Relayed; readonly to?: string }
  | { readonly kind: "state"; readonly live: boolean }
  /** The stream began again after a break: frames without a number may be lost. */
  | { readonly kind: "resumed" }
  /** A tab that has everything up to `after` asks the holder for what came since. */
  | { readonly kind: "ask"; readonly tab: string; readonly after: number };

/** The parts of the browser that a client uses, so that tests can be several tabs. */
export interface Browser {
  /** Undefined on plain http except loopback: then each tab has a stream of its own. */
  readonly locks: LockManager | undefined;
  readonly channel: () => BroadcastChannel;
  /** Opens the stream after a desk number. */
  readonly open: (after: number) => EventSource;
  readonly isVisible: () => boolean;
  /** Asks the server whether the session is still valid, after a refused stream. */
  readonly isSignedIn: () => Promise<boolean>;
}

export interface StreamEvents {
  readonly frame: <Name extends FrameName>(name: Name, data: Frames[Name]) => void;
  /** False: nothing was heard from the server for three seconds. */
  readonly live: (live: boolean) => void;
  /**
   * The stream goes on after a break, however short. Rows follow by their number; every other frame of the break is
   * lost, so whoever reads after hints reads now.
   */
  readonly resumed: () => void;
}

/**
 * The browser's one stream, as this tab sees it. The tab that holds the lock has the `EventSource` and passes
 * every frame to the others. A visible tab that hears nothing for 25 s takes the lock from it. Every tab knows for
 * itself up to which number it has everything, so a tab that takes over goes on from there, and repeated frames do
 * no harm.
 */
export class StreamClient {
  readonly #browser: Browser;
  readonly #events: StreamEvents;
  readonly #tab = uuid7(Date.now());
  #channel: BroadcastChannel | undefined;
  #source: EventSource | undefined;
  #after = 0;
  /** The frames that the holder can repeat. The first one follows `#keptAfter`. */
  #kept: Relayed[] = [];
  #keptAfter = 0;
  #heardAt = 0;
  #tries = 0;
  #live: boolean | undefined;
  #holds = false;
  /** A stream was heard, of this tab or of another one: the next that opens comes after a break. */
  #hasHeard = false;
  #giveUpLock: (() => void) | undefined;
  /** Ends the wait for the lock. */
  #waiting: AbortController | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #offline: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setInterval> | undefined;
  #stopped = false;

  constructor(browser: Browser, events: StreamEvents) {
    this.#browser = browser;
    this.#events = events;
  }

  /** Whether the stream is this tab's own. */
  get holds(): boolean {
    return this.#holds;
  }

  /** The desk number up to which this tab has everything. */
  get after(): number {
    return this.#after;
  }

  /** Begins after the desk number up to which the tab's first page is current. */
  start(after: number): void {
    this.#after = after;
    this.#heardAt = Date.now();
    this.#lose();
    this.#watch = setInterval(() => this.#look(), 5_000);
    const { locks } = this.#browser;
    if (locks === undefined) {
      this.#hold();
      return;
    }
    this.#channel = this.#browser.channel();
    this.#channel.onmessage = ({ data }: MessageEvent<Said>) => this.#hear(data);
    this.#say({ kind: "ask", tab: this.#tab, after });
    void this.#queue(locks, false);
  }

  /** The tab is visible, or the machine is online again: missed frames are read at once. */
  wake(): void {
    if (this.#stopped) return;
    if (this.#holds && this.#source?.readyState !== OPEN) this.#connect();
    else if (!this.#holds) this.#say({ kind: "ask", tab: this.#tab, after: this.#after });
    this.#look();
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#watch);
    clearTimeout(this.#retry);
    clearTimeout(this.#offline);
    this.#waiting?.abort();
    this.#release();
    this.#channel?.close();
  }

  // The lock.

  async #queue(locks: LockManager, steal: boolean): Promise<void> {
    this.#waiting?.abort();
    this.#waiting = new AbortController();
    const { signal } = this.#waiting;
    let taken = false;
    try {
      await locks.request(LOCK, steal ? { steal } : { signal }, () => {
        if (this.#stopped) return undefined;
        taken = true;
        const held = new Promise<void>((done) => {
          this.#giveUpLock = done;
        });
        this.#hold();
        return held;
      });
    } catch {
      // This tab itself ended the wait, or another tab took the lock: then this one waits for it again.
      if (!taken || this.#stopped) return;
      this.#release();
      void this.#queue(locks, false);
    }
  }

  #hold(): void {
    this.#holds = true;
    this.#tries = 0;
    this.#kept = [];
    this.#keptAfter = this.#after;
    this.#connect();
  }

  #release(): void {
    this.#holds = false;
    clearTimeout(this.#retry);
    this.#close();
    this.#giveUpLock?.();
    this.#giveUpLock = undefined;
  }

  // The connection to the server.

  #connect(): void {
    clearTimeout(this.#retry);
    this.#close();
    const source = this.#browser.open(this.#after);
    this.#source = source;
    source.onopen = () => this.#open(source);
    source.onerror = () => void this.#fail(source);
    for (const name of NAMES)
      source.addEventListener(name, (event: MessageEvent<string>) => {
        if (source !== this.#source) return;
        const id = name === "desk" && event.lastEventId !== "" ? Number(event.lastEventId) : null;
        this.#receive({ name, data: event.data, id });
      });
  }

  #open(source: EventSource): void {
    if (source !== this.#source) return;
    const again = this.#hasHeard;
    this.#hasHeard = true;
    this.#beLive();
    if (!again) return;
    this.#say({ kind: "resumed" });
    this.#events.resumed();
  }

  #close(): void {
    this.#source?.close();
    this.#source = undefined;
  }

  async #fail(source: EventSource): Promise<void> {
    if (source !== this.#source) return;
    // A closed one was refused: by a restarting server, or because the session ended.
    const refused = source.readyState === CLOSED;
    this.#close();
    this.#lose();
    if (refused && !(await this.#browser.isSignedIn().catch(() => true))) {
      this.#receive({ name: "end", data: "{}", id: null });
      return;
    }
    if (!this.#holds || this.#stopped || this.#source !== undefined) return;
    const longest = RETRY_MS[Math.min(this.#tries++, RETRY_MS.length - 1)] ?? 0;
    // Not all browsers at once when the server comes back.
    this.#retry = setTimeout(() => this.#connect(), longest * (0.5 + Math.random() / 2));
  }

  /** The holder has a frame: it passes it to the others and takes it itself. */
  #receive(frame: Relayed): void {
    if (frame.name === "desk") this.#keep(frame);
    if (frame.name === "reset") this.#kept = [];
    this.#say({ kind: "frame", frame });
    this.#take(frame);
    if (frame.name === "reset") this.#keptAfter = this.#after;
  }

  #keep(frame: Relayed): void {
    this.#kept.push(frame);
    if (this.#kept.length <= FRAMES_KEPT) return;
    this.#keptAfter = this.#kept.shift()?.id ?? this.#keptAfter;
  }

  // The other tabs.

  #say(said: Said): void {
    this.#channel?.postMessage(said);
  }

  #hear(said: Said): void {
    if (this.#stopped) return;
    if (said.kind !== "ask") this.#hasHeard = true;
    switch (said.kind) {
      case "resumed":
        this.#events.resumed();
        break;
      case "frame":
        if (said.to === undefined || said.to === this.#tab) this.#take(said.frame);
        break;
      case "state":
        this.#heardAt = Date.now();
        if (said.live) this.#beLive(false);
        else this.#lose(false);
        break;
      case "ask":
        if (this.#holds) this.#answer(said.tab, said.after);
        break;
    }
  }

  /** Gives a tab what it missed, or makes it load everything anew. */
  #answer(to: string, after: number): void {
    this.#say({ kind: "state", live: this.#source?.readyState === OPEN });
    if (after >= this.#after) return;
    if (after < this.#keptAfter) {
      const data = JSON.stringify({ change: this.#after });
      this.#say({ kind: "frame", to, frame: { name: "reset", data, id: null } });
      return;
    }
    for (const frame of this.#kept)
      if (frame.id !== null && frame.id > after) this.#say({ kind: "frame", to, frame });
  }

  // What this tab has.

  #take({ name, data, id }: Relayed): void {
    this.#heardAt = Date.now();
    if (name === "end") this.stop();
    else this.#beLive(this.#holds);
    if (id !== null) this.#after = Math.max(this.#after, id);
    if (name === "reset") this.#after = resetTo(data);
    if (name !== "beat") this.#events.frame(name, JSON.parse(data));
  }

  #beLive(tell = true): void {
    this.#heardAt = Date.now();
    this.#tries = 0;
    clearTimeout(this.#offline);
    this.#offline = undefined;
    if (this.#live === true) return;
    this.#live = true;
    if (tell) this.#say({ kind: "state", live: true });
    this.#events.live(true);
  }

  #lose(tell = true): void {
    if (tell && this.#holds) this.#say({ kind: "state", live: false });
    this.#offline ??= setTimeout(() => {
      this.#live = false;
      this.#events.live(false);
    }, OFFLINE_MS);
  }

  /** A connection can be dead without notice: after sleep, or behind a gateway that forgot it. */
  #look(): void {
    if (Date.now() - this.#heardAt < SILENT_MS) return;
    this.#heardAt = Date.now();
    if (this.#holds) {
      this.#lose();
      this.#connect();
    } else if (this.#browser.isVisible() && this.#browser.locks !== undefined) {
      void this.#queue(this.#browser.locks, true);
    }
  }
}

const OPEN = 1;
const CLOSED = 2;

function resetTo(data: string): number {
  const { change }: Frames["reset"] = JSON.parse(data);
  return change;
}
