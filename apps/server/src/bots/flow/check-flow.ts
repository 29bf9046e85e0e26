import { attributeDefinitions } from "../../contacts/attributes/define-attribute.ts";
import { listSegmentsNamed } from "../../segments/list-segments.ts";
import { segmentsIn } from "../../wire/flow.ts";
import { listMembers } from "../../workspaces/list-members.ts";
import type { BotFault, BotFaultCode } from "../../wire/bot.ts";
import { selectBotSecret } from "../external/secret-store.ts";
import { findLiveAi } from "../record/live-bot.ts";
import type { CheckBeforePublish } from "../record/publish-bot.ts";
import { readFlow } from "./read-flow.ts";

/** The secret that signs a flow's calls, and the bots and members that its steps name, are there. */
export const checkFlow: CheckBeforePublish = async (
  _context,
  tx,
  { kind, workspaceId, id: botId, draft },
) => {
  if (kind !== "flow") return [];
  const faults: BotFault[] = [];
  const add = (step: string, at: string, code: BotFaultCode, message: string, name?: string) =>
    faults.push({
      path: `steps.${step}.${at}`,
      step,
      code,
      message,
      ...(name !== undefined && { values: { name } }),
    });
  const secret = await selectBotSecret(tx, workspaceId, botId);
  const members = await listMembers(tx, workspaceId);
  const flow = readFlow(draft);
  const named = await listSegmentsNamed(tx, workspaceId, segmentsIn(flow));
  const segments = new Set(named.map((one) => one.name));
  const attributes = await attributeDefinitions({ db: tx }, workspaceId);
  for (const [id, step] of Object.entries(flow.steps)) {
    if (step.type === "call" && !secret)
      add(id, "url", "NO_SECRET", "needs the bot's secret, which signs its calls: make it first");
    if (step.type === "ai" && !(await findLiveAi(tx, workspaceId, step.bot)))
      add(
        id,
        "bot",
        "BOT_UNKNOWN",
        `must be the name of a live AI bot that answers; ${step.bot} is none`,
        step.bot,
      );
    if (step.type === "branch")
      for (const [n, one] of step.cases.entries())
        if ("segment" in one.if && !segments.has(one.if.segment))
          add(
            id,
            `cases.${n}.if.segment`,
            "SEGMENT_UNKNOWN",
            `must be the name of a segment; ${one.if.segment} is none`,
            one.if.segment,
          );
    if (step.type === "ask" && step.attribute !== undefined) {
      const type = attributes.get(step.attribute)?.type;
      if ((type === "number" || type === "date") && step.as !== type)
        add(id, "as", "ANSWER_KIND", `must be ${type}: the attribute is defined so`, type);
    }
    const { memberId } = step.type === "assign" ? step : {};
    if (memberId && !members.some((one) => one.id === memberId && one.disabledAt === null))
      add(id, "memberId", "MEMBER_UNKNOWN", "must be the id of a member of the workspace");
  }
  return faults;
};
