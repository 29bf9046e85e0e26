import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../../../context.ts";
import { describeForLog } from "../../../db/describe-for-log.ts";
import { FAR_BEHIND, goneBetween } from "../../../desk/desk-gone.ts";
import { deskChangesAfter, deskNumbers, mineOf, type DeskMember } from "../../../desk/read-desk.ts";
import { AppError } from "../../../errors.ts";
import { countViews } from "../../../inbox/count-views.ts";
import { liveSessions } from "../../../sessions/live-sessions.ts";
import { deskTopic, type Note } from "../../../lib/topics.ts";
import { threadNews } from "../../../webhooks/desk-news.ts";
import { sequenceHeads } from "../../../webhooks/read-feed.ts";
import { unreadNotices, unreadNoticesOf } from "../../../workspaces/member-notice.ts";
import type { FrameName, Frames } from "../contract/live.ts";
import { LiveStream, type LiveFrame } from "../../edge/live-stream.ts";
import type { MemberCaller } from "../member-door.ts";
import { addDrafts } from "../own-parts.ts";
import { Presence } from "./presence.ts";
import { ProgressWatch } from "./progress.ts";

/** The longest time until changes by another process are seen. */
const LOOK_MS = 100;
/** At most ten frames a second: half of what 20 cost 500 readers, and nobody sees the difference. */
const LOOK_GAP_MS = 100;
const TICK_MS = 1_000;
const BEAT_SECONDS = 15;
const SESSIONS_SECONDS = 3;
const PATIENCE_MS = 30_000;
const CHANGES = 500;
/** How much may wait in memory for one reader: more than one page of changes. */
const MOST_BUFFERED = 2 * 1024 * 1024;
const PER_MEMBER = 10;
const PER_PROCESS = 1_000;
/** Events of one workspace that one look reads. */
const MOST_EVENTS = 1_000;

type DeskStream = LiveStream<number>;

interface Reader {
  readonly caller: MemberCaller;
  /** What the member was told last, as it was sent. */
  counts: string;
  unread: number | null;
}

const frame = <N extends FrameName>(name: N, data: Frames[N], id?: number): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * The dashboard's streams of this process. Every 100 ms one statement for all of them asks which workspaces
 * changed. Streams at one place share one read of the changes. Rows hold state and are no log: a reader can come
 * back after any time.
 */
export class DeskHub {
  readonly #context: Context;
  readonly #streams = new Map<DeskStream, Reader>();
  readonly #responses = new Map<DeskStream, Writable>();
  readonly #halt = new AbortController();
  /** By workspace and place: the changes after it, while streams read them. */
  readonly #reads = new Map<string, Promise<Awaited<ReturnType<DeskHub["readChanges"]>>>>();
  /** By workspace: the event up to which its threads were told. */
  readonly #told = new Map<string, number>();
  /** Workspaces whose counts may have changed since they were told. */
  readonly #moved = new Set<string>();
  readonly #presence = new Presence();
  readonly #progress: ProgressWatch;
  /** Streams that have not been told yet what may have moved before they began. */
  readonly #fresh = new Set<DeskStream>();
  /** By workspace with streams: stops listening to its notes. */
  readonly #hearing = new Map<string, () => void>();
  #running = false;
  /** While views are counted: on a busy machine that may take longer than a second. */
  #counting: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #seconds = 0;

