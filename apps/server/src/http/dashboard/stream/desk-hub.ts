import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "../../../context.ts";
import { describeForLog } from "../../../db/describe-for-log.ts";
import { FAR_BEHIND, goneBetween } from "../../../desk/desk-gone.ts";
import { deskChangesAfter, deskNumbers } from "../../../desk/read-desk.ts";
import { AppError } from "../../../errors.ts";
import { liveSessions } from "../../../sessions/live-sessions.ts";
import { readFeed, sequenceHeads } from "../../../webhooks/read-feed.ts";
import { unreadNotices } from "../../../workspaces/member-notice.ts";
import type { DeskCounts } from "../contract/desk-shapes.ts";
import type { FrameName, Frames } from "../contract/live.ts";
import { LiveStream, type LiveFrame } from "../../edge/live-stream.ts";
import type { MemberCaller } from "../member-door.ts";

/** The longest wait before changes that another process stored are seen. */
const LOOK_MS = 100;
/** At most 20 frames a second. */
const LOOK_GAP_MS = 50;
const TICK_MS = 1_000;
const BEAT_SECONDS = 15;
const SESSIONS_SECONDS = 3;
const PATIENCE_MS = 30_000;
const CHANGES = 500;
/** What may wait in memory for one reader: more than one page of changes. */
const MOST_BUFFERED = 2 * 1024 * 1024;
const PER_MEMBER = 10;
const PER_PROCESS = 1_000;
/** Messages of one look that threads are told of. */
const MOST_HINTS = 200;

type DeskStream = LiveStream<number>;

/** A tab that says nothing for so long is gone; it speaks every 20 s. */
const PRESENCE_SECONDS = 30;
const MOST_TABS = 5_000;

/** What one tab of a member shows. */
interface Tab {
  readonly workspaceId: string;
  readonly memberId: string;
  readonly conversationId: string | null;
  readonly typing: boolean;
  readonly until: number;
}

interface Reader {
  readonly caller: MemberCaller;
  /** What the member was told last, as it was sent. */
  counts: string;
  unread: number | null;
}

const frame = <N extends FrameName>(name: N, data: Frames[N], id?: number): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * The dashboard's streams of this process. One statement each 100 ms for all of them says which workspaces moved on; each
 * change is read once for all streams that stand at one place. Rows are state and no log: a reader comes back after any time.
 */
export class DeskHub {
  readonly #context: Context;
  readonly #countOf: (caller: MemberCaller) => Promise<DeskCounts>;
  readonly #streams = new Map<DeskStream, Reader>();
  readonly #responses = new Map<DeskStream, Writable>();
  readonly #halt = new AbortController();
  /** By workspace and place: what follows, while streams read it. */
  readonly #reads = new Map<string, Promise<Awaited<ReturnType<DeskHub["readChanges"]>>>>();
  /** By workspace: up to which event its threads were told. */
  readonly #told = new Map<string, number>();
  /** Workspaces whose counts may have changed since they were told. */
  readonly #moved = new Set<string>();
  /** By member and tab. It is stored nowhere, and told to the streams of this process. */
  readonly #tabs = new Map<string, Tab>();
  #running = false;
  #timer: NodeJS.Timeout | undefined;
  #seconds = 0;

  constructor(context: Context, countOf: (caller: MemberCaller) => Promise<DeskCounts>) {
    this.#context = context;
    this.#countOf = countOf;
  }

  get size(): number {
    return this.#streams.size;
  }

