import type { Context } from "../../../context.ts";
import { describeForLog } from "../../../db/describe-for-log.ts";
import { mineOf, type DeskMember } from "../../../desk/read-desk.ts";
import { deskTopic, type Hint } from "../../../lib/topics.ts";
import { unreadNotices } from "../../../workspaces/member-notice.ts";
import { addDrafts } from "../add-drafts.ts";
import type { DeskStreams } from "./desk-streams.ts";
import { frame } from "./frame.ts";
import { Presence } from "./presence.ts";

/**
 * Passes the hints of this and other processes (`desk-hints.ts`) to the streams: who looks at what and types, a
 * member's own part of conversations, notices, changed settings. Listens only to workspaces with open streams.
 */
export class DeskHearing {
  readonly #context: Context;
  readonly #streams: DeskStreams;
  readonly presence = new Presence();
  /** By workspace with streams: stops listening to its hints. */
  readonly #hearing = new Map<string, () => void>();

  constructor(context: Context, streams: DeskStreams) {
    this.#context = context;
    this.#streams = streams;
  }

  /** The workspaces that it listens to. */
  workspaceIds(): string[] {
    return [...this.#hearing.keys()];
  }

  begin(workspaceId: string): void {
    if (this.#hearing.has(workspaceId)) return;
    const { topics } = this.#context;
    const hear = (hint: Hint) => this.#hear(workspaceId, hint);
    this.#hearing.set(workspaceId, topics.subscribe(deskTopic(workspaceId), hear));
  }

  /** Stops listening to workspaces that have no stream any more. */
  endUnused(): void {
    const used = new Set(this.#streams.workspaceIds());
    for (const [workspaceId, end] of this.#hearing)
      if (!used.has(workspaceId)) {
        end();
        this.#hearing.delete(workspaceId);
      }
  }

  close(): void {
    for (const end of this.#hearing.values()) end();
  }

  /** Runs once a second: tells who fell silent. */
  tick(): void {
    for (const { workspaceId, conversationId } of this.presence.tick())
      this.#sayPresence(workspaceId, conversationId);
  }

  #hear(workspaceId: string, hint: Hint): void {
    if (hint.kind === "typing" && hint.conversationId !== undefined) {
      this.presence.hearCustomer(hint.conversationId, hint.active);
      this.#sayPresence(workspaceId, hint.conversationId);
    }
    if (hint.kind === "suggestion") this.#sayThread(workspaceId, hint.conversationId);
    if (hint.kind === "notice") void this.#sayUnread({ workspaceId, memberId: hint.memberId });
    if (hint.kind !== "desk") return;
    const told = hint.tabs.flatMap((tab) => this.presence.hear(workspaceId, tab));
    for (const conversationId of new Set(told)) this.#sayPresence(workspaceId, conversationId);
    if (hint.settings) this.#streams.say(workspaceId, frame("settings", {}));
    for (const [memberId, ids] of Map.groupBy(hint.own, ([id]) => id))
      void this.#sayOwn(
        { workspaceId, memberId },
        ids.map(([, id]) => id),
      );
  }

  /** `workspaceId` null: it is not known. */
  #sayPresence(workspaceId: string | null, conversationId: string): void {
    for (const [stream, { caller }] of this.#streams.all())
      if (workspaceId === null || caller.workspaceId === workspaceId)
        if (this.presence.looks(caller.memberId, conversationId))
          stream.say(frame("presence", this.presence.without(caller.memberId, conversationId)));
  }

  /** The thread has something new without an event: only the members who look at it hear of it. */
  #sayThread(workspaceId: string, conversationId: string): void {
    for (const [stream, { caller }] of this.#streams.all())
      if (caller.workspaceId === workspaceId)
        if (this.presence.looks(caller.memberId, conversationId))
          stream.say(frame("thread", { conversationId }));
  }

  /** A member's own part of conversations changed in one of their tabs: tells the others. */
  async #sayOwn(member: DeskMember, ids: readonly string[]): Promise<void> {
    const streams = this.#streams.ofMember(member);
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

  /** A member got a notice that does not come from the inbox. */
  async #sayUnread(member: DeskMember): Promise<void> {
    const streams = this.#streams.ofMember(member);
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
}
