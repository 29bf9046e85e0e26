/**
 * Makes one call of many: the keys asked for in one turn of the event loop are loaded together, and each caller gets
 * its own value, undefined where there is none. Nothing is kept: the next turn asks again. A load that fails, fails for
 * all.
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
