import { keep, readKept } from "../../api/kept.ts";
import type { DeskPage } from "../../api/shapes.ts";
import { keyText, type ListKey } from "./listing.ts";

/** The last seen first page of each list, kept in the browser and drawn before the network answers. */
export class FirstPages {
  readonly #memberId: string;

  constructor(memberId: string) {
    this.#memberId = memberId;
  }

  /** The kept page; undefined: none. */
  read(key: ListKey): Promise<DeskPage | undefined> {
    return readKept<DeskPage>(this.#name(key));
  }

  keep(key: ListKey, page: DeskPage): Promise<void> {
    return keep(this.#name(key), page);
  }

  #name(key: ListKey): string {
    return `${this.#memberId} ${keyText(key)}`;
  }
}
