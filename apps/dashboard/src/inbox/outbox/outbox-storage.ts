import type { OutboxItem } from "./outbox-item.ts";
import type { OutboxStorage } from "./outbox.ts";

const NAME = "parley-outbox";
const STORE = "outbox";

/** Stores the outbox in IndexedDB. Rejects when the browser has none (some private windows). */
export function browserStorage(): OutboxStorage {
  let opened: Promise<IDBDatabase> | undefined;
  const open = (): Promise<IDBDatabase> => {
    opened ??= openDatabase().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const write = async (change: (store: IDBObjectStore) => void): Promise<void> => {
    const transaction = (await open()).transaction(STORE, "readwrite", { durability: "strict" });
    change(transaction.objectStore(STORE));
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
    });
  };
  return {
    all: async () => {
      const store = (await open()).transaction(STORE).objectStore(STORE);
      const request: IDBRequest<OutboxItem[]> = store.getAll();
      return done(request);
    },
    put: (item) => write((store) => store.put(item)),
    remove: (id) => write((store) => store.delete(id)),
  };
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
  return done(request);
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("failed"));
  });
}
