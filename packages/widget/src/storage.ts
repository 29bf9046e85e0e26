/** What the widget needs of localStorage. */
export interface KeyValue {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
  keys(prefix: string): string[];
}

/** The part of a browser's Storage that is used. */
type BrowserStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/**
 * localStorage where the browser allows it; what it refuses (a private window, a full store, a blocked third party)
 * is kept in memory, so that the chat works until the page is left.
 */
export function keyValue(open: () => BrowserStorage): KeyValue {
  const memory = new Map<string, string>();
  let storage: BrowserStorage | null = null;
  try {
    storage = open();
  } catch {
    // Access itself may throw.
  }
  const attempt = <T>(work: (storage: BrowserStorage) => T): T | null => {
    try {
      return storage && work(storage);
    } catch {
      return null;
    }
  };
  return {
    get: (key) => memory.get(key) ?? attempt((s) => s.getItem(key)),
    set(key, value) {
      const kept = attempt((s) => (s.setItem(key, value), true));
      if (kept) memory.delete(key);
      else memory.set(key, value);
    },
    remove(key) {
      memory.delete(key);
      attempt((s) => s.removeItem(key));
    },
    keys(prefix) {
      const stored =
        attempt((s) => Array.from({ length: s.length }, (_, index) => s.key(index))) ?? [];
      const all = new Set([...stored, ...memory.keys()]);
      return [...all].filter((key): key is string => key?.startsWith(prefix) ?? false).sort();
    },
  };
}
