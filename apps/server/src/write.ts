import type { Actor } from "./actor.ts";
import type { Tx } from "./db/database.ts";
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

/** An answer that was stored in the transaction of its effect. Only `Around.keep` makes one. */
class Kept<A> {
  readonly #answer: A;
  constructor(answer: A) {
    this.#answer = answer;
  }
  get answer(): A {
    return this.#answer;
  }
}
export type { Kept };

/** What a door gives an operation beside its input. */
export interface Around {
  /**
   * Stores the answer under the caller's `Idempotency-Key`, in the transaction of the effect and before its commit.
   * Without a key it stores nothing. Throws to undo the effect when another call with the key was first. Called again in a
   * later transaction, its answer replaces the first.
   */
  readonly keep: <A>(tx: Tx, answer: A) => Promise<Kept<A>>;
  /**
   * Throws VERSION_MISMATCH unless the record, as the API shows it, is the version that the caller's `If-Match` names.
   * Call it under the record's lock.
   */
  readonly match: (current: object) => void;
}

/** The surroundings of a call: `store` keeps an answer under its key, `check` compares the caller's version. */
export const around = (
  store: (tx: Tx, answer: unknown) => Promise<void>,
  check: (current: object) => void,
): Around => ({
  async keep(tx, answer) {
    await store(tx, answer);
    return new Kept(answer);
  },
  match: check,
});

/**
 * Runs a write that takes what to do within its transaction, and gives the answer that is kept there: `answer` says what of
 * the write's result the caller is answered. Throws when the write ended without it.
 */
export async function keeping<Made, A>(
  keep: Around["keep"],
  answer: (made: Made, tx: Tx) => A | Promise<A>,
  run: (within: (tx: Tx, made: Made) => Promise<void>) => Promise<unknown>,
): Promise<Kept<A>> {
  let kept: Kept<A> | undefined;
  await run(async (tx, made) => {
    kept = await keep(tx, await answer(made, tx));
  });
  if (!kept) throw new Error("the write kept no answer");
  return kept;
}

/** Of a caller without key and version: a command, a test. */
const ALONE: Around = around(
  async () => {},
  () => {},
);

/** The answer of a declared operation, of a POST without its mark. */
export const answerOf = (result: unknown): unknown =>
  result instanceof Kept ? (result.answer as unknown) : result;

/** What a function answers: of a POST an answer that was kept, so that none that repeats its effect compiles. */
type Result<O extends Declared> = O["at"] extends `POST ${string}`
  ? Kept<AnswerOf<O>>
  : AnswerOf<O>;

/** A function that does what a declaration says, for one workspace. `C` is what it needs of the context. */
type Doing<O extends Declared, C> = (
  actor: Actor,
  context: C,
  workspaceId: string,
  input: InputOf<O>,
  around: Around,
) => Promise<Result<O>>;

/** The same as others call it. Without a key and a version nothing is kept and compared. */
export type Done<O extends Declared, C> = (
  actor: Actor,
  context: C,
  workspaceId: string,
  input: InputOf<O>,
  around?: Around,
) => Promise<Result<O>>;

/** Makes a declared operation, a read or a write. The actor's rights are checked first, as for `write`. */
export function perform<O extends Declared, C>(operation: O, run: Doing<O, C>): Done<O, C> {
  return async (actor, context, workspaceId, input, surroundings = ALONE) => {
    permitDeclared(actor, operation);
    return run(actor, context, workspaceId, input, surroundings);
  };
}
