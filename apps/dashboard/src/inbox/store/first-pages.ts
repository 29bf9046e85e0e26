import type { DeskPage } from "../contract.ts";
import { keyText, type ListKey } from "./listing.ts";

const DATABASE = "parley-inbox";
const PAGES = "pages";

/**
 * The last seen first page of each list, stored in the browser and drawn before the network answers. It is only a
 * comfort: when the browser stores nothing (a private window, no room), everything works without it.
 */
export class FirstPages {
  readonly #memberId: string;
  #database: Promise<IDBDatabase> | undefined;

  constructor(memberId: string) {
    this.#memberId = memberId;
  }

  /** The stored page; undefined: none. */
  async read(key: ListKey): Promise<DeskPage | undefined> {
    try {
      const store = await this.#store("readonly");
      const page: DeskPage | undefined = await answerOf(store.get(this.#name(key)));
      return page;
    } catch {
      return undefined;
    }
  }

  async keep(key: ListKey, page: DeskPage): Promise<void> {
    try {
      const store = await this.#store("readwrite");
      await answerOf(store.put(page, this.#name(key)));
    } catch {
      // The next page that comes is stored instead.
    }
  }

  /** Forgets the pages of every member: the next person who signs in on this machine reads nothing of them. */
  async wipe(): Promise<void> {
    try {
      const store = await this.#store("readwrite");
      await answerOf(store.clear());
    } catch {
      // Nothing was kept.
    }
  }

  #name(key: ListKey): string {
    return `${this.#memberId} ${keyText(key)}`;
  }

  async #store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
    this.#database ??= openDatabase();
    return (await this.#database).transaction(PAGES, mode).objectStore(PAGES);
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore(PAGES));
  return answerOf(opening);
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, failed) => {
    request.addEventListener("success", () => done(request.result));
    request.addEventListener("error", () => failed(request.error ?? new Error("IndexedDB")));
  });
}