  constructor(context: Context) {
    this.#context = context;
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
    const context = this.#context;
    const stream: DeskStream = new LiveStream(response, after, {
      mostBuffered: MOST_BUFFERED,
      read: (from) => this.#read(caller.workspaceId, from),
      failed: (error) => context.log.warn(describeForLog(error), "a stream was not read"),
      ended: () => {
        this.#streams.delete(stream);
        this.#fresh.delete(stream);
        this.#responses.delete(stream);
        this.#hearLess();
      },
    });
    const own = [...this.#streams].filter(([, one]) => one.caller.memberId === caller.memberId);
    // No `end` frame: the browser would take it for the end of the session. It connects again by itself.
    if (own.length >= PER_MEMBER && own[0]) this.#responses.get(own[0][0])?.end();
    this.#streams.set(stream, { caller, counts: "", unread: null });
    this.#fresh.add(stream);
    // Counts have no number to resume after: those that were told while a browser was away are told again.
    this.#moved.add(caller.workspaceId);
    this.#responses.set(stream, response);
    this.#hearOf(caller.workspaceId);
    stream.say(frame("beat", {}));
    this.#timer ??= setInterval(() => this.tick(), TICK_MS).unref();
    if (!this.#running) void this.#run();
    stream.pump();
  }

  /** Ends every stream. Their readers connect again, to a process that serves. */
  close(): void {
    this.#halt.abort();
    clearInterval(this.#timer);
    for (const response of this.#responses.values()) response.end();
    for (const end of this.#hearing.values()) end();
  }

  #hearOf(workspaceId: string): void {
    if (this.#hearing.has(workspaceId)) return;
    const { topics } = this.#context;
    const hear = (note: Note) => this.#hear(workspaceId, note);
    this.#hearing.set(workspaceId, topics.subscribe(deskTopic(workspaceId), hear));
  }

  #hearLess(): void {
    const heard = new Set([...this.#streams.values()].map(({ caller }) => caller.workspaceId));
    for (const [workspaceId, end] of this.#hearing)
      if (!heard.has(workspaceId)) {
        end();
        this.#hearing.delete(workspaceId);
      }
  }

  /** Takes in what this and other processes tell each other of a workspace. */
  #hear(workspaceId: string, note: Note): void {
    if (note.kind === "typing" && note.conversationId !== undefined) {
      this.#presence.hearCustomer(note.conversationId, note.active);
      this.#sayPresence(workspaceId, note.conversationId);
    }
    if (note.kind === "notice") void this.#sayUnread({ workspaceId, memberId: note.memberId });
    if (note.kind !== "desk") return;
    const told = note.tabs.flatMap((tab) => this.#presence.hear(workspaceId, tab));
    for (const conversationId of new Set(told)) this.#sayPresence(workspaceId, conversationId);
    if (note.settings) this.#say(workspaceId, frame("settings", {}));
    for (const [memberId, ids] of Map.groupBy(note.own, ([id]) => id))
      void this.#sayOwn(
        { workspaceId, memberId },
        ids.map(([, id]) => id),
      );
  }

  #sayPresence(workspaceId: string | null, conversationId: string): void {
    for (const [stream, { caller }] of this.#streams)
      if (workspaceId === null || caller.workspaceId === workspaceId)
        if (this.#presence.looks(caller.memberId, conversationId))
          stream.say(frame("presence", this.#presence.without(caller.memberId, conversationId)));
  }

  /** A member's own part of conversations changed in one of their tabs: tells the others. */
  async #sayOwn(member: DeskMember, ids: readonly string[]): Promise<void> {
    const streams = [...this.#streams].filter(([, { caller }]) => isOf(caller, member));
    if (streams.length === 0) return;
    try {
      const { db } = this.#context;
      const parts = await mineOf(db, member.workspaceId, member.memberId, ids);
      const text = frame("mine", { mine: await addDrafts(this.#context, member, ids, parts) });
      for (const [stream] of streams) stream.say(text);
    } catch (error) {
      this.#context.log.warn(describeForLog(error), "a member's own part was not told");
    }
  }

  /** A member was told of something besides the inbox. */
  async #sayUnread(member: DeskMember): Promise<void> {
    const streams = [...this.#streams].filter(([, { caller }]) => isOf(caller, member));
    if (streams.length === 0) return;
    try {
      const unread = await unreadNotices(this.#context, member);
      for (const [stream, reader] of streams) {
        reader.unread = unread;
        stream.say(frame("notice", { unread }));
      }
    } catch (error) {
      this.#context.log.warn(describeForLog(error), "a notice was not told");
    }
  }

  /**
   * Wakes the streams whose workspace has changes after their place, and tells threads of new messages. Answers whether there
   * was anything.
   */
  async look(): Promise<boolean> {
    let found = false;
    try {
      const ids = [...new Set([...this.#streams.values()].map((one) => one.caller.workspaceId))];
      const heads = await sequenceHeads(this.#context, ids);
      for (const id of this.#told.keys()) if (!ids.includes(id)) this.#told.delete(id);
      for (const [stream, { caller }] of this.#streams)
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
      return last > after ? [{ workspaceId, after, shown: this.#presence.shown(workspaceId) }] : [];
    });
    if (places.length === 0) return false;
    for (const news of await threadNews(this.#context.db, places, MOST_EVENTS)) {
      const { workspaceId, scanned, conversationIds, channels } = news;
      this.#told.set(workspaceId, Math.max(this.#told.get(workspaceId) ?? 0, scanned ?? 0));
      if (channels) this.#say(workspaceId, frame("settings", {}));
      for (const [stream, { caller }] of this.#streams) {
        if (caller.workspaceId !== workspaceId) continue;
        const shown = conversationIds.filter((id) => this.#presence.looks(caller.memberId, id));
        const text = shown.map((conversationId) => frame("thread", { conversationId })).join("");
        if (text !== "") stream.say(text);
      }
    }
    return true;
  }

  #say(workspaceId: string, text: string): void {
    for (const [stream, { caller }] of this.#streams)
      if (caller.workspaceId === workspaceId) stream.say(text);
  }

  /** Streams at one place share one read. */
  #read(workspaceId: string, after: number) {
    const key = `${workspaceId}/${after}`;
    const reading =
      this.#reads.get(key) ??
      this.readChanges(workspaceId, after).finally(() => this.#reads.delete(key));
    this.#reads.set(key, reading);
    return reading;
  }

  /** What follows a number of the inbox, as frames. */
  async readChanges(workspaceId: string, after: number) {
    const head = (await deskNumbers(this.#context.db, [workspaceId])).get(workspaceId) ?? 0;
    const frames: LiveFrame<number>[] = [];
    // A number that was never given out comes from before a restore.
    if (head - after > FAR_BEHIND || head < after) {
      frames.push({ place: head, text: frame("reset", { change: head }, head) });
      return { frames, next: head, more: false };
    }
    const rows = await deskChangesAfter(this.#context.db, workspaceId, after, CHANGES);
    const more = rows.length === CHANGES;
    const last = rows.at(-1)?.change ?? after;
    // Rows that changed again or were removed since then leave numbers without a row.
    const next = more ? last : Math.max(last, head);
    const gone = await goneBetween(this.#context.db, workspaceId, after, next);
    if (rows.length + gone.length > 0)
      frames.push({ place: next, text: frame("desk", { rows, gone, counts: {} }, next) });
    return { frames, next, more };
  }

  /** Tells each member of the changed workspaces the counts of their views and notices, when they changed. */
  async tellCounts(): Promise<void> {
    const moved = [...this.#moved];
    this.#moved.clear();
    for (const workspaceId of moved)
      try {
        const readers = [...this.#streams].filter(
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
          if (text !== reader.counts) stream.say(text);
          reader.counts = text;
          const waiting = unread.get(memberId) ?? 0;
          if (waiting !== reader.unread) stream.say(frame("notice", { unread: waiting }));
          reader.unread = waiting;
        }
      } catch (error) {
        this.#context.log.warn(describeForLog(error), "views were not counted");
      }
  }

  /**
   * Tells of campaigns and imports that moved on. A stream that is new hears of all that may have moved: its page is older than
   * the stream.
   */
  async tellProgress(): Promise<void> {
    const fresh = [...this.#fresh];
    try {
      const { moved, all } = await this.#progress.look([...this.#hearing.keys()]);
      for (const { kind, workspaceId, id } of moved) this.#say(workspaceId, frame(kind, { id }));
      for (const stream of fresh) {
        this.#fresh.delete(stream);
        const reader = this.#streams.get(stream);
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
        [...this.#streams.values()].map(({ caller }) => caller),
      );
      for (const [stream, { caller }] of this.#streams)
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
    for (const { workspaceId, conversationId } of this.#presence.tick())
      this.#sayPresence(workspaceId, conversationId);
    void this.tellProgress();
    if (this.#seconds % BEAT_SECONDS === 0)
      for (const stream of this.#streams.keys()) stream.say(frame("beat", {}));
    if (this.#seconds % SESSIONS_SECONDS === 0) void this.checkSessions();
    if (this.#moved.size > 0 && !this.#counting)
      this.#counting = this.tellCounts().finally(() => (this.#counting = null));
    for (const stream of this.#streams.keys()) stream.checkReader(PATIENCE_MS);
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

const isOf = (caller: DeskMember, { workspaceId, memberId }: DeskMember): boolean =>
  caller.workspaceId === workspaceId && caller.memberId === memberId;
