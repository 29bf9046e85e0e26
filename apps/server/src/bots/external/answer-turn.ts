import type { Context } from "../../context.ts";
import type { Queryable } from "../../db/database.ts";
import { AppError } from "../../errors.ts";
import type { BotTurnAnswer } from "../../wire/external-bot.ts";
import type { RunClaim } from "../thread/run-store.ts";
import { Superseded } from "../thread/who-answers.ts";
import { readTurnAnswer } from "./ask-external.ts";
import { putAnswered, selectCall, type BegunCall } from "./call-store.ts";
import { beginAgain } from "./run-external.ts";
import { applyAnswer } from "./apply-answer.ts";
import { answerMac, isAnswerOf, readTurnToken } from "./turn-token.ts";

/**
 * Stores the answer that an external bot gives later, by the token of its turn, which is its only proof. Once: the same
 * answer again does nothing and gives true, so that a bot whose connection broke knows. Throws NOT_FOUND for a token that is
 * not ours or of a test call, CONFLICT for a turn that has another answer, ran out, or was overtaken by a person or by a newer
 * message, and VALIDATION_FAILED with its faults for an answer of another form.
 */
export async function answerTurn(context: Context, token: string, body: string): Promise<boolean> {
  const claim = readTurnToken(context, token);
  const call = claim && (await selectCall(context.db, claim));
  if (!claim || !call) throw new AppError("NOT_FOUND", { explanation: "no such turn" });
  const read = readTurnAnswer(body);
  if (read.kind !== "answered") throw new AppError("VALIDATION_FAILED", { details: read.faults });
  const { answer } = read;
  if (!call.waits) return repeated(context, claim, answer, call);
  const mac = answerMac(context, claim, answer);
  const keep = (db: Queryable) => putAnswered(db, claim, mac);
  try {
    // A channel or a plan that takes no message has handed over instead of sending it.
    if (!(await applyAnswer(context, { ...claim, ...call }, call, answer, keep)))
      await keep(context.db);
    return false;
  } catch (error) {
    if (!(error instanceof Superseded)) throw error;
    const now = await selectCall(context.db, claim);
    // Another call answered the turn in this moment.
    if (now?.answeredMac) return repeated(context, claim, answer, now);
    await beginAgain(context, claim);
    throw over();
  }
}

/** True: the turn was given this answer before. Throws CONFLICT otherwise. */
function repeated(
  context: Context,
  claim: RunClaim,
  answer: BotTurnAnswer,
  { answeredMac }: BegunCall,
): true {
  if (answeredMac && isAnswerOf(context, claim, answer, answeredMac)) return true;
  throw over();
}

const over = () =>
  new AppError("CONFLICT", {
    explanation: "the turn is over: it has another answer, it ran out, or somebody wrote meanwhile",
  });
