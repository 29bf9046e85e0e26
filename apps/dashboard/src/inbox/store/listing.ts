import { compareRows, type DeskOrder, type DeskRow, type PlacedRow } from "../contract.ts";

/** Names one list: a view, its order, and whether it shows unread conversations only. */
export interface ListKey {
  readonly view: string;
  readonly order: DeskOrder;
  readonly unread: boolean;
}

export const keyText = ({ view, order, unread }: ListKey): string =>
  `${order}${unread ? "!" : ""}:${view}`;

/** What a page draws of a list. A new object stands for each change. */
export interface ListShown {
  readonly ids: readonly string[];
  /** Conversations that came in and wait until the pointer has left the list. */
  readonly waiting: number;
  /** `empty`: nothing was asked for yet. */
  readonly state: "empty" | "loading" | "ready" | "failed";
  /** Whether the server has more beyond the last one. */
  readonly more: boolean;
}

export const NOTHING_SHOWN: ListShown = { ids: [], waiting: 0, state: "empty", more: false };

/** What happened to one conversation, as a list sees it. */
export interface Placing {
  readonly row: DeskRow;
  /** Whether the list's view holds it now. */
  readonly belongs: boolean;
  /** Whether it may stand elsewhere in the order than before. */
  readonly moved: boolean;
}

/**
 * The ids of one list, in order, as far as they were loaded. What stands beyond the last loaded page is left to the next one.
 * While the list is held, what is shown keeps its order, and only `ids` moves.
 */
export class Listing {
  readonly key: ListKey;
  ids: string[] = [];
  /** Reads on after the last page; null: everything is here. */
  cursor: string | null = null;
  state: ListShown["state"] = "empty";
  /** A rising number of the last use; the lists that were not used for longest are dropped first. */
  usedAt = 0;
  shown: ListShown = NOTHING_SHOWN;
  /** The last row of the last page, as the server gave it: how far this list reaches. */
  #edge: PlacedRow | undefined;

  constructor(key: ListKey) {
    this.key = key;
  }

  /** Puts conversations where they belong and takes out those that do not. `rowOf` has all of them as they are now. */
  place(placings: readonly Placing[], rowOf: (id: string) => DeskRow | undefined): void {
    const held = new Set(this.ids);
    const out = new Set<string>();
    for (const { row, belongs, moved } of placings)
      if (held.has(row.id) && (moved || !belongs)) out.add(row.id);
    // All of them leave before the first one enters, since the search below needs a list that is in order.
    if (out.size > 0) this.ids = this.ids.filter((id) => !out.has(id));
    for (const { row, belongs } of placings)
      if (belongs && (out.has(row.id) || !held.has(row.id)) && this.#reaches(row))
        this.ids.splice(this.#indexFor(row, rowOf), 0, row.id);
  }

  /** Conversations that are no more. */
  remove(gone: ReadonlySet<string>): void {
    if (this.ids.some((id) => gone.has(id))) this.ids = this.ids.filter((id) => !gone.has(id));
  }

  /**
   * Takes in what a page brought. `page`: its rows as the server gave them; `belonging`: those that the view still holds now.
   * The first page replaces what was there.
   */
  addPage(
    page: { readonly rows: readonly DeskRow[]; readonly nextCursor: string | null },
    belonging: readonly DeskRow[],
    rowOf: (id: string) => DeskRow | undefined,
    first: boolean,
  ): void {
    if (first) this.ids = [];
    const held = new Set(this.ids);
    for (const row of belonging)
      if (!held.has(row.id)) this.ids.splice(this.#indexFor(row, rowOf), 0, row.id);
    this.cursor = page.nextCursor;
    this.#edge = page.rows.at(-1) ?? this.#edge;
    this.state = "ready";
  }

  /** Draws the true order. Tells whether the page has to draw again. */
  show(): boolean {
    return this.#draw(this.ids.slice(), 0);
  }

  /** Leaves the order on the screen, but for what is gone altogether, and counts what waits. */
  showHeld(exists: (id: string) => boolean): boolean {
    const kept = this.shown.ids.filter(exists);
    const drawn = new Set(kept);
    return this.#draw(kept, this.ids.filter((id) => !drawn.has(id)).length);
  }

  /** Whether the screen differs from the true order. */
  get isBehind(): boolean {
    return !sameIds(this.shown.ids, this.ids);
  }

  #draw(ids: readonly string[], waiting: number): boolean {
    const { shown, state } = this;
    const more = this.cursor !== null;
    const same = sameIds(shown.ids, ids);
    if (same && shown.waiting === waiting && shown.state === state && shown.more === more)
      return false;
    this.shown = { ids: same ? shown.ids : ids, waiting, state, more };
    return true;
  }

  #reaches(row: DeskRow): boolean {
    if (this.cursor === null) return true;
    return this.#edge !== undefined && compareRows(this.key.order, row, this.#edge) <= 0;
  }

  #indexFor(row: DeskRow, rowOf: (id: string) => DeskRow | undefined): number {
    let low = 0;
    let high = this.ids.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = rowOf(this.ids[middle] ?? "");
      if (other !== undefined && compareRows(this.key.order, other, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function sameIds(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, at) => id === b[at]);
}
