import {
  inView,
  termsOf,
  unreadOf,
  type DeskCounts,
  type DeskPage,
  type DeskRow,
  type DeskViewJson,
  type Frames,
  type MineOf,
  type ViewTerms,
} from "../../api/shapes.ts";
import { Listing, NOTHING_SHOWN, keyText, type ListKey, type ListShown } from "./listing.ts";

/** How long an order may wait for the pointer to leave the list. */
const HOLD_MS = 2000;
/** How many rows are kept in memory before those that no list shows are dropped. */
const ROWS_KEPT = 5000;
const LISTS_KEPT = 12;
/** A count stops here and is shown as 999+. */
const COUNT_LIMIT = 1000;

/** The store's member, and the time by the server's clock. */
export interface Owner {
  readonly memberId: string;
  readonly now: () => number;
}

/** A change that is being sent to the server and is drawn already. */
export interface Pending {
  readonly ids: ReadonlySet<string>;
  readonly row?: (row: DeskRow) => DeskRow;
  readonly mine?: (mine: MineOf) => MineOf;
}

/**
 * What this tab knows of the inbox: rows, the member's own part of them, lists and counts. The server's frames and
 * pages are put in; React reads snapshots. The store makes no calls: `inbox-work.ts` loads pages and sends
 * changes. `#told` is the server's last word on a row. `#rows` is that with the changes that are still being sent.
 * An older word of the server never replaces a newer one (`change`), so pages, answers and frames may come in any
 * order.
 */
