import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../../../context.ts";
import { describeForLog } from "../../../db/describe-for-log.ts";
import { AppError } from "../../../errors.ts";
import { countViews } from "../../../inbox/count-views.ts";
import { liveSessions } from "../../../sessions/live-sessions.ts";
import { threadNews } from "../../../webhooks/desk-news.ts";
import { sequenceHeads } from "../../../webhooks/read-feed.ts";
import { unreadNoticesOf } from "../../../workspaces/member-notice.ts";
import { LiveStream } from "../../edge/live-stream.ts";
import type { MemberCaller } from "../member-door.ts";
import { DeskChanges } from "./desk-changes.ts";
import { DeskHearing } from "./desk-hearing.ts";
import { DeskStreams, type DeskStream } from "./desk-streams.ts";
import { frame } from "./frame.ts";
import { ProgressWatch } from "./progress.ts";

/** The longest time until changes by another process are seen. */
const LOOK_MS = 100;
/** At most ten frames a second: half of what 20 cost 500 readers, and nobody sees the difference. */
const LOOK_GAP_MS = 100;
const TICK_MS = 1_000;
const BEAT_SECONDS = 15;
const SESSIONS_SECONDS = 3;
const PATIENCE_MS = 30_000;
/** How much may wait in memory for one reader: more than one page of changes. */
const MOST_BUFFERED = 2 * 1024 * 1024;
const PER_PROCESS = 1_000;
/** Events of one workspace that one look reads. */
const MOST_EVENTS = 1_000;

/**
 * The dashboard's streams of this process. Every 100 ms one statement for all of them asks which workspaces
 * changed. Rows hold state and are no log: a reader can come back after any time.
 */
export class DeskHub {
  readonly #context: Context;
  readonly #streams = new DeskStreams();
  readonly #changes: DeskChanges;
  readonly #hearing: DeskHearing;
  readonly #progress: ProgressWatch;
  readonly #halt = new AbortController();
  /** By workspace: the event up to which its threads were told. */
  readonly #told = new Map<string, number>();
  /** Workspaces whose counts may have changed since they were told. */
  readonly #moved = new Set<string>();
  /** Streams that have not been told yet what may have moved before they began. */
  readonly #fresh = new Set<DeskStream>();
  /** While views are counted: on a busy machine that may take longer than a second. */
  #counting: Promise<void> | null = null;
  #running = false;
  #timer: NodeJS.Timeout | undefined;
  #seconds = 0;

  constructor(context: Context) {
    this.#context = context;
    this.#changes = new DeskChanges(context);
    this.#hearing = new DeskHearing(context, this.#streams);
    this.#progress = new ProgressWatch(context);
  }

  get size(): number {
    return this.#streams.size;
  }

