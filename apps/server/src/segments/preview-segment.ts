import { attributeDefinitions } from "../contacts/attributes/define-attribute.ts";
import type { Context } from "../context.ts";
import { QueryTimeout } from "../db/database.ts";
import { MAX_ID } from "../lib/ids.ts";
import { compileSegment } from "./segment-sql.ts";
import { countSegment } from "./count-segment.ts";
import { parseDefinition } from "./parse-definition.ts";
import type { Definition } from "./segment.ts";
import { countWindow } from "./segment-store.ts";

const EXACT_MS = 3_000;
const ROUGH_MS = 2_000;
const WINDOW = 20_000;

export interface SegmentPreview {
  readonly count: number;
  /** False: it took too long, and there are at least this many. */
  readonly exact: boolean;
}

/**
 * How many contacts a definition would name, before it is saved: exact when that takes no longer than `exactMs`;
 * otherwise as many as are found, newest first, in another `roughMs`. Every statement has a time-out, so that a
 * preview never holds a connection. Throws VALIDATION_FAILED as saving would.
 */
export async function previewSegment(
  context: Pick<Context, "db" | "clock">,
  workspaceId: string,
  definition: unknown,
  limits: { readonly exactMs?: number; readonly roughMs?: number; readonly window?: number } = {},
): Promise<SegmentPreview> {
  const { exactMs = EXACT_MS, roughMs = ROUGH_MS, window = WINDOW } = limits;
  parseDefinition(definition, await attributeDefinitions(context, workspaceId));
  const checked = definition as Definition;
  // A time-out of 0 would mean none.
  if (exactMs >= 1)
    try {
      return { count: await countSegment(context, workspaceId, checked, exactMs), exact: true };
    } catch (error) {
      if (!(error instanceof QueryTimeout)) throw error;
    }
  const condition = compileSegment(checked, context.clock.now());
  const deadline = performance.now() + roughMs;
  let count = 0;
  for (let before = MAX_ID; ;) {
    const left = Math.ceil(deadline - performance.now());
    if (left <= 0) return { count, exact: false };
    try {
      const [row] = await context.db.slowQuery<{ count: number; last: string | null }>(
        countWindow(workspaceId, condition, before, window),
        left,
        "planned each time",
      );
      count += row?.count ?? 0;
      if (!row?.last) return { count, exact: true };
      before = row.last;
    } catch (error) {
      if (!(error instanceof QueryTimeout)) throw error;
      return { count, exact: false };
    }
  }
}
