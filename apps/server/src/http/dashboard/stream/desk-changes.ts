import type { Context } from "../../../context.ts";
import { FAR_BEHIND, goneBetween } from "../../../desk/desk-gone.ts";
import { deskChangesAfter, deskNumbers } from "../../../desk/read-desk.ts";
import type { LiveFrame } from "../../edge/live-stream.ts";
import { frame } from "./frame.ts";

/** Rows of one frame at most. */
const MOST_ROWS = 500;

interface Changes {
  readonly frames: LiveFrame<number>[];
  readonly next: number;
  readonly more: boolean;
}

/** Reads the changes of inboxes. Streams at one place share one read. */
export class DeskChanges {
  readonly #context: Pick<Context, "db">;
  /** By workspace and place: the changes after it, while streams read them. */
  readonly #reads = new Map<string, Promise<Changes>>();

  constructor(context: Pick<Context, "db">) {
    this.#context = context;
  }

  /** The changes after a number of the inbox, as frames. */
  after(workspaceId: string, place: number): Promise<Changes> {
    const key = `${workspaceId}/${place}`;
    const reading =
      this.#reads.get(key) ?? this.#read(workspaceId, place).finally(() => this.#reads.delete(key));
    this.#reads.set(key, reading);
    return reading;
  }

  async #read(workspaceId: string, after: number): Promise<Changes> {
    const { db } = this.#context;
    const head = (await deskNumbers(db, [workspaceId])).get(workspaceId) ?? 0;
    // A number that was never given out comes from before a restore.
    if (head - after > FAR_BEHIND || head < after) {
      const text = frame("reset", { change: head }, head);
      return { frames: [{ place: head, text }], next: head, more: false };
    }
    const rows = await deskChangesAfter(db, workspaceId, after, MOST_ROWS);
    const more = rows.length === MOST_ROWS;
    const last = rows.at(-1)?.change ?? after;
    // Rows that changed again or were removed since then leave numbers without a row.
    const next = more ? last : Math.max(last, head);
    const gone = await goneBetween(db, workspaceId, after, next);
    if (rows.length + gone.length === 0) return { frames: [], next, more };
    const text = frame("desk", { rows, gone, counts: {} }, next);
    return { frames: [{ place: next, text }], next, more };
  }
}
