import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import { selectTemplatePage } from "./template-store.ts";
import type { StoredTemplate } from "./template.ts";

/** Which templates a list shows. */
export interface TemplateFilter {
  readonly channelId?: string | undefined;
  readonly status?: string | undefined;
  /** Part of the name. */
  readonly q?: string | undefined;
}

/** Where a list goes on: the last row of the page before. */
export interface TemplatePlace {
  readonly name: string;
  readonly language: string;
  readonly id: string;
}

export interface TemplatePage {
  readonly templates: readonly StoredTemplate[];
  readonly nextCursor: string | null;
}

const MOST = 100;

/**
 * A page of the templates that the platforms still have, in any status, by name and language. At most 100. Throws
 * VALIDATION_FAILED for an invalid cursor.
 */
export async function pageTemplates(
  context: Pick<Context, "db">,
  workspaceId: string,
  filter: TemplateFilter,
  {
    cursor,
    limit = 50,
  }: { readonly cursor?: string | undefined; readonly limit?: number | undefined },
): Promise<TemplatePage> {
  const size = Math.min(limit, MOST);
  const after = cursor === undefined ? null : placeOf(cursor);
  const rows = await selectTemplatePage(context.db, workspaceId, filter, after, size + 1);
  const templates = rows.slice(0, size);
  const last = templates.at(-1);
  return { templates, nextCursor: rows.length > size && last ? cursorOf(last) : null };
}

const cursorOf = ({ name, language, id }: TemplatePlace): string =>
  Buffer.from(JSON.stringify([name, language, id])).toString("base64url");

function placeOf(cursor: string): TemplatePlace {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    const [name, language, id] = Array.isArray(place) ? place.map(String) : [];
    if (name !== undefined && language !== undefined && id !== undefined)
      return { name, language, id };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw invalid("cursor", "must be the cursor of the page before");
}
