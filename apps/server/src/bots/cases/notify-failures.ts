import type { Context } from "../../context.ts";
import type { Tx } from "../../db/database.ts";
import { notifyLeaders } from "../../workspaces/member-notice.ts";
import { notifyAdmins } from "../../workspaces/notify-admins.ts";
import { selectBot } from "../record/bot-store.ts";
import { questionOf } from "./bot-case.ts";
import { selectResults, type CaseResult, type CaseRun } from "./case-run-store.ts";

/**
 * Notifies owners and admins of cases that passed before their sources changed, and fail now. A model that did not answer
 * is no failure of the sources. Call it in the transaction that ends the run.
 */
export async function notifyFailures(
  context: Pick<Context, "ids" | "clock" | "topics">,
  tx: Tx,
  run: CaseRun,
): Promise<void> {
  if (run.why !== "sources") return;
  const { workspaceId, id, botId } = run;
  const failed = (await selectResults(tx, workspaceId, id)).filter(isNewFailure);
  const bot = await selectBot(tx, workspaceId, botId);
  if (failed.length === 0 || !bot) return;
  const [first] = failed;
  const question = first ? questionOf(first).slice(0, 200) : "";
  const body = `${failed.length === 1 ? "A case fails" : `${failed.length} cases fail`} since sources changed. The first: ${question}`;
  await notifyAdmins(context, tx, workspaceId, {
    kind: "bot.cases_fail",
    subject: `Cases of ${bot.name} fail`,
    body,
    dedupe: `case-run:${id}`,
  });
  const facts = { outcome: "cases_fail", bot: bot.name, count: failed.length, question };
  const ref = `/bots/${botId}`;
  await notifyLeaders(context, tx, workspaceId, { subject: bot.name, body, ref, facts });
}

const isNewFailure = ({ state, passedBefore, answers }: CaseResult): boolean =>
  state === "failed" &&
  passedBefore &&
  answers.some(({ difference }) => difference !== null && difference.what !== "model");
