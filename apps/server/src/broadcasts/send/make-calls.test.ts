import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createLogger } from "../../lib/logger.ts";
import type { Context } from "../../context.ts";
import type { PlacedCall } from "./begin-batch.ts";
import { makeCalls, type Answered } from "./make-calls.ts";

const START = Date.UTC(2026, 0, 5, 9);

/** A clock that stands until it is moved, and wakes those who wait in their order. */
class StillClock {
  #now = START;
  readonly #waiting: { readonly at: number; readonly wake: () => void }[] = [];
  readonly now = (): Date => new Date(this.#now);
  readonly pass = (ms: number): Promise<void> =>
    new Promise((wake) => void this.#waiting.push({ at: this.#now + ms, wake }));
  async move(ms: number): Promise<void> {
    for (let step = 0; step < ms; step++) {
      this.#now++;
      const due = this.#waiting.filter(({ at }) => at <= this.#now);
      for (const one of due) this.#waiting.splice(this.#waiting.indexOf(one), 1);
      for (const { wake } of due) wake();
      for (let turn = 0; turn < 20; turn++) await nextTurn();
    }
  }
}

const callAt = (n: number, perSecond: number): PlacedCall => ({
  claim: {
    contactId: `contact ${n}`,
    address: String(n),
    content: null,
    variant: null,
    messageId: null,
    fence: 1,
    attempts: 0,
  },
  messageId: `message ${n}`,
  filled: { outbound: { kind: "text", text: "" }, text: "", template: null },
  calledAt: new Date(START),
  placeAt: START + 250 + (n * 1_000) / perSecond,
});

/** Makes 200 calls, and gives the most that had an intent and were not made, at any moment. */
async function mostInDoubt(perSecond: number, refuseFrom = Infinity) {
  const clock = new StillClock();
  const context = { clock, log: createLogger("silent") } as Pick<Context, "clock" | "log">;
  const calls = Array.from({ length: 200 }, (_, n) => callAt(n, perSecond));
  const made = new Set<string>();
  const answers: Answered[] = [];
  let intended = 0;
  let most = 0;
  const plan = {
    fill: () => assert.fail("filled already"),
    channelType: "WHATSAPP" as const,
    secretsSince: null,
    send: async ({ id }: { readonly id: string }) => {
      made.add(id);
      return { ok: true, externalId: id } as const;
    },
  };
  const over = makeCalls(context, plan, calls, async (batch) => void answers.push(...batch), {
    intend: async (upTo) => {
      if (upTo > refuseFrom) return false;
      intended = upTo;
      most = Math.max(most, intended - made.size);
      return true;
    },
  });
  await clock.move(300 + (200 * 1_000) / perSecond);
  await over;
  return { most, made: made.size, notMade: answers.filter(({ outcome }) => !outcome).length };
}

for (const perSecond of [1_000, 300])
  test(`at ${perSecond} a second at most 25 calls have an intent and are not made yet`, async () => {
    const { most, made, notMade } = await mostInDoubt(perSecond);
    assert.ok(most > 1 && most <= 25, `${most} in doubt`);
    assert.deepEqual([made, notMade], [200, 0]);
  });

test("when others have the calls of a batch, no further call is made, and those are put back", async () => {
  const { made, notMade } = await mostInDoubt(1_000, 100);
  assert.ok(made > 60 && made <= 100, `${made} made`);
  assert.equal(notMade, 200 - made);
});
