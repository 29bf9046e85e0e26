import type { Context } from "../../../context.ts";
import { deskTopic, type ShownTab } from "../../../lib/topics.ts";

/** Hints within this time are sent together, because each notification waits for one lock of the whole database. */
const GATHER_MS = 100;
/** A notification holds 8,000 bytes; a tab takes some 130. */
const MOST_IN_HINT = 40;

interface Gathered {
  readonly tabs: Map<string, ShownTab>;
  readonly own: Map<string, readonly [memberId: string, conversationId: string]>;
  settings: boolean;
}

/**
 * Small hints from streams to streams, in this process and all others: who looks at what, and that something of a
 * member's own or of the workspace's lists changed. They are sent by notification, at most ten times a second for
 * each workspace. A hint may be lost: a tab repeats it after 20 s, and pages read again when they are opened.
 * Changes of conversations are never sent this way.
 */
export class DeskHints {
  readonly #topics: Context["topics"];
  readonly #gathered = new Map<string, Gathered>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ topics }: Pick<Context, "topics">) {
    this.#topics = topics;
  }

  tellTab(workspaceId: string, tab: ShownTab): void {
    this.#of(workspaceId).tabs.set(`${tab.memberId}/${tab.tab}`, tab);
  }

  /** A member's own part of a conversation changed: how much of it they have seen, or their draft. */
  tellOwn(workspaceId: string, memberId: string, conversationId: string): void {
    this.#of(workspaceId).own.set(`${memberId} ${conversationId}`, [memberId, conversationId]);
  }

  /** Members, channels, labels, views, saved replies or the workspace itself changed. */
  tellSettings(workspaceId: string): void {
    this.#of(workspaceId).settings = true;
  }

  #of(workspaceId: string): Gathered {
    const gathered = this.#gathered.get(workspaceId) ?? {
      tabs: new Map(),
      own: new Map(),
      settings: false,
    };
    this.#gathered.set(workspaceId, gathered);
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#send(), GATHER_MS).unref();
    return gathered;
  }

  #send(): void {
    this.#timer = undefined;
    for (const [workspaceId, { tabs, own, settings }] of this.#gathered) {
      const [allTabs, allOwn] = [[...tabs.values()], [...own.values()]];
      const hints = Math.ceil(Math.max(allTabs.length, allOwn.length, 1) / MOST_IN_HINT);
      for (let n = 0; n < hints; n++) {
        const part = [n * MOST_IN_HINT, (n + 1) * MOST_IN_HINT] as const;
        void this.#topics.publish(deskTopic(workspaceId), {
          kind: "desk",
          tabs: allTabs.slice(...part),
          own: allOwn.slice(...part),
          settings: settings && n === 0,
        });
      }
    }
    this.#gathered.clear();
  }
}
