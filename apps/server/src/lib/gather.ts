/**
 * Joins many calls into one. Keys that are asked for in one turn of the event loop are loaded together. Each caller
 * gets its own value, or undefined where there is none. Nothing is remembered: the next turn loads again. When a load
 * fails, all its callers get the error.
 */
export function gather<V>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
): (key: string) => Promise<V | undefined> {
  let next: { readonly keys: Set<string>; readonly found: Promise<ReadonlyMap<string, V>> } | null =
    null;
  return async (key) => {
    if (next === null) {
      const keys = new Set<string>();
      const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, V>>();
      next = { keys, found: promise };
      setImmediate(() => {
        next = null;
        load([...keys]).then(resolve, reject);
      });
    }
    next.keys.add(key);
    return (await next.found).get(key);
  };
}
