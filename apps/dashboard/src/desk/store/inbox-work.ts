import type { AnswerOf, InputOf } from "../../api/call.ts";
import type { DeskRow, MineOf } from "../../api/shapes.ts";
import { nothingOwn, type InboxStore } from "./inbox-store.ts";
import type { ListKey } from "./listing.ts";
import type { ToldList, What } from "./told.ts";

export const PAGE_SIZE = 50;
/** How many pages of a long list are looked through after a break. */
const OWN_PAGES = 10;

/** A change of conversations. `until` belongs to the status `snoozed`. */
export type Change = Omit<InputOf<"changeConversations">["body"], "which">;

/** The calls that the inbox's lists need. */
type Calls = "changeConversations" | "countViews" | "listConversations" | "markSeen";
export type InboxServer = {
  readonly [N in Calls]: (input: InputOf<N>) => Promise<AnswerOf<N>>;
};

/** Reads from the server what the store lacks, and sends the member's changes. A change is drawn at once. */
export class InboxWork {
  readonly #store: InboxStore;
  readonly #server: InboxServer;
  readonly #told: ToldList;
  /** The pages being read, by list. When a list is loaded anew, the answer to its earlier request is ignored. */
  readonly #asked = new Map<string, symbol>();
  readonly #onResolve = new Set<(ids: readonly string[]) => (() => void) | undefined>();

  constructor(store: InboxStore, server: InboxServer, told: ToldList) {
    this.#store = store;
    this.#server = server;
    this.#told = told;
  }

  /** Loads the list's first page unless it is here. Throws when it cannot be read. */
  async load(key: ListKey): Promise<void> {
    const state = this.#store.stateOf(key);
    if (state === "empty" || state === "failed") await this.#loadPage(key, true);
  }

  /** The same; the list shows that it cannot be read. */
  async ensure(key: ListKey): Promise<void> {
    await this.load(key).catch(() => undefined);
  }

  async loadMore(key: ListKey): Promise<void> {
    if (this.#store.stateOf(key) === "ready" && this.#store.cursor(key) !== null)
      await this.#loadPage(key, false).catch(() => undefined);
  }

  /** Loads the first page again, whatever is here. */
  async reload(key: ListKey): Promise<void> {
    await this.#loadPage(key, true).catch(() => undefined);
  }

  async loadCounts(): Promise<void> {
    this.#store.setCounts(await this.#server.countViews({}));
  }

  async #loadPage(key: ListKey, first: boolean): Promise<void> {
    const mark = Symbol("page");
    const name = `${key.view} ${key.order} ${key.unread}`;
    this.#asked.set(name, mark);
    const cursor = first ? null : this.#store.cursor(key);
    this.#store.setState(key, "loading");
    try {
      const page = await this.#server.listConversations({
        query: {
          view: key.view,
          sort: key.order,
          limit: PAGE_SIZE,
          ...(key.unread && { unread: "1" as const }),
          ...(cursor !== null && { cursor }),
        },
      });
      if (this.#asked.get(name) === mark) this.#store.takePage(key, page, first);
    } catch (error) {
      if (this.#asked.get(name) !== mark) return;
      this.#store.setState(key, "failed");
      throw error;
    }
  }

  /**
   * Reads the member's own part of rows from the stream: how much the member has seen of a conversation that no
   * page contained. Such rows are among the newest of all open ones, or of the list that is shown. `all`: of every row that
   * the list shows, because what the member did elsewhere may not have been heard. Throws when they cannot be read.
   */
  async fillOwn(key: ListKey, all = false, signal?: AbortSignal): Promise<void> {
    if (!all && this.#store.unknown.length === 0) return;
    const pages = all ? Math.ceil(this.#store.list(key).ids.length / PAGE_SIZE) : 1;
    let cursor: string | null = null;
    for (let page = 0; page < Math.min(Math.max(pages, 1), OWN_PAGES); page++) {
      const answer: AnswerOf<"listConversations"> = await this.#server.listConversations({
        query: {
          view: key.view,
          sort: key.order,
          limit: PAGE_SIZE,
          ...(cursor !== null && { cursor }),
        },
        ...(signal && { signal }),
      });
      this.#store.takeRows(answer.rows);
      const told = new Map(answer.mine.map((one) => [one.conversationId, one]));
      this.#store.takeMine(answer.rows.map(({ id }) => told.get(id) ?? nothingOwn(id)));
      cursor = answer.nextCursor;
      if (cursor === null) return;
    }
  }

  /**
   * Calls `listener` before conversations are resolved, while the lists still show them. What it returns is called when
   * they are not resolved after all: the member undid it, or the server refused. Until the returned function is called.
   */
  onResolve(listener: (ids: readonly string[]) => (() => void) | undefined): () => void {
    this.#onResolve.add(listener);
    return () => void this.#onResolve.delete(listener);
  }

