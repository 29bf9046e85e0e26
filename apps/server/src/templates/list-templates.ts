import type { Context } from "../context.ts";
import type { Queryable } from "../db/database.ts";
import { isId } from "../lib/ids.ts";
import type { TemplateJson } from "../wire/template.ts";
import { presentTemplate, type StoredTemplate } from "./template.ts";
import { selectApproved, selectTemplate, selectTemplateByName } from "./template-store.ts";

export {
  countTemplates,
  selectTemplatesNamed as findTemplatesNamed,
  selectSendableLanguages as sendableLanguages,
  selectApproved as sendableTemplates,
  selectKnown as knownTemplates,
  type KnownTemplate,
} from "./template-store.ts";

/** Which approved templates are listed; without parts all of the workspace. */
export interface ApprovedFilter {
  readonly channelId?: string | undefined;
  /** The whole name. */
  readonly name?: string | undefined;
  /** Also those that the platform has not approved. */
  readonly anyStatus?: boolean;
  /** The first so many in the order of the list. */
  readonly limit?: number;
}

/**
 * The approved templates of the workspace as the API shows them, by name, then language (spec, GET /v1/templates).
 * None for a channel that is malformed, unknown or disconnected.
 */
export async function listTemplates(
  context: Pick<Context, "db">,
  workspaceId: string,
  filter: ApprovedFilter = {},
): Promise<TemplateJson[]> {
  const { channelId } = filter;
  if (channelId !== undefined && !isId(channelId)) return [];
  return (await selectApproved(context.db, workspaceId, filter)).map(presentTemplate);
}

/** One template of any status, or null. It takes a `Queryable`, so that it can read inside a transaction. */
export async function findTemplate(
  db: Queryable,
  workspaceId: string,
  id: string,
): Promise<StoredTemplate | null> {
  return isId(id) ? selectTemplate(db, workspaceId, id) : null;
}

/** A channel's template by its name and language, of any status but DELETED, or null. */
export function findTemplateByName(
  db: Queryable,
  workspaceId: string,
  by: { readonly channelId: string; readonly name: string; readonly language: string },
): Promise<StoredTemplate | null> {
  return selectTemplateByName(db, workspaceId, by);
}
