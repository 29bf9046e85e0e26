import { Type } from "typebox";
import { OPERATOR } from "../actor.ts";
import type { Context } from "../context.ts";
import { runDeclared } from "../http/bound.ts";
import { bodyCheck, faultless } from "../http/edge/validation.ts";
import { OPERATIONS, type OperationName } from "../operations/all.ts";
import type { Declaration } from "../operations/operation.ts";

/**
 * Runs a declared operation as the operator, with an input that a command put together. Throws VALIDATION_FAILED for what does
 * not fit the operation's declaration, as every other door does.
 */
export async function runChecked(
  name: OperationName,
  app: Context,
  workspaceId: string,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { input: shape }: Declaration = OPERATIONS[name];
  faultless(bodyCheck(Type.Object(shape, { additionalProperties: false }))(input));
  return runDeclared(name, OPERATOR, app, workspaceId, input);
}