  /** Changes conversations at once. When the server refuses, the change is undone and the reason shown. */
  async change(ids: readonly string[], change: Change): Promise<void> {
    const before = ids.flatMap((id) => this.#store.row(id) ?? []);
    const what = whatOf(change);
    const back =
      change.status === "resolved" ? [...this.#onResolve].map((listener) => listener(ids)) : [];
    const goBack = () => {
      for (const one of back) one?.();
    };
    await this.#told.during(async () => {
      const ok = await this.#send(ids, change, what);
      if (!ok) return goBack();
      const undo = () => {
        void this.#takeBack(before, change);
        goBack();
      };
      this.#told.tell({ what, count: ids.length, ...(before.length > 0 && { undo }) });
    });
  }

  /** Changes all conversations of a view, loaded or not. They are shown when the server has changed them. */
  async changeAll(key: ListKey, change: Change): Promise<void> {
    const what = whatOf(change);
    try {
      const { changed, rows } = await this.#server.changeConversations({
        body: { ...change, which: { view: key.view, ...(key.unread && { unread: true }) } },
      });
      this.#store.takeRows(rows);
      this.#told.tell({ what, count: changed });
      await Promise.all([this.reload(key), this.loadCounts()]);
    } catch (error) {
      this.#told.tell({ what, count: 0, error });
    }
  }

  /**
   * Sends how many of the customer's messages the member has seen. A failure is silent: the next message repeats
   * it.
   */
  async markSeen(id: string, seen: number): Promise<void> {
    const answered = this.#store.row(id)?.answeredCount ?? 0;
    const keptUnread = seen < answered;
    const mine = (own: MineOf): MineOf => ({ ...own, seen, keptUnread, mentioned: false });
    const pending = this.#store.begin({ ids: new Set([id]), mine });
    try {
      const own = await this.#server.markSeen({ params: { id }, body: { seen } });
      pending.settle([], [own]);
    } catch {
      pending.settle([]);
    }
  }

  async markUnread(id: string): Promise<void> {
    const row = this.#store.row(id);
    if (row === undefined || row.inboundCount === 0) return;
    await this.markSeen(id, row.inboundCount - 1);
  }

  undoLast(): void {
    this.#told.undoLast();
  }

  async #send(ids: readonly string[], change: Change, what: What): Promise<boolean> {
    const at = new Date(this.#store.now()).toISOString();
    const pending = this.#store.begin({
      ids: new Set(ids),
      row: (row) => changed(row, change, at),
    });
    const rows: DeskRow[] = [];
    try {
      // The server accepts 200 at once.
      for (let from = 0; from < ids.length; from += 200) {
        const which = { ids: ids.slice(from, from + 200) };
        const answer = await this.#server.changeConversations({ body: { ...change, which } });
        rows.push(...answer.rows);
      }
      return true;
    } catch (error) {
      this.#told.tell({ what, count: ids.length, error });
      return false;
    } finally {
      pending.settle(rows);
    }
  }

  /** Restores each conversation's former state, equal ones together. */
  async #takeBack(before: readonly DeskRow[], change: Change): Promise<void> {
    const groups = Map.groupBy(before, (row) => JSON.stringify(inverse(row, change)));
    for (const rows of groups.values()) {
      const [first] = rows;
      if (first === undefined) continue;
      const ids = rows.map(({ id }) => id);
      const back = inverse(first, change);
      await this.#send(ids, back, whatOf(back));
    }
  }
}

/** The row as it will be. */
export function changed(row: DeskRow, change: Change, at: string): DeskRow {
  const status = change.status ?? row.status;
  const labels = row.labels.filter((label) => !change.removeLabels?.includes(label));
  for (const label of change.addLabels ?? []) if (!labels.includes(label)) labels.push(label);
  return {
    ...row,
    labels,
    status,
    assigneeId: change.assigneeId === undefined ? row.assigneeId : change.assigneeId,
    snoozedUntil: status === "snoozed" ? (change.until ?? row.snoozedUntil) : null,
    deskAt: change.status === "open" && row.status !== "open" ? at : row.deskAt,
  };
}

/** The change that restores the row. */
function inverse(row: DeskRow, change: Change): Change {
  const added = change.addLabels?.filter((label) => !row.labels.includes(label)) ?? [];
  const removed = change.removeLabels?.filter((label) => row.labels.includes(label)) ?? [];
  return {
    ...(change.assigneeId !== undefined && { assigneeId: row.assigneeId }),
    ...(added.length > 0 && { removeLabels: added }),
    ...(removed.length > 0 && { addLabels: removed }),
    ...(change.status !== undefined && { status: row.status }),
    ...(change.status !== undefined &&
      row.status === "snoozed" &&
      row.snoozedUntil !== null && { until: row.snoozedUntil }),
  };
}

function whatOf(change: Change): What {
  if (change.status === "resolved") return "resolved";
  if (change.status === "snoozed") return "snoozed";
  if (change.status === "open") return "reopened";
  return change.assigneeId === undefined ? "labelled" : "assigned";
}
