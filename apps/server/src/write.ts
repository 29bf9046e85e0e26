import type { Actor } from "./actor.ts";
import { permit, type Operation } from "./policies.ts";

/** A write operation. It takes its actor first, and knows the policy that admits it. */
export type Write<Args extends readonly unknown[] = never, Result = unknown> = ((
  actor: Actor,
  ...args: Args
) => Promise<Result>) & { readonly operation: Operation };

/**
 * Declares a write operation. The actor's role is checked before anything is read: throws FORBIDDEN (`policies.ts`).
 * `test/operations.test.ts` makes sure that the edge calls no other function that changes something.
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
