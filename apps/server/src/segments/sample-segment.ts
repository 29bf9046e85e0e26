import { attributeDefinitions } from "../contacts/attributes/define-attribute.ts";
import type { Context } from "../context.ts";
import { QueryTimeout } from "../db/database.ts";
import { parseDefinition } from "./parse-definition.ts";
import { compileSegment } from "./segment-sql.ts";
import { sampleNewest, sampleWhole, type SampledContact } from "./segment-sample-store.ts";
import type { Definition } from "./segment.ts";

const SAMPLE = 10;
const NEWEST_MS = 400;
const WHOLE_MS = 2_500;

/** Contacts that a definition names. */
export interface SegmentSample {
  readonly contacts: readonly SampledContact[];
  /** False: it took too long, and there may be others. */
  readonly whole: boolean;
  /** How many it names, when these are all; null: they are to be counted. */
  readonly total: number | null;
}

/**
 * The newest ten contacts that a definition would name. Reading newest first finds those of a large segment at
 * once. For a small one it would read the whole workspace, so after 0.4 s all of them are looked up by their
 * indexes, for 2.5 s at most. Throws VALIDATION_FAILED as saving would.
 */
export async function sampleSegment(
  context: Pick<Context, "db" | "clock">,
  workspaceId: string,
  definition: unknown,
): Promise<SegmentSample> {
  parseDefinition(definition, await attributeDefinitions(context, workspaceId));
  const where = compileSegment(definition as Definition, context.clock.now());
  for (const [sample, limitMs] of [
    [sampleNewest, NEWEST_MS],
    [sampleWhole, WHOLE_MS],
  ] as const)
    try {
      const contacts = await context.db.slowQuery<SampledContact>(
        sample(workspaceId, where, SAMPLE),
        limitMs,
        "planned each time",
      );
      return { contacts, whole: true, total: contacts.length < SAMPLE ? contacts.length : null };
    } catch (error) {
      if (!(error instanceof QueryTimeout)) throw error;
    }
  return { contacts: [], whole: false, total: null };
}
