import { AppError } from "../../errors.ts";
import type { CheckBeforePublish } from "../record/publish-bot.ts";
import { selectCases, sumCases } from "./case-store.ts";
import { questionOf } from "./bot-case.ts";

/** The most cases that a refusal names. */
const NAMED = 20;

/**
 * A bot is published when every case of it passed with this very document. A bot without cases has nothing to show. Throws
 * CASES_FAIL with the cases; `untested` passes.
 */
export const checkCases: CheckBeforePublish = async (_context, tx, bot, { untested }) => {
  if (untested) return [];
  const { workspaceId, id, draft } = bot;
  const { failed, untested: unknown } = await sumCases(tx, workspaceId, id, draft);
  if (failed + unknown === 0) return [];
  const cases = await selectCases(tx, workspaceId, id, draft);
  const named = cases.filter(({ current, lastPassed }) => !(current && lastPassed === true));
  throw new AppError("CASES_FAIL", {
    details: named.slice(0, NAMED).map((one) => ({
      path: one.id,
      message: `${one.current ? "fails" : "was not run against this draft"}: ${questionOf(one).slice(0, 200)}`,
    })),
    explanation: reasonOf(failed, unknown),
  });
};

function reasonOf(failed: number, unknown: number): string {
  const parts = [
    ...(failed > 0 ? [`${failed === 1 ? "1 case fails" : `${failed} cases fail`}`] : []),
    ...(unknown > 0
      ? [`${unknown === 1 ? "1 case was" : `${unknown} cases were`} never run against this draft`]
      : []),
  ];
  return `${parts.join(", and ")}; run them, or publish although they fail (untested)`;
}
