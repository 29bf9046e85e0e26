import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { models } from "../operations/models.ts";
import { audit } from "../workspaces/write-audit.ts";
import { perform } from "../write.ts";
import { callModel } from "./call-model.ts";
import { modelOf } from "./find-model.ts";
import type { ModelRequest } from "./model.ts";

const QUESTION: ModelRequest<true> = {
  system: "You are being tested. Answer with the word ready.",
  turns: [{ role: "user", text: "Are you ready?" }],
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["text"],
    properties: { text: { type: "string" } },
  },
  schemaName: "answer",
  read: ({ text }) => (typeof text === "string" ? true : null),
  maxTokens: 200,
};

/** Asks the workspace's model a short question; the outcome is in the audit. Throws NOT_FOUND where none is set. */
export const testModel = perform(
  models.testModel,
  async (
    actor,
    context: Pick<Context, "db" | "ids" | "clock" | "sealer" | "providerHttp" | "guardedHttp">,
    workspaceId,
    _input,
    { keep },
  ) => {
    const found = await modelOf(context, workspaceId, { sandbox: true });
    if (!found) throw new AppError("NOT_FOUND", { explanation: "no model is set" });
    const { profile } = found;
    const outcome = await callModel(context, workspaceId, profile, QUESTION);
    const { kind, ms, tokens } = outcome;
    return context.db.transaction(async (tx) => {
      await audit(actor, context, tx, workspaceId, {
        action: "model.tested",
        subject: workspaceId,
        facts: { name: profile.name, outcome: kind },
      });
      return keep(tx, {
        ok: kind === "ok",
        outcome: kind,
        detail: kind === "ok" ? null : outcome.detail,
        emulated: profile.emulated,
        ms,
        tokens: tokens.input + tokens.output,
        model: profile.name,
      });
    });
  },
);
