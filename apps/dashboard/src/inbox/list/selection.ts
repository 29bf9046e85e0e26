import { useState } from "react";

/** The conversations that are selected in one list. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly has: (id: string) => boolean;
  readonly toggle: (id: string) => void;
  /** Reports a press. With Shift, everything between it and the press before is selected. */
  readonly reach: (id: string, withShift: boolean) => void;
  /** All conversations of the view, loaded or not. */
  readonly isAll: boolean;
  readonly selectAll: () => void;
  readonly clear: () => void;
}

/** A selection for the list that shows `shown`, in this order. */
export function useSelection(shown: readonly string[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [isAll, setAll] = useState(false);
  const [last, setLast] = useState<string | null>(null);
  const change = (next: (before: ReadonlySet<string>) => ReadonlySet<string>): void => {
    setIds((before) => next(isAll ? new Set(shown) : before));
    setAll(false);
  };
  return {
    ids,
    isAll,
    has: (id) => isAll || ids.has(id),
    toggle: (id) =>
      change((before) => {
        const next = new Set(before);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    reach: (id, withShift) => {
      const [from, to] = [shown.indexOf(last ?? ""), shown.indexOf(id)];
      if (withShift && from >= 0 && to >= 0) {
        const between = shown.slice(Math.min(from, to), Math.max(from, to) + 1);
        // The pressed box toggles itself.
        change((before) => new Set([...before, ...between.filter((one) => one !== id)]));
      }
      setLast(id);
    },
    selectAll: () => {
      setIds(new Set(shown));
      setAll(true);
    },
    clear: () => change(() => new Set()),
  };
}
