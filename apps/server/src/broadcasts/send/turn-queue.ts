import type { BroadcastKey } from "../record/broadcast-store.ts";

/**
 * Whose turn it is: workspaces one after another and, within one, its campaigns. So a workspace with a hundred campaigns
 * gets as many turns as one with a single campaign, and a campaign of a million no more than its neighbour of fifty.
 */
export class TurnQueue {
  readonly #byWorkspace = new Map<string, BroadcastKey[]>();

  push(key: BroadcastKey): void {
    const waiting = this.#byWorkspace.get(key.workspaceId);
    if (waiting) waiting.push(key);
    else this.#byWorkspace.set(key.workspaceId, [key]);
  }

  /** The next campaign; its workspace then goes behind the others. */
  shift(): BroadcastKey | undefined {
    for (const [workspaceId, waiting] of this.#byWorkspace) {
      const key = waiting.shift();
      this.#byWorkspace.delete(workspaceId);
      if (waiting.length > 0) this.#byWorkspace.set(workspaceId, waiting);
      if (key) return key;
    }
    return undefined;
  }
}
