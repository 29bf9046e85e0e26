import type { Actor } from "./actor.ts";
import type { AnswerOf, InputOf, Declaration as Declared } from "./operations/operation.ts";
import { permit, permitDeclared, type Operation } from "./policies.ts";

/** A write operation. It takes its actor first, and knows the policy that admits it. */
export type Write<Args extends readonly unknown[] = never, Result = unknown> = ((
  actor: Actor,
  ...args: Args
) => Promise<Result>) & { readonly operation: Operation };

/**
 * Makes a write operation. The actor's rights are checked before anything is read: throws FORBIDDEN or MISSING_SCOPE
 * (`policies.ts`). `test/operations.test.ts` makes sure that the edge calls no other function that changes something.
 */
export function write<const Args extends readonly unknown[], Result>(
  operation: Operation,
  run: (actor: Actor, ...args: Args) => Promise<Result>,
): Write<Args, Result> {
  const admitted = async (actor: Actor, ...args: Args): Promise<Result> => {
    permit(actor, operation);
    return run(actor, ...args);
  };
  return Object.assign(admitted, { operation });
}

/** A function that does what a declaration says, for one workspace. `C` is what it needs of the context. */
export type Doing<O extends Declared, C> = (
  actor: Actor,
  context: C,
  workspaceId: string,
  input: InputOf<O>,
) => Promise<AnswerOf<O>>;

/** Makes a declared operation, a read or a write. The actor's rights are checked first, as for `write`. */
export function perform<O extends Declared, C>(operation: O, run: Doing<O, C>): Doing<O, C> {
  return async (actor, context, workspaceId, input) => {
    permitDeclared(actor, operation);
    return run(actor, context, workspaceId, input);
  };
}
