import type { Writable } from "node:stream";
import type { DeskMember } from "../../../desk/read-desk.ts";
import type { LiveStream } from "../../edge/live-stream.ts";
import type { MemberCaller } from "../member-door.ts";

/** A member's streams: the oldest ends when another begins. */
const PER_MEMBER = 10;

export type DeskStream = LiveStream<number>;

/** The member at the other end of a stream. */
export interface Reader {
  readonly caller: MemberCaller;
  readonly response: Writable;
  /** How many unread notices the member was told of last. */
  unread: number | null;
}

/** The open streams of this process: who reads each, and how to reach some of them. */
export class DeskStreams {
  readonly #streams = new Map<DeskStream, Reader>();

  get size(): number {
    return this.#streams.size;
  }

  /** Every open stream with its reader. */
  all(): Iterable<readonly [DeskStream, Reader]> {
    return this.#streams;
  }

  readerOf(stream: DeskStream): Reader | undefined {
    return this.#streams.get(stream);
  }

  /** Every stream of a member, in this process. */
  ofMember({ workspaceId, memberId }: DeskMember): [DeskStream, Reader][] {
    return [...this.#streams].filter(
      ([, { caller }]) => caller.workspaceId === workspaceId && caller.memberId === memberId,
    );
  }

  /** The workspaces of the open streams, each once. */
  workspaceIds(): string[] {
    return [...new Set([...this.#streams.values()].map(({ caller }) => caller.workspaceId))];
  }

  add(stream: DeskStream, caller: MemberCaller, response: Writable): void {
    const own = [...this.#streams.values()].filter(
      (one) => one.caller.memberId === caller.memberId,
    );
    // No `end` frame: the browser would take it for the end of the session. It connects again by itself.
    if (own.length >= PER_MEMBER) own[0]?.response.end();
    this.#streams.set(stream, { caller, response, unread: null });
  }

  remove(stream: DeskStream): void {
    this.#streams.delete(stream);
  }

  /** Sends a text to every stream of a workspace. */
  say(workspaceId: string, text: string): void {
    for (const [stream, { caller }] of this.#streams)
      if (caller.workspaceId === workspaceId) stream.say(text);
  }

  /** Ends every stream. Their readers connect again, to a process that serves. */
  end(): void {
    for (const { response } of this.#streams.values()) response.end();
  }
}
