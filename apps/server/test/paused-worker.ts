import assert from "node:assert/strict";
import type { Context } from "../src/context.ts";
import { GroupCommit } from "../src/lib/group-commit.ts";
import { createDispatcher } from "../src/messages/send/dispatch-replies.ts";
import { atOnce } from "../src/messages/send/at-once.fixture.ts";

/**
 * A worker that claims one reply, commits its intent to call and is stopped there (SIGSTOP, a machine that sleeps) for as
 * long as `meanwhile` takes, while others work on.
 */
export async function pausedBeforeItsCall(
  app: Context,
  meanwhile: () => Promise<void> | void,
): Promise<void> {
  const { db } = app;
  let stopped = false;
  const paused: Context = {
    ...app,
    db: {
      ...db,
      async transaction(work) {
        const value = await db.transaction(work);
        if (!stopped) {
          stopped = true;
          await meanwhile();
        }
        return value;
      },
    },
  };
  const groupCommit = new GroupCommit<Context>(paused.db, () => paused);
  const worker = createDispatcher({ ...paused, groupCommit }, atOnce);
  assert.equal(await worker.claim(), 1);
  await Promise.all(worker.inFlight);
  assert.ok(stopped);
}