  /** Asked before anything is answered. Throws OVERLOADED. */
  admit(): void {
    if (this.#halt.signal.aborted || this.size >= PER_PROCESS)
      throw new AppError("OVERLOADED", { retryAfterSeconds: 5 });
  }

  /** The response must be open: its head is written. A member's oldest stream ends for the eleventh. */
  add(caller: MemberCaller, after: number, response: Writable): void {
    const context = this.#context;
    const stream: DeskStream = new LiveStream(response, after, {
      mostBuffered: MOST_BUFFERED,
      read: (from) => this.#read(caller.workspaceId, from),
      failed: (error) => context.log.warn(describeForLog(error), "a stream was not read"),
      ended: () => {
        this.#streams.delete(stream);
        this.#responses.delete(stream);
      },
    });
    const own = [...this.#streams].filter(([, one]) => one.caller.memberId === caller.memberId);
    // No `end`: the browser would take it for the end of the session. It connects again by itself.
    if (own.length >= PER_MEMBER && own[0]) this.#responses.get(own[0][0])?.end();
    this.#streams.set(stream, { caller, counts: "", unread: null });
    this.#responses.set(stream, response);
    stream.say(frame("beat", {}));
    this.#timer ??= setInterval(() => this.tick(), TICK_MS).unref();
    if (!this.#running) void this.#run();
    stream.pump();
  }

  /** Ends every stream: their readers connect again to a process that serves. */
  close(): void {
    this.#halt.abort();
    clearInterval(this.#timer);
    for (const response of this.#responses.values()) response.end();
  }

  /** A tab says what its member looks at and whether they type; the others in the conversation are told. */
  tellPresence(
    { workspaceId, memberId }: MemberCaller,
    tab: string,
    shows: Pick<Tab, "conversationId" | "typing">,
  ): void {
    const key = `${memberId}/${tab}`;
    const before = this.#tabs.get(key);
    if (before === undefined && this.#tabs.size >= MOST_TABS) return;
    this.#tabs.delete(key);
    const { conversationId, typing } = shows;
    const until = this.#seconds + PRESENCE_SECONDS;
    this.#tabs.set(key, { workspaceId, memberId, conversationId, typing, until });
    if (before && before.conversationId !== conversationId) this.#sayPresence(before);
    this.#sayPresence({ workspaceId, conversationId });
    this.#timer ??= setInterval(() => this.tick(), TICK_MS).unref();
  }

  #sayPresence({ workspaceId, conversationId }: Pick<Tab, "workspaceId" | "conversationId">): void {
    if (conversationId === null) return;
    const there = [...this.#tabs.values()].filter(
      (tab) => tab.workspaceId === workspaceId && tab.conversationId === conversationId,
    );
    for (const [stream, { caller }] of this.#streams) {
      if (caller.workspaceId !== workspaceId) continue;
      const others = there.filter((tab) => tab.memberId !== caller.memberId);
      const viewing = [...new Set(others.map((tab) => tab.memberId))];
      const typing = [...new Set(others.flatMap((tab) => (tab.typing ? [tab.memberId] : [])))];
      stream.say(frame("presence", { conversationId, viewing, typing, customerTyping: false }));
    }
  }

  #dropSilentTabs(): void {
    for (const [key, tab] of this.#tabs) {
      if (tab.until > this.#seconds) continue;
      this.#tabs.delete(key);
      this.#sayPresence(tab);
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
      const hints = ids.map((id) => this.#hint(id, heads.get(id)?.last ?? 0));
      if ((await Promise.all(hints)).includes(true)) found = true;
    } catch (error) {
      this.#context.log.warn(describeForLog(error), "streams were not looked after");
    }
    return found;
  }

  /** Tells which threads have something new since the last look. Of campaigns nobody is told: they may be a million. */
  async #hint(workspaceId: string, last: number): Promise<boolean> {
    const after = this.#told.get(workspaceId) ?? last;
    this.#told.set(workspaceId, last);
    if (last <= after) return false;
    const { events } = await readFeed(this.#context, workspaceId, {
      after,
      limit: MOST_HINTS,
      types: ["message.received", "message.created", "message.status"],
    });
    const threads = new Set(events.flatMap(({ body }) => threadOf(body)));
    for (const conversationId of threads)
      this.#say(workspaceId, frame("thread", { conversationId }));
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
    // Rows that changed again or went away since leave numbers that no row has.
    const next = more ? last : Math.max(last, head);
    const gone = await goneBetween(this.#context.db, workspaceId, after, next);
    if (rows.length + gone.length > 0)
      frames.push({ place: next, text: frame("desk", { rows, gone, counts: {} }, next) });
    return { frames, next, more };
  }

  /** Tells each member of the moved workspaces what their views hold and how many notices wait, when it changed. */
  async tellCounts(): Promise<void> {
    const moved = new Set(this.#moved);
    this.#moved.clear();
    const byMember = new Map<string, { counts: DeskCounts; unread: number }>();
    for (const [stream, reader] of this.#streams) {
      const { caller } = reader;
      if (!moved.has(caller.workspaceId)) continue;
      try {
        const told = byMember.get(caller.memberId) ?? {
          counts: await this.#countOf(caller),
          unread: await unreadNotices(this.#context, caller),
        };
        byMember.set(caller.memberId, told);
        const counts = JSON.stringify(told.counts);
        if (counts !== reader.counts)
          stream.say(frame("desk", { rows: [], gone: [], counts: told.counts }));
        reader.counts = counts;
        if (told.unread !== (reader.unread ?? 0))
          stream.say(frame("notice", { unread: told.unread }));
        reader.unread = told.unread;
      } catch (error) {
        this.#context.log.warn(describeForLog(error), "views were not counted");
      }
    }
  }

  /** Ends the streams whose session is over. */
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

  /** What is due after another second; its own timer calls it while there are streams. */
  tick(): void {
    if (this.size === 0 && this.#tabs.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    this.#seconds += 1;
    this.#dropSilentTabs();
    if (this.#seconds % BEAT_SECONDS === 0)
      for (const stream of this.#streams.keys()) stream.say(frame("beat", {}));
    if (this.#seconds % SESSIONS_SECONDS === 0) void this.checkSessions();
    if (this.#moved.size > 0) void this.tellCounts();
    for (const stream of this.#streams.keys()) stream.checkReader(PATIENCE_MS);
  }

  /** Looks while there are streams. */
  async #run(): Promise<void> {
    const { wake } = this.#context;
    this.#running = true;
    while (this.size > 0 && !this.#halt.signal.aborted) {
      const nudges = wake.nudges("feed");
      // Whoever was told nothing may be told at once.
      const gap = (await this.look()) ? LOOK_GAP_MS : 0;
      if (gap > 0) await sleep(gap, undefined, { ref: false });
      if (wake.nudges("feed") === nudges) await wake.wait("feed", LOOK_MS - gap, this.#halt.signal);
    }
    this.#running = false;
  }
}

/** The conversation of a message's event; none of a campaign's. */
function threadOf(body: string): string[] {
  const event: unknown = JSON.parse(body);
  const data = fieldsOf(fieldsOf(event)?.["data"]);
  const message = fieldsOf(data?.["message"]) ?? data;
  const id = message?.["conversationId"];
  const campaign = message?.["broadcastId"] ?? data?.["broadcastId"] ?? null;
  return typeof id === "string" && campaign === null ? [id] : [];
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null ? { ...value } : undefined;
}
