import type { Context } from "../context.ts";
import { westernDigits } from "./attribute-definition.ts";
import { foldText } from "./contact.ts";
import { normalisePhone } from "./contact-input.ts";
import { pageByBlocks, pageFromTop, searchPage, searchPageSlowly } from "./contact-page-store.ts";

export interface ContactQuery {
  /** Case-insensitive substring of name, email or phone, which may be written with `+` and marks; empty or absent: everyone. */
  readonly search?: string | undefined;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

export interface ContactDocuments {
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
  /** The API's JSON of the contacts with commas between, to be sent as it is: text, or its bytes. */
  readonly documents: string | Buffer;
}

const MAX_PAGE_SIZE = 200;
/** Below it, skipping rows costs less than adding up the blocks. */
const NEAR = 1_000;
/** A search that takes longer is given up with `QueryTimeout`. */
const SEARCH_TIMEOUT_MS = 5_000;

/**
 * One page of the workspace's contacts, newest first, with the exact total (spec, GET /v1/contacts). A page past
 * the end has no documents and the true total. Any page costs about the same (counts per block of the order).
 * `pageSize` above 200 acts as 200. Throws `QueryTimeout` when a search for a very common term takes over 5 s.
 */
export async function listContacts(
  context: Pick<Context, "db">,
  workspaceId: string,
  query: ContactQuery,
): Promise<ContactDocuments> {
  const pageSize = Math.min(query.pageSize, MAX_PAGE_SIZE);
  const { page } = query;
  // Pages that no workspace reaches still have a total; beyond 2^53 arithmetic would not be exact.
  const offset = Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER);
  const { db } = context;
  if (query.search) {
    const terms = termsOf(query.search);
    const found =
      (await searchPage(db, workspaceId, terms, offset, pageSize)) ??
      (await searchPageSlowly(db, workspaceId, terms, offset, pageSize, SEARCH_TIMEOUT_MS));
    return { ...found, page, pageSize };
  }
  const find = offset <= NEAR ? pageFromTop : pageByBlocks;
  return { ...(await find(db, workspaceId, offset, pageSize)), page, pageSize };
}

/** Fewer digits with marks between them are a date or a size as well. */
const LEAST_PHONE = 5;

/**
 * What contacts are searched for: the text as it is, and when that is a phone number as people write it
 * (`+965 5000-0001`, also with the plus read as a space, as in an address, or in Arabic digits), the digits that
 * contacts hold.
 */
function termsOf(search: string): string[] {
  const term = foldText(search);
  const digits = normalisePhone(westernDigits(search));
  return digits !== null && digits !== term && digits.length >= LEAST_PHONE
    ? [term, digits]
    : [term];
}