export class InboxStore {
  readonly #owner: Owner;
  readonly #told = new Map<string, DeskRow>();
  readonly #rows = new Map<string, DeskRow>();
  readonly #toldMine = new Map<string, MineOf>();
  readonly #mine = new Map<string, MineOf>();
  readonly #pending = new Set<Pending>();
  readonly #lists = new Map<string, Listing>();
  readonly #listeners = new Set<() => void>();
  #counts: DeskCounts = {};
  #views: readonly DeskViewJson[] = [];
  #uses = 0;
  #held = false;
  #holdTimer: ReturnType<typeof setTimeout> | undefined;
  #open: string | null = null;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  get memberId(): string {
    return this.#owner.memberId;
  }

  /** Milliseconds since 1970, by the server's clock. */
  readonly now = (): number => this.#owner.now();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  // Read by the screen. Each answer is the same object until it changes.

  readonly row = (id: string): DeskRow | undefined => this.#rows.get(id);
  readonly mine = (id: string): MineOf | undefined => this.#mine.get(id);
  readonly counts = (): DeskCounts => this.#counts;
  readonly list = (key: ListKey): ListShown =>
    this.#lists.get(keyText(key))?.shown ?? NOTHING_SHOWN;

  /** The customer's messages that the member has not seen. */
  readonly unread = (id: string): number => {
    const row = this.#rows.get(id);
    if (row === undefined) return 0;
    const mine = this.#mine.get(id);
    // A row from the stream, of a conversation that no page contained: the member's own part is still unknown.
    if (mine === undefined) return row.previewSide === "customer" ? 1 : 0;
    return unreadOf(row, mine);
  };

  /** Rows from the stream whose own part no page contained. */
  get unknown(): readonly string[] {
    return [...this.#rows.keys()].filter((id) => !this.#toldMine.has(id));
  }

  terms(view: string): ViewTerms | undefined {
    return termsOf(view, this.#views);
  }

  // The server's answers.

  /** Members' own and shared views, with the rules that decide what they contain. */
  setViews(views: readonly DeskViewJson[]): void {
    this.#views = views;
    for (const list of this.#lists.values())
      if (list.key.view.startsWith("view-")) this.#drop(list);
    this.#tell();
  }

  setCounts(counts: DeskCounts): void {
    this.#counts = { ...this.#counts, ...counts };
    this.#tell();
  }

  /** A frame of the stream: rows, conversations that are gone, and counts of the changed views. */
  takeFrame(frame: Frames["desk"]): void {
    const gone = new Set(frame.gone);
    for (const id of gone) for (const part of this.#maps) part.delete(id);
    for (const list of this.#lists.values()) list.remove(gone);
    if (Object.keys(frame.counts).length > 0) this.#counts = { ...this.#counts, ...frame.counts };
    this.takeRows(frame.rows);
    this.#sweep();
    // Counts come in frames of their own, without rows.
    this.#tell();
  }

  /** Rows that an answer brought. */
  takeRows(rows: readonly DeskRow[]): void {
    const newer = rows.filter((row) => (this.#told.get(row.id)?.change ?? -1) < row.change);
    for (const row of newer) this.#told.set(row.id, row);
    this.#refresh(newer.map(({ id }) => id));
  }

  takeMine(mine: readonly MineOf[]): void {
    for (const one of mine) this.#toldMine.set(one.conversationId, one);
    this.#refresh(mine.map(({ conversationId }) => conversationId));
  }

  /** One page of a list. `first`: it replaces the list's content. */
  takePage(key: ListKey, page: DeskPage, first: boolean): void {
    const own = new Map(page.mine.map((one) => [one.conversationId, one]));
    for (const { id } of page.rows) this.#toldMine.set(id, own.get(id) ?? nothingOwn(id));
    const list = this.#use(key);
    for (const row of page.rows)
      if ((this.#told.get(row.id)?.change ?? -1) < row.change) this.#told.set(row.id, row);
    this.#refresh(page.rows.map(({ id }) => id));
    // What bots did is not in a row: of their results the server alone says what belongs.
    const told = this.terms(key.view)?.kind === "results";
    const belonging = page.rows.flatMap(({ id }) => {
      const row = this.#rows.get(id);
      return row !== undefined && (told || this.#belongs(list, row)) ? [row] : [];
    });
    list.addPage(page, belonging, this.row, first);
    list.show();
    this.#tell();
  }

  /** The stream was too far behind: everything is read anew. The screen stays until it comes. */
  forget(): void {
    for (const list of this.#lists.values()) {
      list.state = "empty";
      list.cursor = null;
    }
  }

  // Called by the page.

  /** The list's own record, made when it is first needed. */
  setState(key: ListKey, state: ListShown["state"]): void {
    const list = this.#use(key);
    list.state = state;
    if (list.show()) this.#tell();
  }

  cursor(key: ListKey): string | null {
    return this.#lists.get(keyText(key))?.cursor ?? null;
  }

  /** Unlike `list(key).state` this is also known while the list is held. */
  stateOf(key: ListKey): ListShown["state"] {
    return this.#lists.get(keyText(key))?.state ?? "empty";
  }

  /** The open conversation stays in a list of unread ones when it is read there. */
  setOpen(id: string | null): void {
    const before = this.#open;
    this.#open = id;
    this.#refresh([before, id].filter((one) => one !== null));
  }

  /** The conversation that is open. */
  get openId(): string | null {
    return this.#open;
  }

  /** The pointer is over a list: its order waits, for two seconds at most. */
  setHeld(held: boolean): void {
    this.#held = held;
    if (!held) this.release();
  }

  /** Shows the true order now. */
  release(): void {
    clearTimeout(this.#holdTimer);
    this.#holdTimer = undefined;
    if ([...this.#lists.values()].filter((list) => list.show()).length > 0) this.#tell();
  }

  // Changes that are drawn before the server has them.

  /** Draws a change at once. The returned functions undo it, or replace it by the server's answer. */
  begin(pending: Pending): {
    settle: (rows: readonly DeskRow[], mine?: readonly MineOf[]) => void;
  } {
    this.#pending.add(pending);
    const ids = [...pending.ids];
    this.#count(ids, () => this.#refresh(ids, true));
    return {
      settle: (rows, mine = []) => {
        this.#pending.delete(pending);
        for (const row of rows)
          if ((this.#told.get(row.id)?.change ?? -1) < row.change) this.#told.set(row.id, row);
        for (const one of mine) this.#toldMine.set(one.conversationId, one);
        // Counts follow a failure. After a success the rows are as they were drawn.
        this.#count(ids, () => this.#refresh(ids, true));
      },
    };
  }

  /** Windows open and close as time passes, without a message from the server. Called every half minute. */
  tick(): void {
    this.#refresh([...this.#rows.keys()]);
  }

  get #maps(): readonly Map<string, unknown>[] {
    return [this.#told, this.#rows, this.#toldMine, this.#mine];
  }

  /** Computes rows anew and moves them to their places. `own`: the member did it, and sees it at once. */
  #refresh(ids: readonly string[], own = false): void {
    const placings = ids.flatMap((id) => {
      const before = this.#rows.get(id);
      const row = this.#compute(id);
      if (row === undefined) return [];
      const moved = before?.deskAt !== row.deskAt || before.waitingSince !== row.waitingSince;
      return [{ row, moved }];
    });
    for (const list of this.#lists.values()) {
      if (list.state === "empty" && list.ids.length === 0) continue;
      list.place(
        placings.map(({ row, moved }) => ({ row, moved, belongs: this.#belongs(list, row) })),
        this.row,
      );
      this.#order(list, own);
    }
    if (ids.length > 0) this.#tell();
  }

  #compute(id: string): DeskRow | undefined {
    let row = this.#told.get(id);
    let mine = this.#toldMine.get(id);
    for (const pending of this.#pending) {
      if (!pending.ids.has(id)) continue;
      if (row !== undefined && pending.row) row = pending.row(row);
      if (pending.mine) mine = pending.mine(mine ?? nothingOwn(id));
    }
    if (mine !== undefined) this.#mine.set(id, mine);
    if (row !== undefined) this.#rows.set(id, row);
    return row;
  }

  #belongs({ key, ids }: Listing, row: DeskRow): boolean {
    const terms = this.terms(key.view);
    if (terms === undefined) return false;
    if (terms.kind === "results") return ids.includes(row.id);
    if (key.unread && row.id !== this.#open && this.unread(row.id) === 0) return false;
    return inView(row, this.#mine.get(row.id), terms, this.#looker);
  }

  get #looker(): { memberId: string; now: number } {
    return { memberId: this.#owner.memberId, now: this.#owner.now() };
  }

  #order(list: Listing, own: boolean): void {
    if (!this.#held || own || list.shown.ids.length === 0) {
      list.show();
      return;
    }
    list.showHeld((id) => this.#rows.has(id));
    if (list.isBehind) this.#holdTimer ??= setTimeout(() => this.release(), HOLD_MS);
  }

  /** Counts follow the member's own changes at once; the server's counts come within a second and replace them. */
  #count(ids: readonly string[], change: () => void): void {
    const holds = (id: string, view: string): boolean => {
      const row = this.#rows.get(id);
      const terms = this.terms(view);
      return !!row && !!terms && inView(row, this.#mine.get(id), terms, this.#looker);
    };
    const views = Object.keys(this.#counts);
    const tally = () => views.map((view) => ids.filter((id) => holds(id, view)).length);
    const before = tally();
    change();
    const after = tally();
    const counts = { ...this.#counts };
    views.forEach((view, at) => {
      const count = counts[view] ?? 0;
      const moved = (after[at] ?? 0) - (before[at] ?? 0);
      if (count < COUNT_LIMIT) counts[view] = Math.max(0, count + moved);
    });
    this.#counts = counts;
    this.#tell();
  }

  #use(key: ListKey): Listing {
    const text = keyText(key);
    const list = this.#lists.get(text) ?? new Listing(key);
    this.#lists.set(text, list);
    list.usedAt = ++this.#uses;
    return list;
  }

  /** Limits the memory of a tab that is open for a day. */
  #sweep(): void {
    const byUse = [...this.#lists.values()].sort((a, b) => b.usedAt - a.usedAt);
    for (const list of byUse.slice(LISTS_KEPT)) this.#drop(list);
    if (this.#rows.size <= ROWS_KEPT) return;
    const needed = new Set([...this.#lists.values()].flatMap(({ ids }) => ids));
    for (const { ids } of this.#pending) for (const id of ids) needed.add(id);
    if (this.#open !== null) needed.add(this.#open);
    for (const id of this.#rows.keys())
      if (!needed.has(id)) for (const part of this.#maps) part.delete(id);
  }

  #drop(list: Listing): void {
    this.#lists.delete(keyText(list.key));
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The member's own part of a conversation that they have done nothing in. */
export const nothingOwn = (conversationId: string): MineOf => ({
  conversationId,
  seen: 0,
  keptUnread: false,
  mentioned: false,
  draft: null,
});
