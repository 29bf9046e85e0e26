import type { Context } from "../../context.ts";
import type { ContactJson } from "../../wire/contact.ts";
import { foldText, parseContact } from "../record/contact.ts";
import { selectDocuments } from "../record/contact-store.ts";
import {
  changedPage,
  listContacts,
  MAX_PAGE_SIZE,
  SLOW_TIMEOUT_MS,
  writtenPhone,
  type ContactQuery,
} from "../record/list-contacts.ts";
import { readRecords } from "./read-records.ts";

export interface ContactQueryBy extends ContactQuery {
  /** Only those that changed after it. */
  readonly updatedAfter: Date | null;
  /** `updatedAt`: the one that changed longest ago first. */
  readonly order: "newest" | "updatedAt";
  /** Each contact also has `refs` and `updatedAt`. */
  readonly withRefs: boolean;
}

/**
 * One page of the workspace's contacts by their last change or with what other systems call them. The total is exact.
 * Throws `QueryTimeout` when that takes over 5 s.
 */
export async function listContactsBy(
  context: Pick<Context, "db">,
  workspaceId: string,
  query: ContactQueryBy,
): Promise<{
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
  readonly items: readonly ContactJson[];
}> {
  const { db } = context;
  const { page, updatedAfter, order, withRefs, search } = query;
  const pageSize = Math.min(query.pageSize, MAX_PAGE_SIZE);
  if (updatedAfter === null && order === "newest") {
    const { total, documents } = await listContacts(context, workspaceId, query);
    const contacts = JSON.parse(`[${documents}]`) as ContactJson[];
    const ids = contacts.map(({ id }) => id);
    const items = withRefs ? await readRecords(db, workspaceId, ids) : contacts;
    return { total, page, pageSize, items };
  }
  const term = search ? { text: foldText(search), phone: writtenPhone(search) } : null;
  const offset = Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER);
  const { total, ids } = await changedPage(
    db,
    workspaceId,
    { term, updatedAfter, order, offset, limit: pageSize },
    SLOW_TIMEOUT_MS,
  );
  if (withRefs) return { total, page, pageSize, items: await readRecords(db, workspaceId, ids) };
  const documents = await selectDocuments(db, workspaceId, ids);
  const byId = new Map(documents.map(({ id, document }) => [id, document]));
  const items = ids.flatMap((id) => {
    const document = byId.get(id);
    return document === undefined ? [] : [parseContact(document)];
  });
  return { total, page, pageSize, items };
}
