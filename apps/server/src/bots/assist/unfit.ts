import { AppError } from "../../errors.ts";

/** Why a model is not asked, or said nothing that can be used. The dashboard has words for each. */
export type UnfitReason =
  | "no_bot"
  | "no_model"
  | "cost_cap"
  | "nothing"
  | "refused"
  | "no_source"
  | "not_ai"
  | "no_cases"
  | "too_many_cases"
  | "too_many_runs";

/** What the record is now does not allow a model to be asked. */
export const unfit = (explanation: string, code: UnfitReason): AppError =>
  new AppError("NOT_ALLOWED_IN_STATE", {
    explanation,
    details: [{ path: "", message: explanation, code }],
  });

/** The model was asked and gave no answer in time. */
export const noModelAnswer = (): AppError =>
  new AppError("MODEL_UNAVAILABLE", {
    explanation: "the model did not answer",
    retryAfterSeconds: 10,
  });