  /** Throws OVERLOADED. Called before anything is answered. */
  admit(): void {
    if (this.#halt.signal.aborted || this.size >= PER_PROCESS)
      throw new AppError("OVERLOADED", { retryAfterSeconds: 5 });
  }

  /** The response must be open, with its head written. A member's eleventh stream ends the oldest. */
  add(caller: MemberCaller, after: number, response: Writable): void {
    const stream: DeskStream = new LiveStream(response, after, {
      kind: "inbox",
      mostBuffered: MOST_BUFFERED,
      read: (from) => this.#changes.after(caller.workspaceId, from),
      failed: (error) => this.#context.log.warn(describeForLog(error), "a stream was not read"),
      ended: () => {
        this.#streams.remove(stream);
        this.#fresh.delete(stream);
        this.#hearing.endUnused();
      },
    });
    this.#streams.add(stream, caller, response);
    this.#fresh.add(stream);
    // Counts have no number to resume after: those that were told while a browser was away are told again.
    this.#moved.add(caller.workspaceId);
    this.#hearing.begin(caller.workspaceId);
    stream.say(frame("beat", {}));
    this.#timer ??= setInterval(() => this.tick(), TICK_MS).unref();
    if (!this.#running) void this.#run();
    stream.pump();
  }

  /** Ends every stream. Their readers connect again, to a process that serves. */
  close(): void {
    this.#halt.abort();
    clearInterval(this.#timer);
    this.#streams.end();
    this.#hearing.close();
  }

  /**
   * Wakes the streams whose workspace has changes after their place, and tells threads of new messages. Answers
   * whether there was anything.
   */
  async look(): Promise<boolean> {
    let found = false;
    try {
      const ids = this.#streams.workspaceIds();
      const heads = await sequenceHeads(this.#context, ids);
      for (const id of this.#told.keys()) if (!ids.includes(id)) this.#told.delete(id);
      for (const [stream, { caller }] of this.#streams.all())
        if ((heads.get(caller.workspaceId)?.desk ?? 0) > stream.place) {
          this.#moved.add(caller.workspaceId);
          stream.pump();
          found = true;
        }
      if (await this.#hint(ids, heads)) found = true;
    } catch (error) {
      this.#context.log.warn(describeForLog(error), "streams were not looked after");
    }
    return found;
  }

  /**
   * Tells the members who look at a conversation that its thread has something new. Only they are told: the
   * messages of a campaign and their states may be millions, and for a conversation that nobody looks at its row
   * is enough. Answers whether there were any events.
   */
  async #hint(
    ids: readonly string[],
    heads: ReadonlyMap<string, { readonly last: number }>,
  ): Promise<boolean> {
    const places = ids.flatMap((workspaceId) => {
      const last = heads.get(workspaceId)?.last ?? 0;
      const after = this.#told.get(workspaceId) ?? last;
      this.#told.set(workspaceId, after);
      return last > after
        ? [{ workspaceId, after, shown: this.#hearing.presence.shown(workspaceId) }]
        : [];
    });
    if (places.length === 0) return false;
    for (const news of await threadNews(this.#context.db, places, MOST_EVENTS)) {
      const { workspaceId, scanned, conversationIds, channels } = news;
      this.#told.set(workspaceId, Math.max(this.#told.get(workspaceId) ?? 0, scanned ?? 0));
      if (channels) this.#streams.say(workspaceId, frame("settings", {}));
      for (const [stream, { caller }] of this.#streams.all()) {
        if (caller.workspaceId !== workspaceId) continue;
        const shown = conversationIds.filter((id) =>
          this.#hearing.presence.looks(caller.memberId, id),
        );
        const text = shown.map((conversationId) => frame("thread", { conversationId })).join("");
        if (text !== "") stream.say(text);
      }
    }
    return true;
  }

  /** Tells each member of the changed workspaces the counts of their views, and of their notices when they changed. */
  async tellCounts(): Promise<void> {
    const moved = [...this.#moved];
    this.#moved.clear();
    for (const workspaceId of moved)
      try {
        const readers = [...this.#streams.all()].filter(
          ([, one]) => one.caller.workspaceId === workspaceId,
        );
        const memberIds = [...new Set(readers.map(([, { caller }]) => caller.memberId))];
        const [counts, unread] = await Promise.all([
          countViews(this.#context, workspaceId, memberIds),
          unreadNoticesOf(this.#context, workspaceId, memberIds),
        ]);
        for (const [stream, reader] of readers) {
          const { memberId } = reader.caller;
          const text = frame("desk", { rows: [], gone: [], counts: counts.get(memberId) ?? {} });
          // The same ones too: a page counts its own changes ahead, and an older frame may have come between.
          stream.say(text);
          const waiting = unread.get(memberId) ?? 0;
          if (waiting !== reader.unread) stream.say(frame("notice", { unread: waiting }));
          reader.unread = waiting;
        }
      } catch (error) {
        this.#context.log.warn(describeForLog(error), "views were not counted");
      }
  }

  /**
   * Sends progress of campaigns and imports. A new stream gets all that may have moved, because its page is
   * older than the stream.
   */
  async tellProgress(): Promise<void> {
    const fresh = [...this.#fresh];
    try {
      const { moved, all } = await this.#progress.look(this.#hearing.workspaceIds());
      for (const { kind, workspaceId, id } of moved)
        this.#streams.say(workspaceId, frame(kind, { id }));
      for (const stream of fresh) {
        this.#fresh.delete(stream);
        const reader = this.#streams.readerOf(stream);
        for (const { kind, workspaceId, id } of all)
          if (workspaceId === reader?.caller.workspaceId && !moved.some((one) => one.id === id))
            stream.say(frame(kind, { id }));
      }
    } catch (error) {
      this.#context.log.warn(describeForLog(error), "campaigns and imports were not looked after");
    }
  }

  /** Ends the streams whose session has ended. */
  async checkSessions(): Promise<void> {
    try {
      const live = await liveSessions(
        this.#context,
        [...this.#streams.all()].map(([, { caller }]) => caller),
      );
      for (const [stream, { caller }] of this.#streams.all())
        if (!live.has(caller.sessionId)) stream.end("signed_out");
    } catch (error) {
      this.#context.log.warn(describeForLog(error), "sessions of streams were not checked");
    }
  }

  /** Runs once a second, by its own timer, while there are streams. */
  tick(): void {
    if (this.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      this.#progress.forget();
      return;
    }
    this.#seconds += 1;
    this.#hearing.tick();
    void this.tellProgress();
    if (this.#seconds % BEAT_SECONDS === 0)
      for (const [stream] of this.#streams.all()) stream.say(frame("beat", {}));
    if (this.#seconds % SESSIONS_SECONDS === 0) void this.checkSessions();
    if (this.#moved.size > 0 && !this.#counting)
      this.#counting = this.tellCounts().finally(() => (this.#counting = null));
    for (const [stream] of this.#streams.all()) stream.checkReader(PATIENCE_MS);
  }

  /** Looks while there are streams. */
  async #run(): Promise<void> {
    const { wake } = this.#context;
    this.#running = true;
    while (this.size > 0 && !this.#halt.signal.aborted) {
      const nudges = wake.nudges("feed");
      // A member who was told nothing may be told at once.
      const gap = (await this.look()) ? LOOK_GAP_MS : 0;
      if (gap > 0) await sleep(gap, undefined, { ref: false });
      if (wake.nudges("feed") === nudges) await wake.wait("feed", LOOK_MS - gap, this.#halt.signal);
    }
    this.#running = false;
  }
}
