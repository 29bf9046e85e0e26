import type { ShownTab } from "../../../lib/topics.ts";
import type { Frames } from "../contract/live.ts";

/** A tab that is silent for this long is gone; it reports every 20 s. */
const TAB_SECONDS = 30;
/** A visitor's window reports again while its person types on. */
const CUSTOMER_SECONDS = 10;
const MOST_TABS = 5_000;

interface KnownTab extends ShownTab {
  readonly workspaceId: string;
  until: number;
}

/** Who looks at which conversation and types in it, as all processes tell it. Only in memory. */
export class Presence {
  readonly #tabs = new Map<string, KnownTab>();
  /** By conversation: until when its customer types. */
  readonly #customers = new Map<string, number>();
  #seconds = 0;

  /** A tab reports what it shows. Gives the conversations about which the others must be told. */
  hear(workspaceId: string, tab: ShownTab): string[] {
    const key = `${tab.memberId}/${tab.tab}`;
    const before = this.#tabs.get(key);
    if (before === undefined && this.#tabs.size >= MOST_TABS) return [];
    this.#tabs.delete(key);
    if (tab.conversationId !== null)
      this.#tabs.set(key, { ...tab, workspaceId, until: this.#seconds + TAB_SECONDS });
    return [...new Set([before?.conversationId, tab.conversationId])].filter(
      (id) => id !== undefined && id !== null,
    );
  }

  hearCustomer(conversationId: string, types: boolean): void {
    if (!types) this.#customers.delete(conversationId);
    else if (this.#customers.size < MOST_TABS)
      this.#customers.set(conversationId, this.#seconds + CUSTOMER_SECONDS);
  }

  /** Whether a member looks at a conversation, in any tab. */
  looks(memberId: string, conversationId: string): boolean {
    for (const tab of this.#tabs.values())
      if (tab.conversationId === conversationId && tab.memberId === memberId) return true;
    return false;
  }

  /** The conversations of a workspace that somebody looks at. */
  shown(workspaceId: string): string[] {
    const ids = new Set<string>();
    for (const tab of this.#tabs.values())
      if (tab.workspaceId === workspaceId && tab.conversationId !== null)
        ids.add(tab.conversationId);
    return [...ids];
  }

  /** Everybody in a conversation except one member. */
  without(memberId: string, conversationId: string): Frames["presence"] {
    const others = [...this.#tabs.values()].filter(
      (tab) => tab.conversationId === conversationId && tab.memberId !== memberId,
    );
    return {
      conversationId,
      viewing: [...new Set(others.map((tab) => tab.memberId))],
      typing: [...new Set(others.flatMap((tab) => (tab.typing ? [tab.memberId] : [])))],
      customerTyping: this.#customers.has(conversationId),
    };
  }

  /** Runs once a second. Gives the conversations in which somebody fell silent, with their workspace if it is known. */
  tick(): { readonly workspaceId: string | null; readonly conversationId: string }[] {
    this.#seconds += 1;
    const silent: { workspaceId: string | null; conversationId: string }[] = [];
    for (const [key, { until, workspaceId, conversationId }] of this.#tabs) {
      if (until > this.#seconds) continue;
      this.#tabs.delete(key);
      if (conversationId !== null) silent.push({ workspaceId, conversationId });
    }
    for (const [conversationId, until] of this.#customers) {
      if (until > this.#seconds) continue;
      this.#customers.delete(conversationId);
      silent.push({ workspaceId: null, conversationId });
    }
    return silent;
  }
}
