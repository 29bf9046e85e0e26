const DATABASE = "parley-inbox";
const STORE = "pages";

/** Names the version of the pages: what another version kept may have another shape. */
const BUILD = document.querySelector<HTMLScriptElement>("script[type=module]")?.src ?? "";

/**
 * What the browser keeps of the last visit, so that a page is drawn before the network answers. It is only a comfort:
 * when the browser stores nothing (a private window, no room), everything works without it.
 */
export async function readKept<T>(name: string): Promise<T | undefined> {
  try {
    const store = await storeFor("readonly");
    const kept: { build: string; value: T } | undefined = await answerOf(store.get(name));
    return kept?.build === BUILD ? kept.value : undefined;
  } catch {
    return undefined;
  }
}

let isForgotten = false;

/** Keeps a value in place of the former one of this name. */
export async function keep(name: string, value: unknown): Promise<void> {
  if (isForgotten) return;
  try {
    const store = await storeFor("readwrite");
    await answerOf(store.put({ build: BUILD, value }, name));
  } catch {
    // The next one that comes is kept instead.
  }
}

/**
 * Forgets everything, of every member: the next person who signs in on this machine reads nothing of it. Whoever calls it
 * leaves the page, so answers that are still on their way are not kept any more.
 */
export async function forgetKept(): Promise<void> {
  isForgotten = true;
  try {
    const store = await storeFor("readwrite");
    await answerOf(store.clear());
  } catch {
    // Nothing was kept.
  }
}

let database: Promise<IDBDatabase> | undefined;

async function storeFor(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  database ??= openDatabase();
  return (await database).transaction(STORE, mode).objectStore(STORE);
}

function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore(STORE));
  return answerOf(opening);
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, failed) => {
    request.addEventListener("success", () => done(request.result));
    request.addEventListener("error", () => failed(request.error ?? new Error("IndexedDB")));
  });
}
