import type { Context } from "../../context.ts";
import { westernDigits } from "../attributes/attribute-definition.ts";
import { normalisePhone } from "./contact-input.ts";
import { foldText } from "./contact.ts";
import {
  pageFarDown,
  pageFromTop,
  searchPage,
  searchPageSlowly,
  type SearchTerm,
} from "./contact-page-store.ts";

export { changedPage } from "./contact-page-store.ts";
export { hasContacts } from "./contact-store.ts";

export interface ContactQuery {
  /**
   * Case-insensitive substring of name, email or phone, or a phone as people write it. Empty or absent: all
   * contacts.
   */
  readonly search?: string | undefined;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

export interface ContactDocuments {
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
  /** The API's JSON of the contacts, separated by commas and ready to send. */
  readonly documents: string;
}

export const MAX_PAGE_SIZE = 200;
/** Pages that begin further down are slow reads. Programs that read all contacts use a cursor (POST /v1/contacts/search). */
const NEAR = 10_000;
/** A longer read is given up with `QueryTimeout`. */
export const SLOW_TIMEOUT_MS = 5_000;

/** With fewer digits, a number with marks (1.5) is hardly a phone. */
const FEWEST_DIGITS = 4;

/**
 * The stored digits of a phone as people write it (+965 5000, 00965…, ٩٦٥-٥٠٠٠). Null for anything else, and for
 * digits alone, which are searched as they are. With a `+` or `00` they are the beginning of a number.
 */
export function writtenPhone(search: string): SearchTerm["phone"] {
  const western = westernDigits(search);
  const digits = normalisePhone(western);
  if (digits === null || digits === search) return null;
  const hasPlus = western.includes("+");
  if (!hasPlus && digits !== western && digits.length < FEWEST_DIGITS) return null;
  return { digits, begins: hasPlus || /^\D*0\D*0/.test(western) };
}

/**
 * One page of the workspace's contacts, newest first, with the exact total (spec, GET /v1/contacts). A page past
 * the end has no documents and the right total. `pageSize` above 200 counts as 200. Throws `QueryTimeout` when a search
 * for a very common term, or a page far down, takes over 5 s.
 */
export async function listContacts(
  context: Pick<Context, "db">,
  workspaceId: string,
  query: ContactQuery,
): Promise<ContactDocuments> {
  const pageSize = Math.min(query.pageSize, MAX_PAGE_SIZE);
  const { page } = query;
  // Pages that no workspace reaches still have a total. Beyond 2^53 arithmetic would not be exact.
  const offset = Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER);
  const { db } = context;
  if (query.search) {
    const term = { text: foldText(query.search), phone: writtenPhone(query.search) };
    const found =
      (await searchPage(db, workspaceId, term, offset, pageSize)) ??
      (await searchPageSlowly(db, workspaceId, term, offset, pageSize, SLOW_TIMEOUT_MS));
    return { ...found, page, pageSize };
  }
  const found =
    offset <= NEAR
      ? await pageFromTop(db, workspaceId, offset, pageSize)
      : await pageFarDown(db, workspaceId, offset, pageSize, SLOW_TIMEOUT_MS);
  return { ...found, page, pageSize };
}
