import { isId } from "../../lib/ids.ts";
import { sourceTitles } from "../../knowledge/list-sources.ts";
import type { BotFault } from "../../wire/bot.ts";
import type { CheckBeforePublish } from "../record/publish-bot.ts";
import { readAi } from "./ai-document.ts";

/**
 * The sources that an AI bot may answer from are there: with ids of which none is known it would find nothing and hand over
 * every question, and nothing would say why.
 */
export const checkSources: CheckBeforePublish = async (
  _context,
  tx,
  { kind, workspaceId, name, draft },
) => {
  const { sources = [] } = readAi({ name, document: draft });
  if (kind !== "ai" || sources.length === 0) return [];
  const found = await sourceTitles(tx, workspaceId, sources.filter(isId));
  const known = new Set(found.map(({ id }) => id));
  return sources.flatMap((id, n): BotFault[] =>
    known.has(id)
      ? []
      : [
          {
            path: `sources.${n}`,
            step: null,
            code: "SOURCE_UNKNOWN",
            message: `must be the id of a source of the workspace; ${id} is none`,
            values: { name: id },
          },
        ],
  );
};
