import type { BotFault } from "../../wire/bot.ts";
import { liveFlows } from "../record/live-bot.ts";
import type { CheckBeforePublish } from "../record/publish-bot.ts";
import { readAi } from "./ai-document.ts";

/** The flows that an AI bot may begin are live. */
export const checkProcedures: CheckBeforePublish = async (
  _context,
  tx,
  { kind, workspaceId, name, draft },
) => {
  const { procedures = [] } = readAi({ name, document: draft });
  if (kind !== "ai" || procedures.length === 0) return [];
  const live = await liveFlows(tx, workspaceId);
  return procedures.flatMap(({ flow }, n): BotFault[] =>
    live.has(flow)
      ? []
      : [
          {
            path: `procedures.${n}.flow`,
            step: null,
            code: "FLOW_UNKNOWN",
            message: `must be the name of a live flow; ${flow} is none`,
            values: { name: flow },
          },
        ],
  );
};
