import { compareRows, type DeskOrder, type DeskRow, type PlacedRow } from "../../api/shapes.ts";

/** Names one list: a view, its order, and whether it shows only unread conversations. */
export interface ListKey {
  readonly view: string;
  readonly order: DeskOrder;
  readonly unread: boolean;
}

export const keyText = ({ view, order, unread }: ListKey): string =>
  `${order}${unread ? "!" : ""}:${view}`;

/** What a page draws of a list. Each change makes a new object. */
export interface ListShown {
  readonly ids: readonly string[];
  /** New conversations that wait until the pointer has left the list. */
  readonly waiting: number;
  /** `empty`: nothing was read yet. */
  readonly state: "empty" | "loading" | "ready" | "failed";
  /** Whether the server has more beyond the last one. */
  readonly more: boolean;
}

export const NOTHING_SHOWN: ListShown = { ids: [], waiting: 0, state: "empty", more: false };

/**
 * The conversation that opens when the open one is resolved: the one below it that is not resolved with it, else the
 * list's first. `place`: where an open one was that has left the list, as by its first reply; -1: it never was there.
 * Undefined: none is left, or the open one was never in the list.
 */
export function nextToOpen(
  shown: readonly string[],
  openId: string,
  resolved: readonly string[],
  place = -1,
): string | undefined {
  const at = shown.indexOf(openId);
  const from = at < 0 ? place : at;
  if (from < 0 || !resolved.includes(openId)) return undefined;
  const left = (id: string) => !resolved.includes(id);
  return shown.slice(from).find(left) ?? shown.slice(0, from).find(left);
}

/** What happened to one conversation, as a list sees it. */
export interface Placing {
  readonly row: DeskRow;
  /** Whether the list's view contains it now. */
  readonly belongs: boolean;
  /** Whether its place in the order may have changed. */
  readonly moved: boolean;
}

/**
 * The ids of one list, in order, as far as they were loaded. Rows beyond the last loaded page are left to the next
 * page. While the list is held, the screen keeps its order, and only `ids` changes.
 */
export class Listing {
  readonly key: ListKey;
  ids: string[] = [];
  /** Where to read on after the last page; null: everything is here. */
  cursor: string | null = null;
  state: ListShown["state"] = "empty";
  /** A rising number of the last use; lists that were unused for longest are dropped first. */
  usedAt = 0;
  shown: ListShown = NOTHING_SHOWN;
  /** The last row of the last page, as the server gave it: the end of this list. */
  #edge: PlacedRow | undefined;

  constructor(key: ListKey) {
    this.key = key;
  }

  /** Moves conversations to their places and removes those that do not belong. `rowOf` gives their present rows. */
  place(placings: readonly Placing[], rowOf: (id: string) => DeskRow | undefined): void {
    const held = new Set(this.ids);
    const out = new Set<string>();
    for (const { row, belongs, moved } of placings)
      if (held.has(row.id) && (moved || !belongs)) out.add(row.id);
    // All of them are removed before the first is inserted, because the search below needs a list in order.
    if (out.size > 0) this.ids = this.ids.filter((id) => !out.has(id));
    for (const { row, belongs } of placings)
      if (belongs && (out.has(row.id) || !held.has(row.id)) && this.#reaches(row))
        this.ids.splice(this.#indexFor(row, rowOf), 0, row.id);
  }

  /** Removes conversations that are gone. */
  remove(gone: ReadonlySet<string>): void {
    if (this.ids.some((id) => gone.has(id))) this.ids = this.ids.filter((id) => !gone.has(id));
  }

  /**
   * Adds a page. `page`: its rows as the server gave them; `belonging`: those that the view still contains. The
   * first page replaces the former content.
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

  /** Draws the true order. Gives whether the page must draw again. */
  show(): boolean {
    return this.#draw(this.ids.slice(), 0);
  }

  /** Keeps the order on the screen, except for conversations that are gone, and counts those that wait. */
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
