import { CONTACT_ORDERS, type ContactOrder } from "../../../server/src/wire/words.ts";

export type Sort = ContactOrder;

/** The state of the list in its address: it can be shared, and Back returns to it. */
export interface ContactsSearch {
  readonly q?: string;
  /** JSON of a segment's definition. */
  readonly definition?: string;
  /** The id of a saved segment. */
  readonly segment?: string;
  readonly sort?: Sort;
  readonly page?: string;
}

const sortOf = (text: unknown): Sort | undefined => CONTACT_ORDERS.find((order) => order === text);

/** Reads the address; unknown parts are left out. */
export function contactsSearch(given: Record<string, unknown>): ContactsSearch {
  const text = (key: "q" | "definition" | "segment") => {
    const value = given[key];
    return typeof value === "string" && value !== "" ? { [key]: value } : {};
  };
  const sort = sortOf(given["sort"]);
  const page = Number(given["page"]);
  return {
    ...text("q"),
    ...text("definition"),
    ...text("segment"),
    ...(sort && { sort }),
    ...(Number.isInteger(page) && page > 1 && { page: String(page) }),
  };
}

/** The filter as the server takes it. */
export const filterOf = ({ q, definition, segment }: ContactsSearch) => ({
  ...(q !== undefined && { search: q }),
  ...(definition !== undefined && { definition }),
  ...(segment !== undefined && { segment }),
});

export const isFiltered = ({ q, definition, segment }: ContactsSearch): boolean =>
  q !== undefined || definition !== undefined || segment !== undefined;
