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
  for (const [id, step] of Object.entries(readFlow(draft).steps)) {
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
    const { memberId } = step.type === "assign" ? step : {};
    if (memberId && !members.some((one) => one.id === memberId && one.disabledAt === null))
      add(id, "memberId", "MEMBER_UNKNOWN", "must be the id of a member of the workspace");
  }
  return faults;
};
