import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { Superseded } from "../thread/who-answers.ts";
import { readTurnAnswer } from "./ask-external.ts";
import { selectCall } from "./call-store.ts";
import { beginAgain } from "./run-external.ts";
import { applyAnswer } from "./apply-answer.ts";
import { readTurnToken } from "./turn-token.ts";

/**
 * Stores the answer that an external bot gives later, by the token of its turn, which is its only proof. Once: throws
 * NOT_FOUND for a token that is not ours or of a test call, CONFLICT for a turn that was answered, ran out, or was
 * overtaken by a person or by a newer message, and VALIDATION_FAILED with its faults for an answer of another form.
 */
export async function answerTurn(context: Context, token: string, body: string): Promise<void> {
  const claim = readTurnToken(context, token);
  const call = claim && (await selectCall(context.db, claim));
  if (!claim || !call) throw new AppError("NOT_FOUND", { explanation: "no such turn" });
  const read = readTurnAnswer(body);
  if (read.kind !== "answered") throw new AppError("VALIDATION_FAILED", { details: read.faults });
  if (!call.waits) throw over();
  try {
    await applyAnswer(context, { ...claim, ...call }, call, read.answer);
  } catch (error) {
    if (!(error instanceof Superseded)) throw error;
    await beginAgain(context, claim);
    throw over();
  }
}

const over = () =>
  new AppError("CONFLICT", {
    explanation: "the turn is over: it was answered, ran out, or somebody wrote meanwhile",
  });
